// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.RecordedRuns;
import io.hycache.core.hint.RecordedWorkflow;
import io.hycache.hdfs.history.JobHistory;
import io.hycache.hdfs.history.OpenLineageEvents;
import io.hycache.hdfs.history.RunRecords;
import io.hycache.hdfs.history.SparkEventLogs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code manifest from-...}: manifests of workflows that ran, each as it ran. */
final class ManifestFrom {
  private static final String HISTORY = "from-history";
  private static final String EVENT_LOG = "from-event-log";
  private static final String OPENLINEAGE = "from-openlineage";
  static final List<String> SOURCES = List.of(HISTORY, EVENT_LOG, OPENLINEAGE);

  static final String DETAILS =
      "from-... writes manifests of workflows that ran, each as it ran. FILEs are\n"
          + "local. Options: --day, for which dates in paths keep their distance to the day\n"
          + "of the run; --out; --json. A job that reads what another one wrote is of the\n"
          + "same workflow. A manifest names what a record names: read it, edit it. Lines\n"
          + "that cannot be read are counted and passed over.\n\n"
          + "from-history: files (.jhist) of MapReduce's job history, or directories of\n"
          + "them. The inputs are in the job_..._conf.xml beside each.\n\n"
          + "from-event-log: event logs of Spark, or directories of rolled ones\n"
          + "(eventlog_v2_...); packed ones by gzip, and by zstd or lz4 if HADOOP_CLASSPATH\n"
          + "has Spark's zstd-jni or lz4-java. The inputs are the Locations of the scans of\n"
          + "SQL queries: of a filtered table all partitions, of a long list the first\n"
          + "paths. Outputs, and what RDDs read, are not in the log.\n\n"
          + "from-openlineage: files of run events, one JSON object a line. The inputs and\n"
          + "outputs are the datasets whose namespace is hdfs://...\n";

  private ManifestFrom() {}

  static int run(List<String> args, Console console) throws UsageException, IOException {
    Args parsed =
        Args.parse(
            args, List.of(ManifestCommand.JSON), List.of(ManifestCommand.DAY, ManifestCommand.OUT));
    String source = parsed.positionals().get(0);
    List<String> files = parsed.positionals().subList(1, parsed.positionals().size());
    if (files.isEmpty()) {
      throw new UsageException("expected a file behind " + source + ", found none");
    }
    LocalDate day = ManifestCommand.day(parsed.value(ManifestCommand.DAY));
    RunRecords records = records(source);
    for (String file : files) {
      records.read(Path.of(file));
    }
    records.warnings().forEach(console::warn);
    List<RecordedWorkflow> found = RecordedRuns.workflows(records.runs());
    if (parsed.has(ManifestCommand.JSON)) {
      printJson(found, day, console);
    } else {
      print(found, records.runs().size(), console);
    }
    String out = parsed.value(ManifestCommand.OUT);
    if (out != null) {
      for (RecordedWorkflow workflow : found) {
        ManifestCommand.write(workflow.manifest(day), Path.of(out), workflow.name(), console);
      }
    }
    return found.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
  }

  private static RunRecords records(String source) {
    switch (source) {
      case HISTORY:
        return new JobHistory();
      case EVENT_LOG:
        return new SparkEventLogs();
      default:
        return new OpenLineageEvents();
    }
  }

  private static void print(List<RecordedWorkflow> found, int runs, Console console) {
    if (found.isEmpty()) {
      console.warn("nothing was read from HDFS, as far as is known: " + Text.plural(runs, "run"));
      return;
    }
    Table table = new Table("USER", "WORKFLOW", ">JOBS", ">PATHS", "?STARTED (UTC)");
    for (RecordedWorkflow workflow : found) {
      table.row(
          workflow.user().isEmpty() ? "?" : workflow.user(),
          workflow.name(),
          Text.count(workflow.jobs()),
          Text.count(workflow.paths()),
          ManifestCommand.TIME.format(Instant.ofEpochMilli(workflow.startMillis())));
    }
    console.print(table);
  }

  private static void printJson(
      List<RecordedWorkflow> found, @Nullable LocalDate day, Console console) {
    ObjectNode root = Json.object();
    ArrayNode all = root.putArray("workflows");
    for (RecordedWorkflow workflow : found) {
      ObjectNode node = all.addObject();
      node.put("user", workflow.user());
      node.put("workflow", workflow.name());
      node.put("startMillis", workflow.startMillis());
      node.set("manifest", Json.manifest(workflow.manifest(day)));
    }
    Json.print(console, root);
  }
}
