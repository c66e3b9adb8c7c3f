// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** What commands do alike with the answers of several DataNodes. */
final class Answers {
  /** Lines of warnings, and names in a line. */
  private static final int MAX_LINES = 3;

  private Answers() {}

  /**
   * Warns of every DataNode that did not answer, and if there was none to ask.
   *
   * @return true if one failed, which having no plugin is not, or if none answered
   */
  static <T> boolean warnOfFailures(Console console, List<NodeAnswer<T>> answers) {
    boolean failed = answers.stream().noneMatch(NodeAnswer::isAnswered);
    Map<String, List<String>> nodes = new LinkedHashMap<>();
    for (NodeAnswer<T> answer : answers) {
      if (!answer.isAnswered()) {
        nodes
            .computeIfAbsent(answer.failureText(), text -> new ArrayList<>())
            .add(String.valueOf(answer.node()));
        failed |= !HyCacheClient.isNotActive(answer);
      }
    }
    warn(console, "DataNode ", nodes);
    if (answers.isEmpty()) {
      console.warn("no DataNode to ask");
    }
    return failed;
  }

  /**
   * Warns of DataNodes. Unless the console is wide: many that have the same text have one line, and
   * of many texts the first are shown.
   *
   * @param label before the name of a single DataNode
   * @param nodes by text
   */
  static void warn(Console console, String label, Map<String, List<String>> nodes) {
    int lines = 0;
    List<String> others = new ArrayList<>();
    for (Map.Entry<String, List<String>> entry : nodes.entrySet()) {
      List<String> of = entry.getValue();
      if (console.isWide() || (nodes.size() == 1 && of.size() <= MAX_LINES)) {
        of.forEach(node -> console.warn(label + node + ": " + entry.getKey()));
      } else if (lines == MAX_LINES) {
        of.stream().filter(node -> !others.contains(node)).forEach(others::add);
      } else {
        String name = of.size() == 1 ? label + of.get(0) : some(of);
        console.warn(name + ": " + entry.getKey());
        lines++;
      }
    }
    if (!others.isEmpty()) {
      console.warn("more about " + some(others) + ": with --wide");
    }
  }

  /** How many, and the names of the first. */
  private static String some(List<String> nodes) {
    int shown = Math.min(MAX_LINES, nodes.size());
    return Text.plural(nodes.size(), "DataNode")
        + " ("
        + String.join(", ", nodes.subList(0, shown))
        + (shown < nodes.size() ? " and " + Text.count(nodes.size() - shown) + " more" : "")
        + ")";
  }

  /**
   * Prints an object for each DataNode: its name, and what it answered or the error.
   *
   * @param put adds an answer
   */
  static <T> void printJson(
      Console console, List<NodeAnswer<T>> answers, BiConsumer<ObjectNode, T> put) {
    ObjectNode root = Json.object();
    ArrayNode nodes = root.putArray("dataNodes");
    for (NodeAnswer<T> answer : answers) {
      ObjectNode node = nodes.addObject().put("dataNode", answer.node().name());
      if (answer.isAnswered()) {
        put.accept(node, answer.value());
      } else {
        node.put("error", answer.failureText());
      }
    }
    Json.print(console, root);
  }
}
