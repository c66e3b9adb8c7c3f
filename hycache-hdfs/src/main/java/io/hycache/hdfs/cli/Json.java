package io.hycache.hdfs.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.stats.NodeStatus;
import java.io.File;
import java.io.IOException;
import java.util.List;

/** Output for scripts. The keys are the names of the fields of the values shown, and stay. */
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

  static void put(ObjectNode node, NodeStatus status) {
    node.put("mode", status.mode);
    node.put("policy", status.policy);
    node.put("partition", status.partition);
    node.put("passThrough", status.passThrough);
    node.put("capacityBytes", status.capacityBytes);
    node.put("dirtyBytes", status.dirtyBytes);
    node.put("ownerBytes", status.ownerBytes);
    node.put("cleanBytes", status.cleanBytes);
    node.put("checksumBytes", status.checksumBytes);
    node.put("freeBytes", status.freeBytes);
    node.put("trackedBlocks", status.trackedBlocks);
    node.put("movesQueued", status.movesQueued);
    node.put("hintsLeft", status.hintsLeft);
    node.put("plannerStalledSeconds", status.plannerStalledSeconds);
    node.put("directoryMembers", status.directoryMembers);
    node.put("directoryTrouble", status.directoryTrouble);
    ArrayNode devices = node.putArray("devices");
    for (DeviceStatus d : status.devices) {
      ObjectNode device = devices.addObject();
      device.put("device", d.device);
      device.put("usable", d.usable);
      device.put("capacityBytes", d.capacityBytes);
      device.put("freeBytes", d.freeBytes);
      device.put("dirtyBytes", d.dirtyBytes);
      device.put("ownerBytes", d.ownerBytes);
      device.put("cleanBytes", d.cleanBytes);
      device.put("checksumBytes", d.checksumBytes);
      device.put("userWriteBytesPerDay", d.userWriteBytesPerDay);
      device.put("promotionBytesPerDay", d.promotionBytesPerDay);
      if (d.writeBudgetLeftBytes != Long.MAX_VALUE) {
        device.put("writeBudgetLeftBytes", d.writeBudgetLeftBytes);
      }
    }
    ObjectNode counters = node.putObject("counters");
    status.counters.forEach(counters::put);
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
