// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.WorkflowProgress;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.hdfs.HyCacheFileSystem;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.RunHints;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.lang.reflect.Field;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Hints that a client submits by itself, on a cluster whose files are on DISK. */
@Timeout(120)
class AutomaticHintsIT {
  private static final int FILES = 4;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedCluster c;

  private final List<byte[]> data = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    c = EmbeddedCluster.start(conf, 1);
    for (int i = 0; i < FILES; i++) {
      data.add(c.write(file(i), i, 2 * BLOCK));
    }
    c.write("/in/_SUCCESS", 9, 10);
  }

  @AfterEach
  void stop() {
    c.close();
  }

  /** One name is a glob that does not match itself. */
  private static String file(int i) {
    return "/in/" + (i == 3 ? "{3}[*]" : i);
  }

  private Configuration auto() {
    Configuration conf = new Configuration(c.fs.getConf());
    conf.set("fs.hdfs.impl", HyCacheFileSystem.class.getName());
    conf.set(HyCacheKeys.CLIENT_HINTS, "auto");
    return conf;
  }

  private FileSystem open() throws IOException {
    return FileSystem.newInstance(c.fs.getUri(), auto());
  }

  private List<WorkflowStatus> workflows() throws IOException {
    HyCacheClient client = new HyCacheClient(c.fs.getConf(), (what, done, all) -> {});
    return client.workflows(client.liveNodes()).stream()
        .map(NodeAnswer::value)
        .flatMap(List::stream)
        .collect(Collectors.toList());
  }

  private List<String> names() throws IOException {
    return workflows().stream().map(status -> status.id().name()).collect(Collectors.toList());
  }

  private static void locate(FileSystem fs) throws IOException {
    for (RemoteIterator<LocatedFileStatus> all = fs.listLocatedStatus(new Path("/in"));
        all.hasNext(); ) {
      all.next();
    }
  }

  @Test
  void aMapReduceClient_hintsItsJob_untilTheJobIsOver() throws Exception {
    Path staging = new Path("/user/u/.staging/job_1_0001");
    try (FileSystem fs = open()) {
      locate(fs);
      assertEquals(List.of(), names());
      fs.create(new Path(staging, "job.split")).close();
      c.await("hinted", () -> names().equals(List.of("job_1_0001")));
      assertEquals(2 * FILES, workflows().get(0).receipt.accepted(), "_SUCCESS is hidden");
      c.await(
          "fetched",
          () -> {
            boolean all = true;
            for (int i = 0; i < FILES; i++) {
              all &= c.locate(0, file(i)).stream().allMatch(block -> block.cleanData);
            }
            return all;
          });
    }
    assertEquals(List.of("job_1_0001"), names(), "its client has gone, the job goes on");
    // As at the end of a process: by the cache of file systems, which is locked meanwhile.
    c.fs.setPermission(new Path("/user/u/.staging"), new FsPermission("777"));
    GenericTestUtils.setLogLevel(
        LoggerFactory.getLogger(FSNamesystem.class.getName() + ".audit"), Level.INFO);
    LogCapturer audit =
        LogCapturer.captureLogs(LoggerFactory.getLogger(FSNamesystem.class.getName() + ".audit"));
    UserGroupInformation user = UserGroupInformation.createRemoteUser("job");
    FileSystem cached =
        user.doAs(
            (PrivilegedExceptionAction<FileSystem>) () -> FileSystem.get(c.fs.getUri(), auto()));
    locate(cached);
    Path next = new Path("/user/u/.staging/job_1_0002");
    cached.create(new Path(next, "job.split")).close();
    c.await("hinted", () -> names().contains("job_1_0002"));
    assertTrue(cached.delete(next, true));
    FileSystem.closeAllForUGI(user);
    assertEquals(List.of("job_1_0001"), names());
    audit.stopCapturing();
    assertTrue(audit.getOutput().contains("ugi=job"), audit.getOutput());
    assertFalse(audit.getOutput().contains("allowed=false"), audit.getOutput());
  }

  @Test
  void aRunThatSaysWhatItReads_isHintedByDirectory_untilItEnds() throws Exception {
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    HyCacheClient client = new HyCacheClient(c.fs.getConf(), (what, done, all) -> {});
    try (RunHints hints = new RunHints(c.fs.getConf(), "hive")) {
      hints.begins(user, "q1", List.of(c.fs.getUri() + "/in", "/nowhere"));
      hints.begins(user, "q2", List.of("/nowhere"));
      hints.begins(user, "q3", List.of(file(3)));
      hints.await();
      assertEquals(List.of("q1", "q3"), names());
      assertEquals(2 * FILES, workflows().get(0).receipt.accepted());
      c.await("fetched", () -> c.locate(0, file(0)).stream().allMatch(block -> block.cleanData));
      byte[] read = new byte[data.get(0).length];
      try (FSDataInputStream in = c.fs.open(new Path(file(0)))) {
        in.readFully(0, read);
      }
      assertArrayEquals(data.get(0), read);
      c.await("counted", () -> workflows().get(0).left == 2 * FILES - 2);
      WorkflowProgress progress = requireNonNull(workflows().get(0).progress);
      assertEquals("hive", progress.by);
      assertEquals(2, progress.fromSsd);
      hints.ends(user, "q1");
      hints.await();
      assertEquals(List.of("q3"), names());
      WorkflowStatus over =
          client.recentWorkflows(client.liveNodes()).get(0).value().stream()
              .filter(WorkflowStatus::isOver)
              .findFirst()
              .orElseThrow();
      assertEquals("q1", over.id().name());
      assertEquals(2 * FILES - 2, over.left);
      assertEquals(0, hints.failures());
    }
    assertEquals(List.of(), names(), "what still ran is withdrawn at the end");
  }

  /**
   * Who closes all file systems holds the lock of Hadoop's cache, and waits for the thread of the
   * hints.
   */
  @Test
  void hints_doNotUseHadoopsCacheOfFileSystems() throws Exception {
    Field field = FileSystem.class.getDeclaredField("CACHE");
    field.setAccessible(true);
    Object cache = requireNonNull(field.get(null));
    try (RunHints hints = new RunHints(auto(), "hive")) {
      synchronized (cache) {
        hints.begins(UserGroupInformation.getCurrentUser(), "q", List.of(c.fs.getUri() + "/in"));
        hints.await();
        assertEquals(0, hints.failures());
        hints.ends(UserGroupInformation.getCurrentUser(), "q");
        hints.await();
      }
      assertEquals(2 * FILES, c.count(0, "HintsReceived"));
    }
  }

  /** Without Hadoop's cache, each look-up of a file would make a file system that stays open. */
  @Test
  void withoutTheCacheOfFileSystems_threadsAreAsFew() throws Exception {
    c.close();
    Configuration two = EmbeddedCluster.conf();
    two.set(HyCacheKeys.WRITE_SHARE, "0");
    two.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 2);
    c = EmbeddedCluster.start(two, 2);
    for (int i = 0; i < 50; i++) {
      c.write("/many/" + i, i, 1024);
    }
    Configuration conf = auto();
    conf.set(HyCacheKeys.CLIENT_HINTS, "off");
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    try (RunHints hints = new RunHints(conf, "hive")) {
      hints.begins(UserGroupInformation.getCurrentUser(), "q", List.of(c.fs.getUri() + "/many"));
      hints.await();
      assertEquals(0, hints.failures());
      assertEquals(List.of("q", "q"), names(), "of each DataNode");
      long threads =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("hycache-client"))
              .count();
      assertTrue(threads > 0 && threads < 20, threads + " threads");
    }
  }

  @Test
  void settingThatCanNotBe_leavesPlainHdfs() throws Exception {
    for (String key : List.of(HyCacheKeys.CLIENT_LOCALITY, HyCacheKeys.HINTS_REPLICAS)) {
      Configuration conf = auto();
      conf.set(key, "perfer");
      try (FileSystem fs = FileSystem.newInstance(c.fs.getUri(), conf);
          FSDataInputStream in = fs.open(new Path("/in/0"))) {
        byte[] read = new byte[data.get(0).length];
        in.readFully(0, read);
        assertArrayEquals(data.get(0), read);
      }
    }
  }

  @Test
  void aProcessThatReads_hintsTheRest() throws Exception {
    try (FileSystem fs = open()) {
      locate(fs);
      byte[] read = new byte[data.get(0).length];
      try (FSDataInputStream in = fs.open(new Path("/in/0"))) {
        in.readFully(0, read);
      }
      assertArrayEquals(data.get(0), read);
      c.await("hinted", () -> names().size() == 1);
      assertEquals(2 * (FILES - 1), workflows().get(0).receipt.accepted());
    }
    assertEquals(List.of(), names(), "withdrawn");
  }

  @Test
  void shellCommands_planNothing() throws Exception {
    String[][] commands = {
      {"-ls", "-R", "/in"},
      {"-du", "/in"},
      {"-count", "/in"},
      {"-stat", "/in/*"},
      {"-checksum", "/in/0"},
      {"-find", "/in", "-name", "1"},
      {"-cat", "/in/0", "/in/1"},
      {"-tail", "/in/2"},
      {"-cp", "/in/0", "/copy"},
      {"-test", "-e", "/in/1"}
    };
    for (String[] command : commands) {
      Configuration conf = auto();
      conf.set("fs.defaultFS", c.fs.getUri().toString());
      conf.setBoolean("fs.hdfs.impl.disable.cache", true);
      assertEquals(0, ToolRunner.run(conf, new FsShell(), command), String.join(" ", command));
    }
    assertEquals(0, c.count(0, "HintsReceived"));
  }
}
