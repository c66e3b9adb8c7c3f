// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.PrintStream;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Where a command writes: results to out, everything else to err. In texts with names that users
 * chose, control characters, which a terminal would obey, become question marks.
 */
final class Console {
  /** Without those that texts of several lines have. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\n\t]]");

  private final PrintStream out;
  private final PrintStream err;
  private final boolean wide;

  Console(PrintStream out, PrintStream err) {
    this(out, err, false);
  }

  private Console(PrintStream out, PrintStream err, boolean wide) {
    this.out = out;
    this.err = err;
    this.wide = wide;
  }

  /** The same with all columns of tables, however long the lines. */
  Console wide() {
    return new Console(out, err, true);
  }

  boolean isWide() {
    return wide;
  }

  /** Prints a text as it is; may be of several lines. */
  void print(String text) {
    out.println(text);
  }

  /** Prints a table; nothing, if it has no rows. */
  void print(Table table) {
    if (!table.isEmpty()) {
      out.println(table.toString(wide));
    }
  }

  @FormatMethod
  void printf(@FormatString String format, Object... args) {
    out.println(printable(String.format(Locale.ROOT, format, args)));
  }

  void warn(String text) {
    err.println("hycache: " + printable(text));
  }

  private static String printable(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** For commands whose own output must stay out of someone else's. */
  Console onErr() {
    return new Console(err, err, wide);
  }
}
