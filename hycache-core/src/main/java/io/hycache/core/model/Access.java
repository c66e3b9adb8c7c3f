// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

/**
 * One access to a block, as passed to a policy.
 *
 * <p>The caller reuses the object, because a simulation makes millions of accesses per second. A
 * policy that needs a value after the call copies the value, not the reference. Not thread-safe.
 */
public final class Access {
  private static final CacheKey NO_KEY = new CacheKey("", 0);

  private CacheKey key = NO_KEY;
  private long sizeBytes;
  private long requestBytes;
  private int requests = 1;
  private long timeNanos;
  private boolean write;

  /**
   * Sets all values, of a read in one request. For the callers of policies.
   *
   * @param newSizeBytes length of the block, &gt;= 0
   * @param newRequestBytes bytes requested by the access, 0 to the length; the length if unknown
   * @param newTimeNanos monotonic time of the access
   * @return this
   */
  public Access set(CacheKey newKey, long newSizeBytes, long newRequestBytes, long newTimeNanos) {
    write = false;
    key = newKey;
    sizeBytes = newSizeBytes;
    requestBytes = newRequestBytes;
    requests = 1;
    timeNanos = newTimeNanos;
    return this;
  }

  /**
   * Marks the access as a write. Only where writes are accesses: a DataNode reports reads alone.
   *
   * @return this
   */
  public Access asWrite(boolean isWrite) {
    write = isWrite;
    return this;
  }

  /**
   * Sets the number of requests that make up the access.
   *
   * @param number &gt;= 1
   * @return this
   */
  public Access ofRequests(int number) {
    requests = number;
    return this;
  }

  /** Whether the access writes the requested bytes. */
  public boolean isWrite() {
    return write;
  }

  /** The block. */
  public CacheKey key() {
    return key;
  }

  /** Length of the block, &gt;= 0. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * Bytes requested by the access, in all of its {@link #requests}; {@link #sizeBytes} if it covers
   * the whole block.
   */
  public long requestBytes() {
    return requestBytes;
  }

  /** Requests that make up the access, each an operation of a disk that serves it; &gt;= 1. */
  public int requests() {
    return requests;
  }

  /** Monotonic time of the access, on the clock of the policy's other events. */
  public long timeNanos() {
    return timeNanos;
  }

  @Override
  public String toString() {
    return key
        + " sizeBytes="
        + sizeBytes
        + " requestBytes="
        + requestBytes
        + " requests="
        + requests
        + " timeNanos="
        + timeNanos;
  }
}
