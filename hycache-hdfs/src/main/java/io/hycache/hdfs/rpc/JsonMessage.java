// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static io.hycache.hdfs.rpc.JsonFields.malformed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * A message of the client protocol, but for those of holders (HoldersRequest, HoldersAnswer), is a JSON object with "v" = 1. Readers ignore unknown keys, so that a
 * later version may add keys; what a later version added may be missing. Each message's definition
 * stands in the class that encodes it:
 *
 *   method       request          answer
 *   submitHints  SubmitRequest    SubmitAnswer
 *   withdraw     WithdrawRequest  WithdrawAnswer
 *   workflows    {v}              WorkflowsAnswer
 *   status       {v}              StatusAnswer
 *   locate       BlocksRequest    LocateAnswer
 *   list         ListRequest      ListAnswer
 *   explain      ExplainRequest   ExplainAnswer
 *   settings     SettingsMessage  SettingsMessage
 *
 * Input is scanned before a tree is built of it: its size, depth, number of tokens and the length of
 * every key, string and number are bounded, so that no request costs a DataNode more memory than a few
 * times its own size. The first violation ends in a RefusedException that names it.
 */
/** Encodes and decodes the messages of the client protocol, with bounds. */
final class JsonMessage {
  private static final int VERSION = 1;
  private static final int MAX_NUMBER_CHARS = 24;
  private static final int MAX_DEPTH = 6;

  /** An answer about {@link JsonFields#MAX_ITEMS} blocks with their decisions has 440,000. */
  private static final int MAX_JSON_TOKENS = 500_000;

  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
              .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
              // scan() bounds numbers.
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNumberLength(Protocols.MAX_PAYLOAD_BYTES)
                      .build())
              .build());

  private JsonMessage() {}

  /** A message without content, to which keys may be added. */
  static ObjectNode create() {
    return JSON.createObjectNode().put("v", VERSION);
  }

  /** An array to put into a message later. */
  static ArrayNode array() {
    return JSON.createArrayNode();
  }

  static BytesValue encode(ObjectNode root) {
    try {
      return BytesValue.newBuilder()
          .setValue(ByteString.copyFrom(JSON.writeValueAsBytes(root)))
          .build();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot encode a message", e);
    }
  }

  /** Encodes a request without content. */
  static BytesValue encodeEmpty() {
    return encode(create());
  }

  /**
   * Decodes a message of this version.
   *
   * @throws RefusedException if a bound is exceeded, or the message is no JSON object of this
   *     version
   */
  static JsonNode decode(BytesValue message) throws RefusedException {
    byte[] payload = message.getValue().toByteArray();
    if (payload.length > Protocols.MAX_PAYLOAD_BYTES) {
      throw malformed(
          "payload", "at most " + Protocols.MAX_PAYLOAD_BYTES + " bytes", payload.length);
    }
    JsonNode root;
    try {
      scan(payload);
      root = JSON.readTree(payload);
    } catch (RefusedException e) {
      throw e;
    } catch (IOException e) {
      throw malformed("payload", "JSON", "something else: " + ErrorText.of(e));
    }
    if (!root.isObject()) {
      throw malformed("payload", "a JSON object", "another value");
    }
    long version = JsonFields.number(root.get("v"), "v", Integer.MIN_VALUE, Integer.MAX_VALUE);
    if (version != VERSION) {
      throw malformed("v", "version " + VERSION, version);
    }
    return root;
  }

  /** Checks a request without content. */
  static void checkEmpty(BytesValue request) throws RefusedException {
    decode(request);
  }

  private static void scan(byte[] payload) throws IOException {
    int depth = 0;
    int count = 0;
    try (JsonParser parser = JSON.getFactory().createParser(payload)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (++count > MAX_JSON_TOKENS) {
          throw malformed("payload", "at most " + MAX_JSON_TOKENS + " JSON tokens", "more");
        }
        if (token.isStructStart() && ++depth > MAX_DEPTH) {
          throw malformed("payload", "at most " + MAX_DEPTH + " nested levels", "more");
        }
        if (token.isStructEnd()) {
          depth--;
          if (depth == 0 && parser.nextToken() != null) {
            throw malformed("payload", "one JSON value", "more");
          }
        }
        if (token == JsonToken.FIELD_NAME && parser.getTextLength() > JsonFields.MAX_NAME_CHARS) {
          throw malformed(
              "payload",
              "keys of at most " + JsonFields.MAX_NAME_CHARS + " characters",
              parser.getTextLength());
        }
        int allowed = token.isNumeric() ? MAX_NUMBER_CHARS : JsonFields.MAX_STRING_CHARS;
        if (token.isScalarValue() && parser.getTextLength() > allowed) {
          throw malformed(
              "payload", "values of at most " + allowed + " characters", parser.getTextLength());
        }
      }
    }
    if (count == 0) {
      throw malformed("payload", "a JSON object", "nothing");
    }
  }
}
