// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A column of a {@link Table}: its title, its entry in the command's help, and the text of its
 * cells. A command's list of columns drives both its table and its help. Immutable.
 *
 * @param <T> what a row shows
 */
final class Column<T> {
  private static final String INDENT = " ".repeat(14);

  private final String title;
  private final String help;
  private final Function<T, String> cell;

  private Column(String title, String help, Function<T, String> cell) {
    this.title = title;
    this.help = help;
    this.cell = cell;
  }

  /**
   * Makes a column.
   *
   * @param title with the marks of a {@link Table}
   * @param help lines for the help; empty if the title says it all
   */
  static <T> Column<T> of(String title, String help, Function<T, String> cell) {
    return new Column<>(title, help, cell);
  }

  static <T> Table table(List<Column<T>> columns, List<T> rows) {
    Table table = new Table(columns.stream().map(column -> column.title).toArray(String[]::new));
    for (T row : rows) {
      table.row(columns.stream().map(column -> column.cell.apply(row)).toArray());
    }
    return table;
  }

  /**
   * As {@link #table(List, List)}; a terminal that is not wide enough shows the other columns as
   * far as it can.
   *
   * @param always titles of the columns that are always shown
   */
  static <T> Table table(List<Column<T>> columns, List<T> rows, Set<String> always) {
    return table(
        columns.stream()
            .map(
                column ->
                    always.contains(Table.title(column.title))
                        ? column
                        : new Column<>("?" + column.title, column.help, column.cell))
            .collect(Collectors.toList()),
        rows);
  }

  /**
   * The help of the columns that have one, a paragraph each; below the title if that is too long.
   */
  static <T> String help(List<Column<T>> columns) {
    StringBuilder out = new StringBuilder();
    for (Column<T> column : columns) {
      if (!column.help.isEmpty()) {
        String title = Table.title(column.title);
        out.append("  ")
            .append(title)
            .append(
                title.length() + 2 < INDENT.length()
                    ? INDENT.substring(title.length() + 2)
                    : "\n" + INDENT)
            .append(column.help.replace("\n", "\n" + INDENT))
            .append('\n');
      }
    }
    return out.toString();
  }
}
