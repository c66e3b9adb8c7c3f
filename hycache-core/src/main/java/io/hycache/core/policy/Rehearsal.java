// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.CacheKey;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.KnownSequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A known sequence from the current access on, or a sample of its blocks, to be simulated with
 * several policies from the same residents.
 *
 * <p>Blocks are sampled by hash, so either all accesses of a block are included or none; the
 * capacity is that of the sampled residents. Creating it is O(accesses ahead); a simulation
 * O(sampled accesses) plus the policy. About 40 bytes per sampled access, at most {@link
 * #MAX_ACCESSES} of them.
 */
final class Rehearsal {
  static final int MAX_ACCESSES = 2_000_000;

  private static final String NAMESPACE = "rehearsal";

  private final BlockSample sample = new BlockSample();
  private final Map<CacheKey, Integer> ids = new HashMap<>();
  private CacheKey[] keys = new CacheKey[1024];
  private long[] residentBytes = new long[1024];
  private int blocks;

  private int[] ofBlock = new int[1024];
  private long[] sizes = new long[1024];
  private long[] requests = new long[1024];
  private long[] times = new long[1024];
  private boolean[] writes = new boolean[1024];
  private int count;

  private long[] nextUse = new long[0];
  private int[] left = new int[0];

  /** By block, from the current access on. */
  private long[] firstUse = new long[0];

  private int[] references = new int[0];
  private long capacityBytes;

  private Rehearsal() {}

  /**
   * @param rule supplies the residents
   * @param mostBlocks a sequence with more blocks is sampled
   */
  static Rehearsal of(KnownSequence ahead, Rule<?> rule, long capacityBytes, int mostBlocks) {
    Rehearsal rehearsal = new Rehearsal();
    rehearsal.collect(ahead, mostBlocks);
    rehearsal.enter(rule, capacityBytes);
    rehearsal.lookBack();
    return rehearsal;
  }

  int accesses() {
    return count;
  }

  boolean isSample() {
    return !sample.isAll();
  }

  private void collect(KnownSequence ahead, int mostBlocks) {
    for (long at = ahead.position(); at < ahead.length() && count < MAX_ACCESSES; at++) {
      CacheKey key = ahead.key(at);
      if (!sample.has(key)) {
        continue;
      }
      int id = idOf(key);
      growAccesses();
      ofBlock[count] = id;
      sizes[count] = ahead.sizeBytes(at);
      requests[count] = ahead.requestBytes(at);
      writes[count] = ahead.isWrite(at);
      times[count++] = at;
      if (blocks > mostBlocks) {
        sample.halve();
        thin();
      }
    }
  }

  private int idOf(CacheKey key) {
    Integer id = ids.get(key);
    if (id != null) {
      return id;
    }
    if (blocks == keys.length) {
      keys = Arrays.copyOf(keys, blocks * 2);
      residentBytes = Arrays.copyOf(residentBytes, blocks * 2);
    }
    ids.put(key, blocks);
    keys[blocks] = new CacheKey(NAMESPACE, blocks);
    residentBytes[blocks] = -1;
    return blocks++;
  }

  private void growAccesses() {
    if (count == times.length) {
      int length = count * 2;
      ofBlock = Arrays.copyOf(ofBlock, length);
      sizes = Arrays.copyOf(sizes, length);
      requests = Arrays.copyOf(requests, length);
      times = Arrays.copyOf(times, length);
      writes = Arrays.copyOf(writes, length);
    }
  }

  /** Drops accesses of blocks that are no longer in the sample. */
  private void thin() {
    CacheKey[] all = new CacheKey[blocks];
    ids.forEach((key, id) -> all[id] = key);
    ids.clear();
    blocks = 0;
    int kept = 0;
    for (int i = 0; i < count; i++) {
      CacheKey key = all[ofBlock[i]];
      if (sample.has(key)) {
        ofBlock[kept] = idOf(key);
        sizes[kept] = sizes[i];
        requests[kept] = requests[i];
        writes[kept] = writes[i];
        times[kept++] = times[i];
      }
    }
    count = kept;
  }

  private void enter(Rule<?> rule, long capacity) {
    List<KnownBlock> residents = new ArrayList<>();
    long[] sums = new long[2];
    rule.forEachKnown(
        known -> {
          if (known.resident) {
            sums[0] += known.sizeBytes;
            if (sample.has(known.key)) {
              sums[1] += known.sizeBytes;
              residents.add(known);
            }
          }
        });
    residents.sort(Comparator.comparingLong(known -> known.firstSeen));
    for (KnownBlock known : residents) {
      int id = idOf(known.key);
      residentBytes[id] = known.sizeBytes;
    }
    long all = sums[0];
    long entered = sums[1];
    if (!isSample()) {
      capacityBytes = capacity;
    } else {
      double share = all == 0 ? sample.rate() : (double) entered / all;
      capacityBytes = Math.max(entered, (long) (capacity * share));
    }
  }

  /** Computes for each access the next one of its block, and their number. */
  private void lookBack() {
    nextUse = new long[count];
    left = new int[count];
    long[] next = new long[blocks];
    int[] later = new int[blocks];
    Arrays.fill(next, KnownBlock.NEVER);
    for (int i = count - 1; i >= 0; i--) {
      int id = ofBlock[i];
      nextUse[i] = next[id];
      left[i] = later[id]++;
      next[id] = times[i];
    }
    firstUse = next;
    references = later;
  }

  /** Disk time until the end of the sequence with a policy, which must be new. */
  double diskSeconds(CachePolicy policy, DiskTime disk) {
    Replay replay = new Replay(policy, capacityBytes);
    long now = count == 0 ? 0 : times[0];
    for (int id = 0; id < blocks; id++) {
      if (residentBytes[id] >= 0) {
        policy.onReferences(keys[id], references[id]);
        policy.onNextUse(keys[id], firstUse[id]);
        replay.preload(keys[id], residentBytes[id], now);
      }
    }
    for (int i = 0; i < count; i++) {
      CacheKey key = keys[ofBlock[i]];
      policy.onReferences(key, left[i]);
      policy.onNextUse(key, nextUse[i]);
      replay.access(key, sizes[i], requests[i], writes[i], left[i], times[i]);
    }
    replay.flush();
    return replay.totals().diskSeconds(disk);
  }
}
