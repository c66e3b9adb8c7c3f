package io.hycache.core.policy;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Candidate.Trigger;
import io.hycache.core.model.Decision;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would happen: a policy's decisions carried out at once, access by access, and what the disks
 * would have to do. Used by the simulator, and by policies that rehearse before they decide.
 *
 * <p>Accounting. An access that finds its object on the SSD is a hit, one that causes the fetch is
 * a miss. A read miss costs the HDD one operation: of the request's bytes when bypassed, of the
 * whole object when fetched. A write that is bypassed costs one operation of its bytes; one that is
 * admitted reads the object first unless it covers it, and leaves it dirty, as does a write hit. A
 * dirty victim costs one write of the object, and so do, at the end, all that are dirty ({@link
 * #flush}); clean victims are free. With a single copy ({@code move}) every victim costs a write of
 * the object, dirty or not, and nothing is flushed. An object larger than the capacity is never
 * admitted.
 *
 * <p>Each access O(1) besides the policy. Objects are small numbers, the ids of their keys; 8 to 12
 * bytes for each. Owned by one thread.
 */
public final class Replay {
  /** How many accesses to come {@link #warm} is told of at a time at most. */
  public static final int AHEAD = 64;

  private static final long DIRTY = 1;

  private final CachePolicy policy;
  private long capacityBytes;

  /** By object: 0 if it is not on the SSD, else its bytes and one more, times two; odd if dirty. */
  private long[] held = new long[1024];

  /** Objects that may go soon. */
  private final BlockKey[] goners = new BlockKey[AHEAD];

  /** Only written, so that looks are not optimized away. */
  @SuppressWarnings("UnusedVariable")
  private int looks;

  private long usedBytes;
  private final Totals totals = new Totals();

  /** What was counted; changes with each access. Units in the names, else numbers of objects. */
  public static final class Totals {
    public long accesses;
    public long hits;
    public long hitBytes;
    public long misses;
    public long missBytes;
    public long admittedBytes;
    public long evictedBytes;
    public long ssdWrittenBytes;

    /** Operations and bytes of the HDDs, with dirty victims and the flush. */
    public long hddOperations;

    public long hddBytes;

    /** The same with a single copy. */
    public long moveOperations;

    public long moveBytes;

    /** Adds what was counted elsewhere. */
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
   * @param capacityBytes of the SSD, &gt;= 0
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

  /** Puts an object on the SSD that was there before; costs and counts nothing. */
  public void preload(BlockKey object, long sizeBytes, long nowNanos) {
    int id = (int) object.id();
    grow(id);
    hold(id, sizeBytes, false);
    usedBytes += sizeBytes;
    policy.onAdmitted(object, sizeBytes, nowNanos);
  }

  /** From now on the SSD has this size, &gt;= 0; what has no room any more is evicted. */
  public void setCapacityBytes(long bytes) {
    capacityBytes = bytes;
    makeRoom(null);
  }

  /**
   * Takes an object off the SSD that another cache has from now on; costs and counts nothing.
   *
   * @return true if it was here
   */
  public boolean handOver(BlockKey object) {
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
   * Told of the next accesses, it looks at once at what they will need. With many objects an access
   * is as long as the memory takes to answer, time after time; looks that don't wait for each other
   * take little longer together than one. Changes nothing.
   *
   * @param objects of the next accesses, in any order
   * @param count how many of them, 0 to {@link #AHEAD}: the processor's caches have to hold what
   *     was looked at
   */
  public void warm(BlockKey[] objects, int count) {
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

  private void look(Warmable warmable, BlockKey[] objects, int count) {
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

  /** An access that goes past the SSD: one operation of the request's bytes. */
  public void bypass(long requestBytes) {
    totals.accesses++;
    totals.misses++;
    totals.missBytes += requestBytes;
    totals.disk(requestBytes);
  }

  /**
   * One access. What is known of the future has to be told to the policy before.
   *
   * @param object its id is a small number, &gt;= 0
   * @param referencesLeft known references after this one
   * @return true for a hit
   */
  public boolean access(
      BlockKey object,
      long sizeBytes,
      long requestBytes,
      boolean write,
      long referencesLeft,
      long nowNanos) {
    int id = (int) object.id();
    grow(id);
    totals.accesses++;
    if (requestBytes != sizeBytes) {
      policy.onRequest(object, requestBytes);
    }
    policy.onAccess(object, sizeBytes, nowNanos);
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
    for (BlockKey victim : decision.victims()) {
      evict(victim);
    }
    if (sizeBytes > capacityBytes - usedBytes) {
      throw new IllegalStateException(
          "the policy's victims make no room: object="
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

  /** An object that is on the SSD is longer or shorter now. */
  private void resize(BlockKey object, int id, long sizeBytes, long nowNanos) {
    usedBytes += sizeBytes - heldBytes(id);
    hold(id, sizeBytes, isDirty(id));
    policy.onAdmitted(object, sizeBytes, nowNanos);
    makeRoom(object);
  }

  /**
   * Evicts until all fits.
   *
   * @param last goes only if all others are not enough; or null
   */
  private void makeRoom(@Nullable BlockKey last) {
    long missing = usedBytes - capacityBytes;
    if (missing <= 0) {
      return;
    }
    List<BlockKey> victims = new ArrayList<>();
    for (BlockKey victim : policy.evictionOrder()) {
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

  private void evict(BlockKey victim) {
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

  /** The end: all that is dirty is written to the HDDs. O(objects). */
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

  /** -1: it is not on the SSD. */
  private long heldBytes(int id) {
    return (held[id] >> 1) - 1;
  }

  private boolean isDirty(int id) {
    return (held[id] & DIRTY) != 0;
  }

  private void hold(int id, long bytes, boolean dirty) {
    held[id] = ((bytes + 1) << 1) | (dirty ? DIRTY : 0);
  }
}
