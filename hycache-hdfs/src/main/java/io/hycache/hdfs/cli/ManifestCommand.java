// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.RecurringWorkflow;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Learns manifests of what recurs from the NameNode's audit log, and writes manifests of what ran
 * from other records.
 */
final class ManifestCommand implements Command {
  private static final String LEARN = "learn";
  private static final String WATCH = "watch";
  static final String JSON = "--json";
  private static final String USER = "--user";
  private static final String MIN_RUNS = "--min-runs";
  static final String DAY = "--day";
  static final String OUT = "--out";
  private static final String MIN_CONFIDENCE = "--min-confidence";
  private static final int DEFAULT_MIN_RUNS = 2;
  private static final double DEFAULT_MIN_CONFIDENCE = 0.5;
  private static final Duration SHORTEST_TTL = Duration.ofHours(1);
  static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  @Override
  public String name() {
    return "manifest";
  }

  @Override
  public String usage() {
    return "learn|watch AUDIT-LOG... [OPTION...] | from-SOURCE FILE... [OPTION...]";
  }

  @Override
  public String summary() {
    return "make manifests of audit logs, job histories, event logs, lineage";
  }

  @Override
  public String details() {
    return "  AUDIT-LOG           logs of the NameNode, in any order; .gz is unpacked\n"
        + "  --user USER         of this user alone\n"
        + "  --min-runs N        runs that must have been seen, 2 or more; otherwise 2\n"
        + "  --min-confidence C  runs seen of those that were due, 0 to 1; otherwise 0.5\n"
        + "  --day DAY           day of the run that the manifests are for, as 2026-11-26;\n"
        + "                      otherwise that of the next run\n"
        + "  --out DIR           write a manifest for each workflow to this directory; a file\n"
        + "                      that is there is not overwritten\n"
        + "  --json              for scripts\n\n"
        + "What one user reads again and again, at the same time of the hour, the day or the week,\n"
        + "is a recurring workflow. Directories that differ in dates only are the same one. A manifest\n"
        + "is a guess: read it, edit it, then submit it before the run, as the user who reads. Times\n"
        + "and dates are in UTC, as the log's are taken to be. The cluster is not asked.\n\n"
        + "watch follows the log that is named last, also when it is rotated, until it is interrupted.\n"
        + "When the first directory of a workflow is opened at about the time at which a run is due,\n"
        + "it submits the run's manifest as the user of this command, who must be allowed to read the\n"
        + "files; of the options, it takes --user, --min-runs and --min-confidence. It learns again\n"
        + "every ten minutes of the log: what a run no longer reads is left out of the next one.\n\n"
        + ManifestFrom.DETAILS
        + "\nExit code: 1 if nothing recurs, or nothing that ran read from HDFS.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException, InterruptedException {
    if (!args.isEmpty() && ManifestFrom.SOURCES.contains(args.get(0))) {
      return ManifestFrom.run(args, console);
    }
    Args parsed =
        Args.parse(args, List.of(JSON), List.of(USER, MIN_RUNS, MIN_CONFIDENCE, DAY, OUT));
    List<String> positionals = parsed.positionals();
    String what = positionals.isEmpty() ? "nothing" : positionals.get(0);
    if (ManifestFrom.SOURCES.contains(what)) { // behind an option
      return ManifestFrom.run(args, console);
    }
    if (!what.equals(LEARN) && !what.equals(WATCH)) {
      throw new UsageException(
          "expected learn, watch, " + String.join(", ", ManifestFrom.SOURCES) + ", found " + what);
    }
    if (positionals.size() < 2) {
      throw new UsageException("expected an audit log behind " + what + ", found none");
    }
    if (what.equals(WATCH)) { // which prints and writes no manifests
      parsed = Args.parse(args, List.of(), List.of(USER, MIN_RUNS, MIN_CONFIDENCE));
    }
    int minRuns = parsed.wholeNumber(MIN_RUNS, DEFAULT_MIN_RUNS, 2, 1000);
    double minConfidence = number(parsed, MIN_CONFIDENCE, DEFAULT_MIN_CONFIDENCE, 0, 1);
    if (what.equals(WATCH)) {
      List<String> logs = positionals.subList(1, positionals.size());
      return new ManifestWatch(conf, console).run(logs, parsed.value(USER), minRuns, minConfidence);
    }
    LocalDate day = day(parsed.value(DAY));
    RunWatch learner =
        new RunWatch(parsed.value(USER), minRuns, minConfidence, null, (workflow, at) -> List.of());
    for (Path log : RunWatch.inOrder(positionals.subList(1, positionals.size()))) {
      learner.read(log, console::warn);
    }
    learner.learn();
    learner.warnOfLeftOut(console::warn);
    List<RecurringWorkflow> found = learner.learned();
    if (parsed.has(JSON)) {
      printJson(found, day, console);
    } else {
      print(found, learner.used(), console);
    }
    String out = parsed.value(OUT);
    if (out != null) {
      write(found, day, Path.of(out), console);
    }
    return found.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
  }

  private static double number(Args args, String option, double otherwise, double min, double max)
      throws UsageException {
    String text = args.value(option);
    if (text == null) {
      return otherwise;
    }
    try {
      double value = Double.parseDouble(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new UsageException(
        String.format(
            Locale.ROOT,
            "%s: expected a number from %s to %s, found '%s'",
            option,
            min,
            max,
            text));
  }

  static @Nullable LocalDate day(@Nullable String text) throws UsageException {
    try {
      return text == null ? null : LocalDate.parse(text);
    } catch (DateTimeParseException e) {
      throw new UsageException(DAY + ": expected a day as 2026-11-26, found '" + text + "'");
    }
  }

  private static LocalDate dayOf(RecurringWorkflow workflow, @Nullable LocalDate day) {
    return day != null
        ? day
        : Instant.ofEpochMilli(workflow.nextStartMillis()).atOffset(ZoneOffset.UTC).toLocalDate();
  }

  private static Manifest manifest(RecurringWorkflow workflow, @Nullable LocalDate day) {
    return workflow.manifest(dayOf(workflow, day), ttl(workflow));
  }

  /** The time until the next run, but an hour at least. */
  static Duration ttl(RecurringWorkflow workflow) {
    return workflow.period().compareTo(SHORTEST_TTL) < 0 ? SHORTEST_TTL : workflow.period();
  }

  private static void print(List<RecurringWorkflow> found, long lines, Console console) {
    if (found.isEmpty()) {
      console.warn("nothing recurs: " + Text.count(lines) + " opens and creates were read");
      return;
    }
    Table table =
        new Table(
            "USER", "WORKFLOW", "?>DIRECTORIES", ">RUNS", ">EVERY", "NEXT (UTC)", ">CONFIDENCE");
    for (RecurringWorkflow workflow : found) {
      table.row(
          workflow.user(),
          workflow.name(),
          workflow.directories(),
          workflow.runs(),
          Text.duration(workflow.period()),
          TIME.format(Instant.ofEpochMilli(workflow.nextStartMillis())),
          String.format(Locale.ROOT, "%.2f", workflow.confidence()));
    }
    console.print(table);
  }

  private static void printJson(
      List<RecurringWorkflow> found, @Nullable LocalDate day, Console console) {
    ObjectNode root = Json.object();
    ArrayNode all = root.putArray("workflows");
    for (RecurringWorkflow workflow : found) {
      ObjectNode node = all.addObject();
      node.put("user", workflow.user());
      node.put("workflow", workflow.name());
      node.put("runs", workflow.runs());
      node.put("periodSeconds", workflow.period().toSeconds());
      node.put("lastStartMillis", workflow.lastStartMillis());
      node.put("nextStartMillis", workflow.nextStartMillis());
      node.put("confidence", workflow.confidence());
      node.set("manifest", Json.manifest(manifest(workflow, day)));
    }
    Json.print(console, root);
  }

  private static void write(
      List<RecurringWorkflow> found, @Nullable LocalDate day, Path directory, Console console)
      throws IOException {
    for (RecurringWorkflow workflow : found) {
      String name = workflow.name() + "-" + dayOf(workflow, day);
      write(manifest(workflow, day), directory, name, console);
    }
  }

  /** Writes a manifest to a file of a directory, unless there is one. */
  static void write(Manifest manifest, Path directory, String name, Console console)
      throws IOException {
    Path unused = Files.createDirectories(directory);
    Path file = directory.resolve(name + ".json");
    try {
      Path written =
          Files.writeString(
              file, Json.text(Json.manifest(manifest)) + "\n", StandardOpenOption.CREATE_NEW);
      console.print("Wrote " + written);
    } catch (FileAlreadyExistsException e) {
      console.warn(file + " exists and is not overwritten");
    }
  }
}
