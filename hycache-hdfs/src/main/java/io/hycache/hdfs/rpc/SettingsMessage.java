// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, settings: {key: value...}}
 */
/** Request of {@code settings}, the new values by key, and its answer, all values by key. */
final class SettingsMessage {
  private static final int MAX_SETTINGS = 100;

  private SettingsMessage() {}

  static BytesValue encode(Map<String, String> values) {
    ObjectNode root = JsonMessage.create();
    values.forEach(root.putObject("settings")::put);
    return JsonMessage.encode(root);
  }

  static Map<String, String> decode(BytesValue message) throws RefusedException {
    JsonNode settings = JsonMessage.decode(message).path("settings");
    if (!settings.isObject() || settings.size() > MAX_SETTINGS) {
      throw JsonFields.malformed(
          "settings",
          "an object of at most " + MAX_SETTINGS + " keys",
          settings.isObject() ? settings.size() : "none");
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (Iterator<String> keys = settings.fieldNames(); keys.hasNext(); ) {
      String key = keys.next();
      values.put(key, JsonFields.text(settings.get(key), key, JsonFields.MAX_NAME_CHARS));
    }
    return values;
  }
}
