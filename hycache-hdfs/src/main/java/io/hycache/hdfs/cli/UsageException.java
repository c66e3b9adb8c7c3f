package io.hycache.hdfs.cli;

/** The command line is wrong. The message says what was found and what is allowed. */
final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
