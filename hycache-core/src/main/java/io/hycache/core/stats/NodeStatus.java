// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * State of one DataNode at one moment. Immutable. The wire form, {@code --json} and the metrics
 * follow the list of {@link NodeFigure}s: a new figure is one constant, and one {@link Builder#put}
 * where it is measured.
 */
public final class NodeStatus {
  /** What a text of the wire form may have, less what is added to it. */
  private static final int MOST_WARNING_CHARS = 8000;

  /** The partition of a status without the planner's figures. */
  private static final String UNKNOWN_PARTITION = "unknown";

  private final Map<NodeFigure, Object> values;
  private final List<DeviceStatus> devices;
  private final Map<String, Long> counters;
  private final List<ObservedDay> observedDays;

  private NodeStatus(Builder builder) {
    this.values = new EnumMap<>(builder.values);
    this.devices = List.copyOf(builder.devices);
    this.counters = builder.counters;
    this.observedDays = List.copyOf(builder.observedDays);
  }

  /** Collects the values of a status. Not thread-safe. */
  public static final class Builder {
    private final Map<NodeFigure, Object> values = new EnumMap<>(NodeFigure.class);
    private List<DeviceStatus> devices = List.of();
    private Map<String, Long> counters = Map.of();
    private List<ObservedDay> observedDays = List.of();

    private Builder() {
      for (NodeFigure figure : NodeFigure.values()) {
        values.put(figure, figure.initial());
      }
    }

    private Builder(NodeStatus status) {
      values.putAll(status.values);
      devices = status.devices;
      counters = status.counters;
      observedDays = status.observedDays;
    }

    public Builder put(NodeFigure figure, String text) {
      return putValue(figure, text);
    }

    public Builder put(NodeFigure figure, boolean flag) {
      return putValue(figure, flag);
    }

    public Builder put(NodeFigure figure, long number) {
      return putValue(figure, number);
    }

    /** Sets a figure of kind SHARE. */
    public Builder put(NodeFigure figure, double share) {
      return putValue(figure, share);
    }

    /** Sets several figures, each to a number of its kind. */
    public Builder putAll(Map<NodeFigure, ? extends Number> numbers) {
      numbers.forEach(this::putValue);
      return this;
    }

    private Builder putValue(NodeFigure figure, Object value) {
      values.put(figure, figure.checked(value));
      return this;
    }

    /** Sets the fast devices; copied when the status is built. */
    public Builder devices(List<DeviceStatus> all) {
      devices = all;
      return this;
    }

    /** Sets the counters by name; not copied. */
    public Builder counters(Map<String, Long> all) {
      counters = all;
      return this;
    }

    /** Sets what mode observe counted by day, the oldest first; copied when the status is built. */
    public Builder observedDays(List<ObservedDay> all) {
      observedDays = all;
      return this;
    }

    public NodeStatus build() {
      return new NodeStatus(this);
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A status without a figure that only the planner knows. */
  public static NodeStatus withoutPlanner(String mode, String policy) {
    return builder()
        .put(NodeFigure.MODE, mode)
        .put(NodeFigure.POLICY, policy)
        .put(NodeFigure.PARTITION, UNKNOWN_PARTITION)
        .build();
  }

  /** A builder that begins with the values of this status. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /**
   * This status of a DataNode in mode observe, with the policy that decides in the model.
   *
   * @param model state of the model; null if it does not answer
   */
  public NodeStatus withObserved(@Nullable NodeStatus model, List<ObservedDay> days) {
    Builder out = new Builder(this).observedDays(days);
    if (model != null) {
      out.put(NodeFigure.POLICY, model.policy())
          .put(NodeFigure.PARTITION, model.partition())
          .put(NodeFigure.OBSERVED_DIRTY_BYTES, model.dirtyBytes())
          .put(NodeFigure.OBSERVED_CLEAN_BYTES, model.cleanBytes());
    }
    return out.build();
  }

  /**
   * This status with warnings, as many of them as {@value #MOST_WARNING_CHARS} characters hold.
   *
   * @param all a line each
   */
  public NodeStatus withWarnings(List<String> all) {
    String text = String.join("\n", all);
    if (text.length() > MOST_WARNING_CHARS) {
      int end = text.lastIndexOf('\n', MOST_WARNING_CHARS);
      text = text.substring(0, end < 0 ? MOST_WARNING_CHARS : end) + "\nthe log has more warnings";
    }
    return new Builder(this).put(NodeFigure.WARNINGS, text).build();
  }

  /** What an operator should mend, the most serious first. */
  public List<String> warnings() {
    return text(NodeFigure.WARNINGS).lines().collect(Collectors.toUnmodifiableList());
  }

  /** This status for users who are no administrators: without what names devices and settings. */
  public NodeStatus withoutDevices() {
    return new Builder(this)
        .put(NodeFigure.DIRECTORY_TROUBLE, "")
        .put(NodeFigure.WARNINGS, "")
        .devices(List.of())
        .build();
  }

  /**
   * Value of a figure of kind NAME or TEXT.
   *
   * @throws ClassCastException if the figure is of another kind
   */
  public String text(NodeFigure figure) {
    return (String) value(figure);
  }

  /**
   * Value of a figure that is a number.
   *
   * @throws ClassCastException if the figure is of another kind
   */
  public long figure(NodeFigure figure) {
    return (Long) value(figure);
  }

  /**
   * Value of a figure of kind SHARE.
   *
   * @throws ClassCastException if the figure is of another kind
   */
  public double share(NodeFigure figure) {
    return (Double) value(figure);
  }

  /**
   * Value of a figure of kind FLAG.
   *
   * @throws ClassCastException if the figure is of another kind
   */
  public boolean flag(NodeFigure figure) {
    return (Boolean) value(figure);
  }

  private Object value(NodeFigure figure) {
    return values.getOrDefault(figure, figure.initial());
  }

  /** All figures by key, in order; values are texts, numbers and booleans. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    values.forEach((figure, value) -> map.put(figure.key(), value));
    return Collections.unmodifiableMap(map);
  }

  /** The fast devices; empty for users who are no administrators. */
  public List<DeviceStatus> devices() {
    return devices;
  }

  /** What mode observe counted by day, the oldest first, today last; empty in other modes. */
  public List<ObservedDay> observedDays() {
    return observedDays;
  }

  /** Monotonic counters by name, in the order of their declaration; see {@link Counters}. */
  public Map<String, Long> counters() {
    return counters;
  }

  /** See {@link NodeFigure#MODE}. */
  public String mode() {
    return text(NodeFigure.MODE);
  }

  /** See {@link NodeFigure#POLICY}. */
  public String policy() {
    return text(NodeFigure.POLICY);
  }

  /** See {@link NodeFigure#PARTITION}. */
  public String partition() {
    return text(NodeFigure.PARTITION);
  }

  /** See {@link NodeFigure#PASS_THROUGH}. */
  public boolean passThrough() {
    return flag(NodeFigure.PASS_THROUGH);
  }

  /** See {@link NodeFigure#CAPACITY_BYTES}. */
  public long capacityBytes() {
    return figure(NodeFigure.CAPACITY_BYTES);
  }

  /** See {@link NodeFigure#DIRTY_BYTES}. */
  public long dirtyBytes() {
    return figure(NodeFigure.DIRTY_BYTES);
  }

  /** See {@link NodeFigure#OWNER_BYTES}. */
  public long ownerBytes() {
    return figure(NodeFigure.OWNER_BYTES);
  }

  /** See {@link NodeFigure#CLEAN_BYTES}. */
  public long cleanBytes() {
    return figure(NodeFigure.CLEAN_BYTES);
  }

  /** See {@link NodeFigure#CHECKSUM_BYTES}. */
  public long checksumBytes() {
    return figure(NodeFigure.CHECKSUM_BYTES);
  }

  /** See {@link NodeFigure#FREE_BYTES}. */
  public long freeBytes() {
    return figure(NodeFigure.FREE_BYTES);
  }

  /** See {@link NodeFigure#TRACKED_BLOCKS}. */
  public long trackedBlocks() {
    return figure(NodeFigure.TRACKED_BLOCKS);
  }

  /** See {@link NodeFigure#MOVES_QUEUED}. */
  public long movesQueued() {
    return figure(NodeFigure.MOVES_QUEUED);
  }

  /** See {@link NodeFigure#HINTS_LEFT}. */
  public long hintsLeft() {
    return figure(NodeFigure.HINTS_LEFT);
  }

  /** See {@link NodeFigure#PLANNER_STALLED_SECONDS}. */
  public long plannerStalledSeconds() {
    return figure(NodeFigure.PLANNER_STALLED_SECONDS);
  }

  /** See {@link NodeFigure#SSD_WRITTEN_PER_100_READ}. */
  public long ssdBytesWrittenPer100Read() {
    return figure(NodeFigure.SSD_WRITTEN_PER_100_READ);
  }

  /** See {@link NodeFigure#DIRECTORY_MEMBERS}. */
  public int directoryMembers() {
    return (int) figure(NodeFigure.DIRECTORY_MEMBERS);
  }

  /** See {@link NodeFigure#NOT_COUNTED}. A DataNode of an older version does not say it itself. */
  public String notCounted() {
    if (passThrough()) {
      return "HyCache is in pass-through";
    }
    String why = text(NodeFigure.NOT_COUNTED);
    return why.isEmpty() && partition().equals(UNKNOWN_PARTITION)
        ? "the planner makes no progress"
        : why;
  }

  /** False if the figures of the SSDs, moves and hints say nothing of the present. */
  public boolean isCounted() {
    return notCounted().isEmpty();
  }

  /** See {@link NodeFigure#DIRECTORY_TROUBLE}. */
  public String directoryTrouble() {
    return text(NodeFigure.DIRECTORY_TROUBLE);
  }
}
