// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.Sighting;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Applies what the DataNode reports of its replicas and of their clean copies to the block table
 * and to the parts that depend on it. Owned by the planner's thread; O(1) an event.
 */
final class Inventory implements Resync.Sink {
  private final BlockTable table;
  private final Residents residents;
  private final ChecksumKeeper checksums;
  private final Pins pins;
  private final HeatKeeper heat;
  private final HintPacer hints;
  private final SpaceShares shares;
  private final ShadowTier shadow;
  private final WriteSpace writeSpace;
  private final DecisionLog decisions;
  private final Host host;
  private final Onlooker onlooker;
  private final Counters counters;
  private final RoundClock clock;
  private final WrittenToDisk writtenToDisk = new WrittenToDisk();

  Inventory(
      BlockTable table,
      Residents residents,
      ChecksumKeeper checksums,
      Pins pins,
      HeatKeeper heat,
      HintPacer hints,
      SpaceShares shares,
      ShadowTier shadow,
      WriteSpace writeSpace,
      DecisionLog decisions,
      Host host,
      Onlooker onlooker,
      Counters counters,
      RoundClock clock) {
    this.table = table;
    this.residents = residents;
    this.checksums = checksums;
    this.pins = pins;
    this.heat = heat;
    this.hints = hints;
    this.shares = shares;
    this.shadow = shadow;
    this.writeSpace = writeSpace;
    this.decisions = decisions;
    this.host = host;
    this.onlooker = onlooker;
    this.counters = counters;
    this.clock = clock;
  }

  // ---- replicas ---------------------------------------------------------------------------------

  /**
   * A finalized replica exists, new or known.
   *
   * @param device fast device that holds it; null for DISK
   */
  void replica(Replica replica, Home home, @Nullable String device) {
    boolean written = writeSpace.isWriting(replica.block());
    if (written) {
      shares.written(replica.block(), replica.lengthBytes());
      writeSpace.filled(replica.block(), replica.lengthBytes());
      hints.rewindSoon(); // a small file leaves most of the room that HDFS had reserved for it
    }
    if (writeSpace.ended(replica.block()) && home == Home.SSD_GUEST) {
      counters.add(Counter.BYTES_WRITE_FAST, replica.lengthBytes());
    }
    BlockEntry before = table.get(replica.block());
    boolean wasFast = before != null && before.isResident();
    BlockEntry entry = table.put(replica, home, device);
    endPinOfOther(replica);
    if (home == Home.SSD_GUEST) {
      entry.setReason(Reason.ON_SSD_DIRTY);
      residents.admitted(entry, clock.now());
      heat.used(replica.block());
    } else if (home == Home.SSD_OWNER) {
      entry.setReason(Reason.ON_SSD_OWNER);
    }
    writtenToDisk.finalized(entry);
    if (wasFast && !entry.isResident()) {
      residents.removed(replica.block());
    }
    pins.refresh(entry);
    checksums.onReplica(entry);
    onlooker.replica(replica, home, device);
    if (written) {
      shadow.written(replica.block(), replica.lengthBytes()); // last: it decides nothing
    }
  }

  /** Ends the pin of an earlier state of the replica. */
  private void endPinOfOther(Replica replica) {
    BlockKey block = replica.block();
    if (pins.holds(block) && !pins.isOf(block, replica) && !isCurrent(block)) {
      boolean unused = pins.end(block);
    }
  }

  /** True if the host has the replica that is pinned: then what was reported is out of date. */
  private boolean isCurrent(BlockKey block) {
    return pins.isOf(block, host.finalized(block));
  }

  /** A replica that is being written to DISK is not on SSD for this reason. */
  void writtenToDisk(BlockKey block, Reason why) {
    writtenToDisk.because(block, why);
  }

  /** The replica is deleted or no longer finalized. */
  void gone(BlockKey block) {
    writeSpace.ended(block);
    writtenToDisk.gone(block);
    shares.deleted(block);
    hints.rewindSoon();
    boolean unused = pins.end(block);
    BlockEntry entry = table.get(block);
    if (entry != null) {
      checksums.onGone(entry);
      decisions.forget(block);
      table.remove(block);
      residents.removed(block);
    }
    if (!host.exists(block)) {
      residents.deleted(block); // what is appended to, exists: it will be read again
    }
    onlooker.gone(block);
    shadow.deleted(block); // last: it decides nothing
  }

  /** Forgets all blocks of which the host has no replica. O(n). */
  void forgetMissing() {
    List<BlockKey> missing = new ArrayList<>();
    for (BlockEntry entry : table.entries()) {
      if (!host.exists(entry.key())) {
        missing.add(entry.key());
      }
    }
    missing.forEach(this::gone);
  }

  /** Settles writes whose end was not reported: recovered replicas, clients that died. */
  void settleWrites() {
    for (BlockKey block : writeSpace.blocks()) {
      if (!host.exists(block)) {
        writeSpace.ended(block);
      }
    }
  }

  // ---- clean copies -----------------------------------------------------------------------------

  /** A clean copy of a part of a block was found on a fast device. */
  void cleanFound(BlockKey block, Part part, String device, long bytes) {
    BlockEntry entry = table.get(block);
    if (entry == null || entry.home() != Home.DISK) {
      return;
    }
    if (part == Part.DATA) {
      if (!entry.cleanData()) {
        table.setCleanData(entry, true, device);
        entry.setReason(Reason.ON_SSD_CLEAN);
        residents.admitted(entry, clock.now());
      }
    } else {
      table.setChecksumBytes(entry, bytes, device);
    }
    checksums.onReplica(entry);
    onlooker.cleanFound(block, part, device, bytes);
  }

  /** The clean copies of a block were dropped. */
  void cleanDropped(BlockKey block) {
    onlooker.cleanDropped(block);
    BlockEntry entry = table.get(block);
    if (entry == null) {
      return;
    }
    boolean wasResident = entry.isResident();
    if (entry.cleanData()) {
      table.setCleanData(entry, false, null);
    }
    table.setChecksumBytes(entry, 0, null);
    if (wasResident && !entry.isResident()) {
      entry.setReason(Reason.COPY_DROPPED);
      residents.removed(block);
    }
    checksums.onReplica(entry);
  }

  // ---- blocks whose events were dropped ---------------------------------------------------------

  @Override
  public boolean seen(Sighting seen) {
    BlockKey block = seen.replica.block();
    BlockEntry before = table.get(block);
    if (before != null && before.moving() != Moving.NOTHING) {
      // A look during a move may see half of it; the move reports its own outcome.
      return false;
    }
    boolean same =
        before != null
            && before.home() != Home.DISK
            && before.replica().equals(seen.replica)
            && Objects.equals(before.device(), seen.device);
    // Whether an SSD replica is guest or owner is marked on the device, which this thread must not
    // wait for: a replica that is unchanged keeps its home.
    Home home = same && before != null ? before.home() : seen.home();
    if (home == null) {
      return false;
    }
    replica(seen.replica, home, seen.device);
    BlockEntry entry = table.get(block);
    if (entry == null || entry.home() != Home.DISK) {
      return true;
    }
    boolean atRest = entry.moving() == Moving.NOTHING;
    if (seen.cleanDevice != null) {
      cleanFound(block, Part.DATA, seen.cleanDevice, seen.replica.lengthBytes());
    } else if (atRest && entry.cleanData()) {
      table.setCleanData(entry, false, null);
      entry.setReason(Reason.COPY_DROPPED);
      residents.removed(block);
    }
    if (seen.checksumDevice != null) {
      cleanFound(block, Part.CHECKSUM, seen.checksumDevice, seen.checksumBytes);
    } else if (atRest && entry.checksumBytes() > 0) {
      table.setChecksumBytes(entry, 0, null);
      checksums.onReplica(entry);
    }
    return true;
  }

  @Override
  public void missing(BlockKey block) {
    if (table.get(block) != null) {
      gone(block);
    } else if (!host.exists(block)) {
      writeSpace.ended(block);
    }
  }
}
