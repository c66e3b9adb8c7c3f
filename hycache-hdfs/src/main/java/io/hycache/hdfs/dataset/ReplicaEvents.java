package io.hycache.hdfs.dataset;

import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import java.util.Map;

/**
 * What HDFS's dataset reports of its replicas, block pools and volumes: kept in step with the index
 * of copies and the marks of guests, and passed to the engine. Guarded; never throws, never waits.
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
    this.engine = engine;
    this.scheduled = scheduled;
    this.eviction = eviction;
    this.guard = guard;
  }

  /** Passes on to the engine what a finalized replica is. */
  void tell(ReplicaView view) {
    String device = view.onSsd() ? view.volumeRoot().getPath() : null;
    engine.onReplica(view.replica(), guests.home(view), device);
  }

  /** A replica was finalized after it was written here. */
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

  /** The replica may have been created, finalized, moved or changed: look and tell the engine. */
  public void refresh(BlockKey block) {
    guard.run(
        "refresh",
        () -> {
          ReplicaView view = store.finalized(block);
          CleanCopies.Copy copy = copies.get(block);
          if (copy != null && !store.isFinalizedOnDisk(copy.replica())) {
            // Completed after the replica began to change; it was never served since.
            eviction.drop(block);
          }
          if (view != null) {
            scheduled.finalized(block);
            tell(view);
          } else {
            engine.onGone(block);
          }
        });
  }

  /** The replica is about to change or go: nothing stale may be served from now on. */
  public void changing(BlockKey block) {
    guard.run(
        "changing",
        () -> {
          guests.changing(store.finalized(block));
          eviction.drop(block);
        });
  }

  /** HDFS made a new replica of a part of one: it is as much a guest as that. */
  public void copied(BlockKey from, BlockKey to) {
    guard.run("copied", () -> guests.copied(store.finalized(from), to));
    refresh(to);
  }

  /** The replica was deleted. */
  public void deleted(BlockKey block) {
    guard.run(
        "deleted",
        () -> {
          guests.gone(block);
          scheduled.gone(block);
          eviction.drop(block);
          locked.remove(block);
          engine.onGone(block);
        });
  }

  /**
   * HDFS has deleted the replica, after {@link #deleted} was called. Who took stock in between may
   * have found the replica, and a copy of it.
   */
  public void gone(BlockKey block) {
    guard.run(
        "gone",
        () -> {
          if (copies.get(block) != null) {
            eviction.drop(block);
          }
          engine.onGone(block);
        });
  }

  /** HDFS is asked to lock a replica in memory: its copy is not served until that ends. */
  public void lockedInMemory(BlockKey block) {
    guard.run(
        "locked in memory",
        () -> {
          locked.add(block);
          eviction.drop(block);
        });
  }

  /** HDFS does not lock the replica in memory any more. */
  public void unlocked(BlockKey block) {
    guard.run("unlocked", () -> locked.remove(block));
  }

  /**
   * A block pool is not served any more, because the DataNode stops or the pool was taken from it:
   * its copies are neither served nor counted. Their files stay: the pool may come again.
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

  /** Volumes came or went. */
  public void volumesChanged() {
    guard.run(
        "volumes changed",
        () -> {
          openFiles.releaseAll();
          host.forgetGoneDevices();
          for (BlockKey block : copies.blocks()) {
            CleanCopies.Copy copy = copies.get(block);
            if (!store.exists(block) || (copy != null && host.lost(copy))) {
              eviction.drop(block);
            }
          }
          engine.onVolumesChanged();
        });
  }
}
