// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.move.Supervisor;
import io.hycache.core.move.WriteBudget.Cause;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.HeatStore;
import io.hycache.core.spi.Host;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Latencies;
import io.hycache.core.table.BlockTable;
import java.util.function.Consumer;

/**
 * Builds the planner's parts and connects them; {@link Planner} describes them. Owned by the
 * planner's thread.
 */
final class PlannerParts {
  final ReadSources sources;
  final BlockTable table = new BlockTable();
  final FastSpace space;
  final LivePolicy policy;
  final SpaceShares shares;
  final UserShares users;
  final AheadCopies ahead = new AheadCopies();
  final Pins pins;
  final Advertiser advertiser;
  final SpaceLedger ledger;
  final Movers movers;
  final Departures departures;
  final Cooperation cooperation;
  final HintPacer hints;
  final ReadReports reports;
  final HintHistory history;
  final Submissions submissions;
  final Residents residents;
  final HeatKeeper heat;
  final ChecksumKeeper checksums;
  final Inventory inventory;
  final MoveOutcomes outcomes;
  final Resync resync;
  final Scrubber scrubber;
  final SlowSources slowSources;
  final RoomMaker roomMaker;
  final ReadAhead readAhead;
  final Promoter promoter;
  final Pinner pinner;
  final ShadowTier shadow;
  final ReadEvents reads;
  final Inspection inspection;
  final StatusBoard board;

  PlannerParts(
      LiveConfig live,
      CachePolicy firstPolicy,
      BlockMover mover,
      Host host,
      ReadSources sources,
      Onlooker onlooker,
      Counters counters,
      WriteSpace writeSpace,
      WriteBudgets budgets,
      PinnedBlocks pinned,
      PublishedBlocks advertised,
      HeatStore heatStore,
      Supervisor.Part supervision,
      EventQueue events,
      PlannerEvents planner,
      Consumer<RuntimeException> policyFailures,
      Latencies latencies,
      RoundClock clock) {
    HyCacheConfig config = live.get();
    this.sources = sources;
    space = new FastSpace(() -> live.get().reserveShare());
    policy = new LivePolicy(live, firstPolicy, policyFailures);
    shares = new SpaceShares(config);
    users = new UserShares(config.userWeights());
    DecisionLog decisions = new DecisionLog(policy::name);
    movers = new Movers(config, mover, planner, supervision, latencies);
    movers.notifyOfFailedCopies(
        (device, bytes) -> budgets.wrote(device, Cause.PROMOTION, bytes, clock.now()));
    pins = new Pins(live, space, host, pinned, clock);
    advertiser = new Advertiser(live, counters, clock, host::wallMillis, advertised);
    ledger = new SpaceLedger(live, table, space, shares, writeSpace, budgets, pins);
    departures = new Departures(table, policy, space, pins);
    cooperation = new Cooperation(config.hotReads(), counters, planner);
    Admissions admissions = new Admissions(table, policy, space, departures, shares, users);
    hints = new HintPacer(config, policy, users, ahead, counters, clock);
    history = new HintHistory(table, clock);
    reports = new ReadReports(config, hints, history, counters, clock);
    residents = new Residents(table, policy, space, users, ahead, pins, advertiser);
    heat = new HeatKeeper(table, policy, pins, budgets, heatStore);
    checksums = new ChecksumKeeper(config, table, space, budgets, movers, host, counters, clock);
    shadow = new ShadowTier(config.shadowBlocks(), space, clock);
    inventory =
        new Inventory(
            table,
            residents,
            checksums,
            pins,
            heat,
            hints,
            shares,
            shadow,
            writeSpace,
            decisions,
            host,
            onlooker,
            counters,
            clock);
    outcomes =
        new MoveOutcomes(
            table, ledger, space, residents, checksums, heat, hints, ahead, history, budgets,
            inventory, movers, events, host, counters, clock);
    resync = new Resync(events, table, inventory);
    StepDown stepDown = new StepDown(live, space, ledger, budgets, clock);
    scrubber =
        new Scrubber(
            config, table, departures, space, writeSpace, movers, outcomes, stepDown, counters);
    slowSources = new SlowSources(space);
    Fetcher fetcher =
        new Fetcher(
            ledger,
            space,
            budgets,
            residents,
            users,
            hints,
            ahead,
            pins,
            scrubber,
            slowSources,
            movers,
            outcomes,
            host,
            counters,
            clock);
    roomMaker = new RoomMaker(ledger, space, departures, admissions, outcomes, clock);
    readAhead =
        new ReadAhead(
            live,
            table,
            policy,
            space,
            users,
            ahead,
            hints,
            admissions,
            scrubber,
            fetcher,
            outcomes,
            decisions,
            host,
            clock);
    promoter =
        new Promoter(
            live,
            table,
            ledger,
            users,
            pins,
            hints,
            cooperation,
            admissions,
            fetcher,
            readAhead,
            decisions,
            movers,
            host,
            counters,
            clock);
    pinner =
        new Pinner(
            live,
            table,
            pins,
            advertiser,
            residents,
            ledger,
            checksums,
            admissions,
            fetcher,
            promoter,
            movers,
            decisions,
            events,
            host,
            counters,
            clock);
    reads =
        new ReadEvents(
            live,
            sources,
            table,
            policy,
            hints,
            reports,
            history,
            users,
            shares,
            heat,
            pins,
            advertiser,
            checksums,
            promoter,
            shadow,
            onlooker,
            clock);
    submissions = new Submissions(table, hints, ahead, reports, history, checksums);
    inspection =
        new Inspection(
            table,
            space,
            budgets,
            hints,
            pins,
            advertised,
            shadow,
            decisions,
            movers,
            scrubber,
            host);
    board = new StatusBoard(live, policy, shares, inspection, latencies, clock);
  }
}
