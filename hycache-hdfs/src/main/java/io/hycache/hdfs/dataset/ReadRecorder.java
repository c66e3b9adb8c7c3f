package io.hycache.hdfs.dataset;

/** Told once when a block's stream is closed. Never throws. */
interface ReadRecorder {
  /**
   * The stream was closed.
   *
   * @param bytes really taken from the stream, &gt;= 0
   */
  void onClosed(long bytes);
}
