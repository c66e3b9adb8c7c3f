package io.hycache.core.directory;

import java.util.List;
import java.util.Objects;

/** What became of an {@link Operation}. Immutable but for the bytes, which nobody changes. */
public final class Outcome {
  /** How it ended. */
  public enum Status {
    /** Done, or found. */
    OK,
    /** There is no such record. */
    ABSENT,
    /** The record has another version than the one expected; nothing was changed. */
    CONFLICT,
    /** Asked of a node that has not, or not yet, the key; ask the owner. */
    NOT_OWNER,
    /** The node has too much to do; nothing was done. */
    BUSY,
    /** The operation can't be; the text says why. */
    REFUSED,
    /** No answer in time: a change may have been made or not. */
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

  static Outcome listed(List<Row> rows, boolean more) {
    return new Outcome(Status.OK, 0, rows.size(), List.of(), rows, more, "");
  }

  public Status status() {
    return status;
  }

  public boolean isOk() {
    return status == Status.OK;
  }

  /** The record's version after it, and if CONFLICT the one it has; 0 if there is none. */
  public long version() {
    return version;
  }

  /** Entries of the record after it: of an APPEND, the place of its entry and one. */
  public int size() {
    return size;
  }

  /** What a GET found, from the entry on that it asked for. */
  public List<byte[]> entries() {
    return entries;
  }

  /** What a LIST found. */
  public List<Row> rows() {
    return rows;
  }

  /** True if a LIST or GET has more behind what it answered. */
  public boolean more() {
    return more;
  }

  /** Why it was refused. */
  public String text() {
    return text;
  }

  /** About what it takes on the wire. */
  long bytes() {
    long sum = 16;
    for (byte[] entry : entries) {
      sum += entry.length + 4;
    }
    for (Row row : rows) {
      sum += row.key.length() + row.value.length + 16;
    }
    return sum;
  }

  @Override
  public String toString() {
    return status + " version=" + version + " size=" + size + (text.isEmpty() ? "" : " " + text);
  }
}
