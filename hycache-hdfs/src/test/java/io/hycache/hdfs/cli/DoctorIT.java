// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code doctor} on a healthy cluster, and on broken ones. */
@Timeout(300)
class DoctorIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final StorageType[] BOTH = {StorageType.SSD, StorageType.DISK};

  /** A finding as scripts see it. */
  private static final class Found {
    final String result;
    final String check;
    final String node;
    final String text;
    final String fix;

    Found(JsonNode finding) {
      this.result = finding.path("result").asText();
      this.check = finding.path("check").asText();
      this.node = finding.path("dataNode").asText();
      this.text = finding.path("found").asText();
      this.fix = finding.path("fix").asText();
    }

    boolean isWell() {
      return result.equals("ok") || result.equals("not checked");
    }

    @Override
    public String toString() {
      return result + " " + check + " on " + node + ": " + text;
    }
  }

  @TempDir Path dir;

  private static Configuration healthy() {
    Configuration conf = new Configuration(false);
    conf.set(
        "dfs.datanode.fsdataset.factory",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HyCacheDatasetFactory");
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        "io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy");
    conf.set("dfs.datanode.plugins", "io.hycache.hdfs.dataset.HyCachePlugin");
    conf.set("dfs.datanode.failed.volumes.tolerated", "1");
    return conf;
  }

  /** As {@link #healthy}, with one property of another value. */
  private static Configuration broken(String key, String value) {
    Configuration conf = healthy();
    conf.set(key, value);
    return conf;
  }

  private MiniDFSCluster start(List<Configuration> dataNodes, StorageType[]... types)
      throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("cluster").toString());
    conf.setInt("dfs.replication", 1);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(dataNodes.size())
            .storagesPerDatanode(2)
            .storageTypes(types)
            .dataNodeConfOverlays(dataNodes.toArray(new Configuration[0]))
            .build();
    cluster.waitActive();
    return cluster;
  }

  private static Configuration client(MiniDFSCluster cluster) throws Exception {
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    conf.set("fs.defaultFS", cluster.getFileSystem().getUri().toString());
    return conf;
  }

  private static List<Found> found(Cli cli) throws Exception {
    List<Found> all = new ArrayList<>();
    JSON.readTree(cli.out).path("findings").forEach(finding -> all.add(new Found(finding)));
    return all;
  }

  private static List<Found> wrong(List<Found> all) {
    return all.stream().filter(found -> !found.isWell()).collect(Collectors.toList());
  }

  private static Cli examine(Configuration conf, String... options) {
    List<String> args = new ArrayList<>(List.of("doctor", "--json"));
    args.addAll(List.of(options));
    return Cli.run(conf, args.toArray(new String[0]));
  }

  /** Exactly one finding of that kind, which says what to do; and the exit code that follows. */
  private static void assertFound(String result, String check, String text, Cli cli)
      throws Exception {
    List<Found> all =
        found(cli).stream()
            .filter(f -> f.result.equals(result) && f.check.equals(check) && f.text.contains(text))
            .collect(Collectors.toList());
    assertEquals(1, all.size(), () -> result + " " + check + ": " + text + " in\n" + cli);
    assertTrue(!all.get(0).fix.isEmpty(), all::toString);
    assertEquals(result.equals("error") ? 1 : cli.exitCode, cli.exitCode, cli::toString);
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!condition.call()) {
      assertTrue(System.nanoTime() < end, "never happened");
      Thread.sleep(100);
    }
  }

  @Test
  void cluster_healthy_thenBrokenInOneWayAfterAnother() throws Exception {
    try (MiniDFSCluster cluster = start(List.of(healthy(), healthy()), BOTH, BOTH)) {
      Configuration conf = client(cluster);
      DistributedFileSystem fs = cluster.getFileSystem();
      // The directory of a DataNode that has just started knows not all of its members.
      await(() -> wrong(found(examine(conf, "--cluster"))).isEmpty());
      Cli well = Cli.run(conf, "doctor", "--cluster");
      assertEquals(0, well.exitCode, well.toString());
      assertTrue(well.out.contains(" ok\n"), well.out);
      well.out.lines().forEach(line -> assertTrue(line.length() <= 80, line));
      List<Found> all = found(examine(conf, "--cluster"));
      for (String check :
          List.of(
              "java",
              "hadoop",
              "class path",
              "plug-in",
              "keys",
              "volumes",
              "ports",
              "clocks",
              "namenode",
              "policies",
              "hycache")) {
        assertTrue(
            all.stream().anyMatch(f -> f.check.equals(check) && f.result.equals("ok")),
            check + " in " + all);
      }

      fs.setSafeMode(SafeModeAction.ENTER);
      assertFound("error", "namenode", "in safe mode", examine(conf, "--cluster"));
      fs.setSafeMode(SafeModeAction.LEAVE);

      org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/");
      fs.setStoragePolicy(root, "ALL_SSD");
      assertFound("warning", "policies", "found ALL_SSD", examine(conf, "--cluster"));
      fs.setStoragePolicy(root, "HOT");

      twoJars(conf);
      notTheSuperuser(conf);

      Configuration away = new Configuration(conf);
      away.set("fs.defaultFS", "hdfs://127.0.0.1:1");
      assertFound(
          "error", "namenode", "expected an answer, found none", examine(away, "--cluster"));

      assertEquals(List.of(), wrong(found(examine(conf, "--cluster"))));
      DatanodeID second = cluster.getDataNodes().get(1).getDatanodeId();
      MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(1);
      Cli silent = examine(conf, "--cluster");
      assertEquals(1, silent.exitCode, silent.toString());
      List<Found> ports =
          wrong(found(silent)).stream()
              .filter(f -> f.check.equals("ports"))
              .collect(Collectors.toList());
      assertEquals(3, ports.size(), silent.toString());
      assertEquals(1, ports.stream().map(f -> f.node).distinct().count(), silent.toString());
      cluster.setDataNodeDead(second);
      assertFound("warning", "namenode", "found dead: ", examine(conf, "--cluster"));
      assertTrue(cluster.restartDataNode(stopped, true));
      cluster.waitActive();
    }
  }

  /** DataNodes of one JVM have one class path. */
  private static void twoJars(Configuration conf) throws Exception {
    String classPath = System.getProperty("java.class.path");
    try {
      System.setProperty(
          "java.class.path", classPath + File.pathSeparator + "/old/hycache-hdfs-0.0.9.jar");
      Cli cli = examine(conf, "--cluster");
      List<Found> jars =
          wrong(found(cli)).stream()
              .filter(f -> f.check.equals("class path"))
              .collect(Collectors.toList());
      assertEquals(2, jars.size(), cli.toString());
      assertTrue(jars.get(0).text.contains("/old/hycache-hdfs-0.0.9.jar"), jars::toString);
      assertEquals(1, cli.exitCode, cli.toString());
    } finally {
      System.setProperty("java.class.path", classPath);
    }
  }

  private static void notTheSuperuser(Configuration conf) throws Exception {
    Cli bobs =
        UserGroupInformation.createUserForTesting("bob", new String[] {"users"})
            .doAs((PrivilegedExceptionAction<Cli>) () -> examine(conf, "--cluster"));
    assertFound("not checked", "namenode", "to HDFS superusers only", bobs);
    assertEquals(0, bobs.exitCode, bobs.toString());
  }

  @Test
  void dataNodes_eachBrokenInAnotherWay_areFound_theHealthyOneIsWell() throws Exception {
    Configuration none = broken("dfs.datanode.failed.volumes.tolerated", "0");
    Path gone = dir.resolve("gone");
    List<Configuration> confs =
        List.of(
            healthy(),
            broken("dfs.datanode.plugins", ""),
            broken(
                "dfs.datanode.fsdataset.factory",
                "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetFactory"),
            broken(
                "dfs.datanode.fsdataset.volume.choosing.policy",
                "org.apache.hadoop.hdfs.server.datanode.fsdataset"
                    + ".RoundRobinVolumeChoosingPolicy"),
            broken("hycache.polcy", "lru"),
            broken("hycache.write.share", "2"),
            healthy(),
            healthy(),
            none,
            broken("hycache.cache.dirs", gone.toString()),
            broken("hycache.tiers", "NVDIMM,SSD,DISK"),
            broken("hycache.directory.replicas", "99"));
    StorageType[] noSsd = {StorageType.DISK, StorageType.DISK};
    StorageType[] noDisk = {StorageType.SSD, StorageType.SSD};
    try (MiniDFSCluster cluster =
        start(confs, BOTH, BOTH, BOTH, BOTH, BOTH, BOTH, noSsd, noDisk, BOTH, BOTH, BOTH, BOTH)) {
      Configuration conf = client(cluster);
      List<String> names = new ArrayList<>();
      for (int i = 0; i < confs.size(); i++) {
        DatanodeID id = cluster.getDataNodes().get(i).getDatanodeId();
        names.add(id.getHostName() + ":" + id.getXferPort());
      }
      await(
          () ->
              found(examine(conf, "--cluster")).stream()
                  .anyMatch(f -> f.node.equals(names.get(9)) && f.text.contains("is not used")));
      Cli cli = examine(conf, "--cluster");
      assertEquals(1, cli.exitCode, cli.toString());
      List<Found> wrong = wrong(found(cli));
      assertOn(wrong, names.get(1), "error", "plug-in", "dfs.datanode.plugins: expected");
      assertOn(wrong, names.get(1), "error", "hycache", "found a DataNode without it");
      assertOn(wrong, names.get(2), "error", "plug-in", "dfs.datanode.fsdataset.factory: expe");
      assertOn(wrong, names.get(2), "error", "hycache", "expected its status, found an error");
      assertOn(
          wrong,
          names.get(3),
          "warning",
          "plug-in",
          "dfs.datanode.fsdataset.volume.choosing.policy: expected");
      assertOn(wrong, names.get(4), "warning", "keys", "hycache.polcy: expected a property");
      assertOn(wrong, names.get(5), "error", "keys", "hycache.write.share");
      assertOn(wrong, names.get(5), "error", "hycache", "found pass-through");
      assertOn(wrong, names.get(6), "error", "volumes", "no SSD: ");
      assertOn(wrong, names.get(7), "error", "volumes", "no DISK: ");
      assertOn(wrong, names.get(8), "warning", "volumes", "failed.volumes.tolerated is 0");
      assertOn(wrong, names.get(9), "warning", "hycache", gone + " is not used");
      assertOn(wrong, names.get(11), "warning", "keys", "hycache.directory.replicas: ");
      assertOn(wrong, "", "warning", "keys", "hycache.tiers: expected the same on all DataNodes");
      assertTrue(wrong.toString().contains("NVDIMM,SSD,DISK on " + names.get(10)), cli.toString());
      assertEquals(
          List.of(),
          wrong.stream()
              .filter(f -> f.node.equals(names.get(0)) && !f.text.startsWith("directory: "))
              .collect(Collectors.toList()));
      assertTrue(!Files.exists(gone));
      Cli table = Cli.run(conf, "doctor", "--cluster");
      table.out.lines().forEach(line -> assertTrue(line.length() <= 80, line));
    }
  }

  @Test
  void volumeThatFails_isFoundOnItsDataNode() throws Exception {
    try (MiniDFSCluster cluster = start(List.of(healthy()), BOTH)) {
      var dataset = cluster.getDataNodes().get(0).getFSDataset();
      var volumes = dataset.getFsVolumeReferences();
      var failed = volumes.get(0);
      volumes.close(); // the removal of a volume waits for its users
      dataset.handleVolumeFailures(Set.of(failed));
      Cli cli = examine(client(cluster), "--cluster");
      assertFound("error", "volumes", "expected no failed volume, found 1", cli);
    }
  }

  private static void assertOn(
      List<Found> wrong, String node, String result, String check, String text) {
    assertEquals(
        1,
        wrong.stream()
            .filter(
                f ->
                    f.node.equals(node)
                        && f.result.equals(result)
                        && f.check.equals(check)
                        && f.text.contains(text))
            .count(),
        () -> result + " " + check + " on " + node + ": " + text + " in " + wrong);
  }
}
