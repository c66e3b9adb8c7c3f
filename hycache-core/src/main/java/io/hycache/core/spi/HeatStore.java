package io.hycache.core.spi;

import java.io.IOException;

/** Where the heat of a fast device's blocks is kept for the next start. Thread-safe. */
public interface HeatStore {

  /**
   * Writes frames of a {@link io.hycache.core.table.HeatLog}; blocks on I/O.
   *
   * @param device id of a {@link FastDevice}
   * @param fresh true: they replace what is there, at once or not at all; false: they go behind it
   */
  void write(String device, boolean fresh, byte[] frames) throws IOException;
}
