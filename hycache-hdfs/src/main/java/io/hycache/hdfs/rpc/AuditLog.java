package io.hycache.hdfs.rpc;

import java.net.InetAddress;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * As HDFS's audit log: fields key=value, separated by tabs. Values that a user chose are quoted, and what could
 * end a value or a line is written as an escape, so that no name can look like another field.
 */
/**
 * One line for each command that changes something, or was refused, to the logger {@code
 * io.hycache.audit}. Thread-safe.
 */
final class AuditLog {
  static final String LOGGER = "io.hycache.audit";
  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
  private static final int MAX_CHARS = 1000;

  private AuditLog() {}

  /**
   * Logs one command of the call that this thread answers.
   *
   * @param subject what it is about, such as the name of a workflow; empty: nothing
   * @param reason why it was refused, or not all of it allowed; else empty
   */
  static void log(
      UserGroupInformation user, String command, String subject, boolean allowed, String reason) {
    if (LOG.isInfoEnabled()) {
      LOG.info(line(user.toString(), Callers.address(), command, subject, allowed, reason));
    }
  }

  /** Logs a command that failed, with the failure as its reason. */
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

  /** In double quotes, with everything but plain visible characters and blanks escaped. */
  private static String quoted(String value) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < Math.min(value.length(), MAX_CHARS); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append(value.length() > MAX_CHARS ? "...\"" : "\"").toString();
  }
}
