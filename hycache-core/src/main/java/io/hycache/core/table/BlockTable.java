package io.hycache.core.table;

import com.google.common.collect.Sets;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All finalized replicas of a DataNode and the space they take, by kind. Owned by the planner's
 * thread. Every change of residency goes through here, so that the sums always equal the entries.
 * All operations O(1) but {@link #checkInvariants}.
 */
public final class BlockTable {
  private final Map<BlockKey, BlockEntry> entries = new HashMap<>();
  private final Map<String, Use> byDevice = new HashMap<>();

  /** Bytes on fast devices, by kind. Immutable to others. */
  public static final class Use {
    private long dirtyBytes;
    private long ownerBytes;
    private long cleanBytes;
    private long checksumBytes;

    private Use() {}

    /** Replicas whose only copy is on SSD and that may be demoted. */
    public long dirtyBytes() {
      return dirtyBytes;
    }

    /** Replicas that the NameNode put on SSD. */
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

  public @Nullable BlockEntry get(BlockKey key) {
    return entries.get(key);
  }

  public int size() {
    return entries.size();
  }

  /** Unmodifiable view. */
  public Collection<BlockEntry> entries() {
    return Collections.unmodifiableCollection(entries.values());
  }

  /**
   * Enters a replica or moves a known one. A changed generation stamp or length ends its clean
   * copy.
   *
   * @param device fast device of an SSD replica; null for DISK
   */
  public BlockEntry put(Replica replica, Home home, @Nullable String device) {
    BlockEntry entry = entries.get(replica.block());
    if (entry == null) {
      entry = new BlockEntry(replica, home, device);
      entries.put(replica.block(), entry);
      account(entry, 1);
      return entry;
    }
    account(entry, -1);
    if (home != Home.DISK || !entry.replica().equals(replica)) {
      entry.setCleanData(false);
      entry.setChecksums(0, null);
      entry.setReplica(replica);
    }
    String on = home == Home.DISK && device == null && entry.cleanData() ? entry.device() : device;
    entry.setHome(home, on);
    account(entry, 1);
    return entry;
  }

  /** Forgets a replica. Returns what was known, or null. */
  public @Nullable BlockEntry remove(BlockKey key) {
    BlockEntry entry = entries.remove(key);
    if (entry != null) {
      account(entry, -1);
    }
    return entry;
  }

  /** The dirty replica is on DISK now; {@code keptClean} says whether its SSD bytes stayed. */
  public void demoted(BlockEntry entry, boolean keptClean, long checksumFileBytes) {
    account(entry, -1);
    String on = keptClean ? entry.device() : null;
    entry.setHome(Home.DISK, on);
    entry.setCleanData(keptClean);
    entry.setChecksums(keptClean ? checksumFileBytes : 0, on);
    account(entry, 1);
  }

  public void setCleanData(BlockEntry entry, boolean clean, @Nullable String device) {
    account(entry, -1);
    entry.setCleanData(clean);
    entry.setDevice(clean ? device : null);
    account(entry, 1);
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

  /** All devices that anything is on or was. */
  public Set<String> devices() {
    return Collections.unmodifiableSet(byDevice.keySet());
  }

  /** What all replicas take. O(devices). */
  public Use use() {
    return use(byDevice.keySet());
  }

  /** What is taken on some devices. O(devices). */
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

  /**
   * Recounts everything. O(n); for tests and after doubtful events.
   *
   * @throws IllegalStateException naming the device whose sums are wrong
   */
  public void checkInvariants() {
    BlockTable fresh = new BlockTable();
    for (BlockEntry entry : entries.values()) {
      fresh.account(entry, 1);
    }
    for (String device : Sets.union(byDevice.keySet(), fresh.byDevice.keySet())) {
      Use counted = fresh.useOf(device);
      Use held = useOf(device);
      if (!counted.toString().equals(held.toString())) {
        throw new IllegalStateException(
            "ledger broken: device=" + device + " counted: " + counted + " held: " + held);
      }
    }
  }
}
