// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.util.List;
import java.util.function.BiConsumer;

/** What commands do alike with the answers of several DataNodes. */
final class Answers {
  private Answers() {}

  /**
   * Warns of every DataNode that did not answer.
   *
   * @return true if one failed, which having no plugin is not, or if none answered
   */
  static <T> boolean warnOfFailures(Console console, List<NodeAnswer<T>> answers) {
    boolean failed = answers.stream().noneMatch(NodeAnswer::isAnswered);
    for (NodeAnswer<T> answer : answers) {
      if (!answer.isAnswered()) {
        console.warn("DataNode " + answer.node() + ": " + answer.failureText());
        failed |= !HyCacheClient.isNotActive(answer);
      }
    }
    return failed;
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
