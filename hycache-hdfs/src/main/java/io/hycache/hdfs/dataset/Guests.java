// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks which replicas on SSD are guests, that is, were placed there by HyCache. Their files are
 * marked. While HDFS gives a guest another file, the guest is remembered in memory until that file
 * can be marked. Thread-safe.
 */
final class Guests {
  private static final Logger LOG = LoggerFactory.getLogger(Guests.class);

  private final Set<BlockKey> remembered = ConcurrentHashMap.newKeySet();
  private final GuestMark mark = new GuestMark();

  /**
   * Marks the data file of a guest before it becomes the replica.
   *
   * @throws IOException if the file can't be marked: the replica would be its owner's after that
   */
  void markCopy(File data) throws IOException {
    mark.require(data);
  }

  /** Called when a guest was created on SSD. */
  void placed(BlockKey block, File data) {
    remembered.add(block);
    mark.set(data);
  }

  /**
   * Called before HDFS may give the replica another file: to append to a hard link, or on another
   * volume.
   */
  void changing(@Nullable ReplicaView view) {
    if (view != null && isMarked(view)) {
      remembered.add(view.replica().block());
    }
  }

  /** Called when HDFS has copied a part of a replica to a new block. */
  void copied(@Nullable ReplicaView from, BlockKey to) {
    if (from != null && isMarked(from)) {
      remembered.add(to);
    }
  }

  void gone(BlockKey block) {
    remembered.remove(block);
  }

  /**
   * Returns the home of a finalized replica; marks a guest's file that is not marked yet. A guest
   * whose file can't be marked stays in memory.
   *
   * @throws IOException if the mark can't be read
   */
  Home home(ReplicaView view) throws IOException {
    BlockKey block = view.replica().block();
    if (!view.onSsd()) {
      remembered.remove(block);
      return Home.DISK;
    }
    boolean marked = mark.isSet(view.data());
    if (!marked && !remembered.contains(block)) {
      return Home.SSD_OWNER;
    }
    if (marked || mark.set(view.data())) {
      remembered.remove(block);
    }
    return Home.SSD_GUEST;
  }

  /**
   * As {@link #home(ReplicaView)}, on the SSD's own thread: an SSD that hangs holds up no other.
   *
   * @return null if the SSD is unknown or sick, or does not answer
   */
  @Nullable Home home(ReplicaView view, Map<String, CleanArea> areas) {
    if (!view.onSsd()) {
      return homeIfKnown(view);
    }
    CleanArea area = areas.get(view.volumeRoot().getPath());
    try {
      return area == null || area.watch().sick() ? null : area.watch().ask(() -> home(view));
    } catch (IOException e) {
      unknown(view, e);
      return null;
    }
  }

  /** As {@link #home(ReplicaView)}, on this thread; null if the mark can't be read. */
  @Nullable Home homeIfKnown(ReplicaView view) {
    try {
      return home(view);
    } catch (IOException e) {
      unknown(view, e);
      return null;
    }
  }

  /** Returns true if a replica is on SSD and known to be a guest. */
  boolean isGuest(ReplicaView view) {
    return view.onSsd() && (remembered.contains(view.replica().block()) || isMarked(view));
  }

  /** Returns false, too, if the mark can't be read: callers are HDFS's threads, and go on. */
  private boolean isMarked(ReplicaView view) {
    try {
      return view.onSsd() && mark.isSet(view.data());
    } catch (IOException e) {
      unknown(view, e);
      return false;
    }
  }

  private static void unknown(ReplicaView view, IOException why) {
    LOG.debug("could not find out whether a replica is a guest: replica={}", view.replica(), why);
  }
}
