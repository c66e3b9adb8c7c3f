// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.net.InetAddress;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * The format is that of HDFS's audit log: fields key=value, separated by tabs. Values chosen by a user
 * are quoted, and characters that could end a value or a line are escaped, so that no name can pass for
 * another field.
 */
/**
 * Writes one line for each command that changes state or is refused, to the logger {@code
 * io.hycache.audit}. Thread-safe.
 */
final class AuditLog {
  static final String LOGGER = "io.hycache.audit";
  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
  private static final int MAX_VALUE_CHARS = 1000;

  private AuditLog() {}

  /**
   * Logs the command of the call that this thread serves.
   *
   * @param subject object of the command, such as the name of a workflow; may be empty
   * @param reason why the command, or a part of it, was refused; empty otherwise
   */
  static void log(
      UserGroupInformation user, String command, String subject, boolean allowed, String reason) {
    if (LOG.isInfoEnabled()) {
      LOG.info(line(user.toString(), Callers.address(), command, subject, allowed, reason));
    }
  }

  /** Logs a command that failed; the message of the failure is the reason. */
  static void refused(UserGroupInformation user, String command, String subject, Exception why) {
    log(user, command, subject, false, String.valueOf(why.getMessage()));
  }

  static String line(
      String user,
      @Nullable InetAddress address,
      String command,
      String subject,
      boolean allowed,
      String reason) {
    return "allowed="
        + allowed
        + "\tugi="
        + quoted(user)
        + "\tip="
        + (address == null ? "none" : address.getHostAddress())
        + "\tcmd="
        + command
        + "\tsubject="
        + quoted(subject)
        + "\treason="
        + quoted(reason);
  }

  /** Puts a value in double quotes and escapes all but printable ASCII characters. */
  private static String quoted(String value) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < Math.min(value.length(), MAX_VALUE_CHARS); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append(value.length() > MAX_VALUE_CHARS ? "...\"" : "\"").toString();
  }
}
