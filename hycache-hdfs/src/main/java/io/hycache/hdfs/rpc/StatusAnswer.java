package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.config.PartitionRule;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, status: {...}}
 */
/** Answer to {@code status}. */
final class StatusAnswer {
  private static final int MAX_PATH_CHARS = 4096;

  private StatusAnswer() {}

  static BytesValue encode(NodeStatus s) {
    ObjectNode root = JsonMessage.create();
    ObjectNode out = root.putObject("status");
    out.put("mode", s.mode);
    out.put("policy", s.policy);
    out.put("partition", s.partition);
    out.put("passThrough", s.passThrough);
    out.put("capacityBytes", s.capacityBytes);
    out.put("dirtyBytes", s.dirtyBytes);
    out.put("ownerBytes", s.ownerBytes);
    out.put("cleanBytes", s.cleanBytes);
    out.put("checksumBytes", s.checksumBytes);
    out.put("freeBytes", s.freeBytes);
    out.put("trackedBlocks", s.trackedBlocks);
    out.put("movesQueued", s.movesQueued);
    out.put("hintsLeft", s.hintsLeft);
    out.put("plannerStalledSeconds", s.plannerStalledSeconds);
    out.put("directoryMembers", s.directoryMembers);
    out.put("directoryTrouble", s.directoryTrouble);
    ArrayNode devices = out.putArray("devices");
    for (DeviceStatus d : s.devices) {
      devices
          .addArray()
          .add(d.device)
          .add(d.usable)
          .add(d.capacityBytes)
          .add(d.freeBytes)
          .add(d.dirtyBytes)
          .add(d.ownerBytes)
          .add(d.cleanBytes)
          .add(d.checksumBytes)
          .add(d.userWriteBytesPerDay)
          .add(d.promotionBytesPerDay)
          .add(d.writeBudgetLeftBytes);
    }
    ObjectNode counters = out.putObject("counters");
    s.counters.forEach(counters::put);
    return JsonMessage.encode(root);
  }

  static NodeStatus decode(BytesValue answer) throws RefusedException {
    JsonNode s = JsonMessage.decode(answer).path("status");
    JsonNode counters = s.path("counters");
    Map<String, Long> byName = new LinkedHashMap<>();
    var names = counters.fieldNames();
    while (names.hasNext()) {
      String key = names.next();
      byName.put(key, JsonFields.number(counters.get(key), key, Long.MIN_VALUE, Long.MAX_VALUE));
    }
    NodeStatus status =
        new NodeStatus(
            JsonFields.name(s.get("mode"), "mode"),
            JsonFields.name(s.get("policy"), "policy"),
            // A DataNode of an older version knows one rule.
            s.has("partition")
                ? JsonFields.name(s.get("partition"), "partition")
                : PartitionRule.SHARED.toString(),
            JsonFields.flag(s.get("passThrough"), "passThrough"),
            JsonFields.amount(s.get("capacityBytes"), "capacityBytes"),
            JsonFields.amount(s.get("dirtyBytes"), "dirtyBytes"),
            JsonFields.amount(s.get("ownerBytes"), "ownerBytes"),
            JsonFields.amount(s.get("cleanBytes"), "cleanBytes"),
            JsonFields.amount(s.get("checksumBytes"), "checksumBytes"),
            JsonFields.amount(s.get("freeBytes"), "freeBytes"),
            JsonFields.amount(s.get("trackedBlocks"), "trackedBlocks"),
            JsonFields.amount(s.get("movesQueued"), "movesQueued"),
            JsonFields.amount(s.get("hintsLeft"), "hintsLeft"),
            // A DataNode of an older version does not say.
            s.has("plannerStalledSeconds")
                ? JsonFields.amount(s.get("plannerStalledSeconds"), "plannerStalledSeconds")
                : 0,
            devices(s),
            byName);
    if (!s.has("directoryMembers")) {
      // A DataNode of an older version.
      return status;
    }
    return status.withDirectory(
        JsonFields.count(s.get("directoryMembers"), "directoryMembers"),
        JsonFields.text(
            s.get("directoryTrouble"), "directoryTrouble", JsonFields.MAX_STRING_CHARS));
  }

  private static List<DeviceStatus> devices(JsonNode status) throws RefusedException {
    List<DeviceStatus> out = new ArrayList<>();
    if (!status.has("devices")) {
      // A DataNode of an older version.
      return out;
    }
    for (JsonNode row : JsonFields.rows(status, "devices", 11)) {
      out.add(
          new DeviceStatus(
              JsonFields.text(row.get(0), "device", MAX_PATH_CHARS),
              JsonFields.flag(row.get(1), "usable"),
              JsonFields.amount(row.get(2), "capacityBytes"),
              JsonFields.amount(row.get(3), "freeBytes"),
              JsonFields.amount(row.get(4), "dirtyBytes"),
              JsonFields.amount(row.get(5), "ownerBytes"),
              JsonFields.amount(row.get(6), "cleanBytes"),
              JsonFields.amount(row.get(7), "checksumBytes"),
              JsonFields.amount(row.get(8), "userWriteBytesPerDay"),
              JsonFields.amount(row.get(9), "promotionBytesPerDay"),
              JsonFields.amount(row.get(10), "writeBudgetLeftBytes")));
    }
    return out;
  }
}
