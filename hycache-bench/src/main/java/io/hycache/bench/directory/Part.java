// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import io.hycache.core.directory.Member;
import java.io.Closeable;
import java.util.List;

/** What a process of an experiment is: a node, a client alone, a NameNode. */
interface Part extends Closeable {
  /** Where it is called; empty if it isn't. */
  String address();

  /**
   * Takes the members of the directory, and returns when it is ready to work with them.
   *
   * @param members nodes that began at the same time as this one
   */
  void join(List<Member> members) throws Exception;

  /** What client threads do in a phase; the same threads go on with their files. */
  List<Workload> workloads(Phase phase);

  /** Entries of the directories that all append to in a phase. */
  AppendedNames appended(String phase) throws Exception;
}
