// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Columns of text. A title may start with marks: {@code >}, aligned to the right; {@code ?}, left
 * out where a line would not fit a terminal, the last such column first; {@code *}, long text that
 * then becomes a number in the line, with the texts below. Cells may have names that users chose,
 * and are {@link Text#printable}. Not thread-safe.
 */
final class Table {
  private static final int TERMINAL_CHARS = 80;
  private static final String GAP = "  ";

  /** A text that needs no number. */
  private static final int SHORT_CHARS = 4;

  private final List<List<String>> rows = new ArrayList<>();
  private final List<Integer> optional = new ArrayList<>();
  private final boolean[] right;
  private final List<Integer> notes = new ArrayList<>();

  Table(String... titles) {
    right = new boolean[titles.length];
    List<String> header = new ArrayList<>();
    for (int i = 0; i < titles.length; i++) {
      header.add(title(titles[i]));
      String marks = titles[i].substring(0, titles[i].length() - header.get(i).length());
      right[i] = marks.contains(">");
      if (marks.contains("*")) {
        notes.add(i);
      }
      if (marks.contains("?")) {
        optional.add(i);
      }
    }
    rows.add(header);
  }

  /** A title without its marks. */
  static String title(String marked) {
    return marked.replaceFirst("^[>?*]+", "");
  }

  void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(Text.printable(String.valueOf(cell)));
    }
    rows.add(row);
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  /**
   * As {@link #toString}.
   *
   * @param wide whether all columns are shown, however long the lines
   */
  String toString(boolean wide) {
    boolean[] shown = new boolean[right.length];
    Arrays.fill(shown, true);
    if (wide || fits(rows, shown)) {
      return text(rows, shown);
    }
    Map<String, Integer> numbers = new LinkedHashMap<>();
    List<List<String>> lines = numbered(numbers);
    for (int i = optional.size() - 1; i >= 0 && !fits(lines, shown); i--) {
      shown[optional.get(i)] = false;
    }
    StringBuilder out = new StringBuilder(text(lines, shown));
    numbers.forEach(
        (text, number) ->
            out.append(System.lineSeparator()).append(wrapped("(" + number + ") ", text)));
    return out.toString();
  }

  /** All columns, whatever their width. */
  @Override
  public String toString() {
    return toString(true);
  }

  /** The rows, with numbers for the long texts. */
  private List<List<String>> numbered(Map<String, Integer> numbers) {
    List<List<String>> out = new ArrayList<>();
    out.add(rows.get(0));
    for (List<String> row : rows.subList(1, rows.size())) {
      List<String> line = new ArrayList<>(row);
      for (int note : notes) {
        String text = line.get(note);
        if (text.length() > SHORT_CHARS) {
          numbers.putIfAbsent(text, numbers.size() + 1);
          line.set(note, "(" + numbers.get(text) + ")");
        }
      }
      out.add(line);
    }
    return out;
  }

  /** A text behind a start of its first line, in as many lines as a terminal needs. */
  static String wrapped(String start, String text) {
    StringBuilder out = new StringBuilder();
    StringBuilder line = new StringBuilder(start);
    for (String word : text.split(" ", -1)) {
      if (line.length() > start.length() && line.length() + word.length() > TERMINAL_CHARS) {
        out.append(line.toString().stripTrailing()).append(System.lineSeparator());
        line.setLength(0);
        line.append(" ".repeat(start.length()));
      }
      line.append(word).append(' ');
    }
    return out + line.toString().stripTrailing();
  }

  private static boolean fits(List<List<String>> lines, boolean[] shown) {
    int[] widths = widths(lines);
    int chars = -GAP.length();
    for (int i = 0; i < widths.length; i++) {
      chars += shown[i] ? widths[i] + GAP.length() : 0;
    }
    return chars <= TERMINAL_CHARS;
  }

  private static int[] widths(List<List<String>> lines) {
    int[] widths = new int[lines.get(0).size()];
    for (List<String> row : lines) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  private String text(List<List<String>> lines, boolean[] shown) {
    int[] widths = widths(lines);
    StringBuilder out = new StringBuilder();
    for (List<String> row : lines) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        if (shown[i]) {
          String padding = " ".repeat(widths[i] - row.get(i).length());
          line.append(line.length() == 0 ? "" : GAP);
          line.append(right[i] ? padding + row.get(i) : row.get(i) + padding);
        }
      }
      out.append(out.length() == 0 ? "" : System.lineSeparator())
          .append(line.toString().stripTrailing());
    }
    return out.toString();
  }
}
