package io.hycache.core.directory;

import java.util.function.Consumer;

/**
 * A persistent form of what a node holds. It may lose the last changes with the power, not with the
 * process; what fails in it is its own business and costs what it would have kept. Thread-safe.
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

  /** A record is to be forgotten. */
  void drop(String key);

  /** Tells all that was kept, as whole records. */
  void load(Consumer<Change> to);

  @Override
  void close();
}
