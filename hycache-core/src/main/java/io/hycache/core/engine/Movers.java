// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.move.Move;
import io.hycache.core.move.MoveQueue;
import io.hycache.core.move.RateLimit;
import io.hycache.core.move.Supervisor;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.MoveListener;
import io.hycache.core.stats.Latencies;
import io.hycache.core.stats.Latencies.Operation;
import io.hycache.core.stats.QuietLog;
import io.hycache.core.table.BlockEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes moves to the mover threads ({@link MoverQueues}) and their outcomes back to the planner.
 * Moves are begun on the planner's thread; their work runs on the threads of the queues.
 */
final class Movers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Movers.class);

  private final QuietLog failureLog = new QuietLog(LOG);
  private final QuietLog discardLog = new QuietLog(LOG);

  /** Pause before an outcome that could not be queued is reported again. */
  private static final long REPORT_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Outcomes of an exchange, each reported on the planner's thread. */
  interface Exchange {
    /** A victim left: it was unlinked, or written to DISK or to a slower tier. */
    void gaveUp(BlockEntry victim);

    /**
     * A victim stays. Of several, the first is the one that failed to leave; the moves of the
     * others did not begin, and {@link #failed} follows.
     */
    void keptVictim(BlockEntry victim, Throwable why);

    /** The block was promoted; all victims left before. */
    void promoted(long writtenBytes);

    /** The block was not promoted. */
    void failed(Throwable why);
  }

  /** Notified of bytes that a copy had written to a fast device when it failed. */
  interface FailedCopies {
    /** Called on the planner's thread. */
    void wrote(String device, long bytes);
  }

  private final BlockMover mover;
  private final PlannerEvents planner;
  private final MoverQueues queues;
  private volatile MoveListener listener = MoveListener.NONE;

  /** The rates of all moves. */
  final MoveRates rates;

  private FailedCopies failedCopies = (device, bytes) -> {};

  /** Copies to discard for which the queue had no room. Owned by the planner's thread. */
  private final Set<Replica> discards = new LinkedHashSet<>();

  /** No move begins any more; moves under way end at their next chunk. */
  private volatile boolean aside;

  private final Supervisor.Part part;
  private final Latencies latencies;

  Movers(
      HyCacheConfig config,
      BlockMover mover,
      PlannerEvents planner,
      Supervisor.Part part,
      Latencies latencies) {
    this.mover = mover;
    this.planner = planner;
    this.part = part;
    this.latencies = latencies;
    this.queues = new MoverQueues(config.moverThreads(), config.queueLength());
    this.rates = new MoveRates(config.promoteBytesPerSec());
  }

  /** Whether the queue of a device has room for another exchange. */
  boolean hasRoom(String device) {
    return queues.hasRoom(device);
  }

  /** Whether the queue for evictions from a device has room for another one. */
  boolean hasRoomToEvict(String device) {
    return queues.hasRoomToEvict(device);
  }

  int unfinished() {
    return queues.unfinished();
  }

  /** Must be called before the first move begins. */
  void notifyOfFailedCopies(FailedCopies by) {
    failedCopies = by;
  }

  void observe(MoveListener by) {
    listener = by;
  }

  /** A move whose bytes are reserved. */
  private Move reserved(MoveKind kind, Replica replica) {
    Move move = new Move(kind, replica, listener);
    move.reached(MoveState.RESERVED);
    return move;
  }

  /** Begins no more moves; those under way are rolled back. Any thread; never waits. */
  void stepAside() {
    aside = true;
  }

  /** True once {@link #stepAside} was called. Any thread. */
  boolean isAside() {
    return aside;
  }

  private void refuseIfAside() throws IOException {
    if (aside) {
      throw new IOException("moves are disabled: the plugin is in pass-through");
    }
  }

  /** Reports an outcome, which is repeated until it succeeds: the planner relies on it. */
  private void report(Runnable outcome) {
    while (true) {
      try {
        planner.moveEnded(outcome);
        return;
      } catch (Throwable e) {
        LockSupport.parkNanos(REPORT_RETRY_NANOS);
      }
    }
  }

  private void report(MoveReport outcome, Throwable why) {
    if (why instanceof Error) {
      part.failed(why);
    }
    report(outcome.with(why));
  }

  private void report(MoveReport outcome, long result) {
    part.succeeded();
    report(outcome.with(result));
  }

  /**
   * Demotes a replica.
   *
   * @param target slow device, or fast device of a slower tier
   * @param keepClean whether its SSD bytes stay as a clean copy; false for a fast target
   * @param done receives whether a clean copy was kept
   * @return false if the queue is full: nothing is reported
   */
  boolean demote(
      Replica replica,
      String fastDevice,
      String target,
      boolean keepClean,
      Consumer<Boolean> done,
      Consumer<Throwable> failed) {
    Move move = reserved(MoveKind.DEMOTE, replica);
    MoveReport outcome = new MoveReport(kept -> done.accept(kept != 0), failed);
    boolean queued =
        queues.writeBacks.offer(
            () -> {
              long kept;
              try {
                kept = demote(move, replica, fastDevice, target, keepClean) ? 1 : 0;
              } catch (Throwable e) {
                report(outcome, e);
                return;
              }
              report(outcome, kept);
            });
    if (!queued) {
      move.failed();
    }
    return queued;
  }

  /**
   * Evicts or demotes the victims one after the other, then promotes. The first failure ends it.
   *
   * @param target where dirty victims go, as in {@link #demote}; null if none is dirty
   * @param readAheadFrom slow device of a block that is fetched ahead, which has a queue of its
   *     own, so that all slow devices stream at the same time; null for other promotions
   * @return false if the queue is full: nothing is reported
   */
  boolean exchange(
      List<BlockEntry> victims,
      @Nullable String target,
      Replica wanted,
      String device,
      @Nullable String readAheadFrom,
      Exchange outcome) {
    List<Victim> steps = new ArrayList<>(victims.size());
    for (BlockEntry victim : victims) {
      steps.add(new Victim(victim, victim.cleanData() ? null : target, outcome));
    }
    MoveReport last = new MoveReport(outcome::promoted, outcome::failed);
    MoveQueue queue =
        readAheadFrom == null ? queues.data(device) : queues.readAhead(readAheadFrom, device);
    return queue.offer(() -> run(steps, wanted, device, last));
  }

  /** What a mover thread needs of a victim; created on the planner's thread. */
  private static final class Victim {
    final Replica replica;

    /** Where its only copy is written to; null if it is clean. */
    final @Nullable String target;

    final MoveReport outcome;

    Victim(BlockEntry entry, @Nullable String target, Exchange outcome) {
      this.replica = entry.replica();
      this.target = target;
      this.outcome =
          new MoveReport(none -> outcome.gaveUp(entry), why -> outcome.keptVictim(entry, why));
    }
  }

  private void run(List<Victim> victims, Replica wanted, String device, MoveReport outcome) {
    int at = 0;
    long written;
    try {
      for (; at < victims.size(); at++) {
        Victim victim = victims.get(at);
        refuseIfAside();
        if (victim.target == null) {
          mover.evict(victim.replica.block(), Part.DATA);
        } else {
          Move move = reserved(MoveKind.DEMOTE, victim.replica);
          demote(move, victim.replica, device, victim.target, false);
        }
        report(victim.outcome.with(0));
      }
      written = promote(MoveKind.PROMOTE, wanted, Part.DATA, device);
    } catch (Throwable e) {
      for (; at < victims.size(); at++) {
        report(victims.get(at).outcome.with(e));
      }
      report(outcome, e);
      return;
    }
    report(outcome, written);
  }

  private long promote(MoveKind kind, Replica replica, Part part, String device)
      throws IOException, InterruptedException {
    RateLimit to = rates.promotionsTo(device);
    AtomicLong copied = new AtomicLong();
    BlockMover.Pace pace =
        slowDevice ->
            new BlockMover.Throttle() {
              @Override
              public void take(long bytes) throws InterruptedException {
                copied.addAndGet(bytes);
                stopIfAside();
                rates.readsFrom(slowDevice).take(bytes);
                to.take(bytes);
                stopIfAside();
              }

              @Override
              public int chunkBytes(int mostBytes) {
                return rates.readsFrom(slowDevice).chunkBytes(mostBytes);
              }
            };
    try {
      return carry(
          reserved(kind, replica),
          move -> {
            refuseIfAside();
            long begun = latencies.begin();
            long written = mover.promote(replica, part, device, pace, move);
            if (part == Part.DATA) {
              latencies.ended(Operation.PROMOTION, begun);
            }
            return written;
          });
    } catch (Throwable e) {
      if (copied.get() > 0) {
        report(() -> failedCopies.wrote(device, copied.get()));
      }
      throw e;
    }
  }

  private void stopIfAside() throws InterruptedException {
    if (aside) {
      throw new InterruptedException("the plugin is in pass-through");
    }
  }

  /** A limit that also stops the move once {@link #stepAside} was called. */
  private BlockMover.Throttle stopping(RateLimit limit) {
    return new BlockMover.Throttle() {
      @Override
      public void take(long bytes) throws InterruptedException {
        stopIfAside();
        limit.take(bytes);
        stopIfAside();
      }

      @Override
      public int chunkBytes(int mostBytes) {
        return limit.chunkBytes(mostBytes);
      }
    };
  }

  private boolean demote(
      Move move, Replica replica, String fastDevice, String target, boolean keepClean)
      throws IOException, InterruptedException {
    return carry(
        move,
        m -> {
          MoveRates.WriteStream stream = rates.stream(target);
          if (stream == null) {
            throw new IOException("slow device is no longer usable: device=" + target);
          }
          Lock lock = stream.lock(fastDevice);
          lock.lockInterruptibly();
          try {
            refuseIfAside();
            long begun = latencies.begin();
            boolean kept = mover.demote(replica, target, keepClean, stopping(stream.limit), m);
            latencies.ended(Operation.DEMOTION, begun);
            return kept;
          } finally {
            lock.unlock();
          }
        });
  }

  /** The work of a mover thread for one move. */
  private interface Work<T> {
    T on(Move move) throws IOException, InterruptedException;
  }

  private static <T> T carry(Move move, Work<T> work) throws IOException, InterruptedException {
    try {
      return work.on(move);
    } catch (Throwable e) {
      rolledBack(move);
      throw e;
    }
  }

  private static void rolledBack(Move move) {
    try {
      move.failed();
    } catch (Throwable e) {
      // The failure that is being thrown says more.
    }
  }

  /** Unlinks a clean copy. Returns false if the queue is full: nothing is reported. */
  boolean evict(BlockKey block, String device, Runnable done, Consumer<Throwable> failed) {
    return unlink(queues.evictions(device), block, Part.DATA, done, failed);
  }

  /** Unlinks a checksum file. Returns false if the queue is full: nothing is reported. */
  boolean evictChecksums(BlockKey block, String device, Runnable done, Consumer<Throwable> failed) {
    return unlink(queues.evictions(device), block, Part.CHECKSUM, done, failed);
  }

  /** Removes the copy of a replica that is no longer current. Planner's thread. */
  void discard(Replica copied) {
    MoveReport outcome =
        new MoveReport(
            none -> {}, why -> discardLog.warn(why, "could not remove a copy: replica={}", copied));
    if (!run(queues.discarder, () -> mover.discard(copied), outcome)) {
      discards.add(copied);
    }
  }

  /** Retries the discards for which the queue had no room. Planner's thread. */
  void maintain() {
    if (!discards.isEmpty()) {
      List<Replica> again = new ArrayList<>(discards);
      discards.clear();
      again.forEach(this::discard);
    }
  }

  private boolean unlink(
      MoveQueue queue, BlockKey block, Part what, Runnable done, Consumer<Throwable> failed) {
    return run(queue, () -> mover.evict(block, what), new MoveReport(none -> done.run(), failed));
  }

  private boolean run(MoveQueue queue, Runnable step, MoveReport outcome) {
    return queue.offer(
        () -> {
          try {
            step.run();
          } catch (Throwable e) {
            report(outcome, e);
            return;
          }
          report(outcome, 0);
        });
  }

  /**
   * Copies a checksum file.
   *
   * @param slowDevice that it is read from; null if none holds it
   * @param done receives the bytes written; 0 if the copy was there already
   * @return false if the queue is full: nothing is reported
   */
  boolean promoteChecksums(
      Replica replica,
      @Nullable String slowDevice,
      String device,
      LongConsumer done,
      Consumer<Throwable> failed) {
    MoveReport outcome = new MoveReport(done, failed);
    return queues
        .checksums(slowDevice == null ? "" : slowDevice, device)
        .offer(
            () -> {
              long written;
              try {
                written = promote(MoveKind.PROMOTE_CHECKSUMS, replica, Part.CHECKSUM, device);
              } catch (Throwable e) {
                report(outcome, e);
                return;
              }
              report(outcome, written);
            });
  }

  /** Logs that a move failed. */
  void log(Replica replica, Throwable why) {
    failureLog.warn(why, "move failed, the replica stays where it is: replica={}", replica);
  }

  @Override
  public void close() {
    queues.close();
  }
}
