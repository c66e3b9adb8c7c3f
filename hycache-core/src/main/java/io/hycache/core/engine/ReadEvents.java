// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.hint.Hints;
import io.hycache.core.model.Access;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import org.jspecify.annotations.Nullable;

/**
 * Applies reads: to the workflows' references here and elsewhere, to the policy once a read
 * completes an access, and to the promoter if the block is not on a fast device. Owned by the
 * planner's thread.
 *
 * <p>At the first access to a block the policy gets the block's class: that of its reader, see
 * {@link ReadSources}, unless a workflow hints the block, whose class the policy has since the
 * submission.
 */
final class ReadEvents {
  private final LiveConfig config;
  private final ReadSources sources;
  private final BlockTable table;
  private final CachePolicy policy;
  private final HintPacer hints;
  private final ReadReports reports;
  private final HintHistory history;
  private final UserShares users;
  private final SpaceShares shares;
  private final HeatKeeper heat;
  private final Pins pins;
  private final Advertiser advertiser;
  private final ChecksumKeeper checksums;
  private final Promoter promoter;
  private final ShadowTier shadow;
  private final Onlooker onlooker;
  private final RoundClock clock;

  /** Reused for every access. */
  private final Access access = new Access();

  ReadEvents(
      LiveConfig config,
      ReadSources sources,
      BlockTable table,
      CachePolicy policy,
      HintPacer hints,
      ReadReports reports,
      HintHistory history,
      UserShares users,
      SpaceShares shares,
      HeatKeeper heat,
      Pins pins,
      Advertiser advertiser,
      ChecksumKeeper checksums,
      Promoter promoter,
      ShadowTier shadow,
      Onlooker onlooker,
      RoundClock clock) {
    this.config = config;
    this.sources = sources;
    this.table = table;
    this.policy = policy;
    this.hints = hints;
    this.reports = reports;
    this.history = history;
    this.users = users;
    this.shares = shares;
    this.heat = heat;
    this.pins = pins;
    this.advertiser = advertiser;
    this.checksums = checksums;
    this.promoter = promoter;
    this.shadow = shadow;
    this.onlooker = onlooker;
    this.clock = clock;
  }

  /** Bytes of a block were read. */
  void read(long source, long blockId, long bytes) {
    BlockKey key = new BlockKey(sources.pool(source), blockId);
    BlockEntry entry = table.get(key);
    onlooker.read(source, key, bytes, entry != null && entry.home() == Home.SSD_OWNER);
    if (entry == null) {
      return;
    }
    boolean used = hints.onRead(key, entry.sizeBytes(), bytes);
    if (used && entry.isResident()) {
      users.readAsHinted(key);
    }
    boolean fast = entry.fast();
    entry.setUnreadPromotion(false);
    checksums.onRead(entry);
    long requestBytes = entry.bytesSinceAccess() + bytes;
    int requests = entry.readsSinceAccess() + 1;
    boolean access = entry.heat(bytes);
    if (used && !(access && isPolicys(entry))) {
      policy.onUsedWithoutAccess(key);
    }
    if (access) {
      if (entry.reads() == 1 && !used && !hints.isHinted(key) && isPolicys(entry)) {
        classify(key, sources.className(source));
      }
      accessed(entry, key, requestBytes, requests, used);
    }
    // What decides nothing here comes last, so that a failure of it costs nothing else.
    reports.onRead(key, entry.sizeBytes(), bytes);
    if (used) {
      history.read(key, fast);
    } else if (access && hints.isHinted(key)) {
      history.readInPart(key, fast);
    }
    shadow.read(entry, key, bytes, access);
  }

  /** False for what the policy has no part in: replicas that HDFS placed on SSD, and pins. */
  private boolean isPolicys(BlockEntry entry) {
    return entry.home() != Home.SSD_OWNER && !pins.holds(entry);
  }

  private void classify(BlockKey key, @Nullable String name) {
    if (name != null && config.get().policyClasses()) {
      policy.onClass(key, name);
    }
  }

  /** A workflow of the user hints so many references; the latest one decides about the class. */
  void hinted(Hints by, String user, int references) {
    String name = sources.classOfWorkflow(user, by.workflow());
    by.references().subList(0, references).forEach(one -> classify(one.block(), name));
  }

  /**
   * A read completed an access.
   *
   * @param requestBytes bytes of all reads that make it up
   * @param used whether it fulfilled a hint
   */
  private void accessed(
      BlockEntry entry, BlockKey key, long requestBytes, int requests, boolean used) {
    long size = entry.sizeBytes();
    boolean another = hints.isAnotherRead(key, used);
    if (another && isPolicys(entry)) {
      long bytes = Math.min(requestBytes, size);
      policy.onAccess(access.set(key, size, bytes, clock.now()).ofRequests(requests));
      shares.read(key, size);
    }
    if (entry.isResident()) {
      heat.used(key);
      if (!pins.holds(key)) {
        advertiser.read(entry, key);
      }
      if (another && !used) {
        users.read(key, clock.now());
      }
    }
    if (!entry.fast()) {
      long left = hints.remaining(key);
      promoter.considerRead(entry, used || !hints.isHinted(key) ? left : left - 1);
    }
  }
}
