// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command {@code localdir} of the shaded JAR as a process of its own, on a tree of files. */
@Timeout(300)
class LocalDirIT {
  private static final int FILES = 8;
  private static final int BYTES = 1 << 20;
  private static final String MAIN = "io.hycache.hdfs.cli.HyCache";

  @TempDir Path dir;

  private Path ssd;
  private Path hdd;
  private int runs;

  @BeforeEach
  void prepare() throws IOException {
    ssd = Files.createDirectory(dir.resolve("ssd")).toRealPath();
    hdd = Files.createDirectory(dir.resolve("hdd")).toRealPath();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void files_goDownWhileServed_areReadableThroughout_andComeUp(boolean withJna) throws Exception {
    for (int i = 0; i < FILES; i++) {
      Files.createDirectories(file(i).getParent());
      Files.write(file(i), bytes(i));
    }
    JavaProcess serving = serve(withJna);
    try {
      await(serving, "files on the HDD", () -> links().size() >= FILES / 2);
      assertContents();
      assertEquals(
          !withJna, serving.output().contains("JNA (net.java.dev.jna:jna) is not on the class"));
      String status = ended(0, withJna, "--status", "--ssd", ssd.toString());
      assertTrue(status.startsWith(ssd + ": running, policy lru"), status);
    } finally {
      serving.stop();
    }
    assertTrue(serving.output().contains("hycache: ended; files stay where they are"));
    assertContents();
    String json = ended(0, withJna, "--status", "--ssd", ssd.toString(), "--json");
    assertTrue(json.contains("\"state\" : \"closed\""), json);
    assertTrue(json.contains("\"atomicExchange\" : " + withJna), json);
    bringUp(withJna);
  }

  private void bringUp(boolean withJna) throws Exception {
    int down = links().size();
    String[] all = {"--bring-up", "--ssd", ssd.toString(), "--hdd", hdd.toString()};
    String dry = ended(0, withJna, append(all, "--dry-run"));
    assertTrue(dry.startsWith(down + " files on HDDs, " + down + ".0 MiB; the SSD has"), dry);
    assertEquals(down, links().size());
    String up = ended(0, withJna, append(all, "--sweep-grace", "1s"));
    assertTrue(up.contains(down + " files brought up\n"), up);
    assertTrue(up.contains("the HDDs have nothing of this tree any more"), up);
    assertEquals(List.of(), links());
    assertContents();
    try (Stream<Path> left = Files.list(hdd)) {
      assertEquals(List.of(), left.collect(Collectors.toList()));
    }
  }

  @Test
  void dryRun_showsWhatWouldGo_andMovesNothing() throws Exception {
    for (int i = 0; i < FILES; i++) {
      Files.createDirectories(file(i).getParent());
      Files.write(file(i), bytes(i));
    }
    String out = ended(0, true, append(settings(), "--dry-run"));
    assertTrue(out.startsWith("WOULD GO TO AN HDD"), out);
    assertTrue(out.contains("1.0 MiB"), out);
    assertEquals(List.of(), links());
  }

  @Test
  void secondDaemonOfATree_isRefused() throws Exception {
    JavaProcess serving = serve(true);
    try {
      await(serving, "the first daemon", () -> serving.output().contains("hycache: serving"));
      String out = ended(1, true, settings());
      assertTrue(out.contains("hycache: localdir failed: "), out);
    } finally {
      serving.stop();
    }
    assertFalse(serving.isAlive());
  }

  private String[] settings() {
    return new String[] {
      "--ssd",
      ssd.toString(),
      "--hdd=" + hdd,
      "--policy",
      "lru",
      "--capacity",
      "6MB",
      "--high",
      "50%",
      "--low",
      "0.25",
      "--grace",
      "0s",
      "--sweep-grace",
      "1s"
    };
  }

  private JavaProcess serve(boolean withJna) throws IOException {
    return start(withJna, settings());
  }

  private JavaProcess start(boolean withJna, String... args) throws IOException {
    List<String> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      String name = Path.of(entry).getFileName().toString();
      // What other tests need brings a log4j.properties.
      boolean logging = name.startsWith("hadoop-minikdc") || name.startsWith("openlineage-java");
      boolean leftOut = logging || (!withJna && name.startsWith("jna-"));
      if (entry.endsWith(".jar") && !leftOut) {
        classPath.add(entry);
      }
    }
    List<String> command = new ArrayList<>(List.of(MAIN, "localdir"));
    command.addAll(Arrays.asList(args));
    Path log = dir.resolve("log" + runs++);
    return JavaProcess.start("localdir", log, classPath, command.toArray(new String[0]));
  }

  /** What a run prints that ends by itself. */
  private String ended(int exitCode, boolean withJna, String... args) throws Exception {
    try (JavaProcess process = start(withJna, args)) {
      assertEquals(exitCode, process.await(), process.output());
      // Hadoop's own warnings on a class path without a log4j.properties.
      return process
          .output()
          .lines()
          .filter(line -> !line.startsWith("log4j:") && !line.contains("NativeCodeLoader"))
          .collect(Collectors.joining("\n", "", "\n"));
    }
  }

  private static void await(JavaProcess process, String what, Callable<Boolean> condition)
      throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.call()) {
      if (System.nanoTime() > end || !process.isAlive()) {
        throw new AssertionError("waited for " + what + ":\n" + process.output());
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static String[] append(String[] args, String... more) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.addAll(Arrays.asList(more));
    return all.toArray(new String[0]);
  }

  private Path file(int i) {
    return ssd.resolve("blockmgr").resolve("0" + i % 3).resolve("file" + i);
  }

  private static byte[] bytes(int i) {
    byte[] bytes = new byte[BYTES];
    new Random(i).nextBytes(bytes);
    return bytes;
  }

  private List<Path> links() {
    List<Path> links = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      if (Files.isSymbolicLink(file(i))) {
        links.add(file(i));
      }
    }
    return links;
  }

  private void assertContents() throws IOException {
    for (int i = 0; i < FILES; i++) {
      assertArrayEquals(bytes(i), Files.readAllBytes(file(i)), "file " + i);
      assertTrue(Files.exists(file(i), LinkOption.NOFOLLOW_LINKS));
    }
  }
}
