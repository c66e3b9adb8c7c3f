// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

/** Where the next part of a pull begins. Immutable. */
final class PullPlace {
  /** The first entry of the first record. */
  static final PullPlace FIRST = new PullPlace(0, 0, "");

  /** First entry of the record; if its version has changed, the record starts again. */
  final int entry;

  final long version;
  final String key;

  PullPlace(int entry, long version, String key) {
    this.entry = entry;
    this.version = version;
    this.key = key;
  }

  /**
   * Parses the form of {@link #toString}; an empty text is {@link #FIRST}.
   *
   * @throws IllegalArgumentException if the text has another form
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
    throw new IllegalArgumentException(
        "expected a place of an earlier pull, found another text: characters=" + text.length());
  }

  @Override
  public String toString() {
    return entry + "\0" + version + '\0' + key;
  }
}
