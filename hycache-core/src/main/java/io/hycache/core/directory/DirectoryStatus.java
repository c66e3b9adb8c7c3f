// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

/** Figures of a node's share of the directory. Immutable. */
public final class DirectoryStatus {
  public final int members;

  /** Age of the members as reported by the NameNode; 0 if they were not reported yet. */
  public final long viewAgeMillis;

  /** Shards whose primary this node is. */
  public final int primaryShards;

  /** Shards that are being pulled from other replicas; 0 if this node's share is complete. */
  public final int pullingShards;

  public final long records;
  public final long bytes;
  public final long operations;

  /** Operations that were refused because of too much load or lack of room. */
  public final long shed;

  /** Changes that were queued for other replicas. */
  public final long replicated;

  public DirectoryStatus(
      int members,
      long viewAgeMillis,
      int primaryShards,
      int pullingShards,
      long records,
      long bytes,
      long operations,
      long shed,
      long replicated) {
    this.members = members;
    this.viewAgeMillis = viewAgeMillis;
    this.primaryShards = primaryShards;
    this.pullingShards = pullingShards;
    this.records = records;
    this.bytes = bytes;
    this.operations = operations;
    this.shed = shed;
    this.replicated = replicated;
  }

  /** The same, with operations that were refused before they came to the node. */
  public DirectoryStatus withMoreShed(long more) {
    return new DirectoryStatus(
        members,
        viewAgeMillis,
        primaryShards,
        pullingShards,
        records,
        bytes,
        operations,
        shed + more,
        replicated);
  }
}
