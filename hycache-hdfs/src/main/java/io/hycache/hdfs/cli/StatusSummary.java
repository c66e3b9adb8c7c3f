// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.NodeAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cluster as {@code status} shows it: a line for all DataNodes together and, where there are
 * many, those that differ from most, the ones with the most differences first. O(DataNodes).
 * Immutable.
 */
final class StatusSummary {
  /** DataNodes that all have a line each. */
  static final int FEW = 10;

  private static final int SHOWN = 5;

  /** Shares of hits and of dirty bytes this far from those of all together are a difference. */
  private static final double FAR = 0.3;

  private final List<NodeAnswer<NodeStatus>> answers;
  private final List<NodeStatus> known;

  /** Those of which the figures of the SSDs are known. */
  private final List<NodeStatus> counted;

  StatusSummary(List<NodeAnswer<NodeStatus>> answers) {
    this.answers = answers;
    this.known =
        answers.stream()
            .filter(NodeAnswer::isAnswered)
            .map(NodeAnswer::value)
            .collect(Collectors.toList());
    this.counted = known.stream().filter(NodeStatus::isCounted).collect(Collectors.toList());
  }

  boolean isLarge() {
    return answers.size() > FEW;
  }

  /** All DataNodes together: a line, and another one if there are some that do not count. */
  String cluster() {
    int others = known.size() - counted.size();
    return line()
        + (others == 0
            ? ""
            : "\nNot in these sums: the SSDs of "
                + Text.plural(others, "DataNode")
                + ", see the warnings");
  }

  private String line() {
    return String.format(
        Locale.ROOT,
        "%s of %s: %s of %s SSD used, %s dirty, hits %s",
        Text.count(known.size()),
        Text.plural(answers.size(), "DataNode"),
        Text.bytes(sum(counted, StatusCommand::usedBytes)),
        Text.bytes(sum(counted, NodeStatus::capacityBytes)),
        Text.bytes(sum(counted, NodeStatus::dirtyBytes)),
        Text.share(sum(known, StatusSummary::hitBytes), sum(known, StatusSummary::readBytes)));
  }

  private static long sum(List<NodeStatus> of, ToLongFunction<NodeStatus> figure) {
    return of.stream().mapToLong(figure).sum();
  }

  private static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  private static String mode(NodeStatus s) {
    return s.passThrough() ? "pass-through" : s.mode();
  }

  /** Without the policy that adaptive follows at the moment. */
  private static String policy(NodeStatus s) {
    return s.policy().replaceFirst(":.*", "");
  }

  private static long hitBytes(NodeStatus s) {
    return StatusCommand.count(s, Counter.BYTES_READ_FAST);
  }

  private static long readBytes(NodeStatus s) {
    return hitBytes(s) + StatusCommand.count(s, Counter.BYTES_READ_SLOW);
  }

  /** The DataNodes that differ from most, and how; then how many do not. */
  void printDifferences(Console console) {
    Map<String, List<String>> differing = differences();
    Table table = new Table("DATANODE", "DIFFERS");
    differing.entrySet().stream()
        .sorted(Comparator.comparing(entry -> -entry.getValue().size()))
        .limit(SHOWN)
        .forEach(entry -> table.row(entry.getKey(), String.join("; ", entry.getValue())));
    console.print(table);
    int more = differing.size() - SHOWN;
    console.printf(
        "%s%s like most: %s. A line for each: --wide",
        more > 0 ? Text.count(more) + " more differ; " : "",
        Text.plural(answers.size() - differing.size(), "DataNode"),
        Stream.of(most(StatusSummary::mode), most(StatusSummary::policy))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", ")));
  }

  /** How each DataNode that differs does, by name. */
  private Map<String, List<String>> differences() {
    Map<String, Function<NodeStatus, String>> texts = new LinkedHashMap<>();
    texts.put("", StatusSummary::mode);
    texts.put("policy ", StatusSummary::policy);
    texts.put("members ", s -> String.valueOf(s.directoryMembers()));
    Map<String, String> most = new HashMap<>();
    texts.forEach((label, text) -> most.put(label, most(text)));
    double hits = share(sum(known, StatusSummary::hitBytes), sum(known, StatusSummary::readBytes));
    double dirty =
        share(sum(counted, NodeStatus::dirtyBytes), sum(counted, NodeStatus::capacityBytes));
    Map<String, List<String>> out = new LinkedHashMap<>();
    for (NodeAnswer<NodeStatus> answer : answers) {
      List<String> found = new ArrayList<>();
      if (answer.isAnswered()) {
        NodeStatus s = answer.value();
        texts.forEach(
            (label, text) -> {
              if (!text.apply(s).equals(most.get(label))) {
                found.add(label + text.apply(s));
              }
            });
        addFigures(found, s, hits, dirty);
      } else {
        found.add("no answer");
      }
      if (!found.isEmpty()) {
        out.put(answer.node().name(), found);
      }
    }
    return out;
  }

  private static void addFigures(List<String> found, NodeStatus s, double hits, double dirty) {
    long out = s.devices().stream().filter(device -> !device.isUsable()).count();
    if (out > 0) {
      found.add(Text.plural(out, "SSD") + " out");
    }
    if (!s.isCounted()) {
      found.add("SSDs not counted");
    } else if (s.capacityBytes() == 0) {
      found.add("no SSD");
    } else if (Math.abs(share(s.dirtyBytes(), s.capacityBytes()) - dirty) > FAR) {
      found.add("dirty " + Text.share(s.dirtyBytes(), s.capacityBytes()));
    }
    if (readBytes(s) > 0 && Math.abs(share(hitBytes(s), readBytes(s)) - hits) > FAR) {
      found.add("hits " + Text.share(hitBytes(s), readBytes(s)));
    }
    if (!s.warnings().isEmpty()) {
      found.add(Text.plural(s.warnings().size(), "warning"));
    }
  }

  /** The text that most DataNodes have. */
  private String most(Function<NodeStatus, String> text) {
    return known.stream()
        .collect(Collectors.groupingBy(text, Collectors.counting()))
        .entrySet()
        .stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse("");
  }
}
