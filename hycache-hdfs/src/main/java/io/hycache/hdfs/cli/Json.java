// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.LastDecision;
import java.io.File;
import java.io.IOException;
import java.util.List;

/** Output for scripts, with {@link io.hycache.hdfs.rpc.ReadableJson}. Keys are never renamed. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /**
   * The JSON path of a job of a manifest.
   *
   * @throws IOException if it is not there any more
   */
  static String jobPath(String file, String job) throws IOException {
    JsonNode jobs = MAPPER.readTree(new File(file)).path("jobs");
    for (int i = 0; i < jobs.size(); i++) {
      if (jobs.path(i).path("name").asText().equals(job)) {
        return "$.jobs[" + i + "]";
      }
    }
    throw new IOException("changed since it was read: file=" + file);
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static void print(Console console, ObjectNode node) {
    try {
      console.print(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write JSON", e);
    }
  }

  static void put(ObjectNode node, String key, List<String> values) {
    ArrayNode array = node.putArray(key);
    values.forEach(array::add);
  }

  static void put(ObjectNode node, BlockStatus status) {
    node.put("storage", status.storage);
    node.put("dirty", status.dirty);
    node.put("cleanData", status.cleanData);
    node.put("cleanChecksums", status.cleanChecksums);
    node.put("referencesLeft", status.referencesLeft);
    node.put("reads", status.reads);
    node.put("reason", status.reason.name());
    node.put("reasonText", status.reason.text());
    LastDecision d = status.decision;
    if (d != null) {
      ObjectNode decision = node.putObject("decision");
      decision.put("policy", d.policy);
      decision.put("agoMillis", d.agoMillis);
      decision.put("trigger", d.trigger);
      decision.put("outcome", d.outcome);
      decision.put("wantedBytes", d.wantedBytes);
      decision.put("freeBytes", d.freeBytes);
      decision.put("victims", d.victims);
      decision.put("references", d.references);
      if (d.weighing != null) {
        decision.put("gain", d.weighing.gain());
        decision.put("cost", d.weighing.cost());
        decision.put("unit", d.weighing.unit());
      }
    }
  }
}
