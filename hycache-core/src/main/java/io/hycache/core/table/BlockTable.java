// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.table;

import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.model.Residency;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All finalized replicas of a DataNode and the space that they use, by kind. Every change of
 * residency goes through this class, so that the sums always match the entries. All operations are
 * O(1) except {@link #checkInvariants}. Confined to the planner's thread.
 *
 * <p>Idea: replicas are rows of columns ({@link Rows}), found through a hash table of row numbers
 * with linear probing, at most three quarters full. Look-ups return views. Memory: 43 bytes per
 * replica and 4 per slot, with 1.3 to 2.7 slots per replica: 48 to 54 bytes in total, plus about
 * 100 per moving replica.
 */
public final class BlockTable {
  private static final int MIN_SLOTS = 1 << 10;
  private static final int MAX_POOLS = (1 << 16) - 1;
  private static final int MAX_DEVICES = (1 << 8) - 1;

  private final Rows rows = new Rows();
  private final Names pools = new Names("block pools", MAX_POOLS);
  private final Names devices = new Names("fast devices", MAX_DEVICES);

  /** Row + 1; 0 marks a free slot. */
  private int[] slots = new int[MIN_SLOTS];

  private int size;

  private Listener listener = (block, residency, sizeBytes) -> {};

  /** Notified when blocks arrive on a fast device, change their state there, or leave. */
  @FunctionalInterface
  public interface Listener {
    void changed(BlockKey block, Residency residency, long sizeBytes);
  }

  /** The views of moving blocks, by row. */
  private final Map<Integer, BlockEntry> moving = new HashMap<>();

  /**
   * Blocks removed from the table while moving. A block that returns before its move has ended gets
   * the same entry, so that no second move of it begins.
   */
  private final Map<BlockKey, BlockEntry> leaving = new HashMap<>();

  /** End of the pause after a failed move, by row. */
  private final Map<Integer, Long> resting = new HashMap<>();

  private final Map<String, Use> byDevice = new HashMap<>();

  /** Bytes on fast devices, by kind. Read-only outside this class. */
  public static final class Use {
    private long dirtyBytes;
    private long ownerBytes;
    private long cleanBytes;
    private long checksumBytes;

    private Use() {}

    /** Replicas that exist only on SSD and may be demoted. */
    public long dirtyBytes() {
      return dirtyBytes;
    }

    /** Replicas that the NameNode placed on SSD. */
    public long ownerBytes() {
      return ownerBytes;
    }

    /** Clean copies of data. */
    public long cleanBytes() {
      return cleanBytes;
    }

    /** Clean copies of checksum files. */
    public long checksumBytes() {
      return checksumBytes;
    }

    private boolean isEmpty() {
      return dirtyBytes == 0 && ownerBytes == 0 && cleanBytes == 0 && checksumBytes == 0;
    }

    private void add(Use other) {
      dirtyBytes += other.dirtyBytes;
      ownerBytes += other.ownerBytes;
      cleanBytes += other.cleanBytes;
      checksumBytes += other.checksumBytes;
    }

    @Override
    public String toString() {
      return "dirty="
          + dirtyBytes
          + " owner="
          + ownerBytes
          + " clean="
          + cleanBytes
          + " checksums="
          + checksumBytes;
    }
  }

  String pool(int number) {
    String name = pools.get(number);
    if (name == null) {
      throw new IllegalStateException("expected a replica with a block pool, found none");
    }
    return name;
  }

  @Nullable String deviceName(int number) {
    return devices.get(number);
  }

  int deviceNumber(@Nullable String name) {
    return devices.of(name);
  }

  void movingChanged(BlockEntry entry, Rows of, int row, boolean now) {
    if (of != rows) {
      return;
    }
    if (now) {
      moving.put(row, entry);
    } else {
      moving.remove(row);
    }
  }

  boolean resting(Rows of, int row, long nowNanos) {
    Long until = of == rows ? resting.get(row) : null;
    if (until == null) {
      return false;
    }
    if (nowNanos - until < 0) {
      return true;
    }
    resting.remove(row);
    return false;
  }

  void restUntil(Rows of, int row, long nanos) {
    if (of == rows) {
      resting.put(row, nanos);
    }
  }

  private BlockEntry view(int row) {
    BlockEntry one = moving.isEmpty() ? null : moving.get(row);
    return one == null ? new BlockEntry(this, rows, row) : one;
  }

  private static int hash(int pool, long id) {
    long h = (id + pool) * 0x9E3779B97F4A7C15L;
    return (int) (h ^ (h >>> 32));
  }

  /** The slot of the block, or the free slot where it would be inserted. */
  private int slotOf(int pool, long id) {
    int mask = slots.length - 1;
    int slot = hash(pool, id) & mask;
    while (slots[slot] != 0) {
      int row = slots[slot] - 1;
      if (rows.id(row) == id && rows.pool(row) == pool) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    int[] old = slots;
    slots = new int[old.length * 2];
    for (int taken : old) {
      if (taken != 0) {
        slots[slotOf(rows.pool(taken - 1), rows.id(taken - 1))] = taken;
      }
    }
  }

  /** Frees a slot and closes the gap in its probe sequence. */
  private void clear(int slot) {
    int mask = slots.length - 1;
    int gap = slot;
    int next = (gap + 1) & mask;
    while (slots[next] != 0) {
      int row = slots[next] - 1;
      int home = hash(rows.pool(row), rows.id(row)) & mask;
      if (((next - home) & mask) >= ((next - gap) & mask)) {
        slots[gap] = slots[next];
        gap = next;
      }
      next = (next + 1) & mask;
    }
    slots[gap] = 0;
  }

  public @Nullable BlockEntry get(CacheKey key) {
    int pool = pools.find(key.namespace());
    if (pool < 0) {
      return null;
    }
    int row = slots[slotOf(pool, key.id())] - 1;
    return row < 0 ? null : view(row);
  }

  /** The replica with this row; null if there is none. */
  public @Nullable BlockEntry at(int row) {
    return row >= 0 && row < rows.limit() && rows.isTaken(row) ? view(row) : null;
  }

  /** Whether the replica that the view shows is still in the table. */
  public boolean has(BlockEntry entry) {
    return entry.isIn(rows);
  }

  public int size() {
    return size;
  }

  /** Sets the listener and notifies it of everything on fast devices. O(n). */
  public void listen(Listener to) {
    listener = to;
    for (BlockEntry entry : entries()) {
      changed(entry, Residency.NONE);
    }
  }

  private void changed(BlockEntry entry, Residency before) {
    Residency now = entry.residency();
    if (now != before) {
      listener.changed(entry.key(), now, entry.sizeBytes());
    }
  }

  /** All replicas; the table must not be modified during the iteration. */
  public Iterable<BlockEntry> entries() {
    return () ->
        IntStream.range(0, rows.limit()).filter(rows::isTaken).mapToObj(this::view).iterator();
  }

  /**
   * Adds a replica or updates a known one. A changed generation stamp or length drops its clean
   * copy.
   *
   * @param device fast device of an SSD replica; null for DISK
   */
  public BlockEntry put(Replica replica, Home home, @Nullable String device) {
    BlockKey key = replica.block();
    int pool = pools.of(key.pool());
    int slot = slotOf(pool, key.id());
    if (slots[slot] == 0) {
      if (4L * (size + 1) > 3L * slots.length) {
        grow();
        slot = slotOf(pool, key.id());
      }
      int row = rows.allocate();
      rows.setId(row, key.id());
      rows.setPool(row, pool);
      slots[slot] = row + 1;
      size++;
      BlockEntry left = leaving.remove(key);
      BlockEntry entry = view(row);
      if (left != null && left.moving() != BlockEntry.Moving.NOTHING) {
        left.attach(rows, row);
        entry = left;
      }
      entry.setReplica(replica);
      entry.setReason(Reason.NEVER_READ);
      entry.setHome(home, device);
      account(entry, 1);
      changed(entry, Residency.NONE);
      return entry;
    }
    BlockEntry entry = view(slots[slot] - 1);
    Residency before = entry.residency();
    account(entry, -1);
    if (home != Home.DISK || !entry.replica().equals(replica)) {
      entry.setCleanData(false);
      entry.forgetChecksums();
      entry.setReplica(replica);
    }
    String on = home == Home.DISK && device == null && entry.cleanData() ? entry.device() : device;
    entry.setHome(home, on);
    account(entry, 1);
    changed(entry, before);
    return entry;
  }

  /** Removes a replica. Returns its entry, or null. */
  public @Nullable BlockEntry remove(BlockKey key) {
    BlockEntry entry = get(key);
    if (entry == null) {
      return null;
    }
    int row = entry.row();
    int slot = slotOf(rows.pool(row), rows.id(row));
    boolean isMoving = entry.moving() != BlockEntry.Moving.NOTHING;
    if (isMoving) {
      leaving.values().removeIf(left -> left.moving() == BlockEntry.Moving.NOTHING);
      leaving.put(key, entry);
    }
    entry.detach(); // first, because it allocates: if that fails, nothing has changed yet
    account(entry, -1);
    if (entry.residency() != Residency.NONE) {
      listener.changed(key, Residency.NONE, 0);
    }
    clear(slot);
    moving.remove(row);
    resting.remove(row);
    rows.free(row);
    size--;
    return entry;
  }

  /**
   * Records that a dirty replica is on DISK now, which may be known already.
   *
   * @param on fast device that keeps its bytes as a clean copy; null if none does
   */
  public void demoted(BlockEntry entry, @Nullable String on, long checksumFileBytes) {
    Residency before = entry.residency();
    account(entry, -1);
    boolean keptClean = on != null;
    entry.setHome(Home.DISK, on);
    entry.setCleanData(keptClean);
    entry.setChecksums(keptClean ? checksumFileBytes : 0, on);
    account(entry, 1);
    changed(entry, before);
  }

  public void setCleanData(BlockEntry entry, boolean clean, @Nullable String device) {
    Residency before = entry.residency();
    account(entry, -1);
    entry.setCleanData(clean);
    entry.setDevice(clean ? device : null);
    account(entry, 1);
    changed(entry, before);
  }

  public void setChecksumBytes(BlockEntry entry, long bytes, @Nullable String device) {
    account(entry, -1);
    entry.setChecksums(bytes, bytes > 0 ? device : null);
    account(entry, 1);
  }

  private void account(BlockEntry entry, int sign) {
    long bytes = sign * entry.sizeBytes();
    String device = entry.device();
    if (device != null) {
      Use use = useOf(device);
      switch (entry.home()) {
        case SSD_GUEST:
          use.dirtyBytes += bytes;
          break;
        case SSD_OWNER:
          use.ownerBytes += bytes;
          break;
        case DISK:
          use.cleanBytes += entry.cleanData() ? bytes : 0;
          break;
      }
    }
    String checksumDevice = entry.checksumDevice();
    if (checksumDevice != null) {
      useOf(checksumDevice).checksumBytes += sign * entry.checksumBytes();
    }
  }

  private Use useOf(String device) {
    return byDevice.computeIfAbsent(device, id -> new Use());
  }

  /** All devices that hold something. O(devices). */
  public Set<String> devices() {
    return Set.copyOf(Maps.filterValues(byDevice, use -> !use.isEmpty()).keySet());
  }

  /** Space used by all replicas. O(devices). */
  public Use use() {
    return use(byDevice.keySet());
  }

  /** Space used on some devices. O(devices). */
  public Use use(Iterable<String> devices) {
    Use sum = new Use();
    for (String device : devices) {
      Use use = byDevice.get(device);
      if (use != null) {
        sum.add(use);
      }
    }
    return sum;
  }

  /** Recomputes the sums from the entries, after a change was interrupted by an error. O(n). */
  public void recount() {
    byDevice.clear();
    for (BlockEntry entry : entries()) {
      account(entry, 1);
    }
  }

  /**
   * Verifies the sums against the entries. O(n); for tests and after errors.
   *
   * @throws IllegalStateException naming the device whose sums are wrong
   */
  public void checkInvariants() {
    BlockTable fresh = new BlockTable();
    for (BlockEntry entry : entries()) {
      if (entry.cleanData() && entry.device() == null) {
        throw new IllegalStateException("clean copy without a device: block=" + entry.key());
      }
      fresh.account(entry, 1);
    }
    for (String device : Set.copyOf(Sets.union(byDevice.keySet(), fresh.byDevice.keySet()))) {
      Use counted = fresh.useOf(device);
      Use held = useOf(device);
      if (!counted.toString().equals(held.toString())) {
        throw new IllegalStateException(
            "space ledger out of sync: device="
                + device
                + " counted: "
                + counted
                + " held: "
                + held);
      }
    }
  }
}
