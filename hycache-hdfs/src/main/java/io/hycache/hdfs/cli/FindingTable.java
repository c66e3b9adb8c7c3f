// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.hdfs.doctor.Finding;
import io.hycache.hdfs.doctor.Finding.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The findings of {@code doctor} in 80 columns: the most serious first, what several DataNodes have
 * in common once, texts broken into lines.
 */
final class FindingTable {
  private static final int WIDTH = 80;
  private static final int MAX_NAMES = 4;
  private static final String[] TITLES = {"RESULT", "CHECK", "FOUND"};

  private FindingTable() {}

  static String of(List<Finding> findings) {
    List<Finding> sorted = new ArrayList<>(findings);
    sorted.sort(Comparator.comparing(Finding::result).reversed().thenComparing(Finding::check));
    Map<List<Object>, Set<String>> nodes = new LinkedHashMap<>();
    Map<List<Object>, Finding> first = new LinkedHashMap<>();
    for (Finding finding : sorted) {
      List<Object> alike =
          List.of(
              finding.result(),
              finding.check(),
              finding.text(),
              finding.fix(),
              finding.node().isEmpty());
      first.putIfAbsent(alike, finding);
      nodes.computeIfAbsent(alike, key -> new TreeSet<>()).add(finding.node());
    }
    int[] widths = {TITLES[0].length(), TITLES[1].length()};
    for (Finding finding : first.values()) {
      widths[0] = Math.max(widths[0], finding.result().label().length());
      widths[1] = Math.max(widths[1], finding.check().label().length());
    }
    int width = WIDTH - widths[0] - widths[1] - 4;
    Table table = new Table(TITLES);
    first.forEach(
        (alike, finding) -> {
          String result = finding.result().label();
          String check = finding.check().label();
          String names = names(nodes.getOrDefault(alike, Set.of()));
          List<String> lines = new ArrayList<>(wrap(names + finding.text(), width));
          if (!finding.fix().isEmpty()) {
            lines.addAll(wrap("Fix: " + finding.fix(), width));
          }
          for (int i = 0; i < lines.size(); i++) {
            table.row(i == 0 ? result : "", i == 0 ? check : "", lines.get(i));
          }
        });
    return table.toString();
  }

  /** How many findings there are of each result; those of which there is none are left out. */
  static String summary(List<Finding> findings) {
    List<String> parts = new ArrayList<>();
    for (Result result : List.of(Result.ERROR, Result.WARNING, Result.NOT_CHECKED, Result.OK)) {
      long count = findings.stream().filter(finding -> finding.result() == result).count();
      if (count > 0) {
        boolean isNoun = result == Result.ERROR || result == Result.WARNING;
        parts.add(
            isNoun ? Text.plural(count, result.label()) : Text.count(count) + " " + result.label());
      }
    }
    return String.join(", ", parts);
  }

  private static String names(Set<String> nodes) {
    List<String> all = new ArrayList<>(nodes);
    if (all.equals(List.of(""))) {
      return "";
    }
    int more = all.size() - MAX_NAMES;
    return more <= 0
        ? String.join(", ", all) + ": "
        : String.join(", ", all.subList(0, MAX_NAMES)) + " and " + more + " more: ";
  }

  /** Breaks a text at spaces, and words that are longer than a line anywhere. */
  static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = text.strip();
    while (rest.length() > width) {
      int space = rest.lastIndexOf(' ', width);
      int end = space <= 0 ? width : space;
      lines.add(rest.substring(0, end).stripTrailing());
      rest = rest.substring(end).strip();
    }
    lines.add(rest);
    return lines;
  }
}
