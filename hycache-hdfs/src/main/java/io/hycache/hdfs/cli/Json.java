// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.Manifest;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.stats.ObservedPlace;
import java.io.File;
import java.io.IOException;
import java.util.List;

/**
 * Output for scripts. Keys are never renamed; those of a status are the keys of its figures. All
 * characters are ASCII, so that names are whole whatever the charset of the standard output is.
 */
final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  /** For files, whose encoding is known, and that people read and edit. */
  private static final ObjectMapper OF_FILES = new JsonMapper();

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
    console.print(text(MAPPER.writerWithDefaultPrettyPrinter(), node));
  }

  static void printLine(Console console, ObjectNode node) {
    console.print(text(MAPPER.writer(), node));
  }

  /** Returns the text of a file in UTF-8. */
  static String text(ObjectNode node) {
    return text(OF_FILES.writerWithDefaultPrettyPrinter(), node);
  }

  private static String text(ObjectWriter writer, ObjectNode node) {
    try {
      return writer.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write JSON", e);
    }
  }

  /** A manifest as a file of version 1. */
  static ObjectNode manifest(Manifest manifest) {
    ObjectNode root = object();
    root.put("version", 1);
    root.put("workflow", manifest.workflow());
    root.put("ttl", manifest.ttl().toSeconds() + "s");
    ArrayNode jobs = root.putArray("jobs");
    for (Manifest.Job job : manifest.jobsInOrder()) {
      ObjectNode node = jobs.addObject();
      node.put("name", job.name());
      if (!job.after().isEmpty()) {
        put(node, "after", job.after());
      }
      if (job.repeat() > 1) {
        node.put("repeat", job.repeat());
      }
      ArrayNode reads = node.putArray("reads");
      for (Manifest.Read read : job.reads()) {
        ObjectNode each = reads.addObject();
        each.put("path", read.path());
        if (read.times() > 1) {
          each.put("times", read.times());
        }
        if (read.random()) {
          each.put("access", "random");
        }
      }
      if (!job.writes().isEmpty()) {
        ArrayNode writes = node.putArray("writes");
        for (Manifest.Write write : job.writes()) {
          writes.addObject().put("path", write.path()).put("readsLater", write.readsLater());
        }
      }
    }
    return root;
  }

  static void put(ObjectNode node, String key, List<String> values) {
    ArrayNode array = node.putArray(key);
    values.forEach(array::add);
  }

  static void put(ObjectNode node, BlockStatus status) {
    node.put("storage", status.storage);
    node.put("dirty", status.dirty);
    node.put("cleanData", status.cleanData);
    if (status.cleanData) {
      node.put("copyType", status.copyType);
    }
    node.put("cleanChecksums", status.cleanChecksums);
    node.put("referencesLeft", status.referencesLeft);
    node.put("reads", status.reads);
    node.put("reason", status.reason.name());
    node.put("reasonText", status.reason.text());
    ObservedPlace observed = status.observed;
    if (observed != null) {
      node.putObject("observed")
          .put("storage", observed.storage)
          .put("agoMillis", observed.agoMillis)
          .put("reason", observed.reason.name())
          .put("reasonText", observed.reason.text());
    }
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
