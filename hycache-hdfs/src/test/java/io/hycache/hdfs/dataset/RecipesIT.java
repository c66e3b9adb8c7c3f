// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.HyCacheFileSystem;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guide's recipes, each in a process with the class path that it names: what is read comes from
 * the SSD that has it, and from no other DataNode. And warm, which brings it there.
 */
@Timeout(180)
class RecipesIT {
  private static final int NODE = 2;
  private static final String CLIENT = "fs.hdfs.impl=" + HyCacheFileSystem.class.getName();
  private static final String JAR = System.getProperty("hycache.jar", "");

  @TempDir Path dir;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedCluster c;

  private byte[] data = new byte[0];

  @BeforeEach
  void start() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.setInt("dfs.replication", 3);
    c = EmbeddedCluster.start(conf, 3);
    c.await("whole", c::isDirectoryWhole);
    Configuration client = new Configuration(false);
    client.set("fs.defaultFS", c.fs.getUri().toString());
    client.set(HyCacheKeys.CLIENT_LOCALITY_TIMEOUT, "5s");
    client.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
    try (OutputStream out = Files.newOutputStream(dir.resolve("core-site.xml"))) {
      client.writeXml(out);
    }
    data = c.write("/a", 1, 6 * BLOCK);
  }

  @AfterEach
  void stop() {
    if (c != null) {
      c.close();
    }
  }

  /** Hadoop as these tests have it, without HyCache. */
  private static List<String> hadoop() {
    return Arrays.stream(System.getProperty("java.class.path", "").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && !entry.equals(JAR))
        .collect(Collectors.toList());
  }

  /** The JARs that the build put into a directory of target. */
  private static List<String> jars(String directory) throws Exception {
    try (var files = Files.list(Path.of("target", directory))) {
      return files.map(file -> file.toAbsolutePath().toString()).collect(Collectors.toList());
    }
  }

  private String run(List<String> classPath, String... command) throws Exception {
    List<String> entries = new ArrayList<>(List.of(dir.toString()));
    entries.addAll(classPath);
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    all.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
    all.add(String.join(File.pathSeparator, entries));
    all.addAll(List.of(command));
    Path log = dir.resolve("log");
    Process process =
        new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "runs on");
    } finally {
      process.destroyForcibly();
    }
    // The data itself is no text.
    String said = Files.readString(log, StandardCharsets.ISO_8859_1);
    assertEquals(0, process.exitValue(), said.substring(Math.max(0, said.length() - 4000)));
    return said;
  }

  private static List<String> with(List<String> classPath, String jar) {
    List<String> out = new ArrayList<>(classPath);
    out.add(jar);
    return out;
  }

  /** Runs a command that reads the file once. */
  private void readsFromSsd(List<String> classPath, String... command) throws Exception {
    c.hint(NODE, "earlier", "/a", 2);
    c.await("fetched", () -> c.locate(NODE, "/a").stream().allMatch(b -> b.cleanData));
    long ssd = c.count(NODE, "SsdBytesRead");
    assertEquals(0, reads(0) + reads(1));
    run(classPath, command);
    c.await("from SSD", () -> c.count(NODE, "SsdBytesRead") >= ssd + data.length);
    c.await("counted", () -> reads(NODE) >= 6);
    assertEquals(0, reads(0) + reads(1), "the other DataNodes were not asked for the file");
  }

  /** Reads of the file's blocks that a DataNode has seen. */
  private long reads(int node) throws Exception {
    return c.locate(node, "/a").stream().mapToLong(block -> block.reads).sum();
  }

  @Test
  void hadoopFs_readsFromSsd() throws Exception {
    readsFromSsd(with(hadoop(), JAR), "org.apache.hadoop.fs.FsShell", "-D", CLIENT, "-cat", "/a");
  }

  @Test
  void mapReduce_readsFromSsd() throws Exception {
    List<String> classPath = with(hadoop(), JAR);
    classPath.addAll(jars("mapreduce"));
    readsFromSsd(
        classPath,
        "org.apache.hadoop.examples.ExampleDriver",
        "wordcount",
        "-D",
        CLIENT,
        "-D",
        "mapreduce.framework.name=local",
        "-libjars",
        JAR,
        "/a",
        "/out");
    assertTrue(c.fs.exists(new org.apache.hadoop.fs.Path("/out/_SUCCESS")));
  }

  @Test
  void sparksHadoop_readsFromSsd() throws Exception {
    readsFromSsd(
        with(jars("hadoop-client"), JAR),
        "org.apache.hadoop.fs.FsShell",
        "-D",
        CLIENT,
        "-cat",
        "/a");
  }

  @Test
  void warm_bringsTheFileToSsdAndWaits() throws Exception {
    String said =
        run(
            with(hadoop(), JAR),
            "io.hycache.hdfs.cli.HyCache",
            "warm",
            "/a",
            "--at-most",
            "4m",
            "--ttl",
            "1h");
    assertTrue(
        said.contains("Submitted workflow warm:/a, ttl 1h: 1 file, 4 blocks, 4.0 MiB"), said);
    assertTrue(said.endsWith("On SSD: all of 4 blocks\n"), said);
    long copies = 0;
    for (int i = 0; i < 3; i++) {
      copies += c.locate(i, "/a").stream().filter(block -> block.cleanData).count();
    }
    assertEquals(4, copies);
  }
}
