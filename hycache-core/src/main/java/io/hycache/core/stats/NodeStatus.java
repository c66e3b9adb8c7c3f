// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * State of one DataNode's engine at one moment. Immutable. The wire form and {@code --json} follow
 * the list of {@link Figure}s: a new figure is one constant, and one {@link Builder#put} where it
 * is measured.
 */
public final class NodeStatus {
  /** Type, unit and range of a figure. */
  public enum Kind {
    /** A text of 1 to 256 characters, none of them a control character. */
    NAME(String.class),
    /** A text for people; may be empty. */
    TEXT(String.class),
    FLAG(Boolean.class),
    BYTES(Long.class),
    COUNT(Long.class),
    SECONDS(Long.class),
    /** A count from 0 to {@code Integer.MAX_VALUE}. */
    SIZE(Long.class),
    /** A number from 0 to 1. */
    SHARE(Double.class);

    private final Class<?> type;

    Kind(Class<?> type) {
      this.type = type;
    }
  }

  /** The values of a status, in the order of the wire form and of JSON. */
  public enum Figure {
    /** Value of {@code hycache.mode}. */
    MODE("mode", Kind.NAME),

    /** Value of {@code hycache.policy}. */
    POLICY("policy", Kind.NAME),

    /** Value of {@code hycache.partition}, with the current shares unless it is the default. */
    PARTITION("partition", Kind.NAME, "partition", "shared"),

    /** Whether the plugin has stepped aside, so that the DataNode is plain HDFS. */
    PASS_THROUGH("passThrough", Kind.FLAG),

    /** Space of the SSDs that HyCache may use. */
    CAPACITY_BYTES("capacityBytes", Kind.BYTES),

    /** Replicas whose only copy on the DataNode is on SSD, placed there by HyCache. */
    DIRTY_BYTES("dirtyBytes", Kind.BYTES),

    /** Replicas that a storage policy keeps on SSD. */
    OWNER_BYTES("ownerBytes", Kind.BYTES),

    /** Copies on SSD of the data of replicas on DISK. */
    CLEAN_BYTES("cleanBytes", Kind.BYTES),

    /** Copies on SSD of checksum files of replicas on DISK. */
    CHECKSUM_BYTES("checksumBytes", Kind.BYTES),

    /** Free space of the SSDs. */
    FREE_BYTES("freeBytes", Kind.BYTES),

    /** Blocks that the planner keeps books of. */
    TRACKED_BLOCKS("trackedBlocks", Kind.COUNT),

    /** Moves that are queued or under way. */
    MOVES_QUEUED("movesQueued", Kind.COUNT),

    /** Expected reads that running workflows have left. */
    HINTS_LEFT("hintsLeft", Kind.COUNT),

    /** Time since the planner should have completed a round; 0 if it is on time. */
    PLANNER_STALLED_SECONDS("plannerStalledSeconds", Kind.SECONDS, "plannerStalledSeconds", ""),

    /** See {@link Counters#ssdBytesWrittenPer100Read}. */
    SSD_WRITTEN_PER_100_READ(
        "ssdBytesWrittenPer100Read", Kind.COUNT, "ssdBytesWrittenPer100Read", ""),

    /** Reserved for the blocks that cache directives pin. */
    PINNED_BYTES("pinnedBytes", Kind.BYTES, "pinnedBytes", ""),

    /** What pins may take; 0 if cache directives are left to HDFS. */
    PIN_CAPACITY_BYTES("pinCapacityBytes", Kind.BYTES, "pinnedBytes", ""),

    /** Blocks that cache directives pin and that are on SSD. */
    PINNED_BLOCKS("pinnedBlocks", Kind.COUNT, "pinnedBytes", ""),

    /** Clean copies that are reported to the NameNode as cached although nothing pins them. */
    ADVERTISED_BLOCKS("advertisedBlocks", Kind.COUNT, "advertisedBlocks", ""),

    /** Members of the directory as this DataNode knows them; 0 if it takes no part in one. */
    DIRECTORY_MEMBERS("directoryMembers", Kind.SIZE, "directoryMembers", ""),

    /** Why members may be missing from this count, for operators; empty if there is no doubt. */
    DIRECTORY_TROUBLE("directoryTrouble", Kind.TEXT, "directoryMembers", ""),

    /** What an operator should mend, see {@link #warnings}: a line each; empty if all is well. */
    WARNINGS("warnings", Kind.TEXT, "warnings", ""),

    /** Time since reads have been counted in the shadow working set; 0 while they are not. */
    SHADOW_SECONDS("shadowSeconds", Kind.SECONDS, "Time since the shadow working set began"),

    /** Reads that the shares below describe; reads of a day ago count half, and so on. */
    SHADOW_READS("shadowReads", Kind.COUNT, "Reads that the shadow shares describe"),

    /** Bytes of these reads. */
    SHADOW_READ_BYTES("shadowReadBytes", Kind.BYTES, "Bytes that the shadow shares describe"),

    /** Standard error of the shares. */
    SHADOW_STANDARD_ERROR("shadowStandardError", Kind.SHARE, "Standard error of the shadow shares"),

    /** The size that the shares call "now": see {@link ShadowSize}. */
    SHADOW_SSD_BYTES("shadowSsdBytes", Kind.BYTES, "SSD size that the shadow shares refer to"),

    /** Size of the distinct blocks read or written in the last hour. */
    WORKING_SET_HOUR_BYTES(
        "workingSetHourBytes", Kind.BYTES, "Size of the distinct blocks used in the last hour"),

    /** Size of the distinct blocks read or written in the last 24 hours. */
    WORKING_SET_DAY_BYTES(
        "workingSetDayBytes", Kind.BYTES, "Size of the distinct blocks used in the last 24 hours"),

    /** Share of the reads that an LRU cache of that size would serve. */
    SHADOW_READ_SHARE_QUARTER(
        "shadowReadShareQuarter",
        Kind.SHARE,
        "Share of reads from an SSD of a quarter of the size"),

    SHADOW_READ_SHARE_HALF(
        "shadowReadShareHalf", Kind.SHARE, "Share of reads from an SSD of half the size"),

    SHADOW_READ_SHARE_NOW(
        "shadowReadShareNow", Kind.SHARE, "Share of reads from an SSD of the present size"),

    SHADOW_READ_SHARE_TWICE(
        "shadowReadShareTwice", Kind.SHARE, "Share of reads from an SSD of twice the size"),

    SHADOW_READ_SHARE_FOURFOLD(
        "shadowReadShareFourfold", Kind.SHARE, "Share of reads from an SSD of four times the size"),

    SHADOW_READ_SHARE_EIGHTFOLD(
        "shadowReadShareEightfold",
        Kind.SHARE,
        "Share of reads from an SSD of eight times the size"),

    /** Share of the bytes read that an LRU cache of that size would serve. */
    SHADOW_BYTE_SHARE_QUARTER(
        "shadowByteShareQuarter",
        Kind.SHARE,
        "Share of bytes read from an SSD of a quarter of the size"),

    SHADOW_BYTE_SHARE_HALF(
        "shadowByteShareHalf", Kind.SHARE, "Share of bytes read from an SSD of half the size"),

    SHADOW_BYTE_SHARE_NOW(
        "shadowByteShareNow", Kind.SHARE, "Share of bytes read from an SSD of the present size"),

    SHADOW_BYTE_SHARE_TWICE(
        "shadowByteShareTwice", Kind.SHARE, "Share of bytes read from an SSD of twice the size"),

    SHADOW_BYTE_SHARE_FOURFOLD(
        "shadowByteShareFourfold",
        Kind.SHARE,
        "Share of bytes read from an SSD of four times the size"),

    SHADOW_BYTE_SHARE_EIGHTFOLD(
        "shadowByteShareEightfold",
        Kind.SHARE,
        "Share of bytes read from an SSD of eight times the size");

    private final String key;
    private final Kind kind;
    private final @Nullable String marker;
    private final String initialText;
    private final String help;

    /** A figure that all versions send. */
    Figure(String key, Kind kind) {
      this(key, kind, null, "", "");
    }

    /**
     * A number of the shadow working set, which is a metric, too. Not all versions send it.
     *
     * @param help what the metrics say of it
     */
    Figure(String key, Kind kind, String help) {
      this(key, kind, "shadowSeconds", "", help);
    }

    /**
     * A figure that not all versions send.
     *
     * @param marker key that a message has if its sender knows the figure; null if all versions do
     * @param initialText of a text, its value while no other one is put; flags are false and
     *     numbers 0
     */
    Figure(String key, Kind kind, @Nullable String marker, String initialText) {
      this(key, kind, marker, initialText, "");
    }

    Figure(String key, Kind kind, @Nullable String marker, String initialText, String help) {
      this.key = key;
      this.kind = kind;
      this.marker = marker;
      this.initialText = initialText;
      this.help = help;
    }

    private Object initial() {
      if (kind.type == Long.class) {
        return 0L;
      }
      if (kind.type == Double.class) {
        return 0.0;
      }
      return kind.type == Boolean.class ? (Object) false : initialText;
    }

    /** Its name on the wire and in JSON. */
    public String key() {
      return key;
    }

    public Kind kind() {
      return kind;
    }

    /** What the metrics say of it; empty if it is none of the figures that are metrics, too. */
    public String help() {
      return help;
    }

    /** Whether a DataNode that sends a status with these keys is of a version with this figure. */
    public boolean isSentWith(Predicate<String> keys) {
      return marker == null || keys.test(marker);
    }
  }

  /** What a text of the wire form may have, less what is added to it. */
  private static final int MOST_WARNING_CHARS = 8000;

  private final Map<Figure, Object> values;
  private final List<DeviceStatus> devices;
  private final Map<String, Long> counters;

  private NodeStatus(Builder builder) {
    this.values = new EnumMap<>(builder.values);
    this.devices = List.copyOf(builder.devices);
    this.counters = builder.counters;
  }

  /** Collects the values of a status. Not thread-safe. */
  public static final class Builder {
    private final Map<Figure, Object> values = new EnumMap<>(Figure.class);
    private List<DeviceStatus> devices = List.of();
    private Map<String, Long> counters = Map.of();

    private Builder() {
      for (Figure figure : Figure.values()) {
        values.put(figure, figure.initial());
      }
    }

    private Builder(NodeStatus status) {
      values.putAll(status.values);
      devices = status.devices;
      counters = status.counters;
    }

    public Builder put(Figure figure, String text) {
      return putValue(figure, text);
    }

    public Builder put(Figure figure, boolean flag) {
      return putValue(figure, flag);
    }

    public Builder put(Figure figure, long number) {
      return putValue(figure, number);
    }

    /** Sets a figure of kind SHARE. */
    public Builder put(Figure figure, double share) {
      return putValue(figure, share);
    }

    /** Sets several figures, each to a number of its kind. */
    public Builder putAll(Map<Figure, ? extends Number> numbers) {
      numbers.forEach(this::putValue);
      return this;
    }

    private Builder putValue(Figure figure, Object value) {
      values.put(figure, figure.kind.type.cast(value));
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

    public NodeStatus build() {
      return new NodeStatus(this);
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The figures that are known while the planner does not answer. */
  public static NodeStatus withoutPlanner(
      String mode,
      String policy,
      boolean passThrough,
      long plannerStalledSeconds,
      Map<String, Long> counters) {
    return builder()
        .put(Figure.MODE, mode)
        .put(Figure.POLICY, policy)
        .put(Figure.PARTITION, "unknown")
        .put(Figure.PASS_THROUGH, passThrough)
        .put(Figure.PLANNER_STALLED_SECONDS, plannerStalledSeconds)
        .counters(counters)
        .build();
  }

  /** This status with the state of the DataNode's part in the directory. */
  public NodeStatus withDirectory(int members, String trouble) {
    return new Builder(this)
        .put(Figure.DIRECTORY_MEMBERS, members)
        .put(Figure.DIRECTORY_TROUBLE, trouble)
        .build();
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
    return new Builder(this).put(Figure.WARNINGS, text).build();
  }

  /** What an operator should mend, the most serious first. */
  public List<String> warnings() {
    return text(Figure.WARNINGS).lines().collect(Collectors.toUnmodifiableList());
  }

  /** This status for users who are no administrators: without what names devices and settings. */
  public NodeStatus withoutDevices() {
    return new Builder(this)
        .put(Figure.DIRECTORY_TROUBLE, "")
        .put(Figure.WARNINGS, "")
        .devices(List.of())
        .build();
  }

  /**
   * Value of a figure of kind NAME or TEXT.
   *
   * @throws ClassCastException if the figure is of another kind
   */
  public String text(Figure figure) {
    return (String) value(figure);
  }

  /**
   * Value of a figure that is a number.
   *
   * @throws ClassCastException if the figure is of another kind
   */
  public long figure(Figure figure) {
    return (Long) value(figure);
  }

  /**
   * Value of a figure of kind SHARE.
   *
   * @throws ClassCastException if the figure is of another kind
   */
  public double share(Figure figure) {
    return (Double) value(figure);
  }

  private Object value(Figure figure) {
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

  /** Monotonic counters by name, in the order of their declaration; see {@link Counters}. */
  public Map<String, Long> counters() {
    return counters;
  }

  /** See {@link Figure#MODE}. */
  public String mode() {
    return text(Figure.MODE);
  }

  /** See {@link Figure#POLICY}. */
  public String policy() {
    return text(Figure.POLICY);
  }

  /** See {@link Figure#PARTITION}. */
  public String partition() {
    return text(Figure.PARTITION);
  }

  /** See {@link Figure#PASS_THROUGH}. */
  public boolean passThrough() {
    return (Boolean) value(Figure.PASS_THROUGH);
  }

  /** See {@link Figure#CAPACITY_BYTES}. */
  public long capacityBytes() {
    return figure(Figure.CAPACITY_BYTES);
  }

  /** See {@link Figure#DIRTY_BYTES}. */
  public long dirtyBytes() {
    return figure(Figure.DIRTY_BYTES);
  }

  /** See {@link Figure#OWNER_BYTES}. */
  public long ownerBytes() {
    return figure(Figure.OWNER_BYTES);
  }

  /** See {@link Figure#CLEAN_BYTES}. */
  public long cleanBytes() {
    return figure(Figure.CLEAN_BYTES);
  }

  /** See {@link Figure#CHECKSUM_BYTES}. */
  public long checksumBytes() {
    return figure(Figure.CHECKSUM_BYTES);
  }

  /** See {@link Figure#FREE_BYTES}. */
  public long freeBytes() {
    return figure(Figure.FREE_BYTES);
  }

  /** See {@link Figure#TRACKED_BLOCKS}. */
  public long trackedBlocks() {
    return figure(Figure.TRACKED_BLOCKS);
  }

  /** See {@link Figure#MOVES_QUEUED}. */
  public long movesQueued() {
    return figure(Figure.MOVES_QUEUED);
  }

  /** See {@link Figure#HINTS_LEFT}. */
  public long hintsLeft() {
    return figure(Figure.HINTS_LEFT);
  }

  /** See {@link Figure#PLANNER_STALLED_SECONDS}. */
  public long plannerStalledSeconds() {
    return figure(Figure.PLANNER_STALLED_SECONDS);
  }

  /** See {@link Figure#SSD_WRITTEN_PER_100_READ}. */
  public long ssdBytesWrittenPer100Read() {
    return figure(Figure.SSD_WRITTEN_PER_100_READ);
  }

  /** See {@link Figure#DIRECTORY_MEMBERS}. */
  public int directoryMembers() {
    return (int) figure(Figure.DIRECTORY_MEMBERS);
  }

  /** See {@link Figure#DIRECTORY_TROUBLE}. */
  public String directoryTrouble() {
    return text(Figure.DIRECTORY_TROUBLE);
  }
}
