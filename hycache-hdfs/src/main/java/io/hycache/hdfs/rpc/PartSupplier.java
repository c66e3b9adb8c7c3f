// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import org.jspecify.annotations.Nullable;

/**
 * Supplies a DataNode's part in the directory. Thread-safe.
 *
 * @param <T> type of the part
 */
@FunctionalInterface
public interface PartSupplier<T> {
  /**
   * Returns the part, or null while it is still to come.
   *
   * @throws NoPartException if there will be none before the DataNode's next start
   */
  @Nullable T get() throws NoPartException;
}
