// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ObservedDay;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.jspecify.annotations.Nullable;

/*
 * {v, status: {key of a NodeFigure: value...,
 *              devices: [[device, usable, number of a DeviceStatus.Figure...]...],
 *              storageTypes: {device: storage type...} of the devices that are no SSDs,
 *              writeBudgets: {device: bytes a day...} of the devices with a budget,
 *              counters: {name: number...},
 *              observedDays: [[day, number of a counter of ObservedDay...]...] in mode observe}}
 *
 * A figure that was added later has a marker, a key whose absence shows that the sender is of an older
 * version. Rows of devices have no room for additions: readers require their length.
 */
/** Answer to {@code status}. */
final class StatusAnswer {
  private static final int MAX_PATH_CHARS = 4096;

  /** Those of a row. */
  private static final List<DeviceStatus.Figure> DEVICE_FIGURES =
      List.copyOf(EnumSet.complementOf(EnumSet.of(DeviceStatus.Figure.WRITE_BUDGET_BYTES)));

  /** Columns before the figures of a device. */
  private static final int FIXED_COLUMNS = 2;

  private StatusAnswer() {}

  static BytesValue encode(NodeStatus s) {
    ObjectNode root = JsonMessage.create();
    ObjectNode out = root.putObject("status");
    s.toMap().forEach(out::putPOJO);
    ArrayNode devices = out.putArray("devices");
    for (DeviceStatus d : s.devices()) {
      ArrayNode row = devices.addArray().add(d.device()).add(d.isUsable());
      for (DeviceStatus.Figure figure : DEVICE_FIGURES) {
        row.add(d.figure(figure));
      }
    }
    ObjectNode types = out.objectNode();
    for (DeviceStatus d : s.devices()) {
      if (!d.storageType().equals(FastDevice.SSD)) {
        types.put(d.device(), d.storageType());
      }
    }
    if (!types.isEmpty()) {
      out.set("storageTypes", types);
    }
    ObjectNode budgets = out.objectNode();
    for (DeviceStatus d : s.devices()) {
      if (d.hasWriteBudget()) {
        budgets.put(d.device(), d.figure(DeviceStatus.Figure.WRITE_BUDGET_BYTES));
      }
    }
    if (!budgets.isEmpty()) {
      out.set("writeBudgets", budgets);
    }
    ObjectNode counters = out.putObject("counters");
    s.counters().forEach(counters::put);
    if (!s.observedDays().isEmpty()) {
      ArrayNode days = out.putArray("observedDays");
      for (ObservedDay day : s.observedDays()) {
        ArrayNode row = days.addArray().add(day.day());
        day.toMap().values().forEach(row::add);
      }
    }
    return JsonMessage.encode(root);
  }

  static NodeStatus decode(BytesValue answer) throws RefusedException {
    JsonNode s = JsonMessage.decode(answer).path("status");
    NodeStatus.Builder out = NodeStatus.builder().counters(counters(s.path("counters")));
    for (NodeFigure figure : NodeFigure.values()) {
      if (figure.isSentWith(s::has)) {
        read(figure, s.get(figure.key()), out);
      }
    }
    return out.devices(devices(s)).observedDays(observedDays(s)).build();
  }

  private static void read(NodeFigure figure, @Nullable JsonNode value, NodeStatus.Builder out)
      throws RefusedException {
    String key = figure.key();
    switch (figure.kind()) {
      case NAME:
        out.put(figure, JsonFields.name(value, key));
        return;
      case TEXT:
        out.put(figure, JsonFields.text(value, key, JsonFields.MAX_STRING_CHARS));
        return;
      case FLAG:
        out.put(figure, JsonFields.flag(value, key));
        return;
      case SIZE:
        out.put(figure, JsonFields.count(value, key));
        return;
      case SHARE:
        out.put(figure, JsonFields.share(value, key));
        return;
      case BYTES:
      case COUNT:
      case TOTAL:
      case SECONDS:
      case MILLIS:
      case MICROS:
        out.put(figure, JsonFields.amount(value, key));
        return;
    }
    throw new IllegalStateException("kind=" + figure.kind());
  }

  private static Map<String, Long> counters(JsonNode counters) throws RefusedException {
    Map<String, Long> out = new LinkedHashMap<>();
    for (Iterator<String> names = counters.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      out.put(name, JsonFields.amount(counters.get(name), name));
    }
    return out;
  }

  private static List<ObservedDay> observedDays(JsonNode status) throws RefusedException {
    List<ObservedDay> out = new ArrayList<>();
    if (!status.has("observedDays")) {
      return out; // from a DataNode of an older version, or in another mode
    }
    for (JsonNode row : JsonFields.rows(status, "observedDays", 1 + ObservedDay.COUNTERS.size())) {
      Map<Counter, Long> counts = new EnumMap<>(Counter.class);
      for (int i = 0; i < ObservedDay.COUNTERS.size(); i++) {
        Counter counter = ObservedDay.COUNTERS.get(i);
        counts.put(counter, JsonFields.amount(row.get(1 + i), counter.label()));
      }
      out.add(new ObservedDay(JsonFields.name(row.get(0), "day"), counts));
    }
    return out;
  }

  private static List<DeviceStatus> devices(JsonNode status) throws RefusedException {
    List<DeviceStatus> out = new ArrayList<>();
    if (!status.has("devices")) {
      return out; // from a DataNode of an older version
    }
    int columns = FIXED_COLUMNS + DEVICE_FIGURES.size();
    for (JsonNode row : JsonFields.rows(status, "devices", columns)) {
      DeviceStatus.Builder device =
          DeviceStatus.builder(
              JsonFields.text(row.get(0), "device", MAX_PATH_CHARS),
              JsonFields.flag(row.get(1), "usable"));
      JsonNode type = status.path("storageTypes").get(row.get(0).asText());
      if (type != null) {
        device.storageType(JsonFields.name(type, "storageTypes"));
      }
      JsonNode budget = status.path("writeBudgets").get(row.get(0).asText());
      if (budget != null) {
        device.put(
            DeviceStatus.Figure.WRITE_BUDGET_BYTES, JsonFields.amount(budget, "writeBudgets"));
      }
      for (int i = 0; i < DEVICE_FIGURES.size(); i++) {
        DeviceStatus.Figure figure = DEVICE_FIGURES.get(i);
        device.put(figure, JsonFields.amount(row.get(FIXED_COLUMNS + i), figure.key()));
      }
      out.add(device.build());
    }
    return out;
  }
}
