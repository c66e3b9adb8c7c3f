// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unpacks the release archive and runs what is in it; part of the build with {@code -Pdist}. */
@Timeout(120)
class ReleaseArchiveCheck {
  @TempDir Path dir;

  @SuppressWarnings("NullAway.Init")
  private Path home;

  private String run(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HADOOP_HOME", dir.resolve("hadoop").toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }

  /** A Hadoop without HyCache's JAR on its class path. */
  @BeforeEach
  void unpack() throws Exception {
    run("tar", "-xzf", System.getProperty("hycache.archive", ""), "-C", dir.toString());
    try (var entries = Files.list(dir)) {
      home = entries.collect(Collectors.toList()).get(0);
    }
    String jar = System.getProperty("hycache.jar");
    String classPath =
        Arrays.stream(System.getProperty("java.class.path", "").split(File.pathSeparator))
            .filter(entry -> entry.endsWith(".jar") && !entry.equals(jar))
            .collect(Collectors.joining(File.pathSeparator));
    Path hadoop = Files.createDirectories(dir.resolve("hadoop/bin")).resolve("hadoop");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Files.writeString(
        hadoop,
        "#!/bin/sh\nexec '" + java + "' -cp '" + classPath + "':\"$HADOOP_CLASSPATH\" \"$@\"\n");
    Files.setPosixFilePermissions(hadoop, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void archive_launcherRunsTheJarInIt() throws Exception {
    String version = home.getFileName().toString().replace("hycache-", "");
    String jar = home.resolve("lib/hycache-hdfs-" + version + ".jar").toString();
    String out = run(home.resolve("bin/hycache").toString(), "version");
    assertTrue(out.startsWith("HyCache " + version + "\nfrom " + jar + "\nHadoop "), out);
  }

  @Test
  void archive_hasAllOfConfAndTheLicence() throws Exception {
    Path conf = Path.of("..", "conf");
    try (var files = Files.walk(conf)) {
      for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
        Path archived = home.resolve("conf").resolve(conf.relativize(file));
        assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(archived), file::toString);
      }
    }
    for (String name : new String[] {"LICENSE", "NOTICE"}) {
      assertTrue(Files.size(home.resolve(name)) > 0, name);
    }
  }

  @Test
  void archive_manPageAndCompletionAreOfThisVersion() throws Exception {
    String launcher = home.resolve("bin/hycache").toString();
    assertEquals(
        run(launcher, "help", "--man"), Files.readString(home.resolve("share/man/man1/hycache.1")));
    assertEquals(
        run(launcher, "help", "--completion"),
        Files.readString(home.resolve("share/bash-completion/completions/hycache")));
  }
}
