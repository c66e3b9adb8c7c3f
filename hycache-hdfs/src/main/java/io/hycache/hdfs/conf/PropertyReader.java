// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads single properties as operators write them. Each method throws an {@link
 * IllegalArgumentException} that names the key, what was expected and what was found.
 */
public final class PropertyReader {
  /** Longer ones, or a small multiple of them, would not fit into nanoseconds. */
  private static final long MAX_DURATION_DAYS = 3650;

  private final Configuration conf;

  PropertyReader(Configuration conf) {
    this.conf = conf;
  }

  /** The value without the blanks around it; never empty. */
  String text(String key) {
    String value = conf.getTrimmed(key);
    if (value == null || value.isEmpty()) {
      throw unexpected(key, "a value", "none");
    }
    return value;
  }

  /** HDFS's own sizes: a number with an optional k, m, g, t, and an optional B after it. */
  long bytes(String key) {
    return bytes(key, text(key));
  }

  /**
   * As {@link #bytes(String)}.
   *
   * @param name of the property or option, for the message
   */
  public static long bytes(String name, String text) {
    try {
      return StringUtils.TraditionalBinaryPrefix.string2long(
          text.length() > 1 && text.toUpperCase(Locale.ROOT).endsWith("B")
              ? text.substring(0, text.length() - 1)
              : text);
    } catch (IllegalArgumentException e) {
      throw unexpected(name, "a size such as 0, 64MB or 1g", quoted(text), e);
    }
  }

  /**
   * Hadoop's own durations: a number of seconds, or one with ms, s, m, h or d after it; 3650d at
   * most.
   */
  Duration duration(String key) {
    long millis;
    try {
      millis = conf.getTimeDuration(key, 0L, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      throw unexpected(key, "a duration such as 60s or 5m", quoted(text(key)), e);
    }
    if (millis > TimeUnit.DAYS.toMillis(MAX_DURATION_DAYS)) {
      throw unexpected(key, "at most " + MAX_DURATION_DAYS + "d", quoted(text(key)));
    }
    return Duration.ofMillis(millis);
  }

  double number(String key) {
    try {
      return Double.parseDouble(text(key));
    } catch (NumberFormatException e) {
      throw unexpected(key, "a number such as 0.5", quoted(text(key)), e);
    }
  }

  /** A number, or one in percent. */
  double share(String key) {
    String text = text(key);
    try {
      return text.endsWith("%")
          ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
          : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw unexpected(key, "a share such as 0.7 or 70%", quoted(text), e);
    }
  }

  int integer(String key) {
    try {
      return Integer.parseInt(text(key));
    } catch (NumberFormatException e) {
      throw unexpected(key, "a whole number", quoted(text(key)), e);
    }
  }

  /** A value as errors show it. */
  public static String quoted(String text) {
    return "'" + text + "'";
  }

  /** The error for a value that is not as expected. */
  public static IllegalArgumentException unexpected(String key, String expected, Object found) {
    return unexpected(key, expected, found, null);
  }

  /** The error for a value that could not be parsed. */
  public static IllegalArgumentException unexpected(
      String key, String expected, Object found, @Nullable Exception cause) {
    return new IllegalArgumentException(key + ": expected " + expected + ", found " + found, cause);
  }
}
