// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.hycache.core.directory.Change;
import io.hycache.core.directory.RecordJournal;
import io.hycache.hdfs.rpc.ChangeBytes;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.fusesource.leveldbjni.JniDBFactory;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.DBException;
import org.iq80.leveldb.DBIterator;
import org.iq80.leveldb.Options;
import org.iq80.leveldb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * LevelDB, because it is what HDFS itself has on the classpath. A record's change without its entries
 * stands under "r" and its key; its entries under "e", its key, a zero byte and their places, so that
 * an append writes one entry and not the whole list. Written without waiting for the disk: what the
 * process has written survives it, not the power. While all is being deleted, a mark stands under "c":
 * what it finds beside the mark is void.
 */
/**
 * What a DataNode holds of the directory, in a LevelDB of its own. A change may wait for the
 * device, and throws if LevelDB fails: {@link QueuedJournal} deals with both. Thread-safe.
 */
final class LevelDbJournal implements RecordJournal {
  private static final Logger LOG = LoggerFactory.getLogger(LevelDbJournal.class);
  private static final byte RECORD = 'r';
  private static final byte ENTRY = 'e';
  private static final byte CLEARING = 'c';
  private static final byte[] CLEARING_KEY = {CLEARING};
  private static final int MAX_BATCH_DELETIONS = 10_000;

  /** How long {@link #close} waits for calls that are under way. */
  private static final long CLOSE_SECONDS = 5;

  private final DB db;
  private final ReadWriteLock inUse = new ReentrantReadWriteLock();
  private volatile boolean closed;

  /**
   * @param dir must be there; LevelDB makes its files for others to read, so its mode has to keep
   *     them out
   * @throws IOException if it is another process's, or broken
   */
  LevelDbJournal(File dir) throws IOException {
    this(JniDBFactory.factory.open(dir, new Options().createIfMissing(true)));
  }

  /**
   * @param db closed with this
   */
  LevelDbJournal(DB db) {
    this.db = db;
  }

  private static byte[] recordKey(String key) {
    return Bytes.concat(new byte[] {RECORD}, key.getBytes(UTF_8));
  }

  private static byte[] entryKey(String key, int place) {
    return Bytes.concat(
        new byte[] {ENTRY}, key.getBytes(UTF_8), new byte[1], Ints.toByteArray(place));
  }

  @Override
  public void write(Change change) {
    attempt(
        () -> {
          try (WriteBatch batch = db.createWriteBatch()) {
            boolean all = change.first() == 0;
            if (all) {
              deleteFrom(batch, change.key(), change.size());
            }
            List<byte[]> entries = change.entries();
            for (int i = 0; i < entries.size(); i++) {
              batch.put(entryKey(change.key(), change.first() + i), entries.get(i));
            }
            batch.put(recordKey(change.key()), ChangeBytes.of(change.withoutEntries()));
            db.write(batch);
          }
        });
  }

  @Override
  public void drop(String key) {
    attempt(
        () -> {
          try (WriteBatch batch = db.createWriteBatch()) {
            deleteFrom(batch, key, 0);
            batch.delete(recordKey(key));
            db.write(batch);
          }
        });
  }

  @Override
  public void clear() {
    attempt(
        () -> {
          db.put(CLEARING_KEY, new byte[0]);
          deleteAll();
        });
  }

  private void deleteAll() throws IOException {
    try (DBIterator at = db.iterator()) {
      at.seekToFirst();
      while (at.hasNext()) {
        try (WriteBatch batch = db.createWriteBatch()) {
          for (int i = 0; i < MAX_BATCH_DELETIONS && at.hasNext(); i++) {
            byte[] found = at.next().getKey();
            if (found[0] != CLEARING) {
              batch.delete(found);
            }
          }
          db.write(batch);
        }
        if (closed) {
          return;
        }
      }
    }
    db.delete(CLEARING_KEY);
  }

  private void deleteFrom(WriteBatch batch, String key, int place) throws IOException {
    try (DBIterator at = db.iterator()) {
      byte[] prefix = entryKey(key, 0);
      at.seek(entryKey(key, place));
      while (at.hasNext()) {
        byte[] found = at.next().getKey();
        if (found.length != prefix.length || !startsWith(found, prefix, prefix.length - 4)) {
          return;
        }
        batch.delete(found);
      }
    }
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix, int length) {
    return java.util.Arrays.equals(bytes, 0, length, prefix, 0, length);
  }

  @Override
  public void load(Consumer<Change> to) {
    try {
      attempt(() -> loadAll(to));
    } catch (RuntimeException e) {
      LOG.warn("The directory's LevelDB can't be read; records may be missing", e);
    }
  }

  private void loadAll(Consumer<Change> to) throws IOException {
    if (db.get(CLEARING_KEY) != null) {
      deleteAll();
    }
    try (DBIterator at = db.iterator()) {
      at.seek(new byte[] {RECORD});
      while (!closed && at.hasNext()) {
        Map.Entry<byte[], byte[]> next = at.next();
        if (next.getKey()[0] != RECORD) {
          return;
        }
        Change head = ChangeBytes.read(next.getValue());
        List<byte[]> entries = new ArrayList<>();
        for (int i = 0; i < head.size(); i++) {
          byte[] entry = db.get(entryKey(head.key(), i));
          if (entry == null) {
            break;
          }
          entries.add(entry);
        }
        if (entries.size() == head.size()) {
          to.accept(head.whole(entries));
        }
      }
    }
  }

  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  /**
   * Runs it while LevelDB is open, and not at all afterwards: a native handle that is used after
   * its end aborts the process.
   *
   * @throws RuntimeException if LevelDB fails
   */
  private void attempt(Action action) {
    inUse.readLock().lock();
    try {
      if (!closed) {
        action.run();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      inUse.readLock().unlock();
    }
  }

  /**
   * Ends it: later calls do nothing. Where a call is still under way after {@value #CLOSE_SECONDS}
   * s, as on a device that hangs, LevelDB stays open until the process ends.
   */
  @Override
  public void close() {
    closed = true;
    if (!endsUse()) {
      LOG.warn("The directory's LevelDB is left open: a call did not end in {} s", CLOSE_SECONDS);
      return;
    }
    try {
      db.close();
    } catch (IOException | DBException e) {
      LOG.warn("The directory's LevelDB can't be closed", e);
    } finally {
      inUse.writeLock().unlock();
    }
  }

  private boolean endsUse() {
    try {
      return inUse.writeLock().tryLock(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return inUse.writeLock().tryLock();
    }
  }
}
