// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.directory.Change;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fusesource.leveldbjni.JniDBFactory;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LevelDbJournalTest {
  private static final int LIVES = 200;
  private static final int WRITERS = 3;

  @TempDir Path dir;

  private LevelDbJournal open() throws IOException {
    return new LevelDbJournal(dir.toFile());
  }

  private static Change record(String key, int version) {
    List<byte[]> entries =
        List.of(("a" + version).getBytes(UTF_8), ("b" + version).getBytes(UTF_8));
    return new Change(key, version - 1, version, false, 0, 2, entries, 0, "", 0, 0);
  }

  private static List<Change> all(LevelDbJournal journal) {
    List<Change> out = new ArrayList<>();
    journal.load(out::add);
    return out;
  }

  @Test
  void whatWasWritten_isThereInTheNextLife_butWhatWasDropped() throws Exception {
    try (LevelDbJournal journal = open()) {
      journal.write(record("kept", 1));
      journal.write(record("kept", 2));
      journal.write(record("dropped", 1));
      journal.drop("dropped");
    }
    try (LevelDbJournal journal = open()) {
      List<Change> found = all(journal);
      assertEquals(1, found.size());
      assertEquals("kept", found.get(0).key());
      assertEquals(2, found.get(0).version());
      assertArrayEquals("b2".getBytes(UTF_8), found.get(0).entries().get(1));
    }
  }

  @Test
  void clear_nothingIsThere_andWhatFollowsIsKept() throws Exception {
    try (LevelDbJournal journal = open()) {
      for (int i = 0; i < 30_000; i++) {
        journal.write(record("k" + i, 1));
      }
      journal.clear();
      assertEquals(List.of(), all(journal));
      journal.write(record("after", 1));
    }
    try (LevelDbJournal journal = open()) {
      assertEquals("after", all(journal).get(0).key());
    }
  }

  @Test
  void clear_thatACrashInterrupted_isCompletedByTheNextLife() throws Exception {
    try (LevelDbJournal journal = open()) {
      journal.write(record("k", 1));
    }
    try (DB db = JniDBFactory.factory.open(dir.toFile(), new Options())) {
      db.put("c".getBytes(UTF_8), new byte[0]);
    }
    try (LevelDbJournal journal = open()) {
      assertEquals(List.of(), all(journal));
      journal.write(record("after", 1));
    }
    try (LevelDbJournal journal = open()) {
      assertEquals("after", all(journal).get(0).key());
    }
  }

  @Test
  void afterClose_nothingIsWrittenOrRead_andCloseMayComeTwice() throws Exception {
    LevelDbJournal journal = open();
    journal.write(record("a", 1));
    journal.close();
    journal.write(record("b", 1));
    journal.drop("a");
    assertEquals(List.of(), all(journal));
    journal.close();
    try (LevelDbJournal next = open()) {
      assertEquals("a", all(next).get(0).key());
    }
  }

  @Test
  void whileAnotherHasIt_isRefused() throws Exception {
    try (LevelDbJournal journal = open()) {
      assertThrows(IOException.class, this::open);
      journal.write(record("a", 1));
      assertEquals(1, all(journal).size());
    }
  }

  /** LevelDB used after its end, or while it ends, aborts the whole process. */
  @Test
  @Timeout(120)
  void closedWhileOthersWriteAndRead_processLives_andTheNextLifeReadsIt() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1);
    try {
      for (int life = 1; life <= LIVES; life++) {
        LevelDbJournal journal = open();
        journal.write(record("first", life));
        List<CountDownLatch> busy = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          String key = "k" + i;
          CountDownLatch writes = new CountDownLatch(1);
          busy.add(writes);
          running.add(
              threads.submit(
                  () -> {
                    for (int version = 1; !over.get(); version++) {
                      journal.write(record(key, version));
                      if (version % 7 == 0) {
                        journal.drop(key);
                      }
                      writes.countDown();
                    }
                  }));
        }
        CountDownLatch reads = new CountDownLatch(1);
        busy.add(reads);
        running.add(
            threads.submit(
                () -> {
                  while (!over.get()) {
                    all(journal);
                    reads.countDown();
                  }
                }));
        for (CountDownLatch one : busy) {
          one.await();
        }
        journal.close();
        over.set(true);
        for (Future<?> one : running) {
          one.get();
        }
        try (LevelDbJournal next = open()) {
          int expected = life;
          assertEquals(
              expected,
              all(next).stream().filter(c -> c.key().equals("first")).findFirst().get().version());
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
