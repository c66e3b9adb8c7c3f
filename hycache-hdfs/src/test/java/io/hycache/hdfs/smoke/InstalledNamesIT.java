// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an operator's tools know of a DataNode does not change when HyCache is installed: one
 * DataNode runs without HyCache and then, on the same directories, with it, and each time its web
 * server is asked for {@code /jmx}, {@code /prom}, {@code /conf} and {@code /stacks}.
 */
@Timeout(300)
class InstalledNamesIT {
  private static final int BLOCK = 1 << 20;
  private static final String DATASET =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetImpl";

  private static final Map<String, String> WEB =
      Map.of("hadoop.prometheus.endpoint.enabled", "true");

  private static final Map<String, String> PLUGIN =
      Map.of(
          "hadoop.prometheus.endpoint.enabled",
          "true",
          "dfs.datanode.fsdataset.factory",
          "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HyCacheDatasetFactory",
          "dfs.datanode.fsdataset.volume.choosing.policy",
          "io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy",
          "dfs.datanode.plugins",
          "io.hycache.hdfs.dataset.HyCachePlugin");

  /** What the command logs beside its report, which begins with the time. */
  private static final Pattern LOGGED = Pattern.compile("\\d{4}-\\d{2}-\\d{2} ");

  /** What differs between two runs of one DataNode, whatever is installed. */
  private static final Pattern PASSING = Pattern.compile("\\d+");

  /** Attributes that HDFS shows only when it has published its metrics once. */
  private static final List<String> LATE =
      List.of("Sink_prometheusNumOps", "GcNumInfoThresholdExceeded");

  /** HDFS's threads that come with a read or a deletion, which may be before or after the look. */
  private static final Pattern COME_AND_GO =
      Pattern.compile("DataXceiver for client.*|Async disk worker.*", Pattern.DOTALL);

  @TempDir Path directory;

  /** What a DataNode's web server shows. */
  private static final class Shown {
    /** By bean and attribute: the kind of the value, or the value where it is a name. */
    final Map<String, String> jmx = new TreeMap<>();

    /** By series, without its value: nothing else. */
    final Set<String> prom = new TreeSet<>();

    /** By bean and attribute of {@code FSDatasetState}: its value. */
    final Map<String, String> dataset = new TreeMap<>();

    final Set<String> threads = new TreeSet<>();
    final Map<String, String> settings = new TreeMap<>();
    final Set<String> report = new TreeSet<>();
  }

  @Test
  void install_metricsBeansSettingsThreadsAndReport_areAsBeforeAndOursBeside() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(directory, PLUGIN)) {
      try {
        cluster.format();
        JavaProcess nameNode = cluster.startNameNode();
        JavaProcess dataNode = cluster.startPlainDataNode(WEB);
        Shown plain = use(cluster, nameNode, dataNode);
        dataNode.stop();
        nameNode.stop(); // it would take the DataNode for alive at its old ports
        nameNode = cluster.startNameNode();
        dataNode = cluster.startDataNode();
        Shown installed = use(cluster, nameNode, dataNode);
        compare(plain, installed);
      } catch (Exception | AssertionError e) {
        System.err.println(cluster.logs());
        throw e;
      }
    }
  }

  private static void compare(Shown plain, Shown installed) {
    assertTrue(plain.prom.size() > 200, "plain: " + plain.prom);
    assertTrue(plain.jmx.size() > 300, "plain: " + plain.jmx);
    assertEquals("", difference(plain.prom, installed.prom), "gone from /prom");
    assertEquals("", difference(plain.jmx.keySet(), installed.jmx.keySet()), "gone from /jmx");
    plain.jmx.forEach((name, kind) -> assertEquals(kind, installed.jmx.get(name), name));
    assertEquals(plain.dataset, installed.dataset);
    assertEquals(DATASET, plain.dataset.get("FSDatasetState- modelerType"));

    Set<String> foreign = added(plain.prom, installed.prom);
    foreign.removeIf(series -> series.matches("(# (HELP|TYPE) )?hy_cache_.*"));
    assertEquals(Set.of(), foreign, "on /prom, and neither HDFS's nor HyCache's");
    foreign = added(plain.jmx.keySet(), installed.jmx.keySet());
    foreign.removeIf(attribute -> attribute.contains("name=HyCache"));
    assertEquals(Set.of(), foreign, "on /jmx, and neither HDFS's nor HyCache's");
    foreign = added(plain.threads, installed.threads);
    foreign.removeIf(thread -> thread.contains("HyCache") || COME_AND_GO.matcher(thread).matches());
    assertEquals(Set.of(), foreign, "threads, and neither HDFS's nor HyCache's");
    assertEquals("", difference(plain.report, installed.report), "gone from dfsadmin -report");
    assertEquals(plain.report, installed.report);
    for (String added : added(plain.settings.keySet(), installed.settings.keySet())) {
      assertTrue(PLUGIN.containsKey(added), "set: " + added);
    }
    plain.settings.forEach(
        (key, value) -> assertEquals(PLUGIN.getOrDefault(key, value), installed.settings.get(key)));
  }

  private static String difference(Set<String> all, Set<String> without) {
    return String.join("\n", added(without, all));
  }

  private static Set<String> added(Set<String> before, Set<String> after) {
    Set<String> added = new TreeSet<>(after);
    added.removeAll(before);
    return added;
  }

  private static Shown use(ProcessCluster cluster, JavaProcess nameNode, JavaProcess dataNode)
      throws Exception {
    cluster.awaitUp(nameNode, dataNode);
    int port;
    try (DistributedFileSystem fs = cluster.connect()) {
      WrittenFiles written = new WrittenFiles();
      written.write(fs, "/file", BLOCK, BLOCK);
      written.verify(fs, "used");
      fs.delete(new org.apache.hadoop.fs.Path("/file"), false);
      DatanodeInfo live = fs.getDataNodeStats(DatanodeReportType.LIVE)[0];
      port = live.getInfoPort();
    }
    String web = "http://127.0.0.1:" + port;
    // HDFS adds these seconds after its start.
    cluster.await(
        "all beans are complete",
        dataNode,
        () -> {
          String beans = get(web + "/jmx");
          return LATE.stream().allMatch(beans::contains);
        });
    Shown shown = new Shown();
    jmx(new ObjectMapper().readTree(get(web + "/jmx")), shown);
    get(web + "/prom").lines().forEach(line -> prom(line, shown));
    Matcher thread = Pattern.compile("(?m)^Thread \\d+ \\((.*)\\):$").matcher(get(web + "/stacks"));
    while (thread.find()) {
      shown.threads.add(thread.group(1).replaceAll("-?[0-9a-f]*[0-9][0-9a-f]*", "#"));
    }
    Configuration conf = new Configuration(false);
    conf.addResource(
        new ByteArrayInputStream(get(web + "/conf").getBytes(StandardCharsets.UTF_8)), "/conf");
    conf.forEach(property -> shown.settings.put(property.getKey(), property.getValue()));
    assertFalse(shown.settings.isEmpty());
    cluster
        .dfsadminReport()
        .lines()
        .filter(line -> line.contains(":") && !LOGGED.matcher(line).lookingAt())
        .forEach(line -> shown.report.add(line.substring(0, line.indexOf(':'))));
    assertFalse(shown.threads.isEmpty());
    assertFalse(shown.report.isEmpty());
    return shown;
  }

  private static void jmx(JsonNode all, Shown shown) {
    for (JsonNode bean : all.get("beans")) {
      String name = PASSING.matcher(bean.get("name").asText()).replaceAll("#");
      boolean dataset = name.contains("FSDatasetState");
      bean.properties()
          .forEach(
              field -> {
                String attribute = name + " " + field.getKey();
                boolean isName =
                    field.getKey().equals("modelerType") || field.getKey().startsWith("tag.");
                JsonNode value = field.getValue();
                shown.jmx.put(
                    attribute,
                    isName
                        ? PASSING.matcher(value.asText()).replaceAll("#")
                        : value.isNumber() ? "number" : value.getNodeType().toString());
                if (dataset) {
                  String which = name.contains("FSDatasetState-") ? "FSDatasetState-" : "record";
                  shown.dataset.put(
                      which + " " + field.getKey(), value.isNumber() ? "" : value.asText());
                }
              });
    }
  }

  private static void prom(String line, Shown shown) {
    String series = line.startsWith("#") ? line : line.replaceFirst(" [^ ]*$", "");
    shown.prom.add(PASSING.matcher(series).replaceAll("#"));
  }

  private static String get(String address) throws IOException {
    try (InputStream in = URI.create(address).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
