// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Starts processes from the benchmark JAR, and takes away what they leave. */
final class Launcher implements AutoCloseable {
  /** All processes together have this part of the machine's memory as heap at most. */
  private static final int HEAP_MEMORY_DIVISOR = 2;

  private static final long MIN_HEAP_BYTES = 256L << 20;
  private static final long MAX_HEAP_BYTES = 4L << 30;
  private static final Path MEMORY_DISK = Path.of("/dev/shm");
  private static final long MIN_MEMORY_DISK_BYTES = 2L << 30;

  private final Path jar;
  private final Path lib;
  private final Path dir;
  private final Path edits;
  private final Thread hook = new Thread(this::clear);
  private int nameNodes;

  private Launcher(Path jar, Path lib) throws IOException {
    this.jar = jar;
    this.lib = lib;
    this.dir = Files.createTempDirectory("hycache-experiment");
    // Outside a Hadoop distribution there are no web pages, which the NameNode insists on.
    for (String app : List.of("hdfs", "datanode", "static")) {
      Files.createDirectories(dir.resolve("webapps").resolve(app));
    }
    this.edits =
        Files.isWritable(MEMORY_DISK)
                && Files.getFileStore(MEMORY_DISK).getUsableSpace() >= MIN_MEMORY_DISK_BYTES
            ? Files.createTempDirectory(MEMORY_DISK, "hycache-experiment")
            : Files.createDirectory(dir.resolve("namenode"));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Looks for what the processes need.
   *
   * @throws IllegalStateException if the benchmarks are not packaged
   */
  static Launcher create() throws IOException {
    Path code;
    try {
      code = Path.of(Launcher.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    return create(code);
  }

  /**
   * The same.
   *
   * @param code the JAR, or the directory of classes, that this class is from
   */
  static Launcher create(Path code) throws IOException {
    Path lib = code.resolveSibling("lib");
    if (!Files.isRegularFile(code) || !Files.isDirectory(lib)) {
      throw new IllegalStateException(
          "expected the packaged JAR with Hadoop's JARs in "
              + lib
              + ", found none. Fix: run `mvn package`, then java -jar"
              + " hycache-bench/target/hycache-bench.jar");
    }
    return new Launcher(code, lib);
  }

  /** Where a NameNode may keep its image and its edit log: in memory if there is such a place. */
  Path nameNodeDir() {
    return edits.resolve("name-" + nameNodes++);
  }

  /** A directory of the build. */
  Path home() {
    return lib;
  }

  /**
   * Starts a {@link NodeProcess}.
   *
   * @param processes that there will be at a time
   */
  Child start(int processes, String role, String name, String more) throws IOException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long share = system.getTotalPhysicalMemorySize() / HEAP_MEMORY_DIVISOR / processes;
    long heap = Math.max(MIN_HEAP_BYTES, Math.min(MAX_HEAP_BYTES, share));
    String classPath =
        String.join(
            File.pathSeparator,
            jar.toAbsolutePath().toString(),
            lib.toAbsolutePath().resolve("*").toString(),
            dir.toString());
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + (heap >> 20) + "m",
            "-XX:+UseG1GC",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Dlog4j.configuration=io/hycache/bench/directory/process-log4j.properties",
            "-cp",
            classPath,
            NodeProcess.class.getName(),
            role,
            name,
            more);
    return new Child(name, command, dir);
  }

  @Override
  public void close() {
    clear();
    Runtime.getRuntime().removeShutdownHook(hook);
  }

  private void clear() {
    for (Path root : List.of(dir, edits)) {
      try (Stream<Path> all = Files.walk(root)) {
        all.sorted(Comparator.reverseOrder()).forEach(Launcher::delete);
      } catch (IOException | UncheckedIOException e) {
        // The system clears its temporary directories.
      }
    }
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
