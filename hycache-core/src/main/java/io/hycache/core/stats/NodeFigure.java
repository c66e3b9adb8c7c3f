// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The values of a status, in the order of the wire form, of JSON and of the metrics. */
public enum NodeFigure {
  MODE("mode", Kind.NAME, "Mode", "Value of hycache.mode"),

  POLICY("policy", Kind.NAME, "Policy", "Value of hycache.policy, and the policy it follows"),

  /** Value of {@code hycache.partition}, with the current shares unless it is the default. */
  PARTITION("partition", Kind.NAME, "partition", "shared", null, ""),

  PASS_THROUGH(
      "passThrough",
      Kind.FLAG,
      "PassThrough",
      "1 if HyCache has stepped aside after failures, so that the DataNode is plain HDFS"),

  CAPACITY_BYTES(
      "capacityBytes",
      Kind.BYTES,
      "SsdCapacityBytes",
      "Space of the SSDs that HyCache may use, with those that are out of use"),

  DIRTY_BYTES(
      "dirtyBytes",
      Kind.BYTES,
      "SsdDirtyBytes",
      "Replicas whose only copy on the DataNode is on SSD, placed there by HyCache; above"
          + " hycache.demote.high of the SSDs is trouble if it stays"),

  OWNER_BYTES(
      "ownerBytes",
      Kind.BYTES,
      "SsdOwnerBytes",
      "Replicas that a storage policy, or a move of HDFS's balancer, keeps on SSD"),

  CLEAN_BYTES(
      "cleanBytes",
      Kind.BYTES,
      "SsdCleanBytes",
      "Copies on SSD of the data of replicas that are on DISK"),

  CHECKSUM_BYTES(
      "checksumBytes",
      Kind.BYTES,
      "SsdChecksumBytes",
      "Copies on SSD of the checksum files of replicas that are on DISK"),

  FREE_BYTES("freeBytes", Kind.BYTES, "SsdFreeBytes", "Free space of the SSDs in use"),

  TRACKED_BLOCKS("trackedBlocks", Kind.COUNT, "TrackedBlocks", "Blocks in the planner's table"),

  MOVES_QUEUED("movesQueued", Kind.COUNT, "MovesQueued", "Moves that are queued or under way"),

  HINTS_LEFT(
      "hintsLeft", Kind.COUNT, "HintsLeft", "Expected reads that running workflows have left"),

  PLANNER_STALLED_SECONDS(
      "plannerStalledSeconds",
      Kind.SECONDS,
      "plannerStalledSeconds",
      "PlannerStalledSeconds",
      "Time since the planner should have completed a round; more than 0 is trouble"),

  /** See {@link Counters#ssdBytesWrittenPer100Read}. */
  SSD_WRITTEN_PER_100_READ(
      "ssdBytesWrittenPer100Read",
      Kind.COUNT,
      "ssdBytesWrittenPer100Read",
      "SsdBytesWrittenPer100Read",
      "Bytes of clean copies written to SSD per 100 bytes read from SSD; above 110 is trouble"),

  PINNED_BYTES(
      "pinnedBytes",
      Kind.BYTES,
      "pinnedBytes",
      "SsdPinnedBytes",
      "Bytes reserved for blocks that cache directives pin"),

  PIN_CAPACITY_BYTES(
      "pinCapacityBytes",
      Kind.BYTES,
      "pinnedBytes",
      "SsdPinCapacityBytes",
      "Bytes that pinned blocks may take; 0: directives are left to HDFS"),

  PINNED_BLOCKS(
      "pinnedBlocks",
      Kind.COUNT,
      "pinnedBytes",
      "SsdPinnedBlocks",
      "Blocks that cache directives pin and that are on SSD"),

  ADVERTISED_BLOCKS(
      "advertisedBlocks",
      Kind.COUNT,
      "advertisedBlocks",
      "SsdAdvertisedBlocks",
      "Clean copies that are reported to the NameNode as cached although nothing pins them"),

  DIRECTORY_MEMBERS(
      "directoryMembers",
      Kind.SIZE,
      "directoryMembers",
      "DirectoryMembers",
      "Members of the directory as this DataNode knows them; 0 if it takes no part in one"),

  /** Why members may be missing from this count, for operators; empty if there is no doubt. */
  DIRECTORY_TROUBLE(
      "directoryTrouble",
      Kind.TEXT,
      "directoryMembers",
      "DirectoryTrouble",
      "1 if members of the directory may be missing, for the reason that status says"),

  /**
   * What an operator should mend, see {@link NodeStatus#warnings}: a line each; empty if all is
   * well.
   */
  WARNINGS(
      "warnings",
      Kind.TEXT,
      "warnings",
      "Warnings",
      "Things that an operator should mend, which status says; more than 0 is trouble"),

  OBSERVED_DIRTY_BYTES(
      "observedDirtyBytes",
      Kind.BYTES,
      "observedDirtyBytes",
      "ObservedDirtyBytes",
      "Mode observe: replicas whose only copy would be on SSD"),

  OBSERVED_CLEAN_BYTES(
      "observedCleanBytes",
      Kind.BYTES,
      "observedDirtyBytes",
      "ObservedCleanBytes",
      "Mode observe: copies of replicas on DISK that would be on SSD"),

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
      "shadowReadShareQuarter", Kind.SHARE, "Share of reads from an SSD of a quarter of the size"),

  SHADOW_READ_SHARE_HALF(
      "shadowReadShareHalf", Kind.SHARE, "Share of reads from an SSD of half the size"),

  SHADOW_READ_SHARE_NOW(
      "shadowReadShareNow", Kind.SHARE, "Share of reads from an SSD of the present size"),

  SHADOW_READ_SHARE_TWICE(
      "shadowReadShareTwice", Kind.SHARE, "Share of reads from an SSD of twice the size"),

  SHADOW_READ_SHARE_FOURFOLD(
      "shadowReadShareFourfold", Kind.SHARE, "Share of reads from an SSD of four times the size"),

  SHADOW_READ_SHARE_EIGHTFOLD(
      "shadowReadShareEightfold", Kind.SHARE, "Share of reads from an SSD of eight times the size"),

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
      "Share of bytes read from an SSD of eight times the size"),

  VERSION("version", Kind.NAME, "version", "unknown", "Version", "Version of the plugin"),

  WRITE_BYTES_IN_FLIGHT(
      "writeBytesInFlight",
      Kind.BYTES,
      "version",
      "SsdWriteBytesInFlight",
      "Bytes of replicas being written to SSD"),

  SSDS_SICK(
      "ssdsSick",
      Kind.COUNT,
      "version",
      "SsdsSick",
      "SSDs in quarantine or hanging, SSD volumes that HDFS has taken out because they failed, and"
          + " cache directories that may not be used; more than 0 is trouble"),

  DIRECTORY_MEMBERS_AGE_MILLIS(
      "directoryMembersAgeMillis",
      Kind.MILLIS,
      "version",
      "DirectoryMembersAgeMillis",
      "Time since the NameNode gave the list of members; minutes are trouble"),

  DIRECTORY_SHARDS_PULLING(
      "directoryShardsPulling",
      Kind.SIZE,
      "version",
      "DirectoryShardsPulling",
      "Shards being filled from others; trouble if it stays"),

  DIRECTORY_RECORDS(
      "directoryRecords", Kind.COUNT, "version", "DirectoryRecords", "Records held here"),

  DIRECTORY_BYTES(
      "directoryBytes", Kind.BYTES, "version", "DirectoryBytes", "Bytes of keys and values held"),

  DIRECTORY_OPERATIONS(
      "directoryOperations", Kind.TOTAL, "version", "DirectoryOperations", "Operations done here"),

  DIRECTORY_SHED(
      "directoryShed",
      Kind.TOTAL,
      "version",
      "DirectoryShed",
      "Operations turned away; a rising value is trouble"),

  DIRECTORY_REPLICATED(
      "directoryReplicated",
      Kind.TOTAL,
      "version",
      "DirectoryReplicated",
      "Changes sent to other replicas"),

  /** Of the last minute, as all times below, see {@link Latencies}; 0 if there were none. */
  SSD_READ_MICROS_P50(
      "ssdReadMicrosP50",
      Kind.MICROS,
      "version",
      "SsdReadMicrosP50",
      "Time to the first bytes of reads from SSD in the last minute: half were faster"),

  SSD_READ_MICROS_P95(
      "ssdReadMicrosP95", Kind.MICROS, "version", "SsdReadMicrosP95", "Of these, 95 % were faster"),

  SSD_READ_MICROS_P99(
      "ssdReadMicrosP99", Kind.MICROS, "version", "SsdReadMicrosP99", "Of these, 99 % were faster"),

  DISK_READ_MICROS_P50(
      "diskReadMicrosP50",
      Kind.MICROS,
      "version",
      "DiskReadMicrosP50",
      "Time to the first bytes of reads from DISK in the last minute: half were faster"),

  DISK_READ_MICROS_P95(
      "diskReadMicrosP95",
      Kind.MICROS,
      "version",
      "DiskReadMicrosP95",
      "Of these, 95 % were faster"),

  DISK_READ_MICROS_P99(
      "diskReadMicrosP99",
      Kind.MICROS,
      "version",
      "DiskReadMicrosP99",
      "Of these, 99 % were faster"),

  PROMOTION_MICROS_P50(
      "promotionMicrosP50",
      Kind.MICROS,
      "version",
      "PromotionMicrosP50",
      "Time of promotions in the last minute, with the waits that their rate imposes: half were"
          + " faster"),

  PROMOTION_MICROS_P95(
      "promotionMicrosP95",
      Kind.MICROS,
      "version",
      "PromotionMicrosP95",
      "Of these, 95 % were faster"),

  PROMOTION_MICROS_P99(
      "promotionMicrosP99",
      Kind.MICROS,
      "version",
      "PromotionMicrosP99",
      "Of these, 99 % were faster"),

  DEMOTION_MICROS_P50(
      "demotionMicrosP50",
      Kind.MICROS,
      "version",
      "DemotionMicrosP50",
      "Time of demotions in the last minute, with the waits that their rate imposes: half were"
          + " faster"),

  DEMOTION_MICROS_P95(
      "demotionMicrosP95",
      Kind.MICROS,
      "version",
      "DemotionMicrosP95",
      "Of these, 95 % were faster"),

  DEMOTION_MICROS_P99(
      "demotionMicrosP99",
      Kind.MICROS,
      "version",
      "DemotionMicrosP99",
      "Of these, 99 % were faster"),

  /** UUID of the DataNode, by which the directory names it; empty if it is not known. */
  DATANODE_UUID("dataNodeUuid", Kind.TEXT, "dataNodeUuid", "", null, ""),

  /**
   * Why the figures of the SSDs, moves and hints are not those of now, for operators; empty if they
   * are. They are 0 then, or those of an earlier moment. See {@link NodeStatus#isCounted}.
   */
  NOT_COUNTED(
      "notCounted",
      Kind.TEXT,
      "notCounted",
      "NotCounted",
      "1 if the sizes of what is on SSD are not known, for the reason that status says: then they"
          + " are old or 0");

  /** Type, unit and range of a figure. */
  public enum Kind {
    /** A text of 1 to 256 characters, none of them a control character. */
    NAME(String.class),
    /** A text for people; may be empty. */
    TEXT(String.class),
    FLAG(Boolean.class),
    BYTES(Long.class),
    COUNT(Long.class),
    /** A count that only rises while the process lives. */
    TOTAL(Long.class),
    SECONDS(Long.class),
    MILLIS(Long.class),
    MICROS(Long.class),
    /** A count from 0 to {@code Integer.MAX_VALUE}. */
    SIZE(Long.class),
    /** A number from 0 to 1. */
    SHARE(Double.class);

    private final Class<?> type;

    Kind(Class<?> type) {
      this.type = type;
    }
  }

  private final String key;
  private final Kind kind;
  private final @Nullable String marker;
  private final String initialText;
  private final @Nullable String metric;
  private final String help;

  /** A figure that all versions send. */
  NodeFigure(String key, Kind kind, String metric, String help) {
    this(key, kind, null, "", metric, help);
  }

  /** A number of the shadow working set, whose metric is named as its key. */
  NodeFigure(String key, Kind kind, String help) {
    this(key, kind, "shadowSeconds", "", capitalized(key), help);
  }

  /**
   * A figure that not all versions send.
   *
   * @param marker key that a message has if its sender knows the figure
   */
  NodeFigure(String key, Kind kind, String marker, String metric, String help) {
    this(key, kind, marker, "", metric, help);
  }

  /**
   * @param marker as above; null if all versions send it
   * @param initialText of a text, its value while no other one is put; flags are false and numbers
   *     0
   * @param metric null if it is none
   */
  NodeFigure(
      String key,
      Kind kind,
      @Nullable String marker,
      String initialText,
      @Nullable String metric,
      String help) {
    this.key = key;
    this.kind = kind;
    this.marker = marker;
    this.initialText = initialText;
    this.metric = metric;
    this.help = help;
  }

  private static String capitalized(String key) {
    return Character.toUpperCase(key.charAt(0)) + key.substring(1);
  }

  /** Its value while no other one is put. */
  Object initial() {
    if (kind.type == Long.class) {
      return 0L;
    }
    if (kind.type == Double.class) {
      return 0.0;
    }
    return kind.type == Boolean.class ? (Object) false : initialText;
  }

  /**
   * This value, if it is one of this figure's type.
   *
   * @throws ClassCastException if not
   */
  Object checked(Object value) {
    return kind.type.cast(value);
  }

  /** Its name on the wire and in JSON. */
  public String key() {
    return key;
  }

  public Kind kind() {
    return kind;
  }

  /**
   * Its name as a metric, or as a label if it is of kind NAME; null if it is neither. The metric of
   * a TEXT is the number of its lines.
   */
  public @Nullable String metric() {
    return metric;
  }

  /** What the metrics say of it, without line breaks; empty if it is none. */
  public String help() {
    return help;
  }

  /** Whether a DataNode that sends a status with these keys is of a version with this figure. */
  public boolean isSentWith(Predicate<String> keys) {
    return marker == null || keys.test(marker);
  }
}
