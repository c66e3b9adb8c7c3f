// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class DeviceWatchTest {
  private static final int MANY = 10;

  /** A file system that fails on demand. */
  private static final class Faulty implements DeviceWatch.Files {
    @Nullable String onOpen;
    @Nullable String onWrite;
    @Nullable Error error;
    boolean noDirectReads;
    long number = 7;
    int opened;

    @Override
    public FileChannel open(Path file, Set<OpenOption> options) throws IOException {
      opened++;
      if (error != null) {
        throw error;
      }
      if (onOpen != null) {
        throw new FileSystemException(file.toString(), null, onOpen);
      }
      if (onWrite != null && options.contains(StandardOpenOption.WRITE)) {
        throw new FileSystemException(file.toString(), null, onWrite);
      }
      if (noDirectReads && options.stream().anyMatch(o -> o.toString().equals("DIRECT"))) {
        return FileChannel.open(file.getParent(), StandardOpenOption.READ); // can't be read
      }
      return FileChannel.open(file, options);
    }

    @Override
    public void makeDirectory(Path dir) throws IOException {
      DataDirMode.OWNER_ONLY.makeDirectory(dir);
    }

    @Override
    public long fileSystem(Path path) throws IOException {
      if (!Files.exists(path)) {
        throw new java.nio.file.NoSuchFileException(path.toString());
      }
      return number;
    }
  }

  @TempDir Path dir;
  private final Faulty files = new Faulty();
  private final Counters counters = new Counters();
  private @Nullable DeviceWatch watch;

  private DeviceWatch answered() throws Exception {
    DeviceWatch w = new DeviceWatch(dir.toFile(), dir.toFile(), files, counters);
    watch = w;
    awaitAnswer(w);
    return w;
  }

  /** Asks until there is an answer: a thread that is yet to be started may be late. */
  private static void awaitAnswer(DeviceWatch of) throws Exception {
    String answer = of.ask(() -> "yes");
    while (answer == null) {
      Thread.sleep(1);
      answer = of.ask(() -> "yes");
    }
    assertEquals("yes", answer);
  }

  @AfterEach
  void close() {
    if (watch != null) {
      watch.close();
    }
  }

  private static void probe(DeviceWatch watch) {
    for (int i = 0; i < MANY; i++) {
      watch.probe();
    }
  }

  /** Probes run on the same thread: none would show that the device hangs. */
  @Test
  void question_isNotAnswered_isSick() throws Exception {
    DeviceWatch w = answered();
    CountDownLatch goOn = new CountDownLatch(1);
    assertNull(
        w.ask(
            () -> {
              goOn.await();
              return "late";
            }));
    assertFalse(w.sick());
    long inTenSeconds = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    assertTrue(w.sick(inTenSeconds));
    goOn.countDown();
    String next;
    do {
      next = w.ask(() -> "yes");
    } while (next == null);
    assertFalse(w.sick(inTenSeconds));
  }

  /** A buffer that malloc happens to align made a probe read past the end of its file. */
  @Test
  void aligned_bufferThatIsAlignedAlready_isNoLongerThanAProbe() {
    ByteBuffer raw = ByteBuffer.allocateDirect(3 * 4096).alignedSlice(4096).limit(8192).slice();
    for (int offset = 0; offset < 4096; offset += 512) {
      ByteBuffer aligned = DeviceWatch.aligned(raw.duplicate().position(offset).slice());
      aligned.clear();
      assertEquals(4096, aligned.remaining());
      assertEquals(0, aligned.alignmentOffset(0, 4096));
    }
  }

  /** File systems with blocks larger than a probe open a file for direct reads and refuse them. */
  @Test
  void probe_directReadsAreRefusedFromTheFirst_isNotSick() throws Exception {
    files.noDirectReads = true;
    DeviceWatch w = answered();
    probe(w);
    assertFalse(w.sick());
  }

  @Test
  void probe_directReadsFailLater_isSick() throws Exception {
    DeviceWatch w = answered();
    probe(w);
    assertFalse(w.sick());
    files.noDirectReads = true;
    probe(w);
    assertTrue(w.sick());
  }

  @Test
  void probe_noFreeBlock_isNotSick() throws Exception {
    files.onWrite = "No space left on device";
    DeviceWatch w = answered();
    probe(w);
    assertFalse(w.sick(), "it never drains if nobody may use it");
    assertEquals(2 * MANY, counters.get(Counter.HOST_LIMITS));
    files.onWrite = "Disk quota exceeded";
    probe(w);
    assertFalse(w.sick());
  }

  @Test
  void probe_fullButReadable_aReadErrorStillShows() throws Exception {
    DeviceWatch w = answered();
    w.probe();
    files.onWrite = "No space left on device";
    probe(w);
    assertFalse(w.sick());
    Files.write(dir.resolve("hycache/probe.read"), new byte[1]);
    files.onOpen = "Input/output error";
    probe(w);
    assertTrue(w.sick());
  }

  @Test
  void probe_tooManyOpenFiles_isNotSick() throws Exception {
    DeviceWatch w = answered();
    files.onOpen = "Too many open files";
    probe(w);
    assertFalse(w.sick());
    assertEquals(MANY, counters.get(Counter.HOST_LIMITS));
  }

  @Test
  void probe_anError_isSurvivedAndBlamesNoDevice() throws Exception {
    DeviceWatch w = answered();
    files.error = new OutOfMemoryError("injected");
    probe(w);
    files.error = new NoClassDefFoundError("injected");
    probe(w);
    assertFalse(w.sick());
    files.error = null;
    w.probe();
    assertEquals(2 * MANY, counters.get(Counter.HOST_LIMITS));
  }

  @Test
  void probe_readOnlyFileSystem_isSick() throws Exception {
    DeviceWatch w = answered();
    files.onWrite = "Read-only file system";
    probe(w);
    assertTrue(w.sick());
  }

  @Test
  void readFailed_tooManyOpenFiles_isNoFaultOfTheDevice() throws Exception {
    DeviceWatch w = answered();
    for (int i = 0; i < MANY; i++) {
      assertFalse(w.readFailed(new FileNotFoundException("/x/blk (Too many open files)")));
    }
    assertFalse(w.sick());
    for (int i = 0; i < 3; i++) {
      assertTrue(w.readFailed(new IOException("Input/output error")));
    }
    assertTrue(w.sick());
  }

  @Test
  void unmounted_nothingIsProbedOrMade_untilItIsBack() throws Exception {
    DeviceWatch w = answered();
    assertTrue(w.isKnownGood());
    files.number = 8;
    probe(w);
    assertTrue(w.sick());
    assertFalse(Files.exists(dir.resolve("hycache")), "made on the wrong file system");
    assertEquals(0, files.opened);
    assertThrows(IOException.class, w::checkPresent);
    assertThrows(IOException.class, () -> awaitAnswer(w));
    files.number = 7;
    w.probe();
    assertFalse(w.sick());
    w.checkPresent();
  }

  @Test
  void unmountedHdd_isNotCalledAnSsd() throws Exception {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(DeviceWatch.class));
    try {
      DeviceWatch w = answered();
      files.number = 8;
      assertThrows(IOException.class, w::checkPresent);
      files.number = 7;
      w.checkPresent();
    } finally {
      log.stopCapturing();
    }
    String text = log.getOutput();
    assertTrue(text.contains("device out of use: another file system is in its place"), text);
    assertTrue(text.contains("device is back: root=" + dir), text);
    assertFalse(text.contains("SSD"), text);
  }

  @Test
  void rootGone_nothingIsMade() throws Exception {
    DeviceWatch w = answered();
    Files.delete(dir);
    probe(w);
    assertTrue(w.sick());
    assertFalse(Files.exists(dir));
    Files.createDirectory(dir);
  }

  @Test
  void probe_directoryThatIsNotOpenYet_doesNothing() throws Exception {
    Path own = Files.createDirectory(dir.resolve("uuid"));
    DeviceWatch w = new DeviceWatch(own.toFile(), dir.toFile(), files, counters);
    watch = w;
    probe(w);
    assertFalse(w.sick());
    assertFalse(w.isKnownGood());
    assertFalse(Files.exists(own.resolve("hycache")));
    awaitAnswer(w);
    probe(w);
    assertTrue(w.isKnownGood());
    assertTrue(Files.exists(own.resolve("hycache")));
  }

  @Test
  void probe_volumeThatNeverAnswered_showsThatItIsSick() {
    DeviceWatch w = new DeviceWatch(dir.toFile(), dir.toFile(), files, counters);
    watch = w;
    files.onOpen = "Input/output error";
    probe(w);
    assertTrue(w.sick());
  }

  @Test
  void probe_whatItMakes_isOfTheDataNodesUserAlone() throws Exception {
    DeviceWatch w =
        new DeviceWatch(
            dir.toFile(), dir.toFile(), DeviceWatch.files(DataDirMode.OWNER_ONLY), counters);
    watch = w;
    w.probe();
    assertTrue(w.isKnownGood());
    assertEquals("rwx------", Modes.of(dir.resolve("hycache")));
    assertEquals("rw-------", Modes.of(dir.resolve("hycache/probe.write")));
    assertEquals("rw-------", Modes.of(dir.resolve("hycache/probe.read")));
  }
}
