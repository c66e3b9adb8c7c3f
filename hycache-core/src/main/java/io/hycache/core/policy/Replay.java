// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Candidate.Trigger;
import io.hycache.core.model.Decision;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a policy: carries out its decisions immediately, access by access, and counts the
 * resulting disk operations. Used by the simulator and by policies that rehearse before they
 * decide.
 *
 * <p>Accounting. An access that finds its object on the SSD is a hit; one that causes the fetch is
 * a miss. A read miss costs the HDD one operation: of the request's bytes if bypassed, of the whole
 * object if fetched. A bypassed write costs one operation of its bytes. An admitted write first
 * reads the object unless it covers it, and leaves it dirty, as does a write hit. A dirty victim
 * costs one write of the object, and so does, at the end, every dirty resident ({@link #flush});
 * clean victims are free. With a single copy ({@code move}), every victim costs a write of the
 * object, dirty or not, and nothing is flushed. An object larger than the capacity is never
 * admitted. An object that has grown since it came to the SSD, by more than the access writes, is
 * not there as a whole ({@link #isOutgrown}): what is there is evicted, and the access is a miss.
 *
 * <p>O(1) per access, excluding the policy. Objects are small numbers, the ids of their keys; 8 to
 * 12 bytes each. Not thread-safe.
 */
public final class Replay {
  /** Maximum number of coming accesses in one call of {@link #warm}. */
  public static final int AHEAD = 64;

  private static final long DIRTY = 1;

  /** What an element of {@link #held} has room for. */
  private static final long MAX_OBJECT_BYTES = (1L << 62) - 2;

  private final CachePolicy policy;
  private long capacityBytes;

  /** By object: 0 if not on the SSD, otherwise (size + 1) x 2, plus 1 if dirty. */
  private long[] held = new long[1024];

  /** Likely next victims. */
  private final CacheKey[] goners = new CacheKey[AHEAD];

  /** Written only, so that prefetching loads are not optimized away. */
  @SuppressWarnings("UnusedVariable")
  private int looks;

  private long usedBytes;
  private final Totals totals = new Totals();

  /** Reused for every access. */
  private final Access access = new Access();

  /** Counters; updated by each access. Units are in the names; others count objects. */
  public static final class Totals {
    public long accesses;
    public long hits;
    public long hitBytes;
    public long misses;
    public long missBytes;
    public long admittedBytes;
    public long evictedBytes;
    public long ssdWrittenBytes;

    /** HDD operations and bytes, including dirty victims and the flush. */
    public long hddOperations;

    public long hddBytes;

    /** The same for a single copy ({@code move}). */
    public long moveOperations;

    public long moveBytes;

    /** Adds the counters of another simulation. */
    public void add(Totals other) {
      accesses += other.accesses;
      hits += other.hits;
      hitBytes += other.hitBytes;
      misses += other.misses;
      missBytes += other.missBytes;
      admittedBytes += other.admittedBytes;
      evictedBytes += other.evictedBytes;
      ssdWrittenBytes += other.ssdWrittenBytes;
      hddOperations += other.hddOperations;
      hddBytes += other.hddBytes;
      moveOperations += other.moveOperations;
      moveBytes += other.moveBytes;
    }

    private void disk(long bytes) {
      hddOperations++;
      hddBytes += bytes;
      moveOperations++;
      moveBytes += bytes;
    }

    public double diskSeconds(DiskTime disk) {
      return disk.seconds(hddOperations, hddBytes);
    }

    public double moveSeconds(DiskTime disk) {
      return disk.seconds(moveOperations, moveBytes);
    }
  }

  /**
   * @param policy without residents
   * @param capacityBytes size of the SSD, &gt;= 0
   */
  public Replay(CachePolicy policy, long capacityBytes) {
    this.policy = policy;
    this.capacityBytes = capacityBytes;
  }

  public Totals totals() {
    return totals;
  }

  public long usedBytes() {
    return usedBytes;
  }

  public long capacityBytes() {
    return capacityBytes;
  }

  public boolean isResident(int id) {
    return id < held.length && held[id] != 0;
  }

  /** Places an object on the SSD before the simulation starts; costs and counts nothing. */
  public void preload(CacheKey object, long sizeBytes, long nowNanos) {
    int id = (int) object.id();
    grow(id);
    hold(id, sizeBytes, false);
    usedBytes += sizeBytes;
    policy.onAdmitted(object, sizeBytes, nowNanos);
  }

  /** Changes the size of the SSD, &gt;= 0; evicts objects that no longer fit. */
  public void setCapacityBytes(long bytes) {
    capacityBytes = bytes;
    makeRoom(null);
  }

  /**
   * Removes an object that another cache takes over; costs and counts nothing.
   *
   * @return true if it was on the SSD
   */
  public boolean handOver(CacheKey object) {
    int id = (int) object.id();
    if (!isResident(id)) {
      return false;
    }
    usedBytes -= heldBytes(id);
    held[id] = 0;
    policy.onRemoved(object);
    return true;
  }

  /**
   * Prefetches the memory that the next accesses need. With many objects, the cost of an access is
   * that of its cache misses; independent loads overlap, so many together take little longer than
   * one. Changes no state.
   *
   * @param objects of the next accesses, in any order
   * @param count number of objects, 0 to {@link #AHEAD}: the prefetched lines must fit the
   *     processor's caches
   */
  public void warm(CacheKey[] objects, int count) {
    if (!(policy instanceof Warmable)) {
      return;
    }
    Warmable warmable = (Warmable) policy;
    look(warmable, objects, count);
    if (usedBytes < capacityBytes / 2) {
      return;
    }
    look(warmable, goners, warmable.nextToGo(goners, count));
  }

  private void look(Warmable warmable, CacheKey[] objects, int count) {
    int seen = 0;
    for (int i = 0; i < count; i++) {
      seen += (int) objects[i].id();
    }
    for (int i = 0; i < count; i++) {
      int id = (int) objects[i].id();
      seen += id < held.length ? (int) held[id] : 0;
    }
    looks += seen + warmable.warm(objects, count);
  }

  /** An access that does not use the SSD: one operation of the request's bytes. */
  public void bypass(long requestBytes) {
    totals.accesses++;
    totals.misses++;
    totals.missBytes += requestBytes;
    totals.disk(requestBytes);
  }

  /**
   * Simulates one access. Known future uses must be passed to the policy before.
   *
   * @param object its id is a small number, &gt;= 0
   * @param referencesLeft known references after this one
   * @return true for a hit
   */
  public boolean access(
      CacheKey object,
      long sizeBytes,
      long requestBytes,
      boolean write,
      long referencesLeft,
      long nowNanos) {
    int id = (int) object.id();
    grow(id);
    totals.accesses++;
    access.set(object, sizeBytes, requestBytes, nowNanos).asWrite(write);
    if (isResident(id) && isOutgrown(heldBytes(id), access)) {
      evict(object);
    }
    policy.onAccess(access);
    long bytes = heldBytes(id);
    if (bytes >= 0) {
      totals.hits++;
      totals.hitBytes += requestBytes;
      if (write) {
        totals.ssdWrittenBytes += requestBytes;
        held[id] |= DIRTY;
      }
      if (bytes != sizeBytes) {
        resize(object, id, sizeBytes, nowNanos);
      }
      return true;
    }
    totals.misses++;
    totals.missBytes += requestBytes;
    Decision decision =
        policy.decide(
            new Candidate(object, sizeBytes, Trigger.READ_MISS, referencesLeft),
            capacityBytes - usedBytes,
            capacityBytes);
    if (!decision.isAdmit()) {
      totals.disk(requestBytes);
      return false;
    }
    for (CacheKey victim : decision.victims()) {
      evict(victim);
    }
    if (sizeBytes > capacityBytes - usedBytes) {
      throw new IllegalStateException(
          "the policy's victims do not make enough room: object="
              + object
              + " sizeBytes="
              + sizeBytes
              + " free="
              + (capacityBytes - usedBytes));
    }
    if (!write || requestBytes < sizeBytes) {
      totals.disk(sizeBytes);
    }
    totals.admittedBytes += sizeBytes;
    totals.ssdWrittenBytes += sizeBytes;
    hold(id, sizeBytes, write);
    usedBytes += sizeBytes;
    policy.onAdmitted(object, sizeBytes, nowNanos);
    return false;
  }

  /** Whether an object has bytes that are neither on the SSD nor in what the access writes. */
  static boolean isOutgrown(long heldBytes, Access access) {
    return isOutgrown(heldBytes, access.sizeBytes(), access.requestBytes(), access.isWrite());
  }

  /** The same for an access in parts. */
  public static boolean isOutgrown(
      long heldBytes, long sizeBytes, long requestBytes, boolean write) {
    return sizeBytes - (write ? requestBytes : 0) > heldBytes;
  }

  /** Changes the size of an object on the SSD. One that no longer fits takes no other with it. */
  private void resize(CacheKey object, int id, long sizeBytes, long nowNanos) {
    usedBytes += sizeBytes - heldBytes(id);
    hold(id, sizeBytes, isDirty(id));
    policy.onAdmitted(object, sizeBytes, nowNanos);
    if (sizeBytes > capacityBytes) {
      evict(object);
    }
    makeRoom(object);
  }

  /**
   * Evicts until all residents fit.
   *
   * @param last evicted only if evicting all others is not enough; or null
   */
  private void makeRoom(@Nullable CacheKey last) {
    long missing = usedBytes - capacityBytes;
    if (missing <= 0) {
      return;
    }
    List<CacheKey> victims = new ArrayList<>();
    for (CacheKey victim : policy.evictionOrder()) {
      if (missing <= 0) {
        break;
      }
      if (last == null || !victim.equals(last)) {
        victims.add(victim);
        missing -= heldBytes((int) victim.id());
      }
    }
    if (missing > 0 && last != null) {
      victims.add(last);
    }
    victims.forEach(this::evict);
  }

  private void evict(CacheKey victim) {
    int id = (int) victim.id();
    long bytes = heldBytes(id);
    if (bytes < 0) {
      throw new IllegalStateException("the policy's victim is not on the SSD: " + victim);
    }
    totals.evictedBytes += bytes;
    totals.moveOperations++;
    totals.moveBytes += bytes;
    if (isDirty(id)) {
      totals.hddOperations++;
      totals.hddBytes += bytes;
    }
    held[id] = 0;
    usedBytes -= bytes;
    policy.onRemoved(victim);
  }

  /** Ends the simulation: writes all dirty objects to the HDDs. O(objects). */
  public void flush() {
    for (int id = 0; id < held.length; id++) {
      if (isDirty(id)) {
        totals.hddOperations++;
        totals.hddBytes += heldBytes(id);
        held[id] ^= DIRTY;
      }
    }
  }

  private void grow(int id) {
    if (id >= held.length) {
      held = Arrays.copyOf(held, Math.max(id + 1, held.length + held.length / 2));
    }
  }

  /** Size of an object on the SSD; -1 if it is not there. */
  private long heldBytes(int id) {
    return (held[id] >> 1) - 1;
  }

  private boolean isDirty(int id) {
    return (held[id] & DIRTY) != 0;
  }

  private void hold(int id, long bytes, boolean dirty) {
    if (bytes > MAX_OBJECT_BYTES) {
      throw new IllegalArgumentException("sizeBytes: expected less than 2^62 - 1, found " + bytes);
    }
    held[id] = ((bytes + 1) << 1) | (dirty ? DIRTY : 0);
  }
}
