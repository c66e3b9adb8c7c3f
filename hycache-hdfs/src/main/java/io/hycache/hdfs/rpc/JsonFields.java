// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of a decoded {@link JsonMessage}, with bounds. Each method refuses a value that
 * is missing, of another type or out of bounds, and names it in the error.
 */
final class JsonFields {
  /** Maximum number of rows in a list, so also of references, and of blocks, in one call. */
  static final int MAX_ITEMS = 20_000;

  static final int MAX_NAME_CHARS = 256;
  static final int MAX_STRING_CHARS = 8192;

  private JsonFields() {}

  static RefusedException malformed(String what, String expected, Object found) {
    return new RefusedException(
        "malformed message: " + what + ": expected " + expected + ", found " + found);
  }

  /** What an error says of a value: its type, or a number or truth value itself, never a string. */
  private static String found(@Nullable JsonNode node) {
    return node == null || node.isMissingNode()
        ? "none"
        : node.isNumber() || node.isBoolean()
            ? node.asText()
            : node.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  static JsonNode list(JsonNode root, String key) throws RefusedException {
    JsonNode node = root.get(key);
    if (node == null || !node.isArray()) {
      throw malformed(key, "a list", found(node));
    }
    if (node.size() > MAX_ITEMS) {
      throw malformed(key, "at most " + MAX_ITEMS + " items", node.size());
    }
    return node;
  }

  /** A list of arrays of the same length. */
  static JsonNode rows(JsonNode root, String key, int columns) throws RefusedException {
    JsonNode node = list(root, key);
    for (JsonNode row : node) {
      if (!row.isArray() || row.size() != columns) {
        throw malformed(
            key,
            "rows of " + columns + " values",
            row.isArray() ? "a row of " + row.size() : found(row));
      }
    }
    return node;
  }

  /** A number that nothing but its type bounds. */
  static long amount(@Nullable JsonNode node, String what) throws RefusedException {
    return number(node, what, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** A number from 0 to {@code Integer.MAX_VALUE}. */
  static int count(@Nullable JsonNode node, String what) throws RefusedException {
    return (int) number(node, what, 0, Integer.MAX_VALUE);
  }

  /** A whole number from {@code min} to {@code max}. */
  static long number(@Nullable JsonNode node, String what, long min, long max)
      throws RefusedException {
    if (node == null || !node.isIntegralNumber() || !node.canConvertToLong()) {
      throw malformed(what, "a whole number", found(node));
    }
    long value = node.longValue();
    if (value < min || value > max) {
      throw malformed(what, min + " to " + max, value);
    }
    return value;
  }

  /** A number from 0 to 1. */
  static double share(@Nullable JsonNode node, String what) throws RefusedException {
    if (node == null || !node.isNumber()) {
      throw malformed(what, "a number", found(node));
    }
    double value = node.doubleValue();
    if (!(value >= 0 && value <= 1)) {
      throw malformed(what, "0 to 1", value);
    }
    return value;
  }

  static boolean flag(@Nullable JsonNode node, String what) throws RefusedException {
    if (node == null || !node.isBoolean()) {
      throw malformed(what, "true or false", found(node));
    }
    return node.booleanValue();
  }

  /** A name: 1 to {@link #MAX_NAME_CHARS} characters, none of them a control character. */
  static String name(@Nullable JsonNode node, String what) throws RefusedException {
    return name(node, what, MAX_NAME_CHARS);
  }

  /** A name: 1 to {@code maxChars} characters, none of them a control character. */
  static String name(@Nullable JsonNode node, String what, int maxChars) throws RefusedException {
    String name = text(node, what, maxChars);
    if (name.isEmpty() || name.chars().anyMatch(Character::isISOControl)) {
      throw malformed(
          what,
          "a name without control characters",
          name.isEmpty() ? "an empty one" : "a control character");
    }
    return name;
  }

  /** A string of at most {@code maxChars} characters; may be empty. */
  static String text(@Nullable JsonNode node, String what, int maxChars) throws RefusedException {
    if (node == null || !node.isTextual()) {
      throw malformed(what, "a string", found(node));
    }
    String text = node.textValue();
    if (text.length() > maxChars) {
      throw malformed(what, "at most " + maxChars + " characters", text.length());
    }
    if (!isWellFormed(text)) {
      throw malformed(what, "well-formed Unicode", "an unpaired surrogate");
    }
    return text;
  }

  /** False if a surrogate has no partner: such a text can't be encoded as UTF-8. */
  private static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean pair =
            i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
