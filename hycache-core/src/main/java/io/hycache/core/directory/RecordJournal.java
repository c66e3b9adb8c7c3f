// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.function.Consumer;

/**
 * A persistent copy of the records that a node holds. It may lose the last changes when the power
 * fails, not when the process ends. Its methods do not throw: what a failed one should have kept is
 * lost. Thread-safe.
 */
public interface RecordJournal extends AutoCloseable {

  /** Keeps nothing. */
  RecordJournal NONE =
      new RecordJournal() {
        @Override
        public void write(Change change) {}

        @Override
        public void drop(String key) {}

        @Override
        public void load(Consumer<Change> to) {}

        @Override
        public void close() {}
      };

  /** A record changed; changes of one key come in order. */
  void write(Change change);

  /** A record was forgotten. */
  void drop(String key);

  /** Passes all records that were kept, each as a whole. */
  void load(Consumer<Change> to);

  @Override
  void close();
}
