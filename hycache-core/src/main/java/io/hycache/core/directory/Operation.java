// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.Objects;

/**
 * One read or write of one record, or a LIST. A record is a version and a list of entries: a value
 * that is put is a list of one, an append adds one. Immutable except for the value's bytes, which
 * must not be changed.
 */
public final class Operation {
  /** The kinds of operations. */
  public enum Kind {
    /** Returns the record, from an entry on. */
    GET,
    /** Sets the value, whatever the record was. */
    PUT,
    /** Removes the record. */
    REMOVE,
    /** Sets the value if the record has the expected version; 0 expects no record. */
    CAS,
    /** Adds an entry, atomically; creates the record if there is none. */
    APPEND,
    /** Returns the records whose keys begin with the key, in the order of their keys. */
    LIST;

    /** Whether it may change something. */
    public boolean writes() {
      return this != GET && this != LIST;
    }
  }

  /** Longest key, in characters. */
  public static final int MAX_KEY_CHARS = 1024;

  /** Longest value or entry, in bytes. */
  public static final int MAX_VALUE_BYTES = 64 << 10;

  /** Most records in one answer to a LIST. */
  public static final int MAX_ROWS = 10_000;

  /** An answer ends with the entry or row that reaches this size. */
  public static final int MAX_ANSWER_BYTES = 1 << 20;

  private static final byte[] NONE = {};

  private final Kind kind;
  private final String key;
  private final byte[] value;
  private final long expected;
  private final long ttlMillis;
  private final long token;
  private final boolean anyReplica;
  private final int from;
  private final String after;

  /** An operation as received; values out of range are refused when it is applied. */
  public Operation(
      Kind kind,
      String key,
      byte[] value,
      long expected,
      long ttlMillis,
      long token,
      boolean anyReplica,
      int from,
      String after) {
    this.kind = Objects.requireNonNull(kind);
    this.key = Objects.requireNonNull(key);
    this.value = Objects.requireNonNull(value);
    this.expected = expected;
    this.ttlMillis = ttlMillis;
    this.token = token;
    this.anyReplica = anyReplica;
    this.from = from;
    this.after = Objects.requireNonNull(after);
  }

  private static Operation read(Kind kind, String key, boolean any, int from, String after) {
    return new Operation(kind, key, NONE, 0, 0, 0, any, from, after);
  }

  /** Reads a record from its primary: sees all writes acknowledged before. */
  public static Operation get(String key) {
    return read(Kind.GET, key, false, 0, "");
  }

  /** As {@link #get(String)}, from an entry on; an answer may end before the last entry. */
  public static Operation get(String key, int from) {
    return read(Kind.GET, key, false, from, "");
  }

  /** Reads a record from any replica if the primary does not answer; it may be out of date. */
  public static Operation getAny(String key) {
    return read(Kind.GET, key, true, 0, "");
  }

  /**
   * Sets a value, whatever the record was.
   *
   * @param ttlMillis the record ends after it unless it is put again; 0 means never
   */
  public static Operation put(String key, byte[] value, long ttlMillis) {
    return new Operation(Kind.PUT, key, value, 0, ttlMillis, 0, false, 0, "");
  }

  public static Operation remove(String key) {
    return new Operation(Kind.REMOVE, key, NONE, 0, 0, 0, false, 0, "");
  }

  /**
   * Sets a value if the record has not changed.
   *
   * @param expected version that the record must have; 0 means that there must be no record
   */
  public static Operation cas(String key, long expected, byte[] value) {
    return new Operation(Kind.CAS, key, value, expected, 0, 0, false, 0, "");
  }

  public static Operation append(String key, byte[] entry) {
    return new Operation(Kind.APPEND, key, entry, 0, 0, 0, false, 0, "");
  }

  /** Lists the records whose keys begin with a prefix, after a key. */
  public static Operation list(String prefix, String after) {
    return read(Kind.LIST, prefix, true, 0, after);
  }

  /** The same with a token, by which it is recognized if it is sent twice. */
  public Operation withToken(long newToken) {
    return new Operation(kind, key, value, expected, ttlMillis, newToken, anyReplica, from, after);
  }

  /** The same, to be answered from any replica. */
  Operation fromAnyReplica() {
    return new Operation(kind, key, value, expected, ttlMillis, token, true, from, after);
  }

  public Kind kind() {
    return kind;
  }

  /** The key, or the prefix of a LIST. */
  public String key() {
    return key;
  }

  public byte[] value() {
    return value;
  }

  /** Version that a CAS expects. */
  public long expected() {
    return expected;
  }

  /** How long a PUT holds; 0 means that it does not end. */
  public long ttlMillis() {
    return ttlMillis;
  }

  /** Identifies a write that is sent twice; 0 means none. */
  public long token() {
    return token;
  }

  /** Whether a replica that is not the primary may answer. */
  public boolean anyReplica() {
    return anyReplica;
  }

  /** First entry that a GET wants. */
  public int from() {
    return from;
  }

  /** Key after which a LIST begins; may be empty. */
  public String after() {
    return after;
  }

  /** What it takes in a call, about. */
  int bytes() {
    return key.length() + value.length + 32;
  }

  /** What is out of range; an empty text if nothing is. */
  String fault() {
    if (key.length() > MAX_KEY_CHARS || (key.isEmpty() && kind != Kind.LIST)) {
      return "expected a key of 1 to " + MAX_KEY_CHARS + " characters, found " + key.length();
    }
    if (value.length > MAX_VALUE_BYTES) {
      return "expected a value of at most " + MAX_VALUE_BYTES + " bytes, found " + value.length;
    }
    if (expected < 0 || ttlMillis < 0 || from < 0) {
      return "expected numbers of 0 or more, found a negative one";
    }
    return "";
  }

  @Override
  public String toString() {
    return kind + " " + key;
  }
}
