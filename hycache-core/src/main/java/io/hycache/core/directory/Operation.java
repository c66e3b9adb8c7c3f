package io.hycache.core.directory;

import java.util.Objects;

/**
 * One question or change to one record. A record is a version and a list of entries: a value that
 * is put is a list of one, an append adds one. Immutable but for the value's bytes, which nobody
 * changes.
 */
public final class Operation {
  /** What is done. */
  public enum Kind {
    /** The record, from an entry on. */
    GET,
    /** The value, whatever was there. */
    PUT,
    /** No record any more. */
    REMOVE,
    /** The value, if the record still has the expected version; 0 expects none. */
    CAS,
    /** One more entry, atomically; the record is made if there is none. */
    APPEND,
    /** The records whose keys begin with the key, in the order of their keys. */
    LIST;

    /** Whether it may change something. */
    public boolean writes() {
      return this != GET && this != LIST;
    }
  }

  /** Longest key, in characters. */
  public static final int MOST_KEY_CHARS = 1024;

  /** Longest value or entry. */
  public static final int MOST_VALUE_BYTES = 64 << 10;

  /** Most records that one LIST answers. */
  public static final int MOST_ROWS = 10_000;

  /** Entries or keys of one answer end with the first that reaches this. */
  public static final int MOST_ANSWER_BYTES = 1 << 20;

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

  /** As it came over the wire; what is out of bounds is refused when it is applied. */
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

  /** The record as its primary has it: what was acknowledged before is seen. */
  public static Operation get(String key) {
    return read(Kind.GET, key, false, 0, "");
  }

  /** The record's entries from one on; an answer may end before the last. */
  public static Operation get(String key, int from) {
    return read(Kind.GET, key, false, from, "");
  }

  /** The record as some replica has it, if the primary doesn't answer; it may be old. */
  public static Operation getAny(String key) {
    return read(Kind.GET, key, true, 0, "");
  }

  /**
   * The value, whatever was there.
   *
   * @param ttlMillis the record ends after it unless it is put again; 0: never
   */
  public static Operation put(String key, byte[] value, long ttlMillis) {
    return new Operation(Kind.PUT, key, value, 0, ttlMillis, 0, false, 0, "");
  }

  public static Operation remove(String key) {
    return new Operation(Kind.REMOVE, key, NONE, 0, 0, 0, false, 0, "");
  }

  /**
   * The value, if the record has not changed.
   *
   * @param expected version that the record must have; 0: there must be none
   */
  public static Operation cas(String key, long expected, byte[] value) {
    return new Operation(Kind.CAS, key, value, expected, 0, 0, false, 0, "");
  }

  public static Operation append(String key, byte[] entry) {
    return new Operation(Kind.APPEND, key, entry, 0, 0, 0, false, 0, "");
  }

  /** The records whose keys begin with a prefix, from the one after a key on. */
  public static Operation list(String prefix, String after) {
    return read(Kind.LIST, prefix, true, 0, after);
  }

  /** The same, known again by this number if it comes twice. */
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

  /** The key; of a LIST the prefix. */
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

  /** How long a PUT holds; 0: for ever. */
  public long ttlMillis() {
    return ttlMillis;
  }

  /** Tells a CAS or an APPEND from another; 0: not known again. */
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

  /** What is wrong with it, or an empty text. */
  String fault() {
    if (key.length() > MOST_KEY_CHARS || (key.isEmpty() && kind != Kind.LIST)) {
      return "key of " + key.length() + " characters, allowed are 1 to " + MOST_KEY_CHARS;
    }
    if (value.length > MOST_VALUE_BYTES) {
      return "value of " + value.length + " bytes, allowed are " + MOST_VALUE_BYTES;
    }
    if (expected < 0 || ttlMillis < 0 || from < 0) {
      return "a negative number";
    }
    return "";
  }

  @Override
  public String toString() {
    return kind + " " + key;
  }
}
