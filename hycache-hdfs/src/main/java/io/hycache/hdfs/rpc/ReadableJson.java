// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.WorkflowProgress;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ObservedDay;

/**
 * JSON for scripts and for the DataNodes' pages. Keys are never renamed; those of a status are the
 * keys of its figures. Stateless.
 */
public final class ReadableJson {
  private ReadableJson() {}

  /** Puts all figures, devices and counters of a status. */
  public static void put(ObjectNode node, NodeStatus status) {
    status.toMap().forEach(node::putPOJO);
    node.put(NodeFigure.NOT_COUNTED.key(), status.notCounted());
    ArrayNode warnings = node.putArray(NodeFigure.WARNINGS.key());
    status.warnings().forEach(warnings::add);
    ArrayNode devices = node.putArray("devices");
    for (DeviceStatus d : status.devices()) {
      ObjectNode device =
          devices
              .addObject()
              .put("device", d.device())
              .put("storageType", d.storageType())
              .put("usable", d.isUsable());
      for (DeviceStatus.Figure figure : DeviceStatus.Figure.values()) {
        if (d.has(figure)) {
          device.put(figure.key(), d.figure(figure));
        }
      }
    }
    ObjectNode counters = node.putObject("counters");
    status.counters().forEach(counters::put);
    if (!status.observedDays().isEmpty()) {
      ArrayNode days = node.putArray("observedDays");
      for (ObservedDay day : status.observedDays()) {
        ObjectNode object = days.addObject().put("day", day.day());
        day.toMap().forEach(object::put);
      }
    }
  }

  /** Puts a workflow. */
  public static void put(ObjectNode node, WorkflowStatus w) {
    node.put("user", w.id().user());
    node.put("workflow", w.id().name());
    node.put("left", w.left);
    node.put("pinnedBlocks", w.pinnedBlocks);
    node.put("accepted", w.receipt.accepted());
    node.put("refused", w.receipt.refused());
    node.put("ageMillis", w.ageMillis);
    node.put("expiresInMillis", w.expiresInMillis);
    ArrayNode limits = node.putArray("limits");
    w.receipt.limits().forEach(limit -> limits.add(limit.name()));
    WorkflowProgress progress = w.progress;
    if (progress != null) {
      node.put("by", progress.by);
      node.put("readFromSsd", progress.fromSsd);
      node.put("readFromDisk", progress.fromDisk);
      node.put("readElsewhere", progress.elsewhere);
      node.put("onSsd", progress.onSsd);
    }
  }
}
