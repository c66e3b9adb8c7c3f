// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The directory of DataNodes that are no HDFS superusers, and of those beside one without the
 * plugin, on real processes.
 */
@Timeout(300)
class DirectoryUsersIT {
  private static final Map<String, String> PLUGIN = new HashMap<>(ProcessSmokeIT.PLUGIN);

  static {
    // The test's user, who is not that of the DataNodes, is shown what is in their status.
    PLUGIN.put("dfs.cluster.administrators", System.getProperty("user.name"));
  }

  /** How long what a DataNode logs is counted. */
  private static final long OBSERVED_MILLIS = 30_000;

  @TempDir java.nio.file.Path directory;

  private ProcessCluster cluster;
  private JavaProcess nameNode;
  private final List<JavaProcess> dataNodes = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    cluster = new ProcessCluster(directory, PLUGIN);
    cluster.format();
    nameNode = cluster.startNameNode();
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private void startDataNode(String... settings) throws IOException {
    startDataNodeAs("dn", settings);
  }

  private void startDataNodeAs(String user, String... settings) throws IOException {
    int number = dataNodes.size() + 1;
    Map<String, String> all = new HashMap<>();
    all.put(
        "dfs.datanode.data.dir",
        "[SSD]"
            + directory.resolve("ssd" + number)
            + ",[DISK]"
            + directory.resolve("hdd" + number));
    // A DataNode shows the port that it was configured with, not the one that it got.
    all.put("dfs.datanode.ipc.address", "127.0.0.1:" + ProcessCluster.freePort());
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    dataNodes.add(cluster.startDataNodeAs(user, all));
  }

  private List<NodeStatus> statuses() throws IOException {
    HyCacheClient client = cluster.client();
    List<NodeStatus> out = new ArrayList<>();
    for (NodeAnswer<NodeStatus> answer : client.status(client.liveNodes())) {
      out.add(ProcessCluster.answer(answer));
    }
    return out;
  }

  private void await(String what, int members, String trouble) throws Exception {
    try {
      cluster.await(
          what,
          nameNode,
          () -> {
            List<NodeStatus> all = statuses();
            return all.size() == dataNodes.size()
                && all.stream()
                    .allMatch(
                        s ->
                            s.directoryMembers() == members
                                && s.directoryTrouble().contains(trouble)
                                && s.directoryTrouble().isEmpty() == trouble.isEmpty());
          });
    } catch (AssertionError e) {
      System.err.println(cluster.logs());
      throw e;
    }
  }

  private long refusals() throws IOException {
    return lines(
        nameNode,
        line -> line.contains("getDatanodeReport") && line.contains("denied for user dn"));
  }

  private static long lines(JavaProcess process, Predicate<String> which) throws IOException {
    return Arrays.stream(process.output().split("\n", -1)).filter(which).count();
  }

  @Test
  void dataNodes_thatAreNoSuperusers_findEachOther_andAreRefusedOnceEach() throws Exception {
    startDataNode();
    startDataNode();
    startDataNode();
    await("all are members", 3, "");
    long refused = refusals();
    assertTrue(refused >= 1 && refused <= 3, "refused=" + refused);
  }

  @Test
  void dataNodes_thatMayAskNobody_sayWhy() throws Exception {
    // Nothing listens there.
    startDataNode("dfs.namenode.http-address", "127.0.0.1:1");
    await("the cause is shown", 0, "Fix: list the DataNodes in hycache.directory.members");
    assertEquals(1, refusals());
  }

  @Test
  void members_thatAreListed_areFoundWithoutTheNameNode() throws Exception {
    int port = ProcessCluster.freePort();
    String members = "127.0.0.1:" + port;
    startDataNode(
        "dfs.datanode.ipc.address", "127.0.0.1:" + port, HyCacheKeys.DIRECTORY_MEMBERS, members);
    await("the listed one is a member", 1, "");
    assertEquals(0, refusals());
  }

  /** Each call that it does not know is a stack trace in its log. */
  @Test
  void dataNodeWithoutThePlugin_isLeftAlone() throws Exception {
    JavaProcess plain = cluster.startPlainDataNode();
    startDataNodeAs(System.getProperty("user.name"));
    startDataNodeAs(System.getProperty("user.name"));
    cluster.await("it is called", nameNode, () -> unknownCalls(plain) > 0);
    Thread.sleep(OBSERVED_MILLIS);
    // Each of the two may call at once, and 1, 3, 7, 15 and 31 seconds later.
    long calls = unknownCalls(plain);
    assertTrue(calls <= 2 * 6, "calls=" + calls);
  }

  private static long unknownCalls(JavaProcess plain) throws IOException {
    return lines(plain, line -> line.contains("Unknown protocol: io.hycache"));
  }
}
