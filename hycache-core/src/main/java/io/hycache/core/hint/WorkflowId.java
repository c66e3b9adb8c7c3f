// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Identifies a workflow by its user and the name that this user gave it. Different users may use
 * the same name. Names are compared exactly. Immutable.
 */
public final class WorkflowId {
  /** Maximum length of a user name; sufficient for a Kerberos principal with host and realm. */
  public static final int MAX_USER_CHARS = 1024;

  /** Maximum length of a workflow name. */
  public static final int MAX_NAME_CHARS = 256;

  /** What {@link #isName} accepts, for messages. */
  public static final String EXPECTED_NAME =
      "a name of at most "
          + MAX_NAME_CHARS
          + " characters of well-formed Unicode, none of them a control character";

  private final String user;
  private final String name;

  /**
   * @param user as authenticated, 1 to {@link #MAX_USER_CHARS} characters
   * @param name 1 to {@link #MAX_NAME_CHARS} characters
   * @throws IllegalArgumentException if one is empty, too long, or not well-formed Unicode
   */
  public WorkflowId(String user, String name) {
    this.user = checked("user", user, MAX_USER_CHARS);
    this.name = checked("workflow", name, MAX_NAME_CHARS);
  }

  /**
   * Returns false if DataNodes refuse a name: it is too long, has control characters, or is not
   * well-formed Unicode.
   */
  public static boolean isName(String name) {
    return name.length() <= MAX_NAME_CHARS
        && isWellFormed(name)
        && name.chars().noneMatch(Character::isISOControl);
  }

  /** Returns the first characters of a name, without half of a surrogate pair at its end. */
  public static String cut(String name, int mostChars) {
    if (name.length() <= mostChars) {
      return name;
    }
    boolean splits = mostChars > 0 && Character.isHighSurrogate(name.charAt(mostChars - 1));
    return name.substring(0, splits ? mostChars - 1 : mostChars);
  }

  private static boolean isWellFormed(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static String checked(String what, String text, int most) {
    if (text.isEmpty() || text.length() > most) {
      throw new IllegalArgumentException(
          what + ": expected 1 to " + most + " characters, found " + text.length());
    }
    if (!isWellFormed(text)) {
      throw new IllegalArgumentException(
          what + ": expected well-formed Unicode, found an unpaired surrogate");
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
   * {@code user/name} for logs, both URL-encoded: distinct ids have distinct texts, and names can't
   * inject a slash, space, equals sign or line break.
   */
  @Override
  public String toString() {
    return URLEncoder.encode(user, StandardCharsets.UTF_8)
        + "/"
        + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }
}
