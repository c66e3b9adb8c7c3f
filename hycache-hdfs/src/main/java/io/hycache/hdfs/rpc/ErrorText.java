// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import org.jspecify.annotations.Nullable;

/** Messages of errors in one line, for logs and users. */
public final class ErrorText {
  private ErrorText() {}

  /** The first line of an error's message; the name of its class if there is no message. */
  public static String of(Throwable error) {
    String line = firstLine(error.getMessage());
    return line.isBlank() ? error.getClass().getName() : line;
  }

  /**
   * The first line of a message. Hadoop appends the stack trace to a server's message and a link to
   * a wiki to a client's.
   */
  static String firstLine(@Nullable String message) {
    return message == null ? "" : message.split("\n|; For more details see:", 2)[0];
  }
}
