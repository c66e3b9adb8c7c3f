// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

/**
 * A manifest was rejected as a whole. The message gives file, line and JSON path, what was
 * expected, what was found, and how to fix it.
 */
public final class ManifestException extends Exception {
  ManifestException(String message) {
    super(message);
  }

  /**
   * Builds the message.
   *
   * @param where file and, if known, line, column and JSON path
   */
  static ManifestException of(String where, String found, String expected, String fix) {
    return new ManifestException(
        where + ": expected " + expected + ", found " + found + ". Fix: " + fix + ".");
  }
}
