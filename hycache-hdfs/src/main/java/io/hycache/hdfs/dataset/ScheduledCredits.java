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
 * The replicas that the NameNode still expects on one storage type because they were written to
 * another one.
 *
 * <p>The NameNode counts a block as scheduled on a storage type of a DataNode from its allocation
 * until a replica is received on a storage of that type. A replica that was placed elsewhere is
 * owed from when it is finalized, which is when plain HDFS would have cleared the count. One that
 * never gets so far is not owed: where its client abandons the block the NameNode clears the count
 * itself, and elsewhere it does not with plain HDFS either. The NameNode drops what it has counted
 * within 20 minutes, and so does this. Thread-safe; O(1) a replica, no I/O under the lock.
 */
final class ScheduledCredits {
  /** Two of the NameNode's periods. */
  static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(20);

  /** Replicas that are being written; beyond it they are not followed. */
  static final int MOST_BEING_WRITTEN = 100_000;

  private static final long SLOT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Replicas that the NameNode of a pool expects on a storage type. Immutable. */
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

  /** What was finalized within one second. */
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

  /** A new replica is being written to another storage type than the NameNode asked for. */
  synchronized void begun(BlockKey block, StorageType asked, long nowNanos) {
    if (beingWritten.size() < MOST_BEING_WRITTEN) {
      beingWritten.put(block, new Begun(new Account(block.pool(), asked), nowNanos));
    }
  }

  /** A replica was finalized, or recovered; the first time counts. Returns whether it is owed. */
  synchronized boolean finalized(BlockKey block, long nowNanos) {
    Begun begun = beingWritten.remove(block);
    if (begun == null) {
      return false;
    }
    Deque<Slot> slots = owed.computeIfAbsent(begun.account, account -> new ArrayDeque<>());
    Slot last = slots.peekLast();
    if (last == null || nowNanos - last.sinceNanos >= SLOT_NANOS) {
      last = new Slot(nowNanos);
      slots.addLast(last);
    }
    last.replicas++;
    return true;
  }

  /** A replica is gone. What was finalized before is owed all the same. */
  synchronized void gone(BlockKey block) {
    beingWritten.remove(block);
  }

  /** Forgets what the NameNode has forgotten. O(replicas being written). */
  synchronized void forget(long nowNanos) {
    beingWritten.values().removeIf(begun -> nowNanos - begun.sinceNanos > FORGET_NANOS);
    for (Deque<Slot> slots : owed.values()) {
      while (!slots.isEmpty() && nowNanos - slots.getFirst().sinceNanos > FORGET_NANOS) {
        slots.removeFirst();
      }
    }
  }

  /** What is owed. */
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

  /** Replicas that a pool's NameNode expects on a storage type and that are not written there. */
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

  /** So many of what is due were settled, the oldest first. */
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
