package io.hycache.hdfs.rpc;

/** What a test asserts about an exception. */
public final class Thrown {
  private Thrown() {}

  /** The message, never null. */
  public static String message(Throwable thrown) {
    return String.valueOf(thrown.getMessage());
  }
}
