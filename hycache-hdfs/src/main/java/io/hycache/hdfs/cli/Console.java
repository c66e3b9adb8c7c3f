// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Where a command writes: results to out, everything else to err. What may have names that users
 * chose is {@link Text#printable}.
 */
final class Console {
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

  /** Prints one line. */
  @FormatMethod
  void printf(@FormatString String format, Object... args) {
    out.println(Text.printable(String.format(Locale.ROOT, format, args)));
  }

  /** Prints one line. */
  void warn(String text) {
    err.println("hycache: " + Text.printable(text));
  }

  /** For commands whose own output must stay out of someone else's. */
  Console onErr() {
    return new Console(err, err, wide);
  }
}
