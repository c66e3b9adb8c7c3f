// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import java.io.IOException;

/** Persists the heat of a fast device's blocks for the next start. Thread-safe. */
public interface HeatStore {

  /**
   * Writes frames of a {@link io.hycache.core.table.HeatLog}; blocks on I/O.
   *
   * @param device id of a {@link FastDevice}
   * @param fresh true: replace the stored frames atomically; false: append to them
   */
  void write(String device, boolean fresh, byte[] frames) throws IOException;
}
