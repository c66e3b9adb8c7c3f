package io.hycache.core.hint;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Names a workflow: the user whose it is, and the name that this user gave it. Two users may give
 * the same name to two workflows. Both are compared whole. Immutable.
 */
public final class WorkflowId {
  /** Longest name of a user; a Kerberos principal with host and realm fits. */
  public static final int MAX_USER_CHARS = 1024;

  /** Longest name of a workflow. */
  public static final int MAX_NAME_CHARS = 256;

  private final String user;
  private final String name;

  /**
   * @param user as authenticated, 1 to {@link #MAX_USER_CHARS} characters
   * @param name 1 to {@link #MAX_NAME_CHARS} characters
   * @throws IllegalArgumentException if one is empty, too long, or no well-formed Unicode
   */
  public WorkflowId(String user, String name) {
    this.user = checked("user", user, MAX_USER_CHARS);
    this.name = checked("workflow", name, MAX_NAME_CHARS);
  }

  private static String checked(String what, String text, int most) {
    if (text.isEmpty() || text.length() > most) {
      throw new IllegalArgumentException(
          what + ": length=" + text.length() + " allowed=1.." + most);
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException(what + ": not well-formed Unicode");
    }
    return text;
  }

  public String user() {
    return user;
  }

  public String name() {
    return name;
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof WorkflowId)) {
      return false;
    }
    WorkflowId that = (WorkflowId) other;
    return name.equals(that.name) && user.equals(that.user);
  }

  @Override
  public int hashCode() {
    return 31 * user.hashCode() + name.hashCode();
  }

  /**
   * {@code user/name} for logs, both in the form of URLs: no two ids read the same, and no name
   * brings a slash, space, equals sign or line break of its own.
   */
  @Override
  public String toString() {
    return URLEncoder.encode(user, StandardCharsets.UTF_8)
        + "/"
        + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }
}
