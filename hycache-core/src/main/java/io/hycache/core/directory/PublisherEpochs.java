// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The latest epoch that each publisher announced. What it published in an earlier one is void.
 * Thread-safe.
 */
final class PublisherEpochs {
  /** Publishers whose epochs are kept, besides those that are members. */
  static final int MAX_PUBLISHERS = 20_000;

  /**
   * Epochs of clocks are far below. One that is announced by mistake in another node's name must
   * leave room for later ones, or that node publishes no more, or what it published never ends.
   */
  static final long MAX_EPOCH = Long.MAX_VALUE / 2;

  /** How much later an epoch may be than {@link #MAX_EPOCH}, or than a recorded one after it. */
  static final long ROOM = 1 << 20;

  private final Map<String, Long> epochs = new ConcurrentHashMap<>();
  private final Membership membership;

  PublisherEpochs(Membership membership) {
    this.membership = membership;
  }

  /**
   * Records an epoch that {@link #isTaken}. Bounded for others than members, which may use a new
   * name each time.
   */
  void announce(String publisher, long epoch) {
    boolean known =
        epochs.size() < MAX_PUBLISHERS
            || epochs.containsKey(publisher)
            || membership.shares().isMember(publisher);
    if (known && isTaken(publisher, epoch)) {
      epochs.merge(publisher, epoch, Math::max);
    }
  }

  /** False for an epoch so late that there may be none after it: such a one is not taken. */
  boolean isTaken(String publisher, long epoch) {
    return epoch <= Math.max(MAX_EPOCH, of(publisher)) + ROOM;
  }

  /** The latest epoch of a publisher; 0 if none was announced or the name is empty. */
  long of(String publisher) {
    return publisher.isEmpty() ? 0 : epochs.getOrDefault(publisher, 0L);
  }

  /** Forgets publishers that are not members. Their records must be gone. */
  void retainMembers(Shares shares) {
    epochs.keySet().removeIf(publisher -> !shares.isMember(publisher));
  }

  int size() {
    return epochs.size();
  }
}
