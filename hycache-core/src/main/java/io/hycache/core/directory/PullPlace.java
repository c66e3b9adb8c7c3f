package io.hycache.core.directory;

/** Where a pull that takes several calls goes on. Immutable. */
final class PullPlace {
  /** The first entry of the first record. */
  static final PullPlace FIRST = new PullPlace(0, 0, "");

  /** Of this record, if it has this version still; else from its first on. */
  final int entry;

  final long version;
  final String key;

  PullPlace(int entry, long version, String key) {
    this.entry = entry;
    this.version = version;
    this.key = key;
  }

  /**
   * Reads what {@link #toString} wrote, or an empty text for the first.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static PullPlace read(String text) {
    if (text.isEmpty()) {
      return FIRST;
    }
    String[] parts = text.split("\0", 3);
    try {
      int entry = Integer.parseInt(parts[0]);
      if (parts.length == 3 && entry >= 0) {
        return new PullPlace(entry, Long.parseLong(parts[1]), parts[2]);
      }
    } catch (NumberFormatException e) {
      // As below.
    }
    throw new IllegalArgumentException("no place to go on at: characters=" + text.length());
  }

  @Override
  public String toString() {
    return entry + "\0" + version + '\0' + key;
  }
}
