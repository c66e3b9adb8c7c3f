// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.conf.HyCacheConf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Shows, and changes, what may change while the DataNodes run. */
final class SettingsCommand implements Command {
  static final String NAME = "settings";

  /** In place of the DataNode where all have the same value. */
  private static final String ALL = "all";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String usage() {
    return "[KEY=VALUE...] [PATH...] [--json]";
  }

  @Override
  public String summary() {
    return "show or change settings of running DataNodes";
  }

  @Override
  public String details() {
    return "  KEY=VALUE   change a setting; a DataNode takes all of them or none\n"
        + "  PATH        ask the DataNodes that hold blocks of these paths; without, all that are\n"
        + "              alive, of the NameNode (superusers) or its web server (others)\n"
        + "  --json      for scripts\n\n"
        + "Without --wide, DataNodes with the same value have one line.\n\n"
        + "Only an administrator may see and change settings. A change holds until the DataNode\n"
        + "restarts: what is to stay belongs into its hdfs-site.xml. These can change:\n  "
        + String.join("\n  ", HyCacheConf.CHANGEABLE)
        + "\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed = Args.parse(args, List.of("--json"), List.of());
    Map<String, String> changes = new LinkedHashMap<>();
    List<String> paths = new ArrayList<>();
    for (String given : parsed.positionals()) {
      int equals = given.indexOf('=');
      String key = given.substring(0, Math.max(0, equals));
      if (equals < 0 || key.contains("/")) {
        paths.add(given);
      } else if (!key.startsWith(HyCacheConf.PREFIX)) {
        throw new UsageException(
            "expected KEY=VALUE with a KEY that begins with "
                + HyCacheConf.PREFIX
                + ", or a PATH, found "
                + given
                + ". Fix: correct the KEY; if it is a PATH, write ./ before it");
      } else if (changes.put(key, given.substring(equals + 1)) != null) {
        throw new UsageException(key + ": expected once, found twice. Fix: leave one out");
      }
    }
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    String hint = "name a path that you may read: settings PATH";
    List<DataNode> asked =
        changes.isEmpty()
            ? Audience.of(client, paths, hint, console)
            : Audience.ofEach(client, paths, hint, console);
    List<NodeAnswer<Map<String, String>>> answers = client.settings(asked, changes);
    if (parsed.has("--json")) {
      Answers.printJson(
          console, answers, (node, settings) -> settings.forEach(node.putObject("settings")::put));
    } else {
      print(console, answers);
    }
    boolean failed = Answers.warnOfFailures(console, answers);
    if (!changes.isEmpty()) {
      // Where there is no plugin, the change was not made either.
      failed |= !answers.stream().allMatch(NodeAnswer::isAnswered);
    }
    return failed ? ExitCode.FAILED : ExitCode.OK;
  }

  private static void print(Console console, List<NodeAnswer<Map<String, String>>> answers) {
    Table table = new Table("DATANODE", "SETTING", "VALUE");
    if (console.isWide()) {
      for (NodeAnswer<Map<String, String>> answer : answers) {
        if (answer.isAnswered()) {
          answer.value().forEach((key, value) -> table.row(answer.node().name(), key, value));
        }
      }
    } else {
      // By key and value, in the order of the keys.
      Map<String, Map<String, List<String>>> nodes = new LinkedHashMap<>();
      for (NodeAnswer<Map<String, String>> answer : answers) {
        if (answer.isAnswered()) {
          answer
              .value()
              .forEach(
                  (key, value) ->
                      nodes
                          .computeIfAbsent(key, k -> new LinkedHashMap<>())
                          .computeIfAbsent(value, v -> new ArrayList<>())
                          .add(answer.node().name()));
        }
      }
      nodes.forEach(
          (key, values) ->
              values.forEach(
                  (value, of) -> table.row(values.size() == 1 ? ALL : some(of), key, value)));
    }
    console.print(table);
  }

  private static String some(List<String> nodes) {
    return nodes.get(0)
        + (nodes.size() == 1 ? "" : " and " + Text.count(nodes.size() - 1) + " more");
  }
}
