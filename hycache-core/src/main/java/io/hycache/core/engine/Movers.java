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
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.MoveListener;
import io.hycache.core.table.BlockEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries decisions to the mover threads and their outcomes back to the planner. Data moves share
 * one queue, checksum files have one of their own, so that they run ahead of the data.
 */
final class Movers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Movers.class);

  /** More slow devices than this at a time have none written to. */
  private static final int WRITE_BACKS = 64;

  /** What is written to one slow device: one replica at a time, so that its head stays in place. */
  private static final class Stream {
    final Lock lock = new ReentrantLock();
    final RateLimit limit;

    Stream(long bytesPerSec) {
      limit = new RateLimit(bytesPerSec);
    }
  }

  /** Outcomes of an exchange, each told on the planner's thread. */
  interface Exchange {
    void gaveUp(BlockEntry victim);

    void keptVictim(BlockEntry victim, Throwable why);

    void promoted(long writtenBytes);

    void failed(Throwable why);
  }

  private final BlockMover mover;
  private final Consumer<Runnable> planner;
  private final MoveQueue data;
  private final MoveQueue writeBacks;
  private final MoveQueue checksums;
  private final int queueLength;
  private volatile MoveListener listener = MoveListener.NONE;
  private final Map<String, Stream> streams = new ConcurrentHashMap<>();
  private final Map<String, RateLimit> promoteLimits = new ConcurrentHashMap<>();
  private final Map<String, RateLimit> readLimits = new ConcurrentHashMap<>();
  private volatile long promoteBytesPerSec;

  Movers(HyCacheConfig config, BlockMover mover, Consumer<Runnable> planner) {
    this.mover = mover;
    this.planner = planner;
    this.queueLength = config.queueLength();
    this.data = new MoveQueue("HyCacheMover", config.moverThreads(), queueLength);
    this.checksums = new MoveQueue("HyCacheChecksumMover", 1, queueLength);
    this.writeBacks = new MoveQueue("HyCacheScrubber", WRITE_BACKS, queueLength);
    this.promoteBytesPerSec = config.promoteBytesPerSec();
  }

  /** Sets the pace of demotions to a slow device; those under way follow. */
  void setDemoteRate(String slowDevice, long bytesPerSec) {
    streams.computeIfAbsent(slowDevice, id -> new Stream(bytesPerSec)).limit.set(bytesPerSec);
  }

  long demoteRate(String slowDevice) {
    Stream stream = streams.get(slowDevice);
    return stream == null ? 0 : stream.limit.bytesPerSec();
  }

  /** Sets the pace of promotions to every fast device; those under way follow. */
  void setPromoteRate(long bytesPerSec) {
    promoteBytesPerSec = bytesPerSec;
    promoteLimits.values().forEach(limit -> limit.set(bytesPerSec));
  }

  /** Sets the pace of promotions from a slow device; those under way follow. */
  void setReadRate(String slowDevice, long bytesPerSec) {
    limit(readLimits, slowDevice).set(bytesPerSec);
  }

  long readRate(String slowDevice) {
    return limit(readLimits, slowDevice).bytesPerSec();
  }

  private RateLimit limit(Map<String, RateLimit> limits, String device) {
    return limits.computeIfAbsent(device, id -> new RateLimit(promoteBytesPerSec));
  }

  boolean hasRoom() {
    return data.unfinished() < queueLength;
  }

  int unfinished() {
    return data.unfinished() + writeBacks.unfinished() + checksums.unfinished();
  }

  void observe(MoveListener by) {
    listener = by;
  }

  /** A move whose bytes the planner has set aside. */
  private Move reserved(MoveKind kind, Replica replica) {
    Move move = new Move(kind, replica, listener);
    move.reached(MoveState.RESERVED);
    return move;
  }

  boolean demote(
      Replica replica, String slowDevice, Consumer<Boolean> done, Consumer<Throwable> failed) {
    Move move = reserved(MoveKind.DEMOTE, replica);
    boolean queued =
        writeBacks.offer(
            () -> {
              try {
                boolean kept = demote(move, replica, slowDevice, true);
                planner.accept(() -> done.accept(kept));
              } catch (IOException | InterruptedException | RuntimeException | LinkageError e) {
                planner.accept(() -> failed.accept(e));
              }
            });
    if (!queued) {
      move.failed();
    }
    return queued;
  }

  /**
   * Gives the victims up one after the other, then fetches. The first failure ends it.
   *
   * @param slowDevice where dirty victims go; null if none is dirty
   */
  void exchange(
      List<BlockEntry> victims,
      @Nullable String slowDevice,
      Replica wanted,
      String device,
      Exchange outcome) {
    List<Victim> steps = new ArrayList<>(victims.size());
    for (BlockEntry victim : victims) {
      steps.add(new Victim(victim, victim.cleanData() ? null : slowDevice));
    }
    boolean queued = data.offer(() -> run(steps, wanted, device, outcome));
    if (!queued) {
      IOException why = new IOException("move queue full or closed: length=" + queueLength);
      victims.forEach(victim -> planner.accept(() -> outcome.keptVictim(victim, why)));
      planner.accept(() -> outcome.failed(why));
    }
  }

  /** What a mover thread needs of a victim, read while still on the planner's thread. */
  private static final class Victim {
    final BlockEntry entry;
    final Replica replica;

    /** Where its only copy goes; null if it is clean. */
    final @Nullable String slowDevice;

    Victim(BlockEntry entry, @Nullable String slowDevice) {
      this.entry = entry;
      this.replica = entry.replica();
      this.slowDevice = slowDevice;
    }
  }

  private void run(List<Victim> victims, Replica wanted, String device, Exchange outcome) {
    int at = 0;
    try {
      for (; at < victims.size(); at++) {
        Victim victim = victims.get(at);
        if (victim.slowDevice == null) {
          mover.evict(victim.replica.block(), Part.DATA);
        } else {
          Move move = reserved(MoveKind.DEMOTE, victim.replica);
          demote(move, victim.replica, victim.slowDevice, false);
        }
        planner.accept(() -> outcome.gaveUp(victim.entry));
      }
      long written = promote(MoveKind.PROMOTE, wanted, Part.DATA, device);
      planner.accept(() -> outcome.promoted(written));
    } catch (IOException | InterruptedException | RuntimeException | LinkageError e) {
      for (; at < victims.size(); at++) {
        Victim victim = victims.get(at);
        planner.accept(() -> outcome.keptVictim(victim.entry, e));
      }
      planner.accept(() -> outcome.failed(e));
    }
  }

  private long promote(MoveKind kind, Replica replica, Part part, String device)
      throws IOException, InterruptedException {
    RateLimit to = limit(promoteLimits, device);
    BlockMover.Pace pace =
        slowDevice ->
            new BlockMover.Throttle() {
              @Override
              public void take(long bytes) throws InterruptedException {
                limit(readLimits, slowDevice).take(bytes);
                to.take(bytes);
              }

              @Override
              public int chunkBytes(int mostBytes) {
                return limit(readLimits, slowDevice).chunkBytes(mostBytes);
              }
            };
    return carry(reserved(kind, replica), move -> mover.promote(replica, part, device, pace, move));
  }

  private boolean demote(Move move, Replica replica, String slowDevice, boolean keepClean)
      throws IOException, InterruptedException {
    return carry(
        move,
        m -> {
          Stream stream = streams.get(slowDevice);
          if (stream == null) {
            throw new IOException("slow device is gone: device=" + slowDevice);
          }
          stream.lock.lockInterruptibly();
          try {
            return mover.demote(replica, slowDevice, keepClean, stream.limit, m);
          } finally {
            stream.lock.unlock();
          }
        });
  }

  /** What a mover thread does for a move. */
  private interface Work<T> {
    T on(Move move) throws IOException, InterruptedException;
  }

  private static <T> T carry(Move move, Work<T> work) throws IOException, InterruptedException {
    try {
      return work.on(move);
    } catch (IOException | InterruptedException | RuntimeException | LinkageError e) {
      move.failed();
      throw e;
    }
  }

  void evict(BlockKey block, Runnable done) {
    unlink(data, block, Part.DATA, done);
  }

  void evictChecksums(BlockKey block, Runnable done) {
    unlink(checksums, block, Part.CHECKSUM, done);
  }

  /** Removes a copy that was completed after its replica had gone. */
  void discard(BlockKey block) {
    unlink(checksums, block, Part.CHECKSUM, () -> {});
  }

  private void unlink(MoveQueue queue, BlockKey block, Part part, Runnable done) {
    Runnable task =
        () -> {
          try {
            mover.evict(block, part);
          } finally {
            planner.accept(done);
          }
        };
    if (!queue.offer(task)) {
      // The copy stays on the device until the next scan; the table says what is being served.
      planner.accept(done);
    }
  }

  boolean promoteChecksums(
      Replica replica, String device, LongConsumer done, Consumer<Throwable> failed) {
    return checksums.offer(
        () -> {
          try {
            long written = promote(MoveKind.PROMOTE_CHECKSUMS, replica, Part.CHECKSUM, device);
            planner.accept(() -> done.accept(written));
          } catch (IOException | InterruptedException | RuntimeException | LinkageError e) {
            planner.accept(() -> failed.accept(e));
          }
        });
  }

  void log(Replica replica, Throwable why) {
    LOG.warn("move failed, the replica stays where it was: replica={}", replica, why);
  }

  @Override
  public void close() {
    data.close();
    writeBacks.close();
    checksums.close();
  }
}
