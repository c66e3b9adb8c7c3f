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
 * Reads a JSON document once from front to back, keeps nothing of it, and knows for each error the
 * line, the column and the JSON path.
 */
final class JsonCursor {

  /** Reads the value of one key, or one element. */
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

  /** Reads the one value of the document; nothing may follow it. */
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
      // A string is decoded when it is asked for, so this may come from any of the methods below.
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
      throw error(where(), "more after the end", "one JSON object", "remove what follows it");
    }
  }

  /**
   * Reads an object at the current position.
   *
   * @param required keys that must be there
   * @param optional keys that may be there
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
        throw error(where(), "unknown key " + quoted(key), keys, "rename or remove it");
      }
      if (!seen.add(key)) {
        throw error(
            where(), "key " + quoted(key) + " again", "each key once", "remove one of them");
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
  void array(String allowed, ValueReader elements) throws IOException, ManifestException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw error(where(), found(), allowed, "put it into square brackets");
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.read("");
    }
  }

  /** Reads a string at the current position that is not blank. */
  String text(String allowed, String mend) throws IOException, ManifestException {
    if (parser.currentToken() != JsonToken.VALUE_STRING || parser.getText().isBlank()) {
      throw error(where(), found(), allowed, mend);
    }
    return parser.getText();
  }

  /** Reads a whole number at the current position. */
  int wholeNumber(int min, int max, String mend) throws IOException, ManifestException {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() == JsonParser.NumberType.INT) {
      int value = parser.getIntValue();
      if (value >= min && value <= max) {
        return value;
      }
    }
    String allowed = min == max ? String.valueOf(min) : "a whole number from " + min + " to " + max;
    throw error(where(), found(), allowed, mend);
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

  /** What stands at the current position, for people. */
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

  ManifestException error(String where, String found, String allowed, String mend) {
    return ManifestException.of(where, found, allowed, mend);
  }

  /** The text in quotes, control characters replaced, cut when it is long. */
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
