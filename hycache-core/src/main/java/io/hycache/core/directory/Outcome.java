// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.List;
import java.util.Objects;

/**
 * The result of an {@link Operation}. Immutable except for the bytes, which must not be changed.
 */
public final class Outcome {
  /** The kinds of results. */
  public enum Status {
    /** Done, or found. */
    OK,
    /** There is no such record. */
    ABSENT,
    /** The record's version is not the expected one; nothing was changed. */
    CONFLICT,
    /** The node does not own the key, or not yet; ask the owner. */
    NOT_OWNER,
    /** The node is overloaded or full; nothing was done. */
    BUSY,
    /** The operation is invalid; the text says why. */
    REFUSED,
    /** No answer in time; a write may have been done or not. */
    UNKNOWN
  }

  /** A record in the answer to a LIST. */
  public static final class Row {
    private final String key;
    private final long version;
    private final byte[] value;

    public Row(String key, long version, byte[] value) {
      this.key = Objects.requireNonNull(key);
      this.version = version;
      this.value = Objects.requireNonNull(value);
    }

    public String key() {
      return key;
    }

    public long version() {
      return version;
    }

    /** The first entry. */
    public byte[] value() {
      return value;
    }

    /** Its approximate size on the wire. */
    int bytes() {
      return key.length() + value.length + 16;
    }
  }

  private final Status status;
  private final long version;
  private final int size;
  private final List<byte[]> entries;
  private final List<Row> rows;
  private final boolean more;
  private final String text;

  public Outcome(
      Status status,
      long version,
      int size,
      List<byte[]> entries,
      List<Row> rows,
      boolean more,
      String text) {
    this.status = Objects.requireNonNull(status);
    this.version = version;
    this.size = size;
    this.entries = entries;
    this.rows = rows;
    this.more = more;
    this.text = Objects.requireNonNull(text);
  }

  static Outcome of(Status status, long version, int size) {
    return new Outcome(status, version, size, List.of(), List.of(), false, "");
  }

  static Outcome failed(Status status, String text) {
    return new Outcome(status, 0, 0, List.of(), List.of(), false, text);
  }

  /** A write of an earlier epoch than the publisher announced. */
  static Outcome ofEarlierEpoch(long announced) {
    String text = "the publisher announced a later epoch";
    return new Outcome(Status.REFUSED, announced, 0, List.of(), List.of(), false, text);
  }

  static Outcome listed(List<Row> rows, boolean more) {
    return new Outcome(Status.OK, 0, rows.size(), List.of(), rows, more, "");
  }

  public Status status() {
    return status;
  }

  public boolean isOk() {
    return status == Status.OK;
  }

  /**
   * The record's version after it; for a CONFLICT the current one. 0 if there is no record. If it
   * was REFUSED because the publisher announced a later epoch, that epoch.
   */
  public long version() {
    return version;
  }

  /** Number of entries after it; an APPEND's entry is the last. */
  public int size() {
    return size;
  }

  /** The entries that a GET found, from the requested one on. */
  public List<byte[]> entries() {
    return entries;
  }

  /** The rows that a LIST found. */
  public List<Row> rows() {
    return rows;
  }

  /** True if a LIST or GET has more than it returned. */
  public boolean more() {
    return more;
  }

  /** Why it was refused. */
  public String text() {
    return text;
  }

  /** Its approximate size on the wire. */
  long bytes() {
    long sum = 16;
    for (byte[] entry : entries) {
      sum += entry.length + 4;
    }
    for (Row row : rows) {
      sum += row.bytes();
    }
    return sum;
  }

  @Override
  public String toString() {
    return status + " version=" + version + " size=" + size + (text.isEmpty() ? "" : " " + text);
  }
}
