// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import io.hycache.core.stats.QuietLog;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Frees space for an append to a guest on a full SSD, where plain HDFS would have had the replica
 * on DISK: evicts clean copies of that SSD, or else moves the replica to DISK.
 *
 * <p>Runs on the appending thread, and only if the append would fail otherwise. Thread-safe.
 */
final class AppendRoom {
  private final QuietLog moveLog = new QuietLog(LoggerFactory.getLogger(AppendRoom.class));

  /**
   * Maximum wait for a move in progress, which this writer has caused to be abandoned; it ends
   * after its next chunk.
   */
  private static final long MAX_MOVE_WAIT_MILLIS = 10_000;

  private final ReplicaStore store;
  private final Function<String, @Nullable BlockKey> nextToMakeWay;
  private final Map<String, CleanArea> areas;
  private final BlockMoves moves;
  private final Guests guests;
  private final Consumer<BlockKey> giveUpData;

  /**
   * @param nextToMakeWay returns the clean copy on a device to evict next; null if there is none
   * @param giveUpData evicts the data of a clean copy
   */
  AppendRoom(
      ReplicaStore store,
      Function<String, @Nullable BlockKey> nextToMakeWay,
      Map<String, CleanArea> areas,
      BlockMoves moves,
      Guests guests,
      Consumer<BlockKey> giveUpData) {
    this.store = store;
    this.nextToMakeWay = nextToMakeWay;
    this.areas = areas;
    this.moves = moves;
    this.guests = guests;
    this.giveUpData = giveUpData;
  }

  /**
   * Evicts clean copies on an SSD until it has enough free space.
   *
   * @param root root of the volume
   * @return true if it has the space now
   */
  boolean makeRoomFor(File root, long bytes) throws IOException {
    CleanArea area = areas.get(root.getPath());
    Optional<ReplicaStore.Volume> found = volume(store.ssdVolumes(), root);
    if (area == null || found.isEmpty() || area.watch().sick()) {
      return false;
    }
    ReplicaStore.Volume volume = found.get();
    if (volume.availableBytes() + area.dataBytes() <= bytes) {
      return false;
    }
    long missing = bytes - volume.availableBytes();
    long given = 0;
    while (volume.availableBytes() <= bytes) {
      if (given > missing) {
        return false; // readers still hold the evicted files open; evicting more would not free
        // space either
      }
      long before = area.dataBytes();
      BlockKey next = nextToMakeWay.apply(root.getPath());
      if (next == null) {
        return false;
      }
      giveUpData.accept(next);
      given += Math.max(0, before - area.dataBytes());
    }
    return true;
  }

  private static Optional<ReplicaStore.Volume> volume(List<ReplicaStore.Volume> of, File root) {
    return of.stream().filter(volume -> volume.root().equals(root)).findFirst();
  }

  /**
   * Moves a guest to the DISK volume with the most free space, verified and synced, without a
   * throttle.
   *
   * @param bytes length that the block may reach
   * @return true if the replica is on DISK now
   */
  boolean moveToDisk(BlockKey block, long bytes) throws IOException {
    if (!moves.awaitNoMove(block, MAX_MOVE_WAIT_MILLIS)) {
      return false;
    }
    ReplicaView view = store.finalized(block);
    if (view == null || !view.onSsd()) {
      return view != null;
    }
    Replica replica = view.replica();
    if (!guests.isGuest(view)) {
      return false;
    }
    ReplicaStore.Volume roomiest = null;
    for (ReplicaStore.Volume volume : store.diskVolumes()) {
      if (volume.availableBytes() > bytes
          && (roomiest == null || volume.availableBytes() > roomiest.availableBytes())) {
        roomiest = volume;
      }
    }
    if (roomiest == null) {
      return false;
    }
    moveLog.warn(
        null,
        "SSD has no space for an append, moving the replica to DISK: replica={} volume={}",
        replica,
        roomiest.root());
    store.moveTo(replica, roomiest.root().getPath());
    return true;
  }
}
