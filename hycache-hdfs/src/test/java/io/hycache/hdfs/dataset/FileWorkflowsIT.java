// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.WorkflowStatus;
import io.hycache.hdfs.client.FileWorkflows;
import io.hycache.hdfs.client.FileWorkflows.FileRead;
import io.hycache.hdfs.client.FileWorkflows.Outcome;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workflows of a program that knows its files: on a cluster whose files are on DISK. */
@Timeout(120)
class FileWorkflowsIT {
  @TempDir java.nio.file.Path dir;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedCluster c;

  @SuppressWarnings("NullAway.Init")
  private FileWorkflows workflows;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    c = EmbeddedCluster.start(conf, 1);
    c.write("/in/day=1/{a}*", 1, 2 * BLOCK);
    c.write("/in/day=2/b", 2, 3 * BLOCK);
    Configuration client = new Configuration(c.fs.getConf());
    client.set("fs.defaultFS", "file:///"); // the file system is that of the path
    workflows = new FileWorkflows(client, UserGroupInformation.getCurrentUser(), "spark");
  }

  @AfterEach
  void stop() {
    c.close();
  }

  private FileRead read(String path) {
    return new FileRead(new Path(c.fs.getUri() + path), false);
  }

  /** Name and accepted reads of each workflow. */
  private List<String> submitted() throws IOException {
    HyCacheClient client = new HyCacheClient(c.fs.getConf(), (what, done, all) -> {});
    return client.workflows(client.liveNodes()).stream()
        .map(NodeAnswer::value)
        .flatMap(List::stream)
        .map((WorkflowStatus status) -> status.id().name() + " " + status.receipt.accepted())
        .collect(Collectors.toList());
  }

  @Test
  void submit_aFileTwice_isTwoReads_untilItIsWithdrawn() throws Exception {
    FileRead local = new FileRead(new Path("file:///etc/hosts"), false);
    assertEquals(
        Outcome.TAKEN,
        workflows.submit(
            "app_query_1",
            List.of(read("/in/day=1/{a}*"), local, read("/in/day=2/b"), read("/in/day=1/{a}*")),
            () -> true));
    assertEquals(List.of("app_query_1 7"), submitted());
    assertEquals(Outcome.NOTHING, workflows.submit("app_query_2", List.of(local), () -> true));
    workflows.withdraw("app_query_1");
    workflows.withdraw("app_query_2");
    assertEquals(List.of(), submitted());
  }

  @Test
  void submit_aFileThatIsGone_submitsTheOthers() throws Exception {
    assertEquals(
        Outcome.TAKEN,
        workflows.submit(
            "app_query_1", List.of(read("/in/gone"), read("/in/day=2/b")), () -> true));
    assertEquals(
        Outcome.NOTHING, workflows.submit("app_query_2", List.of(read("/in/gone")), () -> true));
    assertEquals(List.of("app_query_1 3"), submitted());
  }

  @Test
  void submit_ofFilesWithoutBlocks_isNothing() throws Exception {
    c.write("/in/empty", 3, 0);
    assertEquals(
        Outcome.NOTHING, workflows.submit("app_query_1", List.of(read("/in/empty")), () -> true));
    assertEquals(
        Outcome.TAKEN,
        workflows.submit(
            "app_query_2", List.of(read("/in/empty"), read("/in/day=2/b")), () -> true));
    assertEquals(List.of("app_query_2 3"), submitted());
  }

  @Test
  void submit_ofWhatIsNotNeededAnyMore_sendsNothing() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    assertEquals(
        Outcome.NOTHING,
        workflows.submit(
            "app_query_1",
            List.of(read("/in/day=1/{a}*"), read("/in/day=2/b")),
            () -> asked.incrementAndGet() < 2));
    assertEquals(2, asked.get(), "the second file is not looked up");
    assertEquals(List.of(), submitted());
  }

  @Test
  void submit_whereOneFileSystemDoesNotAnswer_hintsTheOthers() throws Exception {
    FileRead away = new FileRead(new Path("hdfs://127.0.0.1:1/in"), false);
    assertEquals(
        Outcome.TAKEN,
        workflows.submit("app_query_1", List.of(away, read("/in/day=2/b")), () -> true));
    assertEquals(List.of("app_query_1 3"), submitted());
    assertThrows(
        IOException.class, () -> workflows.submit("app_query_2", List.of(away), () -> true));
  }

  @Test
  void submit_again_withdrawsFromFileSystemsWithoutTheFiles() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.toString());
    try (EmbeddedCluster second = EmbeddedCluster.start(conf, 1)) {
      second.write("/b", 1, BLOCK);
      FileRead there = new FileRead(new Path(second.fs.getUri() + "/b"), false);
      assertEquals(
          Outcome.TAKEN,
          workflows.submit("app_query_1", List.of(read("/in/day=2/b"), there), () -> true));
      assertEquals(List.of("app_query_1 3"), submitted());
      assertEquals(Outcome.TAKEN, workflows.submit("app_query_1", List.of(there), () -> true));
      assertEquals(List.of(), submitted());
      assertEquals(1, second.node(0).workflows(any -> true).size());
    }
  }

  @Test
  void submit_toDataNodesWithoutHyCache_fails() throws Exception {
    c.close();
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.toString());
    try (MiniDFSCluster plain = new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
      Path path = plain.getFileSystem().makeQualified(new Path("/b"));
      DFSTestUtil.writeFile(plain.getFileSystem(), path, "b");
      FileWorkflows none = new FileWorkflows(conf, UserGroupInformation.getCurrentUser(), "spark");
      List<FileRead> read = List.of(new FileRead(path, false));
      IOException e =
          assertThrows(IOException.class, () -> none.submit("app_query_1", read, () -> true));
      String text = String.valueOf(e.getMessage());
      assertTrue(text.startsWith("no DataNode accepted a hint: DataNode="), text);
      assertTrue(text.contains("HyCache does not answer on this DataNode"), text);
      none.withdraw("app_query_1");
    }
  }
}
