// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The HDFS client of run's command, in processes as users start them. */
@Timeout(180)
class RunClientIT {
  private static final int NODE = 2;

  @TempDir Path dir;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedCluster c;

  @SuppressWarnings("NullAway.Init")
  private Path log;

  /** A job: reads a file of HDFS, with the configuration on its class path. */
  public static final class Job {
    private Job() {}

    /** Entry point. */
    public static void main(String[] args) throws Exception {
      FileSystem fs = FileSystem.get(new Configuration());
      long bytes = 0;
      try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(args[0]))) {
        bytes = in.transferTo(OutputStream.nullOutputStream());
      }
      System.out.println("read " + bytes + " with " + fs.getClass().getSimpleName());
      System.out.println(
          "from "
              + new File(
                  fs.getClass().getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
  }

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
    try (OutputStream out = Files.newOutputStream(dir.resolve("core-site.xml"))) {
      client.writeXml(out);
    }
    Files.writeString(
        dir.resolve("job.json"),
        "{\"version\": 1, \"workflow\": \"w\", \"ttl\": \"1h\","
            + " \"jobs\": [{\"name\": \"j\", \"reads\": [{\"path\": \"/a\"}]}]}");
    log = dir.resolve("log");
  }

  @AfterEach
  void stop() {
    if (c != null) {
      c.close();
    }
  }

  private Process run(List<String> options, String script) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        new ArrayList<>(
            List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + Files.createDirectories(dir.resolve("tmp")),
                "-cp",
                dir + File.pathSeparator + System.getProperty("java.class.path"),
                "io.hycache.hdfs.cli.HyCache",
                "run",
                dir.resolve("job.json").toString()));
    command.addAll(options);
    command.addAll(List.of("--", "sh", "-c", script));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HADOOP_CONF_DIR", dir.toString());
    builder.environment().put("JAVA", java);
    // The job's own class path has no JAR of HyCache.
    builder
        .environment()
        .put(
            "JOB_CLASSPATH",
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.equals(System.getProperty("hycache.jar")))
                .collect(Collectors.joining(File.pathSeparator)));
    return builder.redirectOutput(log.toFile()).start();
  }

  private String output(Process process) throws Exception {
    assertTrue(process.waitFor(120, TimeUnit.SECONDS), Files.readString(log));
    return Files.readString(log);
  }

  private boolean nothingLeft() throws Exception {
    try (var left = Files.list(dir.resolve("tmp"))) {
      return left.noneMatch(p -> p.getFileName().toString().startsWith("hycache-conf-"));
    }
  }

  @Test
  void job_readsTheCopyOnSsd_unlessToldNotTo() throws Exception {
    byte[] data = c.write("/a", 1, 6 * BLOCK);
    c.hint(NODE, "earlier", "/a", 2);
    c.await("fetched", () -> c.locate(NODE, "/a").stream().allMatch(b -> b.cleanData));
    String job =
        "exec \"$JAVA\" -XX:TieredStopAtLevel=1 -cp \"$HADOOP_CONF_DIR:$JOB_CLASSPATH\" '"
            + Job.class.getName()
            + "' /a";

    Process plain = run(List.of("--plain-client"), job);
    String said = output(plain);
    assertEquals(0, plain.exitValue(), said);
    assertTrue(said.contains("read " + data.length + " with DistributedFileSystem"), said);
    assertFalse(said.contains("HDFS client"), said);

    long disk = c.count(0, "DiskBytesRead") + c.count(1, "DiskBytesRead");
    long ssd = c.count(NODE, "SsdBytesRead");
    Process process = run(List.of(), job);
    said = output(process);
    assertEquals(0, process.exitValue(), said);
    assertTrue(
        said.contains("\nHyCacheFileSystem is the HDFS client of the command; --plain-client"),
        said);
    assertTrue(said.contains("read " + data.length + " with HyCacheFileSystem\n"), said);
    assertTrue(said.contains("from " + dir.toRealPath().resolve("tmp/hycache-conf-")), said);
    c.await("from SSD", () -> c.count(NODE, "SsdBytesRead") >= ssd + data.length);
    assertEquals(disk, c.count(0, "DiskBytesRead") + c.count(1, "DiskBytesRead"));
    assertTrue(nothingLeft());
  }

  @Test
  void signal_configurationOfTheCommandIsRemoved() throws Exception {
    c.write("/a", 1, BLOCK);
    Path started = dir.resolve("started");
    Process process =
        run(
            List.of(),
            "echo \"$HADOOP_CONF_DIR\" > "
                + started
                + ".part; mv "
                + started
                + ".part "
                + started
                + "; sleep 600");
    try {
      c.await("started", () -> Files.exists(started) || !process.isAlive());
      Path configuration = Path.of(Files.readString(started).strip());
      assertTrue(Files.exists(configuration.resolve("core-site.xml")), Files.readString(log));
      process.destroy();
      String said = output(process);
      assertEquals(143, process.exitValue(), said);
      assertFalse(Files.exists(configuration), said);
      assertTrue(said.contains("Withdrew workflow w"), said);
    } finally {
      process.destroyForcibly();
    }
  }
}
