// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.AbstractIterator;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.AgedBlocks.Block;
import io.hycache.core.policy.BlockKinds.Kind;
import io.hycache.core.policy.BlockKinds.Order;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the blocks with the highest expected saving of disk time per byte and time, as learned from
 * how soon blocks of the same kind and age were read again.
 *
 * <p>Idea: a block's kind is the number of its reads so far, the mean gap between them, and the
 * power of two of its size. For each kind the policy counts how many blocks reached an age
 * (accesses since their last read) and how many of them were read at that age: the hazard of reuse.
 * From it follows the rank of a block of that kind and age: the best ratio, over all horizons, of
 * the disk time that its next read saves to its size times the expected time until that read or the
 * horizon. The block of lowest rank is evicted first. {@link Order#VALUE} is another rank, of the
 * policy {@code hit-value}.
 *
 * <p>A block that was just read is fetched if no victims outrank it together, and if its next read
 * saves more disk time than the space costs until then (at the density of recent victims), the
 * fetch costs beyond the request made anyway, and the SSD write costs ({@link
 * DiskTime#secondsOfWrite}). Only the next read counts: a block that is not fetched now can be
 * fetched then. All reads are counted, also those of blocks that are not resident. Reads that a
 * host passes on anew, all at one time, say how often a block was read, but nothing of gaps. Hints
 * are not used.
 *
 * <p>Complexity: O(1) amortized per event, and a few ns for each age that a block reaches ({@link
 * AgedBlocks}); the ranks are computed anew every {@value #ACCESSES_PER_UPDATE} accesses, or every
 * eight for each kind or one for 32 residents, if that is more. Memory: about 110 bytes per block
 * remembered: the residents, and four times as many others, at least {@value #MIN_OTHERS}; about 3
 * KB per kind ({@link BlockKinds}).
 *
 * <p>Choices where the sources are silent: counts decay by a tenth every {@value
 * #ACCESSES_PER_DECAY} accesses; a write costs the default price at least, or blocks of equal worth
 * would take turns where writes are free; {@link BlockKinds} says from what kinds with few blocks
 * borrow, and what {@link Order#VALUE} does with blocks that were read once.
 *
 * <p>Source: Beckmann, Chen, Cidon, "LHD: Improving cache hit rate by maximizing hit density"
 * (NSDI'18), section 4, with counts of all blocks instead of the cached ones, exact instead of
 * sampled victims, and disk time in place of hits. The ratio over the best horizon is the index of
 * J. Gittins, "Bandit processes and dynamic allocation indices" (J. R. Stat. Soc. B 41, 1979).
 */
final class HitDensityPolicy implements CachePolicy, Warmable {
  static final int ACCESSES_PER_UPDATE = 256;

  private static final String UNIT = "seconds of disk time";

  /** Reads that are counted. */
  private static final int MAX_READS = 16;

  private static final int SMOOTHED_GAPS = 8;

  static final int MIN_OTHERS = 16_384;
  private static final int OTHERS_PER_RESIDENT = 4;
  static final int ACCESSES_PER_DECAY = 4_096;

  /** The first update; the intervals double until they have their full length. */
  private static final int FIRST_UPDATE = 64;

  private static final int ACCESSES_PER_UPDATE_AND_KIND = 8;
  private static final int RESIDENTS_PER_ACCESS = 32;

  private final DiskTime disk;
  private final BlockKinds kinds;
  private final AgedBlocks aged;
  private final BlockMap<Block> blocks = new BlockMap<>();
  private long now;
  private long nextDecay = ACCESSES_PER_DECAY;
  private long nextUpdate = FIRST_UPDATE;
  private long lastRequestBytes;
  private int lastRequests = 1;

  /** Time of the last access. */
  private long lastNanos;

  private @Nullable Block lastAdmitted;
  private long lastAdmittedNanos;

  /** Hash codes of blocks that are forgotten together. */
  private final int[] forgotten = new int[Replay.AHEAD];

  /** Written only, so that prefetching loads are not optimized away. */
  @SuppressWarnings("UnusedVariable")
  private int looks;

  HitDensityPolicy(DiskTime disk) {
    this(disk, Order.DENSITY);
  }

  HitDensityPolicy(DiskTime disk, Order order) {
    this.disk = disk.withWritePrice(Math.max(DiskTime.DEFAULT_WRITE_PRICE, disk.writePrice()));
    kinds = new BlockKinds(this.disk, order);
    aged = new AgedBlocks(kinds);
  }

  // ---- events -----------------------------------------------------------------------------------

  @Override
  public void onAccess(Access access) {
    Block block = blocks.get(access.key());
    if (block != null && isReplayed(block, access)) {
      replay(block);
      return;
    }
    now++;
    lastNanos = access.timeNanos();
    long size = access.sizeBytes();
    if (block == null) {
      block = remember(access.key(), size);
    } else {
      readAgain(block, size);
    }
    lastRequestBytes = access.requestBytes();
    lastRequests = access.requests();
    block.kind.smooth(access);
    if (now % BlockKinds.ACCESSES_PER_TICK == 0) {
      aged.age(now);
      forget();
    }
    if (now >= nextUpdate) {
      update();
    }
  }

  /** A block of which nothing is known: taken as read once, now. */
  private Block remember(CacheKey key, long sizeBytes) {
    Block block = new Block(key, sizeBytes, kinds.of(1, 0, sizeBytes));
    block.kind.blocks++;
    block.kind.reached[0]++;
    aged.add(block, false, now);
    blocks.add(block);
    return block;
  }

  /** Whether it is of the block that was admitted or read last, at the same time. */
  private boolean isReplayed(Block block, Access access) {
    long nanos = access.timeNanos();
    return (block == lastAdmitted && nanos == lastAdmittedNanos)
        || (nanos == lastNanos && aged.age(block, now) == 0);
  }

  /** Counts an earlier read of a block: no block was read again now. */
  private void replay(Block block) {
    int step = aged.step(block);
    block.reads = Math.min(MAX_READS, block.reads + 1);
    Kind kind = kinds.of(block.reads, block.gap, block.sizeBytes);
    if (kind == block.kind && step == 0) {
      return;
    }
    if (step == 0) {
      block.kind.reached[0] = Math.max(0, block.kind.reached[0] - 1);
    }
    block.kind.blocks--;
    kind.blocks++;
    kind.reached[0]++;
    aged.readAgain(block, step, kind, now);
  }

  private void readAgain(Block block, long sizeBytes) {
    int step = aged.step(block);
    block.kind.read[step]++;
    block.kind.blocks--;
    long age = aged.age(block, now);
    block.reads = Math.min(MAX_READS, block.reads + 1);
    int gaps = block.gap == 0 ? 1 : Math.min(SMOOTHED_GAPS, block.reads - 1);
    block.gap += (age - block.gap) / gaps;
    block.sizeBytes = sizeBytes;
    Kind kind = kinds.of(block.reads, block.gap, sizeBytes);
    kind.blocks++;
    kind.reached[0]++;
    aged.readAgain(block, step, kind, now);
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    Block block = blocks.get(key);
    if (block == null) {
      block = remember(key, sizeBytes);
    }
    lastAdmitted = block;
    lastAdmittedNanos = nowNanos;
    block.sizeBytes = sizeBytes;
    if (!aged.isResident(block)) {
      aged.arrive(block);
    }
  }

  @Override
  public void onRemoved(CacheKey key) {
    Block block = blocks.get(key);
    if (block != null && aged.isResident(block)) {
      if (aged.depart(block)) {
        forget(block);
      }
      forget();
    }
  }

  @Override
  public void onDeleted(CacheKey key) {
    onRemoved(key);
    Block block = blocks.get(key);
    if (block != null) {
      forget(block);
    }
  }

  private void forget(Block block) {
    aged.remove(block);
    block.kind.blocks--;
    blocks.remove(block.key);
  }

  /** Forgets blocks that were not read for longest. */
  private void forget() {
    int most = Math.max(MIN_OTHERS, OTHERS_PER_RESIDENT * aged.residents());
    int count = Math.min(forgotten.length, aged.others() - most);
    if (count > 1) {
      looks += blocks.warm(forgotten, aged.oldestOthers(forgotten, count));
    }
    while (aged.others() > most) {
      Block oldest = aged.oldestOther();
      if (oldest == null) {
        return;
      }
      forget(oldest);
    }
  }

  private void update() {
    if (now >= nextDecay) {
      nextDecay = now + ACCESSES_PER_DECAY;
      kinds.decay();
    }
    kinds.update();
    aged.rank();
    int perKind = Math.max(ACCESSES_PER_UPDATE, ACCESSES_PER_UPDATE_AND_KIND * kinds.size());
    int interval = Math.max(perKind, aged.residents() / RESIDENTS_PER_ACCESS);
    nextUpdate = now + Math.min(Math.max(FIRST_UPDATE, now), interval);
  }

  /** Mean number of accesses between the reads of a block; 0 if it was not read again. */
  float gap(CacheKey key) {
    Block block = blocks.get(key);
    return block == null ? 0 : block.gap;
  }

  /** Blocks that are counted, resident or not. */
  int remembered() {
    return blocks.size();
  }

  // ---- decisions --------------------------------------------------------------------------------

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Block block = blocks.get(candidate.key());
    Decision refused =
        ReadFetchPolicy.refuse(candidate, block != null && aged.isResident(block), capacityBytes);
    if (refused != null) {
      return refused;
    }
    long size = candidate.sizeBytes();
    Kind kind = block == null ? kinds.of(1, 0, size) : block.kind;
    double fetch =
        disk.seconds(size)
            - disk.secondsOfParts(lastRequests, lastRequestBytes, size)
            + disk.secondsOfWrite((double) size);
    boolean isWorthIt = kind.value > fetch;
    List<CacheKey> victims = new ArrayList<>();
    long missing = size - freeBytes;
    double lost = 0;
    double least = 0;
    AgedBlocks.Leaving leaving = aged.new Leaving();
    // Each further victim only adds to what is lost. The first one says what space is worth.
    while (missing > 0 && (isWorthIt || victims.isEmpty())) {
      Block victim = leaving.next();
      if (victim == null) {
        return Decision.bypass(Reason.NO_ROOM);
      }
      least = victims.isEmpty() ? leaving.density() : least;
      victims.add(victim.key);
      missing -= victim.sizeBytes;
      lost += leaving.rank() * victim.sizeBytes;
      isWorthIt = isWorthIt && kinds.outranks(kind, size, fetch, lost);
    }
    kinds.spaceTaken(least);
    if (!isWorthIt) {
      return Decision.bypass(Reason.COST_NOT_BELOW_GAIN).because(kind.value, fetch, UNIT);
    }
    return Decision.admit(victims).because(kind.value, fetch, UNIT);
  }

  @Override
  public Iterable<CacheKey> evictionOrder() {
    return () -> {
      AgedBlocks.Leaving leaving = aged.new Leaving();
      return new AbstractIterator<>() {
        @Override
        protected @Nullable CacheKey computeNext() {
          Block next = leaving.next();
          return next == null ? endOfData() : next.key;
        }
      };
    };
  }

  @Override
  public int residents() {
    return aged.residents();
  }

  @Override
  public int warm(CacheKey[] keys, int count) {
    return blocks.warm(keys, count, aged::warm);
  }

  @Override
  public int nextToGo(CacheKey[] into, int count) {
    return 0;
  }
}
