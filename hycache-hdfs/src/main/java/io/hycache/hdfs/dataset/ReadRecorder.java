package io.hycache.hdfs.dataset;

/** Hears of the reads of one stream. Never throws. */
interface ReadRecorder {
  /** Some bytes were read: once a packet, so no more than a store. */
  default void onRead() {}

  /** The stream is being closed and its descriptor was all that was used: it was handed out. */
  default void onHandedOut() {}

  /**
   * The stream was closed.
   *
   * @param bytes really taken from the stream, &gt;= 0
   */
  void onClosed(long bytes);
}
