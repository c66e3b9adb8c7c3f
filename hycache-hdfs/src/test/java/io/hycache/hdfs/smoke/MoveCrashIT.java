// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HaltingDatasetFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A DataNode process dies in each state of each kind of move, and is started again: no byte is
 * lost, none is served stale, and what was half made is gone.
 */
@Timeout(900)
class MoveCrashIT {
  private static final int BLOCK = 1 << 20;
  private static final Pattern BLOCK_FILE = Pattern.compile("blk_(\\d+)");
  private static final Pattern DEVICE_FILE = Pattern.compile("probe\\.(read|write)|heat");
  private static final Pattern CLEAN_FILE =
      Pattern.compile("blk_(\\d+)_\\d+_\\d+_\\d+\\.(data|meta)");

  @TempDir java.nio.file.Path directory;

  private final WrittenFiles written = new WrittenFiles();
  private ProcessCluster cluster;

  @BeforeEach
  void prepare() throws IOException {
    cluster = new ProcessCluster(directory, ProcessSmokeIT.PLUGIN);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void crash_inEachStateOfEachMove_losesNothingAndLeavesNothing() throws Exception {
    try {
      cluster.format();
      JavaProcess nameNode = cluster.startNameNode();
      writeFiles(nameNode);
      int crashes = 0;
      for (MoveKind kind : MoveKind.values()) {
        for (MoveState state : MoveState.values()) {
          if (happens(kind, state)) {
            crash(nameNode, kind, state);
            afterwards(nameNode, kind + " " + state);
            crashes++;
          }
        }
      }
      assertEquals(6 + 6 + 7, crashes);
      assertTrue(cluster.fsck().contains("is HEALTHY"));
    } catch (Exception | AssertionError e) {
      System.err.println(cluster.logs());
      throw e;
    }
  }

  private static boolean happens(MoveKind kind, MoveState state) {
    return state != MoveState.ROLLED_BACK
        && (state != MoveState.SOURCE_REMOVED || kind == MoveKind.DEMOTE);
  }

  /**
   * No demotion, no checksum files, no promotion for reads: the DataNode moves nothing by itself.
   */
  private static Map<String, String> atRest() {
    return Map.of(
        HyCacheKeys.POLICY, "heuristic",
        HyCacheKeys.DEMOTE_HIGH, "1",
        HyCacheKeys.DEMOTE_LOW, "1",
        HyCacheKeys.CHECKSUM_SHARE, "0");
  }

  private static Map<String, String> halting(MoveKind kind, MoveState state) {
    Map<String, String> settings = new HashMap<>(atRest());
    settings.put("dfs.datanode.fsdataset.factory", HaltingDatasetFactory.class.getName());
    settings.put(HaltingDatasetFactory.HALT_AT, kind + " " + state);
    if (kind == MoveKind.DEMOTE) {
      settings.put(HyCacheKeys.DEMOTE_HIGH, "0.001");
      settings.put(HyCacheKeys.DEMOTE_LOW, "0");
    } else if (kind == MoveKind.PROMOTE_CHECKSUMS) {
      settings.put(HyCacheKeys.CHECKSUM_SHARE, "0.1");
    }
    return settings;
  }

  /** Large blocks go to SSD and wait for demotion, small ones to DISK and wait for promotion. */
  private void writeFiles(JavaProcess nameNode) throws Exception {
    JavaProcess dataNode = cluster.startDataNode(atRest());
    cluster.awaitUp(nameNode, dataNode);
    try (DistributedFileSystem fs = cluster.connect()) {
      for (int i = 0; i < 24; i++) {
        written.write(fs, "/large/" + i, BLOCK, BLOCK);
      }
      for (int i = 0; i < 24; i++) {
        written.write(fs, "/small/" + i, BLOCK / 2, BLOCK / 2);
      }
    }
    dataNode.kill();
  }

  private void crash(JavaProcess nameNode, MoveKind kind, MoveState state) throws Exception {
    JavaProcess dataNode = cluster.startDataNode(halting(kind, state));
    if (kind == MoveKind.PROMOTE) {
      cluster.awaitUp(nameNode, dataNode);
      cluster.await("the NameNode knows its blocks again", dataNode, () -> located("/small/23"));
      java.nio.file.Path manifest =
          Files.writeString(
              directory.resolve("crash.json"),
              "{\"version\": 1, \"workflow\": \"crash\", \"ttl\": \"1h\", \"jobs\": ["
                  + "{\"name\": \"read\", \"repeat\": 3, \"reads\": [{\"path\": \"/small\"}]}]}");
      cluster.hycacheMayFail("submit", manifest.toString());
    }
    assertEquals(HaltingDatasetFactory.EXIT_CODE, dataNode.await(), kind + " " + state);
  }

  private boolean located(String path) throws IOException {
    return cluster.client().locate(path).get(0).blocks().stream()
        .allMatch(
            block ->
                !block.replicas().isEmpty()
                    && block.replicas().stream().allMatch(NodeAnswer::isAnswered));
  }

  private void afterwards(JavaProcess nameNode, String crashedAt) throws Exception {
    JavaProcess dataNode = cluster.startDataNode(atRest());
    cluster.awaitUp(nameNode, dataNode);
    cluster.await(
        "stock taken after " + crashedAt,
        dataNode,
        () -> cluster.status().trackedBlocks() == written.count());
    try (DistributedFileSystem fs = cluster.connect()) {
      written.verify(fs, "after " + crashedAt);
    }
    NodeStatus status = cluster.status();
    assertEquals(0, status.counters().get("Failures"), crashedAt);
    assertEquals(0, status.counters().get("MovesFailed"), crashedAt);
    dataNode.kill();
    noOrphans(crashedAt);
  }

  /** Each replica is there once; each clean file copies one of DISK; nothing is half made. */
  private void noOrphans(String crashedAt) throws IOException {
    Map<String, List<String>> replicas = new TreeMap<>();
    List<String> clean = new ArrayList<>();
    for (String volume : List.of("ssd", "disk")) {
      try (Stream<java.nio.file.Path> files = Files.walk(directory.resolve(volume))) {
        for (java.nio.file.Path file :
            files.filter(Files::isRegularFile).collect(Collectors.toList())) {
          String name = file.getFileName().toString();
          Matcher block = BLOCK_FILE.matcher(name);
          if (block.matches()) {
            assertTrue(file.toString().contains("/finalized/"), file + " after " + crashedAt);
            replicas.computeIfAbsent(block.group(1), id -> new ArrayList<>()).add(volume);
          } else if (file.startsWith(directory.resolve("ssd/hycache"))
              && !DEVICE_FILE.matcher(name).matches()) {
            clean.add(name);
          }
        }
      }
    }
    assertEquals(written.count(), replicas.size(), crashedAt);
    replicas.forEach(
        (id, volumes) -> assertEquals(1, volumes.size(), id + " " + volumes + " " + crashedAt));
    for (String name : clean) {
      Matcher copy = CLEAN_FILE.matcher(name);
      assertTrue(copy.matches(), name + " after " + crashedAt);
      assertEquals(List.of("disk"), replicas.get(copy.group(1)), name + " after " + crashedAt);
    }
    assertFalse(replicas.isEmpty());
  }
}
