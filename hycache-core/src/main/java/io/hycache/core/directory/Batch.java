// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A batch in progress: its publisher, its epoch, and the replicas that must acknowledge it before
 * it is answered. Used by the one thread that runs the batch.
 */
final class Batch {
  final String publisher;
  final long epoch;
  private final List<Follower> followers = new ArrayList<>(2);

  /**
   * @param publisher id of the member whose soft state the puts are; empty if they are not
   */
  Batch(String publisher, long epoch) {
    this.publisher = publisher;
    this.epoch = epoch;
  }

  /** Makes the answer wait for these replicas too. */
  void awaits(List<Follower> others) {
    for (Follower follower : others) {
      if (!followers.contains(follower)) {
        followers.add(follower);
      }
    }
  }

  /** True if no replica must acknowledge the batch. */
  boolean isAcknowledged() {
    return followers.isEmpty();
  }

  /**
   * Runs an action once each replica has acknowledged what was queued for it so far, or was given
   * up. There must be at least one.
   */
  void whenAcknowledged(Runnable action) {
    AtomicInteger left = new AtomicInteger(followers.size());
    for (Follower follower : followers) {
      follower.afterwards(
          () -> {
            if (left.decrementAndGet() == 0) {
              action.run();
            }
          });
    }
  }
}
