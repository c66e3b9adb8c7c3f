// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;

/**
 * A DataNode refused a request: the request is malformed or too large, a block token is wrong, or
 * the user lacks the permission. The message says which. A retry of the same request fails, too.
 */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message may quote what a user sent: Hadoop's server logs it as it is, so line breaks and
   *     other control characters in it are escaped
   */
  public RefusedException(String message) {
    super(printable(message));
  }

  private static String printable(String message) {
    if (message.chars().noneMatch(Character::isISOControl)) {
      return message;
    }
    StringBuilder out = new StringBuilder();
    message
        .chars()
        .forEach(
            c -> {
              if (Character.isISOControl(c)) {
                out.append(String.format("\\u%04x", c));
              } else {
                out.append((char) c);
              }
            });
    return out.toString();
  }
}
