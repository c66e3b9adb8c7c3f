package io.hycache.core.table;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All finalized replicas of a DataNode and the space they take, by kind. Owned by the planner's
 * thread. Every change of residency goes through here, so that the sums always equal the entries.
 * All operations O(1) but {@link #checkInvariants}.
 */
public final class BlockTable {
  private final Map<BlockKey, BlockEntry> entries = new HashMap<>();
  private long dirtyBytes;
  private long ownerBytes;
  private long cleanBytes;
  private long checksumBytes;

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
      entry.setChecksumBytes(0);
      entry.setReplica(replica);
    }
    String on = home == Home.DISK && device == null ? cleanDevice(entry) : device;
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
    entry.setHome(Home.DISK, keptClean ? entry.device() : null);
    entry.setCleanData(keptClean);
    entry.setChecksumBytes(keptClean ? checksumFileBytes : 0);
    account(entry, 1);
  }

  public void setCleanData(BlockEntry entry, boolean clean, @Nullable String device) {
    account(entry, -1);
    entry.setCleanData(clean);
    if (clean) {
      entry.setDevice(device);
    } else {
      entry.setDevice(cleanDevice(entry));
    }
    account(entry, 1);
  }

  public void setChecksumBytes(BlockEntry entry, long bytes, @Nullable String device) {
    account(entry, -1);
    entry.setChecksumBytes(bytes);
    if (bytes > 0) {
      if (entry.device() == null) {
        entry.setDevice(device);
      }
    } else if (entry.home() == Home.DISK) {
      entry.setDevice(cleanDevice(entry));
    }
    account(entry, 1);
  }

  private static @Nullable String cleanDevice(BlockEntry entry) {
    return entry.cleanData() || entry.checksumBytes() > 0 ? entry.device() : null;
  }

  private void account(BlockEntry entry, int sign) {
    long bytes = sign * entry.sizeBytes();
    switch (entry.home()) {
      case SSD_GUEST:
        dirtyBytes += bytes;
        break;
      case SSD_OWNER:
        ownerBytes += bytes;
        break;
      case DISK:
        if (entry.cleanData()) {
          cleanBytes += bytes;
        }
        checksumBytes += sign * entry.checksumBytes();
        break;
    }
  }

  /** Bytes of replicas whose only copy is on SSD and that may be demoted. */
  public long dirtyBytes() {
    return dirtyBytes;
  }

  /** Bytes of replicas that the NameNode put on SSD. */
  public long ownerBytes() {
    return ownerBytes;
  }

  /** Bytes of clean copies of data. */
  public long cleanBytes() {
    return cleanBytes;
  }

  /** Bytes of clean copies of checksum files. */
  public long checksumBytes() {
    return checksumBytes;
  }

  /**
   * Recounts everything. O(n); for tests and after doubtful events.
   *
   * @throws IllegalStateException naming the sum that is wrong
   */
  public void checkInvariants() {
    BlockTable fresh = new BlockTable();
    for (BlockEntry entry : entries.values()) {
      fresh.account(entry, 1);
    }
    same("dirtyBytes", fresh.dirtyBytes, dirtyBytes);
    same("ownerBytes", fresh.ownerBytes, ownerBytes);
    same("cleanBytes", fresh.cleanBytes, cleanBytes);
    same("checksumBytes", fresh.checksumBytes, checksumBytes);
  }

  private static void same(String what, long counted, long held) {
    if (counted != held) {
      throw new IllegalStateException(
          "ledger broken: " + what + " counted=" + counted + " held=" + held);
    }
  }
}
