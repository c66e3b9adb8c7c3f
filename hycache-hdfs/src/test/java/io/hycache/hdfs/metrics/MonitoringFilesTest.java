// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hycache.core.localdir.LocalDirStatus;
import io.hycache.core.stats.Counters;
import io.hycache.hdfs.SampleStatus;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.Test;

/** The dashboard, the alerts and their runbook know the metrics, and each other. */
class MonitoringFilesTest {
  private static final Path DASHBOARD = Path.of("../conf/grafana-dashboard.json");
  private static final Path ALERTS = Path.of("../conf/prometheus-alerts.yml");
  private static final Path ALERTS_TEST = Path.of("src/test/resources/prometheus/alerts-test.yml");
  private static final Path GUIDE = Path.of("README.md");
  private static final Pattern METRIC = Pattern.compile("\\bhy_cache_\\w+");
  private static final Pattern RATE_OF_BYTES =
      Pattern.compile("(sum\\()?rate\\(hy_cache_\\w*bytes[^/]*");
  private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");
  private static final int PROMTOOL_SECONDS = 120;

  /** The names of all metrics on {@code /prom}. */
  private static Set<String> exported() throws Exception {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    HyCacheMetrics metrics = new HyCacheMetrics(new Counters(), SampleStatus::active);
    metrics.node(collector);
    metrics.devices(collector);
    metrics.info(collector);
    LocalDirStatus tree = LocalDirStatus.fromJson("{\"version\":1,\"ssd\":\"/ssd0\"}");
    LocalDirMetrics.of(Path.of("/ssd0"), () -> tree).getMetrics(collector, true);
    PrometheusMetricsSink sink = new PrometheusMetricsSink();
    for (MetricsRecord record : collector.getRecords()) {
      sink.putMetrics(record);
    }
    sink.flush();
    StringWriter page = new StringWriter();
    sink.writeMetrics(page);
    Set<String> names = matches(METRIC, page.toString(), 0);
    assertTrue(names.size() > 150, () -> "found " + names);
    return names;
  }

  private static Set<String> matches(Pattern pattern, String text, int group) {
    Set<String> found = new TreeSet<>();
    for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
      found.add(matcher.group(group));
    }
    return found;
  }

  private static Set<String> without(Set<String> all, Set<String> known) {
    Set<String> left = new TreeSet<>(all);
    left.removeAll(known);
    return left;
  }

  /** The expressions of all panels. */
  private static List<String> expressions() throws IOException {
    List<String> out = new ArrayList<>();
    for (JsonNode panel : panels()) {
      panel.path("targets").forEach(target -> out.add(target.get("expr").asText()));
    }
    return out;
  }

  /** All panels, also those in rows. */
  private static List<JsonNode> panels() throws IOException {
    List<JsonNode> out = new ArrayList<>();
    collect(new ObjectMapper().readTree(DASHBOARD.toFile()).get("panels"), out);
    return out;
  }

  private static void collect(JsonNode panels, List<JsonNode> into) {
    for (JsonNode panel : panels) {
      into.add(panel);
      collect(panel.path("panels"), into);
    }
  }

  @Test
  void dashboard_hasEveryMetricAndNoOther() throws Exception {
    Set<String> shown = matches(METRIC, String.join("\n", expressions()), 0);
    assertEquals(Set.of(), without(exported(), shown), "exported, and on no panel");
    assertEquals(Set.of(), without(shown, exported()), "on a panel, and not exported");
  }

  @Test
  void dashboard_panels_haveTheirOwnIdsAndPlaces() throws Exception {
    Set<Integer> ids = new HashSet<>();
    JsonNode panels = new ObjectMapper().readTree(DASHBOARD.toFile()).get("panels");
    int rows = 0;
    for (JsonNode panel : panels) {
      assertTrue(ids.add(panel.get("id").asInt()), () -> "id of " + panel.get("title"));
      JsonNode place = panel.get("gridPos");
      assertTrue(
          place.get("x").asInt() + place.get("w").asInt() <= 24, panel.get("title").asText());
      rows += panel.get("type").asText().equals("row") ? 1 : 0;
      for (JsonNode inner : panel.path("panels")) {
        assertTrue(ids.add(inner.get("id").asInt()), () -> "id of " + inner.get("title"));
      }
    }
    assertTrue(rows >= 2, "a row for the cluster and one for a node");
  }

  @Test
  void dashboard_ratesOfBytesAndFiguresOfNodes_haveUnitAndNode() throws Exception {
    int rates = 0;
    for (JsonNode panel : panels()) {
      String title = panel.path("title").asText();
      for (JsonNode target : panel.path("targets")) {
        String expression = target.get("expr").asText();
        if (RATE_OF_BYTES.matcher(expression).matches()) {
          rates++;
          assertEquals("Bps", panel.at("/fieldConfig/defaults/unit").asText(), title);
        }
        if (expression.contains("$instance")) {
          assertTrue(target.path("legendFormat").asText().contains("{{instance}}"), title);
        }
      }
    }
    assertTrue(rates > 10, "found " + rates);
  }

  @Test
  void alerts_useExportedMetrics() throws Exception {
    String rules = Files.readString(ALERTS).replaceAll("(?m)^ *#.*$", "");
    assertEquals(Set.of(), without(matches(METRIC, rules, 0), exported()));
  }

  @Test
  void alerts_haveARunbookEach() throws Exception {
    String rules = Files.readString(ALERTS);
    Set<String> alerts = matches(ALERT, rules, 1);
    assertTrue(alerts.size() > 20, () -> "found " + alerts);
    String guide = Files.readString(GUIDE);
    Pattern section = Pattern.compile("(?m)^#### (HyCache\\w+)$");
    assertEquals(alerts, matches(section, guide, 1));
    for (String alert : alerts) {
      String anchor = "runbook: hycache-hdfs/README.md#" + alert.toLowerCase(Locale.ROOT);
      assertTrue(rules.contains(anchor + "\n"), anchor);
      String text = guide.substring(guide.indexOf("#### " + alert + "\n"));
      text = text.substring(0, text.indexOf("\n#", 1)).replaceAll("\\s+", " ");
      assertTrue(text.contains("Look at ") && text.contains("Do: "), text);
    }
  }

  @Test
  void alerts_areTestedSilentAndFiring() throws Exception {
    String tests = Files.readString(ALERTS_TEST);
    for (String alert : matches(ALERT, Files.readString(ALERTS), 1)) {
      for (int value : new int[] {0, 1}) {
        String sample = "alertname=\"" + alert + "\".* value: " + value;
        assertFalse(matches(Pattern.compile(sample), tests, 0).isEmpty(), sample);
      }
    }
  }

  @Test
  void promtool_acceptsTheRules_andTheirTestsPass() throws Exception {
    boolean found =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(dir -> Files.isExecutable(Path.of(dir, "promtool")));
    if (!found) {
      System.err.println(
          "SKIPPED: no promtool on the PATH, the alert rules were not checked. Fix: install"
              + " Debian's package prometheus");
    }
    assumeTrue(found, "no promtool on the PATH");
    promtool("check", "rules", ALERTS.toString());
    promtool("test", "rules", ALERTS_TEST.toString());
  }

  private static void promtool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("promtool", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(PROMTOOL_SECONDS, TimeUnit.SECONDS), () -> "hangs: " + command);
      assertEquals(
          0,
          process.exitValue(),
          () -> command + ": " + new String(bytes(output), StandardCharsets.UTF_8));
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      return e.toString().getBytes(StandardCharsets.UTF_8);
    }
  }
}
