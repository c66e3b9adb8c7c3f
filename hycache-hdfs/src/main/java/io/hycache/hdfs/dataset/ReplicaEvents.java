// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Receives changes of replicas, block pools and volumes from HDFS's dataset, updates the index of
 * clean copies and the guest marks, and notifies the engine. Guarded: never throws, never blocks.
 * Thread-safe.
 */
public final class ReplicaEvents {
  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Map<String, CleanArea> areas;
  private final Guests guests;
  private final LockedBlocks locked;
  private final OpenFiles openFiles;
  private final HdfsHost host;
  private final DeviceLoads loads;
  private final HyCacheEngine engine;
  private final ScheduledElsewhere scheduled;
  private final CopyEviction eviction;
  private final Guard guard;

  ReplicaEvents(
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      Guests guests,
      LockedBlocks locked,
      OpenFiles openFiles,
      HdfsHost host,
      DeviceLoads loads,
      HyCacheEngine engine,
      ScheduledElsewhere scheduled,
      CopyEviction eviction,
      Guard guard) {
    this.store = store;
    this.copies = copies;
    this.areas = areas;
    this.guests = guests;
    this.locked = locked;
    this.openFiles = openFiles;
    this.host = host;
    this.loads = loads;
    this.engine = engine;
    this.scheduled = scheduled;
    this.eviction = eviction;
    this.guard = guard;
  }

  /**
   * Reports a finalized replica and its home to the engine; if the home is not known now, the
   * engine looks the block up again.
   *
   * @param home null if it is not known
   */
  void report(ReplicaView view, @Nullable Home home) {
    if (home == null) {
      engine.onDoubt(view.replica().block());
      return;
    }
    String device = view.onSsd() ? view.volumeRoot().getPath() : null;
    engine.onReplica(view.replica(), home, device);
  }

  private void report(ReplicaView view) {
    report(view, guests.homeIfKnown(view));
  }

  /** Called when a client's write of a replica was finalized here. */
  public void written(BlockKey block) {
    guard.run(
        "written",
        () -> {
          ReplicaView view = store.finalized(block);
          if (view != null && view.onSsd()) {
            engine.onWritten(view.volumeRoot().getPath(), view.replica().lengthBytes());
          }
        });
  }

  /**
   * Called after a replica may have been created, finalized, moved or changed: reads its state and
   * reports it to the engine.
   */
  public void refresh(BlockKey block) {
    guard.run(
        "refresh",
        () -> {
          loads.ended(block);
          ReplicaView view = store.finalized(block);
          CleanCopies.Copy copy = copies.get(block);
          if (copy != null && !store.isFinalizedOnDisk(copy.replica())) {
            // The copy was completed after the replica began to change; it was never served.
            eviction.drop(block);
          }
          if (view != null) {
            scheduled.finalized(block);
            report(view);
          } else {
            engine.onGone(block);
          }
        });
  }

  /**
   * Called before a replica changes or is removed: its copy is dropped so that no stale bytes are
   * served.
   */
  public void changing(BlockKey block) {
    guard.run("changing", () -> eviction.drop(block));
    guard.run("changing guest", () -> guests.changing(store.finalized(block)));
  }

  /**
   * Called when HDFS has copied a part of a replica to a new block (truncate): the new replica is a
   * guest if the old one is.
   */
  public void copied(BlockKey from, BlockKey to) {
    guard.run("copied", () -> guests.copied(store.finalized(from), to));
    refresh(to);
  }

  /** Called when HDFS deletes a replica. */
  public void deleted(BlockKey block) {
    guard.run(
        "deleted",
        () -> {
          loads.ended(block);
          guests.gone(block);
          scheduled.gone(block);
          eviction.drop(block);
          locked.remove(block);
          engine.onGone(block);
        });
  }

  /**
   * Called when HDFS has removed the replica, after {@link #deleted}. Between the two calls a scan
   * may have adopted a copy of it, and a read may have opened its file.
   */
  public void gone(BlockKey block) {
    guard.run(
        "gone",
        () -> {
          eviction.drop(block);
          engine.onGone(block);
        });
  }

  /**
   * Called when HDFS is asked to lock a replica in memory: its copy is not served until it is
   * unlocked.
   */
  public void lockedInMemory(BlockKey block) {
    guard.run(
        "locked in memory",
        () -> {
          locked.add(block);
          eviction.drop(block);
        });
  }

  /** Called when HDFS has unlocked the replica. */
  public void unlocked(BlockKey block) {
    guard.run("unlocked", () -> locked.remove(block));
  }

  /**
   * Called when a block pool is no longer served, because the DataNode stops or the pool was
   * removed. Its copies leave the index; their files stay, because the pool may return.
   */
  public void poolRemoved(String pool) {
    guard.run(
        "block pool removed",
        () -> {
          for (BlockKey block : copies.blocks()) {
            if (block.pool().equals(pool) && copies.remove(block) != null) {
              openFiles.release(block);
              store.revokeShortCircuit(block);
              engine.onCleanDropped(block);
            }
          }
          areas.values().forEach(area -> area.forget(pool));
          engine.onVolumesChanged();
        });
  }

  /** Called after volumes were added or removed. */
  public void volumesChanged() {
    guard.run(
        "volumes changed",
        () -> {
          openFiles.releaseAll();
          host.forgetGoneDevices();
          for (BlockKey block : copies.blocks()) {
            CleanCopies.Copy copy = copies.get(block);
            if (!store.exists(block) || (copy != null && copy.isLost())) {
              eviction.drop(block);
            }
          }
          engine.onVolumesChanged();
        });
  }
}
