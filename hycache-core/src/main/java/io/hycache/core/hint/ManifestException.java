// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.util.List;

/**
 * A manifest was rejected as a whole. The message gives file, line and JSON path, what was
 * expected, what was found, and how to fix it; of several errors, it is that of the first.
 */
public final class ManifestException extends Exception {
  private final List<String> errors;

  /**
   * @param errors one or more messages
   */
  ManifestException(List<String> errors) {
    super(errors.get(0));
    this.errors = List.copyOf(errors);
  }

  /** The messages of all errors, in the order of the document; one line each. */
  public List<String> errors() {
    return errors;
  }

  /**
   * Builds the message.
   *
   * @param where file and, if known, line, column and JSON path
   */
  static ManifestException of(String where, String found, String expected, String fix) {
    return new ManifestException(
        List.of(where + ": expected " + expected + ", found " + found + ". Fix: " + fix + "."));
  }
}
