// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import io.hycache.hdfs.doctor.Check;
import io.hycache.hdfs.doctor.Doctor;
import io.hycache.hdfs.doctor.Finding;
import io.hycache.hdfs.doctor.Finding.Result;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Checks a cluster and the machine that it runs on, and changes nothing. */
final class DoctorCommand implements Command {
  private static final String INDENT = " ".repeat(14);

  /** Keys of the JSON, with what each counts. */
  private static final ImmutableMap<String, Result> COUNTS =
      ImmutableMap.of(
          "errors", Result.ERROR,
          "warnings", Result.WARNING,
          "notChecked", Result.NOT_CHECKED,
          "ok", Result.OK);

  @Override
  public String name() {
    return "doctor";
  }

  @Override
  public String usage() {
    return "[--cluster | --node] [--json]";
  }

  @Override
  public String summary() {
    return "check a cluster and this DataNode, and say what to do";
  }

  @Override
  public String details() {
    StringBuilder checks = new StringBuilder();
    for (Check check : Check.values()) {
      checks
          .append("  ")
          .append(check.label())
          .append(INDENT.substring(check.label().length() + 2))
          .append(check.help().replace("\n", "\n" + INDENT))
          .append('\n');
    }
    return "  --cluster   the cluster only: asks the NameNode and all live DataNodes\n"
        + "  --node      this machine only, as a DataNode: its configuration, class path, devices\n"
        + "              and ports; the NameNode is not asked\n"
        + "  --json      for scripts\n\n"
        + "Without an option: the cluster, and this machine if it is one of its DataNodes.\n"
        + "Run it as the DataNode's user, who is an HDFS superuser in most clusters. It writes\n"
        + "nothing, to disk or cluster; devices are read from for 1.5 seconds each at most.\n\n"
        + "CHECK\n"
        + checks
        + "\nRESULT is ok; warning: it works, with less than you expect; error: it does not work,\n"
        + "or will not; not checked: with the reason. Exit code: 0 without errors, 1 with errors,\n"
        + "2 wrong usage. Warnings and what was not checked leave it 0; --json counts them.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException, InterruptedException {
    Args parsed = Args.parse(args, List.of("--cluster", "--node", "--json"), List.of());
    if (!parsed.positionals().isEmpty()) {
      throw new UsageException("expected options only, found " + parsed.positionals());
    }
    boolean cluster = parsed.has("--cluster");
    boolean node = parsed.has("--node");
    if (cluster && node) {
      throw new UsageException(
          "expected --cluster or --node, found both. Fix: leave out both to check both");
    }
    Doctor.Scope scope =
        cluster ? Doctor.Scope.CLUSTER : node ? Doctor.Scope.NODE : Doctor.Scope.BOTH;
    List<Finding> findings = new Doctor(conf).examine(scope);
    print(console, findings, parsed.has("--json"));
    return findings.stream().anyMatch(finding -> finding.result() == Result.ERROR)
        ? ExitCode.FAILED
        : ExitCode.OK;
  }

  static void print(Console console, List<Finding> findings, boolean json) {
    if (json) {
      Json.print(console, json(findings));
    } else {
      console.print(FindingTable.of(findings));
      console.print("");
      console.print(FindingTable.summary(findings));
    }
  }

  private static ObjectNode json(List<Finding> findings) {
    ObjectNode root = Json.object();
    COUNTS.forEach(
        (key, result) ->
            root.put(key, findings.stream().filter(each -> each.result() == result).count()));
    ArrayNode array = root.putArray("findings");
    for (Finding finding : findings) {
      array
          .addObject()
          .put("result", finding.result().label())
          .put("check", finding.check().label())
          .put("dataNode", finding.node())
          .put("found", finding.text())
          .put("fix", finding.fix());
    }
    return root;
  }
}
