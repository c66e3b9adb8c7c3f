// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.io.Reader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Streams through a JSON document once, without keeping it, and reports errors with line, column
 * and JSON path.
 */
final class JsonCursor {

  /** Reads the value of a key, or an array element. */
  interface ValueReader {
    void read(String key) throws IOException, ManifestException;
  }

  private static final int MAX_SHOWN = 160;

  private final String file;
  private final JsonParser parser;

  JsonCursor(String file, Reader in) throws IOException {
    this.file = file;
    this.parser = new JsonFactory().createParser(in);
    this.parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
  }

  /** Reads the single value of the document; anything after it is an error. */
  void document(ValueReader value) throws IOException, ManifestException {
    try {
      readDocument(value);
    } catch (JsonEOFException e) {
      throw error(
          at(e.getLocation()) + ": " + path(parser.getParsingContext()),
          "the end of the file in the middle of a value",
          "a complete JSON object",
          "close all quotes, brackets and braces");
    } catch (JsonProcessingException e) {
      // Strings are decoded lazily, so any of the methods below may throw this.
      throw error(
          at(e.getLocation()) + ": " + path(parser.getParsingContext()),
          "broken JSON (" + shown(e.getOriginalMessage()) + ")",
          "JSON without comments and trailing commas",
          "correct the text at this place");
    }
  }

  private void readDocument(ValueReader value) throws IOException, ManifestException {
    if (parser.nextToken() == null) {
      throw error(file, "an empty file", "one JSON object", "write a manifest into it");
    }
    value.read("");
    if (parser.nextToken() != null) {
      throw error(where(), "more text after its end", "one JSON object", "remove that text");
    }
  }

  /**
   * Reads an object at the current position.
   *
   * @param required keys that must be present
   * @param optional keys that may be present
   */
  void object(List<String> required, List<String> optional, ValueReader values)
      throws IOException, ManifestException {
    String start = where();
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw error(start, found(), "an object", "put it into braces");
    }
    String keys = String.join(", ", required) + (optional.isEmpty() ? "" : ", ");
    keys += String.join(", ", optional);
    Set<String> seen = new HashSet<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      if (!required.contains(key) && !optional.contains(key)) {
        throw error(
            where(),
            "unknown key " + quoted(key),
            "one of the keys " + keys,
            "rename or remove it");
      }
      if (!seen.add(key)) {
        throw error(
            where(), "key " + quoted(key) + " twice", "each key once", "remove one of them");
      }
      parser.nextToken();
      values.read(key);
    }
    for (String key : required) {
      if (!seen.contains(key)) {
        throw error(start, "no key " + quoted(key), "an object with " + keys, "add it");
      }
    }
  }

  /** Reads an array at the current position. */
  void array(String expected, ValueReader elements) throws IOException, ManifestException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw error(where(), found(), expected, "put it into square brackets");
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.read("");
    }
  }

  /** Reads a non-blank string at the current position. */
  String text(String expected, String fix) throws IOException, ManifestException {
    if (parser.currentToken() != JsonToken.VALUE_STRING || parser.getText().isBlank()) {
      throw error(where(), found(), expected, fix);
    }
    return parser.getText();
  }

  /** Reads a whole number at the current position. */
  int wholeNumber(int min, int max, String fix) throws IOException, ManifestException {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() == JsonParser.NumberType.INT) {
      int value = parser.getIntValue();
      if (value >= min && value <= max) {
        return value;
      }
    }
    String expected =
        min == max ? String.valueOf(min) : "a whole number from " + min + " to " + max;
    throw error(where(), found(), expected, fix);
  }

  /** File, line, column and JSON path of the current position. */
  String where() {
    JsonStreamContext context = parser.getParsingContext();
    JsonToken token = parser.currentToken();
    if (token != null && token.isStructStart()) {
      context = context.getParent();
    }
    return at(parser.currentTokenLocation()) + ": " + path(context);
  }

  /** Describes the value at the current position, for messages. */
  String found() throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      return "nothing";
    }
    switch (token) {
      case START_OBJECT:
        return "an object";
      case START_ARRAY:
        return "an array";
      case VALUE_STRING:
        return quoted(parser.getText());
      default:
        return shown(parser.getText());
    }
  }

  ManifestException error(String where, String found, String expected, String fix) {
    return ManifestException.of(where, found, expected, fix);
  }

  /** The text in quotes, with control characters replaced, truncated if long. */
  static String quoted(String text) {
    return '"' + shown(text) + '"';
  }

  private String at(JsonLocation location) {
    return file + ":" + location.getLineNr() + ":" + location.getColumnNr();
  }

  private static String path(@Nullable JsonStreamContext context) {
    if (context == null || context.inRoot()) {
      return "$";
    }
    String parent = path(context.getParent());
    if (context.inArray()) {
      return parent + "[" + Math.max(0, context.getCurrentIndex()) + "]";
    }
    return context.getCurrentName() == null
        ? parent
        : parent + "." + shown(context.getCurrentName());
  }

  private static String shown(String text) {
    String printable = text.replaceAll("\\p{Cntrl}", "?");
    return printable.length() <= MAX_SHOWN ? printable : printable.substring(0, MAX_SHOWN) + "...";
  }
}
