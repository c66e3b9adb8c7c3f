// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.function.Consumer;

/**
 * A persistent copy of the records that a node holds. It may lose the last changes when the process
 * is killed or the power fails, and all of them when its device is too slow; what it has is never a
 * record that was not. The journal of a {@link DirectoryNode} does not throw: what a failed call
 * should have kept is lost. Thread-safe.
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
        public void clear() {}

        @Override
        public void load(Consumer<Change> to) {}

        @Override
        public void close() {}
      };

  /**
   * A record changed; changes of one key come in order. Called under the record's lock: a device
   * that hangs must not hold it up.
   */
  void write(Change change);

  /** A record was forgotten. */
  void drop(String key);

  /** Forgets all records: changes were lost. If a crash interrupts it, nothing is loaded. */
  void clear();

  /** Passes all records that were kept, each as a whole; not those of which a part is missing. */
  void load(Consumer<Change> to);

  @Override
  void close();
}
