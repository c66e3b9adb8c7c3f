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
 * <p>Each access O(1) besides the policy. Objects are small numbers, the ids of their keys; about
 * 20 bytes for each. Owned by one thread.
 */
public final class Replay {
  private final CachePolicy policy;
  private long capacityBytes;

  /** By object: the bytes it takes on the SSD and one more; 0 if it is not there. */
  private long[] heldBytes = new long[1024];

  private boolean[] dirty = new boolean[1024];
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
    return id < heldBytes.length && heldBytes[id] > 0;
  }

  /** Puts an object on the SSD that was there before; costs and counts nothing. */
  public void preload(BlockKey object, long sizeBytes, long nowNanos) {
    int id = (int) object.id();
    grow(id);
    heldBytes[id] = sizeBytes + 1;
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
    usedBytes -= heldBytes[id] - 1;
    heldBytes[id] = 0;
    dirty[id] = false;
    policy.onRemoved(object);
    return true;
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
    long held = heldBytes[id] - 1;
    if (held >= 0) {
      totals.hits++;
      totals.hitBytes += requestBytes;
      if (write) {
        totals.ssdWrittenBytes += requestBytes;
        dirty[id] = true;
      }
      if (held != sizeBytes) {
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
    heldBytes[id] = sizeBytes + 1;
    dirty[id] = write;
    usedBytes += sizeBytes;
    policy.onAdmitted(object, sizeBytes, nowNanos);
    return false;
  }

  /** An object that is on the SSD is longer or shorter now. */
  private void resize(BlockKey object, int id, long sizeBytes, long nowNanos) {
    usedBytes += sizeBytes - (heldBytes[id] - 1);
    heldBytes[id] = sizeBytes + 1;
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
        missing -= heldBytes[(int) victim.id()] - 1;
      }
    }
    if (missing > 0 && last != null) {
      victims.add(last);
    }
    victims.forEach(this::evict);
  }

  private void evict(BlockKey victim) {
    int id = (int) victim.id();
    long bytes = heldBytes[id] - 1;
    if (bytes < 0) {
      throw new IllegalStateException("the policy's victim is not on the SSD: " + victim);
    }
    totals.evictedBytes += bytes;
    totals.moveOperations++;
    totals.moveBytes += bytes;
    if (dirty[id]) {
      totals.hddOperations++;
      totals.hddBytes += bytes;
    }
    heldBytes[id] = 0;
    dirty[id] = false;
    usedBytes -= bytes;
    policy.onRemoved(victim);
  }

  /** The end: all that is dirty is written to the HDDs. O(objects). */
  public void flush() {
    for (int id = 0; id < heldBytes.length; id++) {
      if (dirty[id]) {
        totals.hddOperations++;
        totals.hddBytes += heldBytes[id] - 1;
        dirty[id] = false;
      }
    }
  }

  private void grow(int id) {
    if (id >= heldBytes.length) {
      int length = Math.max(id + 1, heldBytes.length + heldBytes.length / 2);
      heldBytes = Arrays.copyOf(heldBytes, length);
      dirty = Arrays.copyOf(dirty, length);
    }
  }
}
