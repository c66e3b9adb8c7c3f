package io.hycache.hdfs.rpc;

import org.jspecify.annotations.Nullable;

/** The messages of errors as a log line or a user gets them. */
public final class ErrorText {
  private ErrorText() {}

  /** The first line of an error's message; its name if it has none. */
  public static String of(Throwable error) {
    String line = firstLine(error.getMessage());
    return line.isBlank() ? error.getClass().getName() : line;
  }

  /**
   * The first line of a message. A server's message is followed by its stack trace, a client's by a
   * link to a wiki.
   */
  static String firstLine(@Nullable String message) {
    return message == null ? "" : message.split("\n|; For more details see:", 2)[0];
  }
}
