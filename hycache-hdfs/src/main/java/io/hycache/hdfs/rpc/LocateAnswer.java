// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Weighing;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.stats.ObservedPlace;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.jspecify.annotations.Nullable;

/*
 * {v, blocks: [[storage, dirty, cleanData, cleanChecksums, references left, reads, reason]...],
 *  decisions: [[policy, agoMillis, trigger, outcome, wantedBytes, freeBytes, victims, references]
 *              or the same with [..., gain, cost, unit] or null...],
 *  copyTypes: {number of a block, from 0: storage type of its clean copy...} of those not on SSD,
 *  observed: {number of a block: [storage type, agoMillis, reason]...} in mode observe}
 *
 * A decision stands beside its block's row, not in it, because clients of an older version require
 * rows of their own length.
 */
/** Answer to {@code locate}: one status for each block, in the order of the request. */
final class LocateAnswer {
  private static final int DECISION_COLUMNS = 8;
  private static final int WEIGHED_DECISION_COLUMNS = 11;

  private LocateAnswer() {}

  static BytesValue encode(List<BlockStatus> blocks) {
    ObjectNode root = JsonMessage.create();
    ArrayNode rows = root.putArray("blocks");
    for (BlockStatus b : blocks) {
      rows.addArray()
          .add(b.storage)
          .add(b.dirty)
          .add(b.cleanData)
          .add(b.cleanChecksums)
          .add(b.referencesLeft)
          .add(b.reads)
          .add(b.reason.name());
    }
    ArrayNode decisions = root.putArray("decisions");
    for (BlockStatus b : blocks) {
      if (b.decision == null) {
        decisions.addNull();
      } else {
        write(decisions.addArray(), b.decision);
      }
    }
    ObjectNode types = root.objectNode();
    for (int i = 0; i < blocks.size(); i++) {
      if (!blocks.get(i).copyType.equals(FastDevice.SSD)) {
        types.put(String.valueOf(i), blocks.get(i).copyType);
      }
    }
    if (!types.isEmpty()) {
      root.set("copyTypes", types);
    }
    ObjectNode observed = root.objectNode();
    for (int i = 0; i < blocks.size(); i++) {
      ObservedPlace place = blocks.get(i).observed;
      if (place != null) {
        observed
            .putArray(String.valueOf(i))
            .add(place.storage)
            .add(place.agoMillis)
            .add(place.reason.name());
      }
    }
    if (!observed.isEmpty()) {
      root.set("observed", observed);
    }
    return JsonMessage.encode(root);
  }

  private static void write(ArrayNode row, LastDecision d) {
    row.add(d.policy)
        .add(d.agoMillis)
        .add(d.trigger)
        .add(d.outcome)
        .add(d.wantedBytes)
        .add(d.freeBytes)
        .add(d.victims)
        .add(d.references);
    if (d.weighing != null) {
      row.add(d.weighing.gain()).add(d.weighing.cost()).add(d.weighing.unit());
    }
  }

  /**
   * Decodes an answer.
   *
   * @param asked the blocks of the request
   * @throws RefusedException if the answer is malformed or has fewer blocks than the request
   */
  static List<BlockStatus> decode(BytesValue answer, List<BlockKey> asked) throws RefusedException {
    List<BlockStatus> out = new ArrayList<>();
    JsonNode root = JsonMessage.decode(answer);
    for (JsonNode row : JsonFields.rows(root, "blocks", 7)) {
      if (out.size() == asked.size()) {
        break;
      }
      JsonNode type = root.path("copyTypes").get(String.valueOf(out.size()));
      BlockStatus status =
          new BlockStatus(
              asked.get(out.size()),
              JsonFields.text(row.get(0), "storage", JsonFields.MAX_NAME_CHARS),
              JsonFields.flag(row.get(1), "dirty"),
              JsonFields.flag(row.get(2), "cleanData"),
              JsonFields.flag(row.get(3), "cleanChecksums"),
              JsonFields.amount(row.get(4), "referencesLeft"),
              JsonFields.amount(row.get(5), "reads"),
              reason(row.get(6)),
              decision(root.path("decisions").get(out.size())));
      if (type != null) {
        status = status.withCopyOn(JsonFields.name(type, "copyTypes"));
      }
      JsonNode place = root.path("observed").get(String.valueOf(out.size()));
      out.add(place == null ? status : status.withObserved(observed(place), status.decision));
    }
    if (out.size() != asked.size()) {
      throw JsonFields.malformed("blocks", asked.size() + " answers", out.size());
    }
    return out;
  }

  private static ObservedPlace observed(JsonNode place) throws RefusedException {
    return new ObservedPlace(
        JsonFields.name(place.get(0), "observed"),
        JsonFields.number(place.get(1), "agoMillis", 0, Long.MAX_VALUE),
        reason(place.get(2)));
  }

  static Reason reason(@Nullable JsonNode node) throws RefusedException {
    String name = JsonFields.text(node, "reason", JsonFields.MAX_NAME_CHARS);
    try {
      return Reason.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw JsonFields.malformed(
          "reason", "a reason of this version", name + ". Fix: use the DataNode's version");
    }
  }

  /** Null if there is none, or if it is of another version: a decision only explains. */
  private static @Nullable LastDecision decision(@Nullable JsonNode row) throws RefusedException {
    if (row == null
        || !row.isArray()
        || (row.size() != DECISION_COLUMNS && row.size() != WEIGHED_DECISION_COLUMNS)) {
      return null;
    }
    Weighing weighing =
        row.size() == DECISION_COLUMNS
            ? null
            : new Weighing(
                row.get(8).asDouble(),
                row.get(9).asDouble(),
                JsonFields.text(row.get(10), "unit", JsonFields.MAX_NAME_CHARS));
    return new LastDecision(
        JsonFields.text(row.get(0), "policy", JsonFields.MAX_NAME_CHARS),
        JsonFields.amount(row.get(1), "agoMillis"),
        JsonFields.text(row.get(2), "trigger", JsonFields.MAX_NAME_CHARS),
        JsonFields.text(row.get(3), "outcome", JsonFields.MAX_NAME_CHARS),
        JsonFields.amount(row.get(4), "wantedBytes"),
        JsonFields.amount(row.get(5), "freeBytes"),
        JsonFields.count(row.get(6), "victims"),
        JsonFields.amount(row.get(7), "references"),
        weighing);
  }
}
