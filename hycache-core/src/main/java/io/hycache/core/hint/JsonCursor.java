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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Streams through a JSON document once, without keeping it, and collects errors with line, column
 * and JSON path: behind a wrong value it goes on, behind broken JSON it cannot.
 */
final class JsonCursor {

  /** Reads the value of a key, or an array element. */
  interface ValueReader {
    void read(String key) throws IOException, ManifestException;
  }

  /** Ends the document early; the errors are kept. */
  private static final class Stop extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private static final int MAX_SHOWN = 160;
  private static final int MAX_ERRORS = 20;

  private final String file;
  private final JsonParser parser;
  private final List<String> errors = new ArrayList<>();

  JsonCursor(String file, Reader in) throws IOException {
    this.file = file;
    this.parser = new JsonFactory().createParser(in);
    this.parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
  }

  /**
   * Reads the single value of the document; anything after it is an error.
   *
   * @return whether it was read to its end
   */
  boolean document(ValueReader value) throws IOException {
    try {
      readDocument(value);
      return true;
    } catch (Stop e) {
      return false;
    } catch (JsonEOFException e) {
      return isRead(
          error(
              at(e.getLocation()) + ": " + path(parser.getParsingContext()),
              "the end of the file in the middle of a value",
              "a complete JSON object",
              "close all quotes, brackets and braces"));
    } catch (JsonProcessingException e) {
      // Strings are decoded lazily, so any of the methods below may throw this.
      return isRead(
          error(
              at(e.getLocation()) + ": " + path(parser.getParsingContext()),
              "broken JSON (" + shown(e.getOriginalMessage()) + ")",
              "JSON without comments and trailing commas",
              "correct the text at this place"));
    } catch (ManifestException e) {
      return isRead(e);
    }
  }

  private boolean isRead(ManifestException last) {
    add(last);
    return false;
  }

  /** Keeps an error; of those beyond a bound, that there are more. */
  void add(ManifestException error) {
    if (errors.size() < MAX_ERRORS) {
      errors.addAll(error.errors());
    } else if (errors.size() == MAX_ERRORS) {
      errors.add(file + ": expected no more errors, found some. Fix: correct these first.");
    }
  }

  /** Keeps an error within the document; the reading goes on unless there are too many. */
  private void keep(ManifestException error) throws IOException {
    add(error);
    if (errors.size() > MAX_ERRORS) {
      throw new Stop();
    }
  }

  /** Keeps an error behind which nothing is to be read. */
  void stop(ManifestException error) throws IOException {
    add(error);
    throw new Stop();
  }

  /** Throws all errors, if there are any. */
  void throwErrors() throws ManifestException {
    if (!errors.isEmpty()) {
      throw new ManifestException(errors);
    }
  }

  /** Reads a value within this object or array; a wrong one is kept as an error and passed over. */
  private void value(JsonStreamContext within, ValueReader value, String key) throws IOException {
    try {
      value.read(key);
    } catch (ManifestException e) {
      keep(e);
      while (parser.getParsingContext() != within && parser.nextToken() != null) {
        // Behind the wrong value.
      }
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
    JsonStreamContext object = parser.getParsingContext();
    Set<String> seen = new HashSet<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      boolean isKnown = required.contains(key) || optional.contains(key);
      if (isKnown && seen.add(key)) {
        parser.nextToken();
        value(object, values, key);
        continue;
      }
      keep(
          isKnown
              ? error(
                  where(), "key " + quoted(key) + " twice", "each key once", "remove one of them")
              : error(
                  where(),
                  "unknown key " + quoted(key),
                  "one of the keys " + keys,
                  "rename or remove it"));
      parser.nextToken();
      parser.skipChildren();
    }
    for (String key : required) {
      if (!seen.contains(key)) {
        keep(error(start, "no key " + quoted(key), "an object with " + keys, "add it"));
      }
    }
  }

  /** Reads an array at the current position. */
  void array(String expected, ValueReader elements) throws IOException, ManifestException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw error(where(), found(), expected, "put it into square brackets");
    }
    JsonStreamContext array = parser.getParsingContext();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      value(array, elements, "");
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
