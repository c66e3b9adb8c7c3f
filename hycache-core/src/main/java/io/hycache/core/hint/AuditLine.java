// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import org.jspecify.annotations.Nullable;

/*
 * The fields before src hold no text that a user can choose freely, and no value holds a tab: where
 * a path or a caller context has one, the NameNode writes an escape. So the first occurrence of a
 * field's name after the preceding field is the field itself, and what looks like a field within a
 * path is a part of the path. Each field is looked for once, from the end of the one before: O(length), whatever a
 * path holds.
 *
 * The escapes are those of a string in Java (HDFS-11048): all but printable ASCII, the double quote
 * and the backslash; in some versions the slash, too. NameNodes that are older than this wrote paths
 * as they are. In their logs a path with a backslash is taken for another one; such paths are rare.
 */
/** A line of the NameNode's audit log: fields key=value, separated by tabs. Immutable. */
public final class AuditLine {
  /** Caller context of look-ups of blocks to be hinted, which the log shows as opens, too. */
  public static final String LOOK_UP = "hycache";

  private static final int TIME_CHARS = 19;
  private static final String ALLOWED = "allowed=";
  private static final String USER = "\tugi=";
  private static final String COMMAND = "\tcmd=";
  private static final String SOURCE = "\tsrc=";
  private static final String TARGET = "\tdst=";
  private static final String CONTEXT = "\tcallerContext=";
  private static final String TASK_CONTEXT = "mr_attempt_";

  /** Characters that stand behind a backslash, and what each of them means. */
  private static final String ESCAPES = "tnrbf\"\\/";

  private static final String ESCAPED = "\t\n\r\b\f\"\\/";
  private static final int UNIT_DIGITS = 4;

  private final String line;

  /** Where the values of these fields begin. */
  private final int allowed;

  private final int command;
  private final int source;
  private final int target;

  private AuditLine(String line, int allowed, int command, int source, int target) {
    this.line = line;
    this.allowed = allowed;
    this.command = command;
    this.source = source;
    this.target = target;
  }

  /** Parses a line; returns null if it is of another kind. O(length). */
  public static @Nullable AuditLine of(String line) {
    int allowed = value(line, ALLOWED, TIME_CHARS);
    int command = value(line, COMMAND, allowed);
    int source = value(line, SOURCE, command);
    int target = value(line, TARGET, source);
    return target < 0 ? null : new AuditLine(line, allowed, command, source, target);
  }

  /** Where the value of the first such field begins; -1 if there is none, or no place to start. */
  private static int value(String line, String field, int from) {
    int at = from < 0 ? -1 : line.indexOf(field, from);
    return at < 0 ? -1 : at + field.length();
  }

  /** The rest of the field whose value begins there. */
  private String value(int from) {
    int to = line.indexOf('\t', from);
    return to < 0 ? line.substring(from) : line.substring(from, to);
  }

  /** Returns milliseconds since 1970; -1 if the line does not begin with a time. */
  public long timeMillis() {
    return LogTime.millis(line);
  }

  /** Returns true if the NameNode allowed the operation. */
  public boolean isAllowed() {
    return value(allowed).equals("true");
  }

  /** Returns the operation without its options, such as {@code open}. */
  public String command() {
    int to = command;
    while (to < line.length() && Character.isLetterOrDigit(line.charAt(to))) {
      to++;
    }
    return line.substring(command, to);
  }

  /** Returns true if the operation has options, such as a rename that overwrites. */
  public boolean hasOptions() {
    return value(command).length() > command().length();
  }

  /** Returns the path of the operation, as HDFS has it: without escapes. */
  public String source() {
    return unescaped(line.substring(source, target - TARGET.length()));
  }

  /** Returns the second path, of a rename, as HDFS has it. */
  public String target() {
    return unescaped(value(target));
  }

  /** A text without escapes; a backslash that begins none is left as it is. */
  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int from = 0;
    for (int at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
      out.append(text, from, at);
      int escape = at + 1 < text.length() ? ESCAPES.indexOf(text.charAt(at + 1)) : -1;
      int unit = text.startsWith("u", at + 1) ? unit(text, at + 2) : -1;
      if (escape >= 0) {
        out.append(ESCAPED.charAt(escape));
        from = at + 2;
      } else if (unit >= 0) {
        out.append((char) unit);
        from = at + 2 + UNIT_DIGITS;
      } else {
        out.append('\\');
        from = at + 1;
      }
    }
    return out.append(text, from, text.length()).toString();
  }

  /** The number that four hexadecimal digits are; -1 if there are no such digits. */
  private static int unit(String text, int from) {
    int out = 0;
    for (int at = from; at < from + UNIT_DIGITS; at++) {
      int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
      if (digit < 0) {
        return -1;
      }
      out = out << 4 | digit;
    }
    return out;
  }

  /**
   * Returns the user's name without its host and realm, and without the real user of a proxy; null
   * if the line has none.
   */
  public @Nullable String user() {
    int from = value(line, USER, allowed);
    if (from < 0 || from > command) {
      return null;
    }
    int to = from;
    while (" \t/@".indexOf(line.charAt(to)) < 0) {
      to++; // the command's field begins with a tab
    }
    return to == from ? null : line.substring(from, to);
  }

  /** Returns true if HyCache looked up blocks to hint them, and the NameNode logs contexts. */
  public boolean isLookUp() {
    return LOOK_UP.equals(job());
  }

  /**
   * Returns the job that the caller context names, see {@link JobNames}; null if there is no
   * context.
   */
  public @Nullable String job() {
    String context = context();
    return context.isEmpty() ? null : JobNames.of(context);
  }

  /** Returns true if the context is that of a task of MapReduce. */
  public boolean isMapReduce() {
    return context().startsWith(TASK_CONTEXT);
  }

  /** The caller context; empty if there is none. */
  private String context() {
    int from = value(line, CONTEXT, target);
    return from < 0 ? "" : value(from);
  }
}
