// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.Sighting;
import io.hycache.core.stats.Counters;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NodeCensusTest {
  private static final BlockKey BLOCK = new BlockKey("BP-1", 7);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path dir;

  /** Counted down while the SSD answers. */
  private volatile CountDownLatch answers = new CountDownLatch(0);

  @SuppressWarnings("NullAway.Init")
  private CleanArea ssd;

  @SuppressWarnings("NullAway.Init")
  private NodeCensus census;

  @BeforeEach
  void start() throws IOException {
    File data = Files.createFile(dir.resolve("blk_7")).toFile();
    ReplicaView view =
        new ReplicaView(
            new Replica(BLOCK, 1001, 0),
            true,
            dir.toFile(),
            data,
            dir.resolve("blk_7_1001.meta").toFile());
    ReplicaStore store = Stubs.of(ReplicaStore.class, Map.of("finalized", arguments -> view));
    DeviceWatch.Files hanging =
        new DeviceWatch.Files() {
          @Override
          public FileChannel open(Path file, Set<OpenOption> options) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void makeDirectory(Path made) {
            throw new UnsupportedOperationException();
          }

          @Override
          public long fileSystem(Path path) throws IOException {
            try {
              answers.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return 1;
          }
        };
    DeviceWatch watch = new DeviceWatch(dir.toFile(), dir.toFile(), hanging, new Counters());
    ssd = new CleanArea(dir.toFile(), watch, DataDirMode.OWNER_ONLY);
    census =
        new NodeCensus(
            store,
            new CleanCopies(),
            Map.of(dir.toString(), ssd),
            new Guests(),
            Set.of(BLOCK.pool()));
  }

  @AfterEach
  void stop() {
    answers.countDown();
    ssd.close();
  }

  private Sighting look() {
    Sighting seen = census.look(BLOCK);
    assertNotNull(seen);
    return seen;
  }

  /** Looks until the SSD has answered in time. */
  private void awaitHome() throws InterruptedException {
    Home home = look().home();
    while (home == null) {
      Thread.sleep(1);
      home = look().home();
    }
    assertEquals(Home.SSD_OWNER, home);
  }

  @Test
  void look_ssdAnswers_homeIsKnown() throws Exception {
    awaitHome();
  }

  @Test
  void look_ssdHangs_homeIsNotKnownUntilItAnswers() throws Exception {
    answers = new CountDownLatch(1);
    assertNull(look().home());
    assertNull(look().home());
    answers.countDown();
    awaitHome();
  }

  @Test
  void look_ssdIsSick_homeIsNotKnown() {
    SickDevices.failReads(ssd.watch());
    assertNull(look().home());
  }
}
