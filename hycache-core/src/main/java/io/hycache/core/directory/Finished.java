// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

/** The result of a write, to be returned again if the write is sent twice. Immutable. */
public final class Finished {
  private final long token;
  private final int shard;
  private final long version;
  private final int size;

  public Finished(long token, int shard, long version, int size) {
    this.token = token;
    this.shard = shard;
    this.version = version;
    this.size = size;
  }

  public long token() {
    return token;
  }

  public int shard() {
    return shard;
  }

  /** The record's version after it. */
  public long version() {
    return version;
  }

  /** Entries of the record after it. */
  public int size() {
    return size;
  }
}
