package io.hycache.core.stats;

import java.util.List;
import java.util.Map;

/**
 * What one DataNode's engine looks like at a moment. An immutable value with public fields so that
 * the wire form, the table and {@code --json} are one and the same.
 */
public final class NodeStatus {
  public final String mode;
  public final String policy;

  /** The rule of {@code hycache.partition}, and where the borders are if it sets any. */
  public final String partition;

  public final boolean passThrough;
  public final long capacityBytes;
  public final long dirtyBytes;
  public final long ownerBytes;
  public final long cleanBytes;
  public final long checksumBytes;
  public final long freeBytes;
  public final long trackedBlocks;
  public final long movesQueued;
  public final long hintsLeft;

  /** How long the planner has not come round; 0 if it has. A rising value is trouble. */
  public final long plannerStalledSeconds;

  /** Members of the directory as this DataNode knows them; 0: it has no part in a directory. */
  public final int directoryMembers;

  /** Why these may not be all members, for operators; empty if there is no doubt. */
  public final String directoryTrouble;

  /** The fast devices. */
  public final List<DeviceStatus> devices;

  /** Monotonic counters by name, in the order of their declaration; see {@link Counters}. */
  public final Map<String, Long> counters;

  public NodeStatus(
      String mode,
      String policy,
      String partition,
      boolean passThrough,
      long capacityBytes,
      long dirtyBytes,
      long ownerBytes,
      long cleanBytes,
      long checksumBytes,
      long freeBytes,
      long trackedBlocks,
      long movesQueued,
      long hintsLeft,
      long plannerStalledSeconds,
      List<DeviceStatus> devices,
      Map<String, Long> counters) {
    this(
        mode,
        policy,
        partition,
        passThrough,
        capacityBytes,
        dirtyBytes,
        ownerBytes,
        cleanBytes,
        checksumBytes,
        freeBytes,
        trackedBlocks,
        movesQueued,
        hintsLeft,
        plannerStalledSeconds,
        0,
        "",
        devices,
        counters);
  }

  private NodeStatus(
      String mode,
      String policy,
      String partition,
      boolean passThrough,
      long capacityBytes,
      long dirtyBytes,
      long ownerBytes,
      long cleanBytes,
      long checksumBytes,
      long freeBytes,
      long trackedBlocks,
      long movesQueued,
      long hintsLeft,
      long plannerStalledSeconds,
      int directoryMembers,
      String directoryTrouble,
      List<DeviceStatus> devices,
      Map<String, Long> counters) {
    this.mode = mode;
    this.policy = policy;
    this.partition = partition;
    this.passThrough = passThrough;
    this.capacityBytes = capacityBytes;
    this.dirtyBytes = dirtyBytes;
    this.ownerBytes = ownerBytes;
    this.cleanBytes = cleanBytes;
    this.checksumBytes = checksumBytes;
    this.freeBytes = freeBytes;
    this.trackedBlocks = trackedBlocks;
    this.movesQueued = movesQueued;
    this.hintsLeft = hintsLeft;
    this.plannerStalledSeconds = plannerStalledSeconds;
    this.directoryMembers = directoryMembers;
    this.directoryTrouble = directoryTrouble;
    this.devices = List.copyOf(devices);
    this.counters = counters;
  }

  /** This status, and how the DataNode's part in the directory is doing. */
  public NodeStatus withDirectory(int members, String trouble) {
    return with(members, trouble, devices);
  }

  /** This status for a user that is no administrator: no device, and no text on the directory. */
  public NodeStatus withoutDevices() {
    return with(directoryMembers, "", List.of());
  }

  private NodeStatus with(int members, String trouble, List<DeviceStatus> shown) {
    return new NodeStatus(
        mode,
        policy,
        partition,
        passThrough,
        capacityBytes,
        dirtyBytes,
        ownerBytes,
        cleanBytes,
        checksumBytes,
        freeBytes,
        trackedBlocks,
        movesQueued,
        hintsLeft,
        plannerStalledSeconds,
        members,
        trouble,
        shown,
        counters);
  }

  /** What can be said while the planner does not answer. */
  public static NodeStatus withoutPlanner(
      String mode,
      String policy,
      boolean passThrough,
      long plannerStalledSeconds,
      Map<String, Long> counters) {
    return new NodeStatus(
        mode,
        policy,
        "unknown",
        passThrough,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        plannerStalledSeconds,
        List.of(),
        counters);
  }
}
