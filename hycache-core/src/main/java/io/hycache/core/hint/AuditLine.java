// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A line of the NameNode's audit log. Immutable. */
public final class AuditLine {
  /** Caller context of look-ups of blocks to be hinted, which the log shows as opens, too. */
  public static final String LOOK_UP = "hycache";

  private static final Pattern AUDIT =
      Pattern.compile("^.{19}.*allowed=(\\w+).*\\bcmd=(\\w+).*?\\tsrc=(.*?)\\tdst=(.*?)\\t.*");
  private static final String USER = "ugi=";
  private static final String CONTEXT = "\tcallerContext=";

  private final String line;
  private final Matcher matcher;

  private AuditLine(String line, Matcher matcher) {
    this.line = line;
    this.matcher = matcher;
  }

  /** Parses a line; returns null if it is of another kind. O(length). */
  public static @Nullable AuditLine of(String line) {
    Matcher matcher = AUDIT.matcher(line + "\t");
    return matcher.matches() ? new AuditLine(line, matcher) : null;
  }

  /** Returns milliseconds since 1970; -1 if the line does not begin with a time. */
  public long timeMillis() {
    return LogTime.millis(line);
  }

  /** Returns true if the NameNode allowed the operation. */
  public boolean isAllowed() {
    return matcher.group(1).equals("true");
  }

  /** Returns the operation, such as {@code open}. */
  public String command() {
    return matcher.group(2);
  }

  /** Returns the path of the operation. */
  public String source() {
    return matcher.group(3);
  }

  /** Returns the second path, of a rename. */
  public String target() {
    return matcher.group(4);
  }

  /**
   * Returns the user's name without its host and realm, and without the real user of a proxy; null
   * if the line has none.
   */
  public @Nullable String user() {
    int from = line.indexOf(USER);
    if (from < 0) {
      return null;
    }
    from += USER.length();
    int to = from;
    while (to < line.length() && " \t/@".indexOf(line.charAt(to)) < 0) {
      to++;
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
    int from = line.indexOf(CONTEXT);
    if (from < 0) {
      return null;
    }
    from += CONTEXT.length();
    int to = line.indexOf('\t', from);
    String context = to < 0 ? line.substring(from) : line.substring(from, to);
    return context.isEmpty() ? null : JobNames.of(context);
  }
}
