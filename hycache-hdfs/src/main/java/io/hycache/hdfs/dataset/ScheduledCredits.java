// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.Nullable;

/**
 * Counts the replicas that the NameNode still expects on one storage type although they were
 * written to another.
 *
 * <p>The NameNode counts a block as scheduled on a storage type of a DataNode from its allocation
 * until a replica is received on a storage of that type. A replica that was placed elsewhere is
 * owed a credit from its finalization on, when plain HDFS would have cleared the count. A replica
 * that is never finalized is owed none: the NameNode clears the count itself if the client abandons
 * the block, and otherwise does not clear it with plain HDFS either. The NameNode drops old counts
 * within 20 minutes, and so does this class. Thread-safe; O(1) per replica, no I/O under the lock.
 */
final class ScheduledCredits {
  /** Age after which a count is dropped: two of the NameNode's roll intervals. */
  static final long EXPIRY_NANOS = TimeUnit.MINUTES.toNanos(20);

  /** Maximum of tracked replicas being written; further ones are not tracked. */
  static final int MAX_BEING_WRITTEN = 100_000;

  private static final long SLOT_WIDTH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Credits owed to the NameNode of a pool for a storage type. Immutable. */
  static final class Due {
    final String pool;
    final StorageType asked;
    final int replicas;

    Due(String pool, StorageType asked, int replicas) {
      this.pool = pool;
      this.asked = asked;
      this.replicas = replicas;
    }
  }

  private static final class Account {
    final String pool;
    final StorageType asked;

    Account(String pool, StorageType asked) {
      this.pool = pool;
      this.asked = asked;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Account
          && pool.equals(((Account) o).pool)
          && asked == ((Account) o).asked;
    }

    @Override
    public int hashCode() {
      return Objects.hash(pool, asked);
    }
  }

  private static final class Begun {
    final Account account;
    final long sinceNanos;

    Begun(Account account, long sinceNanos) {
      this.account = account;
      this.sinceNanos = sinceNanos;
    }
  }

  /** Replicas that were finalized within one second. */
  private static final class Slot {
    final long sinceNanos;
    int replicas;

    Slot(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  // Guarded by this.
  private final Map<BlockKey, Begun> beingWritten = new HashMap<>();
  private final Map<Account, Deque<Slot>> owed = new HashMap<>();

  /**
   * Called when a new replica is being written to another storage type than the NameNode asked for.
   */
  synchronized void begun(BlockKey block, StorageType asked, long nowNanos) {
    if (beingWritten.size() < MAX_BEING_WRITTEN) {
      beingWritten.put(block, new Begun(new Account(block.pool(), asked), nowNanos));
    }
  }

  /**
   * Called when a replica is finalized or recovered; only the first call has an effect. Returns
   * whether a credit is owed.
   */
  synchronized boolean finalized(BlockKey block, long nowNanos) {
    Begun begun = beingWritten.remove(block);
    if (begun == null) {
      return false;
    }
    Deque<Slot> slots = owed.computeIfAbsent(begun.account, account -> new ArrayDeque<>());
    Slot last = slots.peekLast();
    if (last == null || nowNanos - last.sinceNanos >= SLOT_WIDTH_NANOS) {
      last = new Slot(nowNanos);
      slots.addLast(last);
    }
    last.replicas++;
    return true;
  }

  /**
   * Called when a replica was deleted, or is written anew to the type that was asked for. A credit
   * stays owed if it was finalized before.
   */
  synchronized void gone(BlockKey block) {
    beingWritten.remove(block);
  }

  /** Drops counts that the NameNode has dropped. O(replicas being written). */
  synchronized void forget(long nowNanos) {
    beingWritten.values().removeIf(begun -> nowNanos - begun.sinceNanos > EXPIRY_NANOS);
    for (Deque<Slot> slots : owed.values()) {
      while (!slots.isEmpty() && nowNanos - slots.getFirst().sinceNanos > EXPIRY_NANOS) {
        slots.removeFirst();
      }
    }
  }

  /** True while nothing is owed or can come to be owed. */
  synchronized boolean isEmpty() {
    return beingWritten.isEmpty() && owed.values().stream().allMatch(Deque::isEmpty);
  }

  /** Returns the credits owed. */
  synchronized List<Due> due() {
    List<Due> due = new ArrayList<>();
    owed.forEach(
        (account, slots) -> {
          int replicas = sum(slots);
          if (replicas > 0) {
            due.add(new Due(account.pool, account.asked, replicas));
          }
        });
    return due;
  }

  /**
   * Returns the number of replicas that a pool's NameNode expects on a storage type and that were
   * written to another.
   */
  synchronized int owed(String pool, StorageType asked) {
    int sum = 0;
    for (Map.Entry<Account, Deque<Slot>> entry : owed.entrySet()) {
      if (entry.getKey().asked == asked && entry.getKey().pool.equals(pool)) {
        sum += sum(entry.getValue());
      }
    }
    return sum;
  }

  private static int sum(Deque<Slot> slots) {
    int sum = 0;
    for (Slot slot : slots) {
      sum += slot.replicas;
    }
    return sum;
  }

  /** Removes settled credits, oldest first. */
  synchronized void settled(Due due, int replicas) {
    Deque<Slot> slots = owed.get(new Account(due.pool, due.asked));
    int left = replicas;
    while (slots != null && left > 0 && !slots.isEmpty()) {
      Slot first = slots.getFirst();
      int taken = Math.min(left, first.replicas);
      first.replicas -= taken;
      left -= taken;
      if (first.replicas == 0) {
        slots.removeFirst();
      }
    }
  }
}
