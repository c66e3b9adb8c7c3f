// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.hdfs.HyCacheFileSystem;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HyCacheDfsClientTest {
  private static final long STALE_MILLIS = 30_000;

  /** The NameNode's clock at the last heartbeat of all DataNodes. */
  private static final long HEARTBEAT_MILLIS = 1_000_000;

  private static DatanodeInfo node(String id, AdminStates state, long heartbeatMillis) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", "host-" + id, id, 9866, 9864, 9865, 9867))
        .setAdminState(state)
        .setLastUpdateMonotonic(heartbeatMillis)
        .build();
  }

  /** A block on three DataNodes, the last of which is in a state. */
  private static LocatedBlock located(AdminStates ofTheLast) {
    return located(ofTheLast, HEARTBEAT_MILLIS);
  }

  private static LocatedBlock located(AdminStates ofTheLast, long heartbeatOfTheLast) {
    return new LocatedBlock(
        new ExtendedBlock("BP-1", 1),
        new DatanodeInfo[] {
          node("a", AdminStates.NORMAL, HEARTBEAT_MILLIS),
          node("b", AdminStates.NORMAL, HEARTBEAT_MILLIS),
          node("c", ofTheLast, heartbeatOfTheLast)
        });
  }

  private static List<String> order(LocatedBlock block) {
    return Arrays.stream(block.getLocations())
        .map(DatanodeInfo::getDatanodeUuid)
        .collect(Collectors.toList());
  }

  @Test
  void order_replicasOnSsdComeFirst_othersKeepTheirOrder() {
    LocatedBlock block = located(AdminStates.NORMAL);
    HyCacheDfsClient.order(block, Set.of("b", "c"), STALE_MILLIS);
    assertEquals(List.of("b", "c", "a"), order(block));
    assertEquals(2, HyCacheDfsClient.first(block, Set.of("b", "c"), STALE_MILLIS));
  }

  @ParameterizedTest
  @EnumSource(
      value = AdminStates.class,
      names = {"NORMAL"},
      mode = EnumSource.Mode.EXCLUDE)
  void order_dataNodeNotInService_staysLast_andIsNotTheOnlyOne(AdminStates state) {
    LocatedBlock block = located(state);
    HyCacheDfsClient.order(block, Set.of("c"), STALE_MILLIS);
    assertEquals(List.of("a", "b", "c"), order(block));
    assertEquals(0, HyCacheDfsClient.first(block, Set.of("c"), STALE_MILLIS));
    HyCacheDfsClient.order(block, Set.of("b", "c"), STALE_MILLIS);
    assertEquals(List.of("b", "a", "c"), order(block));
    assertEquals(1, HyCacheDfsClient.first(block, Set.of("b", "c"), STALE_MILLIS));
  }

  @Test
  void order_staleDataNode_staysLast() {
    LocatedBlock block = located(AdminStates.NORMAL, HEARTBEAT_MILLIS - STALE_MILLIS - 1);
    HyCacheDfsClient.order(block, Set.of("c"), STALE_MILLIS);
    assertEquals(List.of("a", "b", "c"), order(block));
    assertEquals(0, HyCacheDfsClient.first(block, Set.of("c"), STALE_MILLIS));

    LocatedBlock other = located(AdminStates.NORMAL, HEARTBEAT_MILLIS - STALE_MILLIS);
    HyCacheDfsClient.order(other, Set.of("c"), STALE_MILLIS);
    assertEquals(List.of("c", "a", "b"), order(other));
  }

  @ParameterizedTest
  @CsvSource({"30000, true", "30s, false"})
  void initialize_settingThatCannotBeParsed_isPlainHdfs(String staleInterval, boolean prefersSsd)
      throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.hdfs.impl", HyCacheFileSystem.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY, staleInterval);
    try (DistributedFileSystem fs =
        (DistributedFileSystem) FileSystem.newInstance(URI.create("hdfs://localhost:1"), conf)) {
      assertEquals(prefersSsd, fs.getClient() instanceof HyCacheDfsClient);
    }
  }
}
