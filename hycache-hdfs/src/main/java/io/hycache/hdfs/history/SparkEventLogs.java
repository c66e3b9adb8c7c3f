// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.hycache.core.hint.RecordedRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads event logs of Spark: a file, or the directory of a rolled one ({@code eventlog_v2_...}).
 * Each SQL query with a scan is a run, and an application is a workflow.
 *
 * <p>The paths are those of the scans' {@code Location} metadata. Spark writes the roots of a scan
 * there, before partitions are filtered, and stops behind {@code spark.sql.maxMetadataStringLength}
 * characters: {@code InMemoryFileIndex(9 paths)[hdfs://nn/a, ...]}. Scans of Hive's reader and of
 * data sources of version 2 have none. Outputs are only in texts for people, which are not read.
 */
public final class SparkEventLogs extends RunRecords {
  private static final String APPLICATION_START = "SparkListenerApplicationStart";
  private static final String SQL = "org.apache.spark.sql.execution.ui.SparkListenerSQL";
  private static final String SQL_START = SQL + "ExecutionStart";
  private static final String SQL_REPLANNED = SQL + "AdaptiveExecutionUpdate";
  private static final String SQL_END = SQL + "ExecutionEnd";

  /** Name of the index, number of paths since Spark 3, paths. */
  private static final Pattern LOCATION =
      Pattern.compile("[\\w.$]+ ?(?:\\((?<count>\\d+) paths\\))? ?\\[(?<paths>.*?)(?<end>]?)");

  private static final Pattern ROLLED = Pattern.compile("events_(\\d+)_.*");

  /** Scans that read files and whose plan names none. */
  private static final Pattern SCAN_WITHOUT_LOCATION =
      Pattern.compile("(?:BatchScan|Scan hive|HiveTableScan)\\b.*");

  private static final String CUT = "...";
  private static final String NO_FILTERS = "[]";

  /** Scans of one file that are kept to count each once. */
  private static final int MAX_SEEN = 100_000;

  private long scans;
  private long cutScans;
  private long scansWithoutLocation;
  private long filteredScans;

  /** Scans of this file that were counted: a plan is written again with each change. */
  private final Set<String> seen = new HashSet<>();

  /** Of the file that is being read. */
  private String application = "";

  private String applicationName = "";
  private String user = "";

  @Override
  public void read(Path file) throws IOException {
    application = String.valueOf(file.getFileName());
    applicationName = "";
    user = "";
    seen.clear();
    List<Path> files = new ArrayList<>(files(file, name -> ROLLED.matcher(name).matches()));
    files.sort(Comparator.comparingLong(SparkEventLogs::number));
    for (Path one : files) {
      lines(
          one,
          // Of the many lines of tasks, none is parsed.
          line ->
              !line.contains("\"Event\":\"SparkListener")
                  || line.contains(APPLICATION_START + "\""),
          this::event);
    }
  }

  private static long number(Path file) {
    Matcher rolled = ROLLED.matcher(String.valueOf(file.getFileName()));
    return rolled.matches() && rolled.group(1).length() < 18 ? Long.parseLong(rolled.group(1)) : 0;
  }

  private void event(JsonNode event) {
    switch (event.path("Event").asText()) {
      case APPLICATION_START:
        application = event.path("App ID").asText(application);
        applicationName = event.path("App Name").asText();
        user = event.path("User").asText();
        break;
      case SQL_START:
      case SQL_REPLANNED:
        query(event);
        break;
      case SQL_END:
        RecordedRun ended = find(key(event));
        if (ended != null) {
          ended.at(event.path("time").asLong());
        }
        break;
      default:
        break;
    }
  }

  private String key(JsonNode event) {
    return application + "/" + event.path("executionId").asText();
  }

  private void query(JsonNode event) {
    RecordedRun run = find(key(event));
    if (run == null) {
      if (!event.path("Event").asText().equals(SQL_START)) {
        return;
      }
      String name = (applicationName.isEmpty() ? application : applicationName) + " query ";
      run =
          run(
              key(event),
              () ->
                  new RecordedRun(
                      application,
                      user,
                      name + event.path("executionId").asText(),
                      event.path("time").asLong()));
      if (run == null) {
        return;
      }
    }
    Deque<JsonNode> nodes = new ArrayDeque<>();
    nodes.push(event.path("sparkPlanInfo"));
    while (!nodes.isEmpty()) {
      JsonNode node = nodes.pop();
      JsonNode metadata = node.path("metadata");
      String location = metadata.path("Location").asText();
      String name = node.path("nodeName").asText();
      if (!location.isEmpty()) {
        String filters = metadata.path("PartitionFilters").asText(NO_FILTERS);
        if (isNew(event, location + filters)) {
          scan(run, location);
          filteredScans += filters.equals(NO_FILTERS) ? 0 : 1;
        }
      } else if (SCAN_WITHOUT_LOCATION.matcher(name).matches() && isNew(event, name)) {
        scansWithoutLocation++;
      }
      List<JsonNode> children = new ArrayList<>();
      node.path("children").forEach(children::add);
      for (int i = children.size() - 1; i >= 0; i--) {
        nodes.push(children.get(i));
      }
    }
  }

  private boolean isNew(JsonNode event, String scan) {
    return seen.size() >= MAX_SEEN || seen.add(key(event) + " " + scan);
  }

  private void scan(RecordedRun run, String location) {
    scans++;
    Matcher matcher = LOCATION.matcher(location);
    if (!matcher.matches()) {
      cutScans++;
      return;
    }
    boolean cut = matcher.group("end").isEmpty();
    String[] paths = matcher.group("paths").split(", ", -1);
    for (int i = 0; i < paths.length; i++) {
      String text = paths[i];
      if (text.endsWith(CUT)) {
        cut = true; // the list ends, or in old versions a path in its middle
      } else if (!text.isEmpty() && !(cut && i == paths.length - 1)) {
        String path = onHdfs(HdfsPath.of(text));
        if (path != null) {
          run.read(RecordedRun.literal(path));
        }
      }
    }
    String count = matcher.group("count");
    boolean fewer = count != null && count.length() < 10 && Integer.parseInt(count) > paths.length;
    cutScans += cut || fewer ? 1 : 0;
  }

  @Override
  List<String> unknown() {
    List<String> out = new ArrayList<>();
    if (cutScans > 0) {
      out.add(
          "scans of which the log names the first paths only: "
              + cutScans
              + " of "
              + scans
              + ". Fix: set spark.sql.maxMetadataStringLength higher before the run");
    }
    if (filteredScans > 0) {
      out.add(
          "scans that filter partitions, of which the log names the directory above all of them: "
              + filteredScans
              + " of "
              + scans
              + ". Fix: name the partitions in the manifest");
    }
    if (scansWithoutLocation > 0) {
      out.add(
          "scans without a path, of Hive's reader or of data sources of version 2: "
              + scansWithoutLocation);
    }
    if (!runs().isEmpty()) {
      out.add("an event log does not name the outputs of queries, nor what RDDs read");
    }
    return out;
  }
}
