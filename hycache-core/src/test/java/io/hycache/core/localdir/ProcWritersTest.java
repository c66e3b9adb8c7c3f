// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which files processes write, and when that is unknown. */
class ProcWritersTest {
  private static final Path REAL = Path.of("/proc");

  private LocalDirRig rig;
  private Path process;
  private Path file;
  private Caller caller;

  @BeforeEach
  void setUp() throws Exception {
    rig = new LocalDirRig();
    process = Files.createDirectories(rig.plain.resolve("proc/4242"));
    file = Files.createFile(rig.plain.resolve("file"));
    Files.createFile(process.resolve("maps"));
    caller = Caller.of(null);
  }

  @AfterEach
  void tearDown() throws IOException {
    rig.close();
  }

  private Set<Long> scan(Caller by) throws IOException {
    return ProcWriters.scan(rig.plain.resolve("proc"), by);
  }

  /** Even root can't list it. */
  private void closeDescriptors() throws IOException {
    Files.createSymbolicLink(process.resolve("fd"), process.resolve("fd"));
  }

  private void descriptor(String flags) throws IOException {
    Files.createSymbolicLink(Files.createDirectory(process.resolve("fd")).resolve("3"), file);
    Files.createDirectory(process.resolve("fdinfo"));
    Files.writeString(process.resolve("fdinfo/3"), "pos:\t0\nflags:\t" + flags + "\n");
  }

  @Test
  void scan_descriptorForWriting_isFound() throws Exception {
    descriptor("0100001");
    assertEquals(Set.of(FileMark.of(file).ino), scan(caller));
  }

  @Test
  void scan_descriptorForReading_isNot() throws Exception {
    descriptor("0100000");
    assertEquals(Set.of(), scan(caller));
  }

  @Test
  void scan_processThatCantBeInspected_fails() throws Exception {
    closeDescriptors();
    IOException e = assertThrows(IOException.class, () -> scan(caller));
    assertTrue(String.valueOf(e.getMessage()).contains("process=" + process), e.getMessage());
    assertThrows(IOException.class, () -> scan(new Caller(null, 0, 0)));
  }

  @Test
  void scan_anotherUsersProcess_failsForRootOnly() throws Exception {
    closeDescriptors();
    assertEquals(Set.of(), scan(new Caller(null, caller.uid + 1, -1)));
  }

  @Test
  void scan_descriptorClosedMeanwhile_isSkipped() throws Exception {
    descriptor("0100001");
    Files.delete(process.resolve("fdinfo/3"));
    assertEquals(Set.of(), scan(caller));
  }

  /** As a descriptor of a file on a network file system that is away. */
  @Test
  void scan_fileCantBeLookedAt_isSkipped() throws Exception {
    descriptor("0100001");
    Files.delete(file);
    Files.createSymbolicLink(file, file);
    assertEquals(Set.of(), scan(caller));
  }

  /** Programs open and close files all the time, mostly by the same numbers. */
  @Test
  void scan_filesAreOpenedAndClosedMeanwhile_neverFails() throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    Thread opener =
        new Thread(
            () -> {
              while (!ends.get()) {
                try (FileChannel unused = FileChannel.open(file, StandardOpenOption.WRITE)) {
                  Thread.onSpinWait();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    opener.start();
    try {
      for (int i = 0; i < 100; i++) {
        assertTrue(ProcWriters.scan(REAL, caller) != null);
      }
    } finally {
      ends.set(true);
      opener.join();
    }
  }

  @Test
  void scan_descriptorWithoutFlags_fails() throws Exception {
    descriptor("0100001");
    Files.writeString(process.resolve("fdinfo/3"), "pos:\t0\n");
    assertThrows(IOException.class, () -> scan(caller));
  }

  @Test
  void scan_mappingsUnreadable_fails() throws Exception {
    descriptor("0100000");
    Files.delete(process.resolve("maps"));
    Files.createSymbolicLink(process.resolve("maps"), process.resolve("maps"));
    assertThrows(IOException.class, () -> scan(caller));
  }

  /** A thread of the kernel, or a process of which only the exit status is left. */
  @Test
  void scan_processWithoutMemory_isSkipped() throws Exception {
    closeDescriptors();
    Files.writeString(process.resolve("statm"), "0 0 0 0 0 0 0\n");
    assertEquals(Set.of(), scan(caller));
    Files.writeString(process.resolve("statm"), "2 1 1 1 0 1 0\n");
    assertThrows(IOException.class, () -> scan(caller));
  }

  @Test
  void scan_processesThatBeginAndEndMeanwhile_neverFails() throws Exception {
    long ino = FileMark.of(file).ino;
    List<Process> running = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      assertTrue(channel.isOpen());
      for (int i = 0; i < 50; i++) {
        running.add(new ProcessBuilder("true").start());
        assertTrue(ProcWriters.scan(REAL, caller).contains(ino));
      }
    }
    for (Process each : running) {
      assertTrue(each.waitFor(60, TimeUnit.SECONDS));
    }
    assertFalse(ProcWriters.scan(REAL, caller).contains(ino));
  }

  @Test
  void detectsAllWriters_needsOneOfTwoCapabilities() {
    LinuxCalls calls = LinuxCalls.load();
    assertFalse(new Caller(calls, 0, 0).detectsAllWriters());
    assertFalse(new Caller(calls, 0, ~(1L << 19 | 1L << 28)).detectsAllWriters());
    assertTrue(new Caller(calls, 0, 1L << 19).detectsAllWriters());
    assertEquals(calls != null, new Caller(calls, 0, 1L << 28).detectsAllWriters());
    assertFalse(new Caller(null, 0, 1L << 28).detectsAllWriters());
  }
}
