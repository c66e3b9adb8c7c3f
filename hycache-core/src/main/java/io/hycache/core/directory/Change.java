// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.List;
import java.util.Objects;

/**
 * A message about a record from one replica to another: a change from one version to the next, or
 * the whole record in one or more parts. Immutable except for the bytes, which must not be changed.
 */
public final class Change {
  /** Value of {@link #before} if the change carries the whole record or a part of it. */
  public static final long WHOLE = -1;

  private final String key;
  private final long before;
  private final long version;
  private final boolean removed;
  private final int first;
  private final int size;
  private final List<byte[]> entries;
  private final long ttlMillis;
  private final String publisher;
  private final long epoch;
  private final long token;

  /**
   * @param before version that the record had, 0 if there was none, or {@link #WHOLE}
   * @param first index of the first of the entries in the record
   * @param size number of entries of the record
   * @param ttlMillis remaining life of the record; 0 means that it does not end
   * @param publisher member whose soft state it is; empty if it is not soft state
   * @param token token of the operation; 0 means none
   */
  public Change(
      String key,
      long before,
      long version,
      boolean removed,
      int first,
      int size,
      List<byte[]> entries,
      long ttlMillis,
      String publisher,
      long epoch,
      long token) {
    this.key = Objects.requireNonNull(key);
    this.before = before;
    this.version = version;
    this.removed = removed;
    this.first = first;
    this.size = size;
    this.entries = entries;
    this.ttlMillis = ttlMillis;
    this.publisher = Objects.requireNonNull(publisher);
    this.epoch = epoch;
    this.token = token;
  }

  public String key() {
    return key;
  }

  public long before() {
    return before;
  }

  public long version() {
    return version;
  }

  public boolean removed() {
    return removed;
  }

  public int first() {
    return first;
  }

  public int size() {
    return size;
  }

  public List<byte[]> entries() {
    return entries;
  }

  public long ttlMillis() {
    return ttlMillis;
  }

  public String publisher() {
    return publisher;
  }

  public long epoch() {
    return epoch;
  }

  public long token() {
    return token;
  }

  private Change with(long newBefore, int newFirst, List<byte[]> newEntries, long newTtlMillis) {
    return new Change(
        key,
        newBefore,
        version,
        removed,
        newFirst,
        size,
        newEntries,
        newTtlMillis,
        publisher,
        epoch,
        token);
  }

  /** The same without its entries. */
  public Change withoutEntries() {
    return with(before, first, List.of(), ttlMillis);
  }

  /** The whole record with these entries. */
  public Change whole(List<byte[]> all) {
    return with(WHOLE, 0, all, ttlMillis);
  }

  /** The same with another remaining life. */
  Change withTtl(long millis) {
    return with(before, first, entries, millis);
  }

  /** Its approximate size on the wire. */
  int bytes() {
    int sum = key.length() + publisher.length() + 48;
    for (byte[] entry : entries) {
      sum += entry.length + 4;
    }
    return sum;
  }
}
