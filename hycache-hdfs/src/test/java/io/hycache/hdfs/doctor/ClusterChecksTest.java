// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import static io.hycache.hdfs.doctor.Findings.assertMistake;
import static io.hycache.hdfs.doctor.Findings.assertWell;
import static io.hycache.hdfs.doctor.Findings.only;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.StorageTiers;
import io.hycache.hdfs.doctor.Finding.Result;
import io.hycache.hdfs.doctor.NameNodeFacts.Storages;
import io.hycache.hdfs.rpc.SampleErrors;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** The checks of what DataNodes and the NameNode answered. */
class ClusterChecksTest {
  private static final List<String> JAR = List.of("/lib/hycache-hdfs-0.1.0.jar");
  private static final Set<StorageType> BOTH = Set.of(StorageType.SSD, StorageType.DISK);

  private static NodeFacts.Address address(String name) {
    return new NodeFacts.Address(name, name + ":9866", name + ":9867", name + ":9864");
  }

  private static NodeFacts.Web web(String hadoop, List<String> jars, long ahead, String tiers) {
    return web(hadoop, jars, ahead, tiers, 0);
  }

  private static NodeFacts.Web web(
      String hadoop, List<String> jars, long ahead, String tiers, int failedVolumes) {
    Configuration conf = LocalChecksTest.complete();
    if (!tiers.isEmpty()) {
      conf.set("hycache.tiers", tiers);
    }
    return new NodeFacts.Web("17", hadoop, jars, ahead, failedVolumes, conf);
  }

  private static NodeStatus.Builder status() {
    return NodeStatus.builder()
        .put(NodeFigure.MODE, "active")
        .put(NodeFigure.POLICY, "adaptive")
        .put(NodeFigure.CAPACITY_BYTES, 1L << 30);
  }

  private static NodeFacts node(String name, NodeFacts.Web web, Outcome<NodeStatus> status) {
    return new NodeFacts(address(name), Outcome.of(true), Outcome.of(web), status);
  }

  private static NodeFacts node(String name, NodeFacts.Web web) {
    return node(name, web, Outcome.of(status().build()));
  }

  private static NodeFacts well(String name) {
    return node(name, web("3.4.2", JAR, 100, ""));
  }

  private static Outcome<Long> ahead(long millis) {
    return Outcome.of(millis);
  }

  private static List<Finding> cluster(NodeFacts... nodes) {
    return ClusterChecks.of(List.of(nodes), Map.of("nn:9870", ahead(0)), false);
  }

  @Test
  void node_well_eachCheckOnceUnderItsName() {
    List<Finding> all = NodeChecks.of(well("dn1"));
    assertWell(all);
    for (Check check :
        List.of(
            Check.JAVA,
            Check.HADOOP,
            Check.CLASS_PATH,
            Check.PLUG_IN,
            Check.KEYS,
            Check.VOLUMES,
            Check.PORTS,
            Check.HYCACHE)) {
      assertEquals("dn1", only(all, check, Result.OK).node());
    }
    assertEquals(8, all.size(), all::toString);
  }

  @Test
  void node_withoutTheJar_isFound() {
    List<Finding> all =
        NodeChecks.of(
            node("dn1", web("3.4.2", List.of(), 0, ""), Outcome.failed(SampleErrors.notActive())));
    assertMistake(
        Result.ERROR,
        "expected a HyCache JAR, found none",
        only(all, Check.CLASS_PATH, Result.ERROR));
    assertMistake(
        Result.ERROR, "found a DataNode without it", only(all, Check.HYCACHE, Result.ERROR));
    assertEquals(1, Findings.of(all, Check.PORTS, Result.OK).size(), "its IPC answers");
  }

  @Test
  void node_renamedJar_isNotChecked() {
    List<Finding> all = NodeChecks.of(node("dn1", web("3.4.2", List.of(), 0, "")));
    assertWell(all);
    assertEquals(1, Findings.of(all, Check.CLASS_PATH, Result.NOT_CHECKED).size());
  }

  @Test
  void node_twoJars_isFound() {
    List<Finding> all =
        NodeChecks.of(node("dn1", web("3.4.2", List.of("/a/hycache.jar", JAR.get(0)), 0, "")));
    assertMistake(Result.ERROR, "found 2: ", only(all, Check.CLASS_PATH, Result.ERROR));
  }

  @Test
  void node_failedVolume_isFound_andIsTheSameAsTheNameNodes() {
    Finding its =
        only(NodeChecks.of(node("dn1", web("3.4.2", JAR, 0, "", 1))), Check.VOLUMES, Result.ERROR);
    assertMistake(Result.ERROR, "expected no failed volume, found 1", its);
    Storages storages =
        NameNodeSurvey.storages(
            storage(StorageType.SSD, DatanodeStorage.State.FAILED),
            storage(StorageType.DISK, DatanodeStorage.State.NORMAL));
    assertEquals(Set.of(StorageType.DISK), storages.types);
    List<Finding> all = nameNode(false, List.of(), storages, Map.of("/", "HOT"));
    assertEquals(its, only(all, Check.VOLUMES, Result.ERROR));
  }

  /** As a NameNode reports it. */
  private static StorageReport storage(StorageType type, DatanodeStorage.State state) {
    return new StorageReport(new DatanodeStorage("DS-1", state, type), false, 1, 0, 1, 0, 0);
  }

  @Test
  void node_silentPorts_areFoundEach() {
    Outcome<Boolean> refused = Outcome.failed(new ConnectException("Connection refused"));
    NodeFacts away =
        new NodeFacts(
            address("dn1"),
            refused,
            Outcome.failed(new IOException("no route")),
            Outcome.failed(new IOException("timed out")));
    List<Finding> all = NodeChecks.of(away);
    List<Finding> ports = Findings.of(all, Check.PORTS, Result.ERROR);
    assertEquals(3, ports.size(), ports::toString);
    assertMistake(Result.ERROR, "data transfer dn1:9866, found none: Connection", ports.get(0));
    assertMistake(Result.ERROR, "web server dn1:9864, found none: no route", ports.get(1));
    assertMistake(Result.ERROR, "IPC dn1:9867, found none: timed out", ports.get(2));
    assertEquals(1, Findings.of(all, Check.HYCACHE, Result.NOT_CHECKED).size());
    assertEquals(1, Findings.of(all, Check.CLASS_PATH, Result.NOT_CHECKED).size());
  }

  @Test
  void node_answersWithAnError_isNoMatterOfItsPorts() {
    IOException error =
        new IOException(
            "key: expected a, found b. Fix: set it", new RemoteException("IOException", "key"));
    List<Finding> all = NodeChecks.of(node("dn1", web("3.4.2", JAR, 0, ""), Outcome.failed(error)));
    assertMistake(
        Result.ERROR,
        "found an error: key: expected a, found b.",
        only(all, Check.HYCACHE, Result.ERROR));
    assertEquals(1, Findings.of(all, Check.PORTS, Result.OK).size(), all::toString);
  }

  @Test
  void node_webServerThatRefuses_isNotChecked_andIsNoMatterOfItsPorts() {
    Exception refused = new AccessControlException("not let in: page=http://dn1/jmx status=403");
    NodeFacts node =
        new NodeFacts(
            address("dn1"),
            Outcome.of(true),
            Outcome.failed(refused),
            Outcome.of(status().build()));
    List<Finding> all = NodeChecks.of(node);
    assertWell(all);
    assertEquals(1, Findings.of(all, Check.PORTS, Result.OK).size(), all::toString);
    Finding finding = only(all, Check.CLASS_PATH, Result.NOT_CHECKED);
    assertTrue(finding.text().contains(", which refuses: not let in: page="), finding::toString);
    assertTrue(finding.fix().contains("dfs.cluster.administrators"), finding::toString);
    List<Finding> clocks =
        ClusterChecks.of(List.of(node), Map.of("nn:9870", Outcome.failed(refused)), false);
    assertEquals(
        "the web server of NameNode nn:9870 refuses: " + refused.getMessage(),
        only(clocks, Check.CLOCKS, Result.NOT_CHECKED).text());
  }

  @Test
  void node_itsWarnings_areThereOnce() {
    NodeFacts.Web web = web("3.4.2", JAR, 0, "");
    web.conf.set("hycache.polcy", "lru");
    String known =
        Findings.of(ConfigurationChecks.of(web.conf), Check.KEYS, Result.WARNING).get(0).text();
    NodeStatus status =
        status()
            .build()
            .withWarnings(
                List.of(known + " Fix: correct it", "/x is not used: why. Fix: mount it"));
    List<Finding> all = NodeChecks.of(node("dn1", web, Outcome.of(status)));
    assertEquals(1, Findings.of(all, Check.KEYS, Result.WARNING).size());
    assertMistake(Result.WARNING, "/x is not used: why", only(all, Check.HYCACHE, Result.WARNING));
  }

  @Test
  void node_passThroughSickSsdStalledPlannerAndDirectory_areFound() {
    NodeStatus status =
        status()
            .put(NodeFigure.PASS_THROUGH, true)
            .put(NodeFigure.PLANNER_STALLED_SECONDS, 7)
            .devices(List.of(DeviceStatus.builder("/ssd0", false).build()))
            .put(NodeFigure.DIRECTORY_MEMBERS, 1)
            .put(NodeFigure.DIRECTORY_TROUBLE, "not let in")
            .build();
    List<Finding> all = NodeChecks.of(node("dn1", web("3.4.2", JAR, 0, ""), Outcome.of(status)));
    List<Finding> errors = Findings.of(all, Check.HYCACHE, Result.ERROR);
    assertEquals(3, errors.size(), errors::toString);
    assertMistake(Result.ERROR, "found pass-through", errors.get(0));
    assertMistake(Result.ERROR, "/ssd0: expected to be used", errors.get(1));
    assertMistake(Result.ERROR, "found it stalled for 7 s", errors.get(2));
    assertEquals("directory: not let in", only(all, Check.HYCACHE, Result.WARNING).text());
  }

  @Test
  void cluster_alike_isWell() {
    List<Finding> all = cluster(well("dn1"), well("dn2"));
    assertWell(all);
    assertEquals(1, Findings.of(all, Check.CLOCKS, Result.OK).size());
    assertEquals(1, all.size(), all::toString);
  }

  @Test
  void cluster_differences_areFound() {
    List<Finding> all =
        cluster(
            well("dn1"),
            well("dn2"),
            node("dn3", web("3.4.3", List.of("/l/hycache-hdfs-0.2.0.jar"), 0, "NVDIMM,SSD,DISK")));
    assertMistake(
        Result.WARNING,
        "Hadoop: expected the same on all DataNodes, found 3.4.2 on dn1, dn2; 3.4.3 on dn3",
        only(all, Check.HADOOP, Result.WARNING));
    assertMistake(
        Result.WARNING,
        "HyCache: expected the same on all DataNodes, found 0.1.0 on dn1, dn2; 0.2.0 on dn3",
        only(all, Check.CLASS_PATH, Result.WARNING));
    assertMistake(
        Result.WARNING,
        "hycache.tiers: expected the same on all DataNodes, found NVDIMM,SSD,DISK on dn3; SSD,DISK"
            + " on dn1, dn2",
        only(all, Check.KEYS, Result.WARNING));
  }

  @Test
  void cluster_defaultWrittenDownOnSomeDataNodes_isNoDifference() {
    NodeFacts.Web explicit = web("3.4.2", JAR, 0, "SSD, DISK");
    explicit.conf.set("hycache.directory", "memory");
    explicit.conf.set("hycache.directory.replicas", "2");
    List<Finding> all = cluster(well("dn1"), node("dn2", explicit));
    assertEquals(List.of(), Findings.of(all, Check.KEYS, Result.WARNING));
  }

  @Test
  void clocks_aheadAndBehind_areFound() {
    NodeFacts ahead = node("dn2", web("3.4.2", JAR, 400_000, ""));
    List<Finding> all = cluster(well("dn1"), ahead);
    Finding warning = only(all, Check.CLOCKS, Result.WARNING);
    assertMistake(Result.WARNING, "the clock is 400 s ahead of the NameNode's", warning);
    assertEquals("dn2", warning.node());
    List<Finding> kerberos =
        ClusterChecks.of(List.of(well("dn1"), ahead), Map.of("nn:9870", ahead(0)), true);
    assertMistake(
        Result.ERROR,
        "400 s ahead of the NameNode's: Kerberos refuses",
        only(kerberos, Check.CLOCKS, Result.ERROR));
    // This machine is behind, and so is none of the others.
    List<Finding> here =
        ClusterChecks.of(
            List.of(node("dn1", web("3.4.2", JAR, 9_000, ""))),
            Map.of("nn:9870", ahead(9_000)),
            false);
    assertMistake(
        Result.WARNING,
        "the clock of this machine is 9 s behind the NameNode's",
        only(here, Check.CLOCKS, Result.WARNING));
  }

  @Test
  void clocks_within_saysOfHowManyDataNodes() {
    NodeFacts silent =
        new NodeFacts(
            address("dn2"),
            Outcome.of(true),
            Outcome.failed(new IOException("timed out")),
            Outcome.of(status().build()));
    String text = "within 5 s of the NameNode's, here and on %s DataNodes";
    assertEquals(
        String.format(text, "all"), only(cluster(well("dn1")), Check.CLOCKS, Result.OK).text());
    assertEquals(
        String.format(text, "1 of 2"),
        only(cluster(well("dn1"), silent), Check.CLOCKS, Result.OK).text());
  }

  @Test
  void clocks_secondNameNodeAndOneThatIsAway() {
    Map<String, Outcome<Long>> nameNodes = new TreeMap<>();
    nameNodes.put("nn1:9870", Outcome.failed(new IOException("refused")));
    nameNodes.put("nn2:9870", ahead(0));
    nameNodes.put("nn3:9870", ahead(-60_000));
    List<Finding> all = ClusterChecks.of(List.of(well("dn1")), nameNodes, false);
    assertEquals(1, Findings.of(all, Check.CLOCKS, Result.NOT_CHECKED).size(), all::toString);
    assertMistake(
        Result.WARNING,
        "the clock of NameNode nn3:9870 is 60 s behind the NameNode's",
        only(all, Check.CLOCKS, Result.WARNING));
  }

  private static List<Finding> nameNode(
      boolean safeMode, List<String> dead, Storages storages, Map<String, String> policies) {
    return NameNodeChecks.of(
        new NameNodeFacts(
            safeMode, List.of(address("dn1")), dead, Map.of("dn1", storages), policies),
        StorageTiers.DEFAULT,
        Set.of(),
        Set.of());
  }

  @Test
  void nameNode_well() {
    List<Finding> all =
        nameNode(false, List.of(), new Storages(BOTH, 0), Map.of("/", "HOT", "/fast", "ALL_SSD"));
    assertWell(all);
    assertEquals(
        "put on SSD for good, and left alone: /fast ALL_SSD",
        only(all, Check.POLICIES, Result.OK).text());
  }

  @Test
  void nameNode_safeModeDeadNodesRootOnSsdFailedVolume_areFound() {
    List<Finding> all =
        nameNode(
            true,
            List.of("dn3:9866", "dn2:9866"),
            new Storages(Set.of(StorageType.DISK), 1),
            Map.of("/", "ALL_SSD"));
    assertMistake(Result.ERROR, "in safe mode", only(all, Check.NAMENODE, Result.ERROR));
    assertMistake(
        Result.WARNING,
        "found dead: dn2:9866, dn3:9866",
        only(all, Check.NAMENODE, Result.WARNING));
    assertMistake(Result.ERROR, "found 1", only(all, Check.VOLUMES, Result.ERROR));
    Finding unseen = only(all, Check.VOLUMES, Result.WARNING);
    assertMistake(Result.WARNING, "the NameNode expects no SSD on this DataNode", unseen);
    assertEquals("dn1", unseen.node());
    assertMistake(
        Result.WARNING,
        "/: expected a storage policy of DISK such as HOT, found ALL_SSD",
        only(all, Check.POLICIES, Result.WARNING));
  }

  @Test
  void nameNode_pinnedReplicasWithoutAPolicy_areFound() {
    NodeFacts pinned =
        node(
            "dn2",
            web("3.4.2", JAR, 0, ""),
            Outcome.of(status().put(NodeFigure.OWNER_BYTES, 1).build()));
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", "ns1");
    Set<String> names = Doctor.withPinned(List.of(well("dn1"), pinned), conf);
    assertEquals(Set.of("dn2"), names);
    assertMistake(
        Result.WARNING,
        "found such replicas (PINNED of status --devices --wide) on dn2: HDFS's balancer",
        only(policies(Map.of("/", "HOT", "/a", "HOT"), names), Check.POLICIES, Result.WARNING));
    assertWell(policies(Map.of("/", "HOT", "/a", "ONE_SSD"), names));
    conf.set("dfs.nameservices", "ns1,ns2");
    assertEquals(
        Set.of(), Doctor.withPinned(List.of(pinned), conf), "the policies of ns2 are not known");
  }

  /** A storage policy of one of the others may be the cause. */
  @Test
  void nameNode_pinnedReplicasAndMoreDirectoriesThanAreLookedAt_areNoMistake() {
    Map<String, String> byPath = new TreeMap<>(Map.of("/", "HOT"));
    for (int i = 1; i < NameNodeSurvey.MAX_DIRECTORIES; i++) {
      byPath.put("/d" + i, "HOT");
    }
    Set<String> names = Set.of("dn1");
    only(policies(byPath, names), Check.POLICIES, Result.WARNING);
    byPath.put("/last", "HOT");
    List<Finding> all = policies(byPath, names);
    assertWell(all);
    assertEquals(
        "none of the first 100 directories in / is put on SSD by a storage policy",
        only(all, Check.POLICIES, Result.OK).text());
  }

  private static List<Finding> policies(Map<String, String> byPath, Set<String> withPinned) {
    return NameNodeChecks.of(
        new NameNodeFacts(
            false,
            List.of(address("dn1")),
            List.of(),
            Map.of("dn1", new Storages(BOTH, 0)),
            byPath),
        StorageTiers.DEFAULT,
        Set.of(),
        withPinned);
  }

  @Test
  void nameNode_deadNodes_areThoseInService() {
    assertEquals(
        List.of("dn1:9866", "dn2:9866"),
        NameNodeSurvey.dead(
            info("dn2", AdminStates.DECOMMISSION_INPROGRESS),
            info("dn1", AdminStates.NORMAL),
            info("dn3", AdminStates.DECOMMISSIONED),
            info("dn4", AdminStates.IN_MAINTENANCE)));
  }

  private static DatanodeInfo info(String host, AdminStates state) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("192.0.2.1", host, host, 9866, 9864, 9865, 9867))
        .setAdminState(state)
        .build();
  }

  @Test
  void nameNode_directoryThatIsRemovedMeanwhile_isPassedOver() throws Exception {
    DistributedFileSystem fs =
        new DistributedFileSystem() {
          @Override
          public FileStatus[] listStatus(Path dir) {
            return new FileStatus[] {directory("/gone"), directory("/here")};
          }

          @Override
          public BlockStoragePolicySpi getStoragePolicy(Path path) throws IOException {
            if (path.getName().equals("gone")) {
              throw new FileNotFoundException("File does not exist: " + path);
            }
            return BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
          }
        };
    assertEquals(Map.of("/", "HOT", "/here", "HOT"), NameNodeSurvey.policies(fs));
  }

  private static FileStatus directory(String path) {
    return new FileStatus(0, true, 0, 0, 0, new Path(path));
  }

  @Test
  void nameNode_cacheDirectoryInPlaceOfAnSsdVolume_isWell() {
    NameNodeFacts facts =
        new NameNodeFacts(
            false,
            List.of(address("dn1")),
            List.of(),
            Map.of("dn1", new Storages(Set.of(StorageType.DISK), 0)),
            Map.of("/", "HOT"));
    assertWell(NameNodeChecks.of(facts, StorageTiers.DEFAULT, Set.of("dn1"), Set.of()));
  }

  @Test
  void nameNode_ssdVolume_isExpectedInModeActiveOnly() {
    for (String mode : List.of("active", "observe", "off")) {
      NodeStatus status = NodeStatus.builder().put(NodeFigure.MODE, mode).build();
      NodeFacts node = node("dn1", web("3.4.2", JAR, 0, ""), Outcome.of(status));
      assertEquals(
          mode.equals("active") ? Set.of() : Set.of("dn1"),
          Doctor.withoutSsdVolume(List.of(node)),
          mode);
    }
  }

  @Test
  void nameNode_noLiveDataNode_isAnError() {
    NameNodeFacts facts =
        new NameNodeFacts(false, List.of(), List.of(), Map.of(), Map.of("/", "HOT"));
    assertMistake(
        Result.ERROR,
        "expected live DataNodes, found none",
        only(
            NameNodeChecks.of(facts, StorageTiers.DEFAULT, Set.of(), Set.of()),
            Check.NAMENODE,
            Result.ERROR));
  }
}
