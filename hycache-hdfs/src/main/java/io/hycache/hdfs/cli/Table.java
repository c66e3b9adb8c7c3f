// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import java.util.ArrayList;
import java.util.List;

/** Columns of text. A title that starts with {@code >} is aligned to the right. */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();
  private final boolean[] right;

  Table(String... titles) {
    right = new boolean[titles.length];
    List<String> header = new ArrayList<>();
    for (int i = 0; i < titles.length; i++) {
      right[i] = titles[i].startsWith(">");
      header.add(right[i] ? titles[i].substring(1) : titles[i]);
    }
    rows.add(header);
  }

  void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(String.valueOf(cell));
    }
    rows.add(row);
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  @Override
  public String toString() {
    int[] widths = new int[right.length];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : "  ");
        line.append(right[i] ? padding + row.get(i) : row.get(i) + padding);
      }
      out.append(out.length() == 0 ? "" : System.lineSeparator())
          .append(line.toString().stripTrailing());
    }
    return out.toString();
  }
}
