// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** An SSD root, two HDD roots and a plain directory for comparison, on any file system. */
final class LocalDirRig implements AutoCloseable {
  final Path base;
  final Path ssd;
  final Path hdd0;
  final Path hdd1;
  final Path plain;

  /** Advanced by tests only. */
  final AtomicLong nanos = new AtomicLong();

  LocalDirPorts ports = new LocalDirPorts();

  LocalDirRig() throws IOException {
    this(fresh());
  }

  /** The directories may exist already, created by another process. */
  LocalDirRig(Path base) throws IOException {
    this.base = base;
    ssd = Files.createDirectories(base.resolve("ssd"));
    hdd0 = Files.createDirectories(base.resolve("hdd0"));
    hdd1 = Files.createDirectories(base.resolve("hdd1"));
    plain = Files.createDirectories(base.resolve("plain"));
    ports.nanos = nanos::get;
    ports.sweepPause = pauseNanos -> {};
  }

  private static Path fresh() throws IOException {
    Path shm = Path.of("/dev/shm");
    Path parent =
        Files.isWritable(shm) ? shm : Files.createDirectories(Path.of("target", "localdir"));
    return Files.createTempDirectory(parent, "hycache-localdir").toRealPath();
  }

  /** Settings with which every file may move at once. */
  LocalDirConfig.Builder config() {
    return LocalDirConfig.builder(ssd)
        .hdd(hdd0)
        .hdd(hdd1)
        .policy("lru")
        .leastBytes(1)
        .grace(Duration.ZERO)
        .sweepGrace(Duration.ofSeconds(60))
        .bandwidthBytesPerSec(10L << 30);
  }

  LocalDirTier open() throws IOException {
    return LocalDirTier.open(config().build(), ports);
  }

  /** Waits until files just written may move, where the file system's clock is coarse. */
  void awaitTick() throws IOException, InterruptedException {
    if (ClockTick.micros(plain) > 0) {
      TimeUnit.MICROSECONDS.sleep(2 * ClockTick.MAX_TICK_MICROS);
    }
  }

  /**
   * Takes two inventories a grace period apart, after which all files without a link are removed.
   */
  void sweepAll(LocalDirTier tier) throws IOException {
    var unused = tier.sweepNow();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
    int waiting = tier.sweepNow();
    require(waiting == 0);
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new AssertionError("sweeping removed too little");
    }
  }

  /** The tree's directory on an HDD. */
  static Path home(LocalDirTier tier, Path hdd) throws IOException {
    return hdd.resolve(Files.readString(tier.config().ssd().resolve(".hycache/id")).trim());
  }

  /** Files on the HDDs, outside staging; absolute. */
  List<Path> onHdds() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path hdd : List.of(hdd0, hdd1)) {
      try (Stream<Path> all = Files.walk(hdd)) {
        all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
            .forEach(found::add);
      }
    }
    Collections.sort(found);
    return found;
  }

  /** Targets of links in the tree, each once. */
  List<Path> linked() throws IOException {
    try (Stream<Path> all = Files.walk(ssd)) {
      List<Path> found = new ArrayList<>();
      all.filter(Files::isSymbolicLink)
          .forEach(
              link -> {
                try {
                  found.add(Files.readSymbolicLink(link));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      List<Path> once = new ArrayList<>(new java.util.TreeSet<>(found));
      return once;
    }
  }

  /** Names in a tree's staging. */
  List<String> staged() throws IOException {
    List<String> names = new ArrayList<>();
    for (Path directory : List.of(ssd.resolve(".hycache/staging"), ssd.resolve(".hycache/kept"))) {
      try (Stream<Path> all = Files.list(directory)) {
        all.forEach(path -> names.add(path.getFileName().toString()));
      }
    }
    return names;
  }

  /** Names, types, modes and bytes under a root, as seen by a program that follows links. */
  static Map<String, String> picture(Path root) throws IOException {
    Map<String, String> picture = new TreeMap<>();
    draw(root, root, picture);
    return picture;
  }

  private static void draw(Path root, Path directory, Map<String, String> into) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        if (path.getFileName().toString().equals(".hycache")) {
          continue;
        }
        PosixFileAttributes stat = Files.readAttributes(path, PosixFileAttributes.class);
        String rights = PosixFilePermissions.toString(stat.permissions());
        String name = root.relativize(path).toString();
        if (stat.isDirectory()) {
          into.put(name, "directory " + rights);
          draw(root, path, into);
        } else {
          byte[] bytes = Files.readAllBytes(path);
          into.put(
              name, "file " + rights + " " + bytes.length + " bytes " + Arrays.hashCode(bytes));
        }
      }
    }
  }

  static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    new java.util.Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    delete(base);
  }

  static void delete(Path directory) throws IOException {
    delete(directory, true);
  }

  /**
   * Removes everything below a directory.
   *
   * @param itself whether to remove the directory, too
   */
  static void delete(Path directory, boolean itself) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      List<Path> paths = new ArrayList<>();
      all.skip(itself ? 0 : 1).forEach(paths::add);
      Collections.reverse(paths);
      for (Path path : paths) {
        Files.deleteIfExists(path);
      }
    }
  }
}
