// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import org.jspecify.annotations.Nullable;

/*
 * The fields before src hold no text that a user can choose freely, and no value holds a tab: where
 * a path or a caller context has one, the NameNode writes an escape. So the first field of a name
 * behind the field before it is the true one, and what looks like a field within a path is a part
 * of the path. Each field is looked for once, from the end of the one before: O(length), whatever a
 * path holds.
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

  /** Returns the path of the operation. */
  public String source() {
    return line.substring(source, target - TARGET.length());
  }

  /** Returns the second path, of a rename. */
  public String target() {
    return value(target);
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
    int from = value(line, CONTEXT, target);
    String context = from < 0 ? "" : value(from);
    return context.isEmpty() ? null : JobNames.of(context);
  }
}
