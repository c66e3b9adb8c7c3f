// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {
  /** A timer that runs its tasks when the test says so. */
  private static final class Timer extends ScheduledThreadPoolExecutor {
    final Queue<Runnable> due = new ArrayDeque<>();

    Timer() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      due.add(task);
      return super.schedule(() -> {}, 0, unit);
    }
  }

  @TempDir Path dir;

  private final Timer timer = new Timer();
  private long nowNanos;
  private final Counters counters = new Counters();
  private final OpenFiles open = new OpenFiles(10, counters, timer, () -> nowNanos);

  @AfterEach
  void stop() {
    open.close();
  }

  private static BlockKey block(long id) {
    return new BlockKey("BP-1", id);
  }

  private void keep(long id) throws IOException {
    File file = dir.resolve("blk_" + id).toFile();
    Files.write(file.toPath(), new byte[1]);
    open.keep(block(id), file);
  }

  /** Lets some time pass and runs what is due then. */
  private void pass(Duration time) {
    nowNanos += time.toNanos();
    Runnable task = timer.due.poll();
    if (task != null) {
      task.run();
    }
  }

  @Test
  void idleFile_isClosedThoughNoOtherIsOpened() throws Exception {
    keep(1);
    pass(Duration.ofSeconds(30));
    keep(2);
    assertEquals(2, open.size());
    pass(Duration.ofSeconds(31));
    assertEquals(1, open.size(), "the other one is not idle yet");
    pass(Duration.ofMinutes(1));
    assertEquals(0, open.size());
    assertEquals(0, timer.due.size(), "the timer rests while nothing is open");
    keep(3);
    assertEquals(1, timer.due.size());
  }

  @Test
  void file_moreThanTheMost_closesTheOneThatWasNotUsedForLongest() throws Exception {
    for (long id = 1; id <= 10; id++) {
      keep(id);
    }
    keep(1);
    keep(11);
    assertEquals(10, open.size());
    open.release(block(2));
    assertEquals(10, open.size(), "2 made way for 11");
    open.release(block(1));
    assertEquals(9, open.size());
  }

  @Test
  void file_usedAgain_isNotIdle() throws Exception {
    keep(1);
    pass(Duration.ofSeconds(59));
    keep(1);
    pass(Duration.ofSeconds(59));
    assertEquals(1, open.size());
    pass(Duration.ofSeconds(1));
    assertEquals(0, open.size());
  }

  @Test
  void keep_fileWasDeletedMeanwhile_keepsNothingAndIsNoFailure() {
    open.keep(block(1), dir.resolve("gone").toFile());
    assertEquals(0, open.size());
    assertEquals(0, counters.get(Counter.HOST_LIMITS));
  }

  @Test
  void keep_noDescriptorIsLeft_countsALimitOfTheHost() {
    // The name is part of the message by which the limit is recognised.
    open.keep(block(1), dir.resolve("Too many open files").toFile());
    assertEquals(0, open.size());
    assertEquals(1, counters.get(Counter.HOST_LIMITS));
  }

  @Test
  void close_closesAll() throws Exception {
    keep(1);
    keep(2);
    open.close();
    assertEquals(0, open.size());
  }
}
