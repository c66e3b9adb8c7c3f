package io.hycache.hdfs.dataset;

/** Told once when a block's stream is closed. Never throws. */
interface ReadRecorder {
  /**
   * @param bytes really taken from the stream, &gt;= 0
   */
  void onClosed(long bytes);
}
