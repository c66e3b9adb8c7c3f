// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import io.hycache.core.directory.Member;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Clients of a NameNode. */
final class HdfsClientPart implements Part {
  private final String id;
  private final FileSystem fs;
  private final List<NameNodeWorkload> clients = new ArrayList<>();

  HdfsClientPart(String id, String nameNode) throws IOException {
    this.id = id;
    this.fs = FileSystem.newInstance(URI.create("hdfs://" + nameNode), new Configuration());
  }

  @Override
  public String address() {
    return "";
  }

  @Override
  public void join(List<Member> members) {}

  @Override
  public List<Workload> workloads(Phase phase) {
    for (int i = clients.size(); i < phase.clients; i++) {
      clients.add(new NameNodeWorkload(fs, id + "-" + i, phase));
    }
    List<NameNodeWorkload> of = clients.subList(0, phase.clients);
    of.forEach(one -> one.begin(phase));
    return new ArrayList<>(of);
  }

  @Override
  public AppendedNames appended(String phase) throws IOException {
    AppendedNames names = new AppendedNames();
    for (FileStatus file : fs.listStatus(new Path("/shared/" + phase))) {
      names.add(file.getPath().getName());
    }
    return names;
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
