// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.hycache.core.directory.Change;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.directory.View;
import io.hycache.hdfs.LogLines;
import io.hycache.hdfs.dataset.Stubs;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.fusesource.leveldbjni.JniDBFactory;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.DBException;
import org.iq80.leveldb.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class QueuedJournalTest {
  private static final int MAX_WAITING = 10;
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path dir;

  /** A journal whose device hangs until it is released. */
  private static class Hanging implements RecordJournal {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    final List<String> steps = new ArrayList<>();

    void pass() {
      entered.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void write(Change change) {
      pass();
      steps.add("write " + change.key());
    }

    @Override
    public void drop(String key) {
      pass();
      steps.add("drop " + key);
    }

    @Override
    public void clear() {
      pass();
      steps.add("clear");
    }

    @Override
    public void load(Consumer<Change> to) {}

    @Override
    public void close() {
      steps.add("close");
    }
  }

  private final Hanging device = new Hanging();

  private static Change change(String key, long version, int first, int size, String... entries) {
    List<byte[]> bytes = List.of(entries).stream().map(e -> e.getBytes(UTF_8)).collect(toList());
    return new Change(key, version - 1, version, false, first, size, bytes, 0, "", 0, 0);
  }

  private static Change put(String key, long version, String... entries) {
    return change(key, version, 0, entries.length, entries);
  }

  /** A node of its own shards, which has no other to call. */
  private static DirectoryNode node(RecordJournal journal) {
    Peers none = Stubs.noPeers(Map.of());
    DirectoryNode node = new DirectoryNode("a", 1, 1 << 20, none, journal, () -> 1_000_000);
    node.learn(new View(1, List.of(new Member("a", "a:1"))));
    return node;
  }

  @Test
  void deviceThatHangs_changesOfOthersAndOwnWritesReturn_andTheirRecordsAreThere() {
    LogLines log = new LogLines(QueuedJournal.class.getName());
    QueuedJournal journal = new QueuedJournal(device, MAX_WAITING, SHORT, SHORT);
    DirectoryNode node = node(journal);
    try {
      for (int i = 0; i < 1000; i++) {
        assertEquals(List.of(), node.replicate("b", false, List.of(put("r" + i, 1, "x"))));
        Operation own = Operation.put("w" + i, new byte[1], 0);
        assertTrue(node.run("", 0, List.of(own)).join().get(0).isOk());
      }
      assertEquals(2000, node.status().records);
      assertTrue(journal.dropped() >= 2000 - 2 * 256 - MAX_WAITING, () -> "" + journal.dropped());
      assertEquals(1, log.lines().size(), () -> String.join("\n", log.lines()));
      assertTrue(
          log.lines().get(0).startsWith("WARN The directory's journal hangs or is too slow."),
          () -> String.join("\n", log.lines()));
    } finally {
      log.close();
      node.close();
      device.released.countDown();
    }
  }

  @Test
  void deviceThatAnswersAgain_isClearedFirst_andKeepsWhatFollows() throws Exception {
    QueuedJournal journal = new QueuedJournal(device, MAX_WAITING, SHORT, LONG);
    journal.write(put("first", 1, "x"));
    device.entered.await();
    for (int i = 0; i <= MAX_WAITING; i++) {
      journal.write(put("dropped" + i, 1, "x"));
    }
    journal.drop("dropped too");
    assertEquals(MAX_WAITING + 2, journal.dropped());
    device.released.countDown();
    assertTrue(journal.awaitWritten(LONG));
    journal.write(put("kept", 1, "x"));
    journal.drop("kept");
    journal.close();
    assertEquals(List.of("write first", "clear", "write kept", "drop kept", "close"), device.steps);
    assertEquals(MAX_WAITING + 2, journal.dropped());
  }

  @Test
  void queueThatIsFull_deviceAnswers_callersWait_andAllIsKept() {
    device.released.countDown();
    QueuedJournal journal = new QueuedJournal(device, MAX_WAITING, LONG, LONG);
    for (int i = 0; i < 10_000; i++) {
      journal.write(put("k" + i, 1, "x"));
    }
    journal.close();
    assertEquals(10_001, device.steps.size());
    assertEquals("write k9999", device.steps.get(9999));
    assertEquals(0, journal.dropped());
  }

  /**
   * Each time that a caller finds no room, the device writes some changes, and 100 ms pass: always
   * less than a caller may wait. It takes the clear only at the end: until then all is dropped.
   */
  @Test
  void deviceThatIsSlow_queueStaysFull_callersStopWaiting_howeverManyTheirChanges() {
    int batch = 256; // what the thread takes at a time
    Semaphore written = new Semaphore(0);
    CountDownLatch clears = new CountDownLatch(1);
    AtomicInteger looks = new AtomicInteger();
    LongSupplier clock =
        () -> {
          written.release(batch);
          return Duration.ofMillis(100).toNanos() * looks.getAndIncrement();
        };
    Hanging slow =
        new Hanging() {
          @Override
          void pass() {
            written.acquireUninterruptibly();
          }

          @Override
          public void clear() {
            Uninterruptibles.awaitUninterruptibly(clears);
            super.clear();
          }
        };
    // More than twice what the device writes in four looks: the queue is never half empty.
    QueuedJournal journal =
        new QueuedJournal(slow, 16 * batch, Duration.ofMillis(250), LONG, clock);
    for (int i = 0; i < 100_000; i++) {
      journal.write(put("k" + i, 1, "x"));
    }
    assertEquals(4, looks.get()); // at 0, 100, 200 and 300 ms
    assertTrue(journal.dropped() >= 100_000 - 5 * batch, () -> "" + journal.dropped());
    written.release(100_000);
    clears.countDown();
    journal.close();
    int steps = slow.steps.size();
    assertEquals(List.of("clear", "close"), slow.steps.subList(steps - 2, steps));
  }

  @Test
  void close_whileTheDeviceHangs_endsInABoundedTime() throws Exception {
    QueuedJournal journal = new QueuedJournal(device, MAX_WAITING, SHORT, SHORT);
    journal.write(put("a", 1, "x"));
    device.entered.await();
    journal.write(put("b", 1, "x"));
    assertFalse(journal.awaitWritten(Duration.ofMillis(1)));
    journal.close();
    assertEquals(List.of("close"), List.copyOf(device.steps));
    device.released.countDown();
  }

  @Test
  void aWriteThatThrows_theJournalIsClearedWithTheNextChange() {
    Hanging failing =
        new Hanging() {
          @Override
          public void write(Change change) {
            if (change.key().equals("fails")) {
              throw new OutOfMemoryError("injected");
            }
            super.write(change);
          }
        };
    failing.released.countDown();
    QueuedJournal journal = new QueuedJournal(failing, MAX_WAITING, SHORT, LONG);
    for (String key : List.of("kept", "fails", "dropped", "after")) {
      journal.write(put(key, 1, "x"));
      assertTrue(journal.awaitWritten(LONG));
    }
    journal.close();
    assertEquals(List.of("write kept", "clear", "write after", "close"), failing.steps);
  }

  /** A record that was replaced while the device hung, and appended to afterwards. */
  @Test
  void nextLife_hasNoRecordThatNeverWas() throws Exception {
    LevelDbJournal levelDb = new LevelDbJournal(dir.toFile());
    levelDb.write(put("k", 1, "old0", "old1"));
    levelDb.write(put("removed", 1, "old"));
    Hanging hanging =
        new Hanging() {
          @Override
          public void write(Change change) {
            super.write(change);
            levelDb.write(change);
          }

          @Override
          public void drop(String key) {
            super.drop(key);
            levelDb.drop(key);
          }

          @Override
          public void clear() {
            super.clear();
            levelDb.clear();
          }

          @Override
          public void close() {
            levelDb.close();
          }
        };
    QueuedJournal journal = new QueuedJournal(hanging, MAX_WAITING, SHORT, LONG);
    journal.write(put("other", 1, "x"));
    hanging.entered.await();
    journal.write(put("k", 2, "new0"));
    journal.drop("removed");
    for (int i = 0; i < MAX_WAITING; i++) {
      journal.write(put("filler" + i, 1, "x"));
    }
    hanging.released.countDown();
    assertTrue(journal.awaitWritten(LONG));
    journal.write(change("k", 3, 1, 2, "new1"));
    journal.write(put("whole", 1, "y"));
    journal.close();
    List<String> found = new ArrayList<>();
    try (LevelDbJournal next = new LevelDbJournal(dir.toFile())) {
      next.load(change -> found.add(change.key()));
    }
    assertEquals(List.of("whole"), found);
  }

  /** A write that LevelDB refuses is a lost change: what follows is not written on top. */
  @Test
  void levelDbFails_nextLifeHasNoRecordThatNeverWas() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    try (DB db = JniDBFactory.factory.open(dir.toFile(), new Options().createIfMissing(true))) {
      QueuedJournal journal =
          new QueuedJournal(new LevelDbJournal(failing(db, fails)), MAX_WAITING, SHORT, LONG);
      journal.write(put("k", 1, "old0", "old1"));
      assertTrue(journal.awaitWritten(LONG));
      fails.set(true);
      journal.write(put("k", 2, "new0"));
      assertTrue(journal.awaitWritten(LONG));
      fails.set(false);
      journal.write(change("k", 3, 1, 2, "new1"));
      assertTrue(journal.awaitWritten(LONG));
      journal.write(put("whole", 1, "y"));
      journal.close();
    }
    List<String> found = new ArrayList<>();
    try (LevelDbJournal next = new LevelDbJournal(dir.toFile())) {
      next.load(change -> found.add(change.key()));
    }
    assertEquals(List.of("whole"), found);
  }

  /** The same database, which refuses batches for as long as it is to. */
  private static DB failing(DB db, AtomicBoolean fails) {
    return (DB)
        Proxy.newProxyInstance(
            DB.class.getClassLoader(),
            new Class<?>[] {DB.class},
            (proxy, method, arguments) -> {
              if (fails.get() && method.getName().equals("write")) {
                throw new DBException("injected");
              }
              return method.getName().equals("close") ? null : method.invoke(db, arguments);
            });
  }
}
