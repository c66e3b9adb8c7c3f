// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static java.util.Objects.requireNonNull;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.Census;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.HeatStore;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.Sighting;
import io.hycache.core.spi.SlowDevice;
import io.hycache.core.table.HeatLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A DataNode in memory with one SSD or more: keeps the true bytes on each, logs every move, and can
 * be made to fail a move or to hold it until a gate opens. Moves are named {@code promote 1},
 * {@code checksums 1}, {@code demote 1}, {@code replace 1} (a demotion that keeps nothing), {@code
 * step 1} (to a slower SSD), {@code evict 1}, {@code unlink 1} (the checksum file).
 */
final class FakeDataNode implements Host, BlockMover, HeatStore, Census {
  static final String SSD = "ssd";
  static final String SSD2 = "ssd2";
  static final String HDD = "hdd";
  static final String HDD2 = "hdd2";

  /** Capacities of the SSDs by id. */
  private final Map<String, Long> ssds = new LinkedHashMap<>();

  /** Tiers of the SSDs that are not of the fastest, by id. */
  private final Map<String, Integer> tiers = new ConcurrentHashMap<>();

  private volatile List<String> hdds = List.of(HDD);

  /** True if moves call their throttle before they end. */
  volatile boolean throttled;

  /** SSDs that the settings name and that may not be used. */
  volatile List<String> refused = List.of();

  /** Thrown when the data of a pinned block next comes to an SSD or leaves it. */
  volatile @Nullable Error nextPinned;

  /** The blocks that are pinned on an SSD, as the engine notified the DataNode. */
  final Set<BlockKey> pinned = ConcurrentHashMap.newKeySet();

  /** Thrown by the next look at the SSDs. */
  volatile @Nullable Error devicesFail;

  /** Time that the devices take to answer. */
  volatile long devicesTakeNanos;

  /** The time of day. */
  volatile long wallMillis;

  private final ByteArrayOutputStream heat = new ByteArrayOutputStream();
  private int snapshots;
  private final Map<String, Long> lastReadNanos = new ConcurrentHashMap<>();
  private volatile long smallReads;
  private volatile long slowReads;
  private final Set<String> sick = ConcurrentHashMap.newKeySet();

  /** SSDs that are cache directories: HDFS writes no replicas there. */
  final Set<String> cacheDirectories = ConcurrentHashMap.newKeySet();

  /** HDDs that do not respond. */
  final Set<String> silentHdds = ConcurrentHashMap.newKeySet();

  /** Bytes that a promotion which fails has written until then. */
  volatile long writtenUntilFailure;

  /** How many times as long as estimated the checksum files are. */
  volatile int checksumFactor = 1;

  /** HDDs on which every demotion fails. */
  final Set<String> failingHdds = ConcurrentHashMap.newKeySet();

  private volatile long diskAvailableBytes = Long.MAX_VALUE;
  final Map<String, Long> diskAvailable = new ConcurrentHashMap<>();
  private final Map<BlockKey, Replica> replicas = new HashMap<>();
  private final Map<BlockKey, OnSsd> ssdReplicas = new HashMap<>();
  private final Map<BlockKey, OnSsd> cleanData = new HashMap<>();
  private final Map<BlockKey, OnSsd> cleanChecksums = new HashMap<>();
  private final List<String> moves = new ArrayList<>();
  private final List<String> demotedTo = new ArrayList<>();
  private final Map<String, Throwable> failures = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

  /** A file on an SSD. */
  private static final class OnSsd {
    final String device;
    final long bytes;

    OnSsd(String device, long bytes) {
      this.device = device;
      this.bytes = bytes;
    }
  }

  /** A DataNode with an SSD for each capacity: {@link #SSD}, {@link #SSD2}. */
  FakeDataNode(long... capacities) {
    for (int i = 0; i < capacities.length; i++) {
      ssds.put(i == 0 ? SSD : SSD + (i + 1), capacities[i]);
    }
  }

  /** Puts it on the SSD with most room and returns that; null if it is on DISK. */
  synchronized @Nullable String put(Replica replica, boolean onSsd) {
    return put(replica, onSsd ? roomiest() : null);
  }

  /** Puts it on this SSD; null for DISK. */
  synchronized @Nullable String put(Replica replica, @Nullable String ssd) {
    replicas.put(replica.block(), replica);
    ssdReplicas.remove(replica.block());
    if (ssd != null) {
      ssdReplicas.put(replica.block(), new OnSsd(ssd, replica.lengthBytes()));
    }
    return ssd;
  }

  /** What is on {@link #SSD} of the copies that are being written. */
  volatile long arrivedBytes;

  private String roomiest() {
    return Collections.max(ssds.keySet(), Comparator.comparingLong(this::available));
  }

  private long available(String ssd) {
    return requireNonNull(ssds.get(ssd))
        - sum(ssdReplicas, ssd)
        - sum(cleanData, ssd)
        - sum(cleanChecksums, ssd)
        - (ssd.equals(SSD) ? arrivedBytes : 0);
  }

  /** The SSD of the clean copy of a block's data; null if there is none. */
  synchronized @Nullable String cleanOn(long id) {
    OnSsd file = cleanData.get(EngineRig.key(id));
    return file == null ? null : file.device;
  }

  /** A clean copy that an earlier process left. */
  synchronized void leaveClean(Replica replica, String ssd) {
    cleanData.put(replica.block(), new OnSsd(ssd, replica.lengthBytes()));
  }

  /** Each SSD is a tier of its own, in their order. */
  FakeDataNode inTiers() {
    int tier = 0;
    for (String ssd : ssds.keySet()) {
      tiers.put(ssd, tier++);
    }
    return this;
  }

  /** The SSD that holds the replica; null if it is on DISK. */
  synchronized @Nullable String replicaOn(long id) {
    OnSsd file = ssdReplicas.get(EngineRig.key(id));
    return file == null ? null : file.device;
  }

  void setHdds(String... ids) {
    hdds = List.of(ids);
  }

  synchronized void remove(BlockKey block) {
    replicas.remove(block);
    ssdReplicas.remove(block);
    cleanData.remove(block);
    cleanChecksums.remove(block);
  }

  /** The next and all later moves of this name fail, until {@link #heal}. */
  void fail(String move, Throwable with) {
    failures.put(move, with);
  }

  void heal() {
    failures.clear();
  }

  /** Moves of this name wait until the gate is opened. */
  CountDownLatch hold(String move) {
    CountDownLatch gate = new CountDownLatch(1);
    hold(move, gate);
    return gate;
  }

  /** Moves of this name wait until this gate is opened. */
  void hold(String move, CountDownLatch gate) {
    gates.put(move, gate);
  }

  /** Names of the moves begun, in order. */
  synchronized List<String> moves() {
    return new ArrayList<>(moves);
  }

  /** Where replicas were demoted to, in order. */
  synchronized List<String> demotedTo() {
    return new ArrayList<>(demotedTo);
  }

  synchronized long cleanDataBytes() {
    return cleanData.values().stream().mapToLong(file -> file.bytes).sum();
  }

  private static long sum(Map<BlockKey, OnSsd> files, String ssd) {
    return files.values().stream()
        .filter(file -> file.device.equals(ssd))
        .mapToLong(file -> file.bytes)
        .sum();
  }

  private void begin(String what, BlockKey block) throws IOException, InterruptedException {
    String name = what + " " + block.id();
    synchronized (this) {
      moves.add(name);
    }
    CountDownLatch gate = gates.get(name);
    if (gate != null && !gate.await(EngineRig.MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("gate never opened: move=" + name);
    }
    Throwable failure = failures.get(name);
    if (failure instanceof IOException) {
      throw (IOException) failure;
    }
    if (failure instanceof Error) {
      throw (Error) failure;
    }
    if (failure instanceof RuntimeException) {
      throw (RuntimeException) failure;
    }
  }

  private static void passToCommit(Progress progress) {
    progress.reached(MoveState.COPIED);
    progress.reached(MoveState.VERIFIED);
    progress.reached(MoveState.SYNCED);
    progress.reached(MoveState.COMMITTED);
  }

  @Override
  public long promote(Replica replica, Part part, String device, Pace pace, Progress progress)
      throws IOException, InterruptedException {
    String what = part == Part.DATA ? "promote" : "checksums";
    if (writtenUntilFailure > 0 && failures.containsKey(what + " " + replica.block().id())) {
      pace.from(HDD).take(writtenUntilFailure);
    }
    begin(what, replica.block());
    if (throttled) {
      pace.from(HDD).take(1);
    }
    synchronized (this) {
      if (!replicas.containsKey(replica.block())) {
        throw new IOException("replica is gone: " + replica);
      }
      long sums = checksumFactor * Replica.estimatedChecksumBytes(replica.lengthBytes());
      boolean had = cleanChecksums.containsKey(replica.block());
      if (!had) {
        cleanChecksums.put(replica.block(), new OnSsd(device, sums));
      }
      long written = had ? 0 : sums;
      if (part == Part.DATA) {
        cleanData.put(replica.block(), new OnSsd(device, replica.lengthBytes()));
        written += replica.lengthBytes();
      }
      passToCommit(progress);
      return written;
    }
  }

  @Override
  public boolean demote(
      Replica replica, String target, boolean keepClean, Throttle throttle, Progress progress)
      throws IOException, InterruptedException {
    boolean step = ssds.containsKey(target) && !hdds.contains(target);
    begin(step ? "step" : keepClean ? "demote" : "replace", replica.block());
    if (failingHdds.contains(target)) {
      throw new IOException("no inode is free: device=" + target);
    }
    if (throttled) {
      throttle.take(1);
    }
    synchronized (this) {
      OnSsd source = ssdReplicas.remove(replica.block());
      if (source == null) {
        throw new IOException("no such replica on SSD: " + replica);
      }
      demotedTo.add(target);
      if (step) {
        ssdReplicas.put(replica.block(), new OnSsd(target, replica.lengthBytes()));
      }
      if (keepClean) {
        long sums = Replica.estimatedChecksumBytes(replica.lengthBytes());
        cleanData.put(replica.block(), source);
        cleanChecksums.put(replica.block(), new OnSsd(source.device, sums));
      }
      passToCommit(progress);
      progress.reached(MoveState.SOURCE_REMOVED);
      return keepClean;
    }
  }

  @Override
  public void evict(BlockKey block, Part part) {
    try {
      begin(part == Part.DATA ? "evict" : "unlink", block);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("evict must not be made to fail", e);
    }
    synchronized (this) {
      cleanData.remove(block);
      if (part == Part.CHECKSUM) {
        cleanChecksums.remove(block);
      }
    }
  }

  @Override
  public synchronized boolean hasClean(BlockKey block, Part part) {
    return (part == Part.DATA ? cleanData : cleanChecksums).containsKey(block);
  }

  /** A user read from the HDD. */
  void readFromDisk(String hdd, long nowNanos) {
    lastReadNanos.put(hdd, nowNanos);
  }

  /** Sets the number of small reads from the HDD since the start. */
  void setSmallReads(long count) {
    smallReads = count;
  }

  /** Sets the number of slow small reads from the HDD since the start. */
  void setSlowReads(long count) {
    slowReads = count;
  }

  void setDiskAvailable(long bytes) {
    diskAvailableBytes = bytes;
  }

  /** All SSDs are sick, or well again. */
  void setSsdUsable(boolean usable) {
    ssds.keySet().forEach(ssd -> setUsable(ssd, usable));
  }

  /** An SSD is sick, or well again. */
  void setUsable(String ssd, boolean usable) {
    if (usable) {
      sick.remove(ssd);
    } else {
      sick.add(ssd);
    }
  }

  /** The log of the SSD's heat. */
  synchronized HeatLog.Loaded heat() {
    return HeatLog.read(new ByteArrayInputStream(heat.toByteArray()));
  }

  /** Number of times that the heat was written as a snapshot. */
  synchronized int snapshots() {
    return snapshots;
  }

  @Override
  public synchronized void write(String device, boolean fresh, byte[] frames) {
    if (fresh) {
      snapshots++;
      heat.reset();
    }
    heat.writeBytes(frames);
  }

  @Override
  public List<SlowDevice> slowDevices() {
    return hdds.stream()
        .filter(hdd -> !silentHdds.contains(hdd))
        .map(this::slowDevice)
        .collect(Collectors.toList());
  }

  /** The HDD of a block: that of its number, in turn. */
  @Override
  public synchronized @Nullable String slowDevice(BlockKey block) {
    return replicas.containsKey(block) && !ssdReplicas.containsKey(block)
        ? hdds.get((int) (block.id() % hdds.size()))
        : null;
  }

  private SlowDevice slowDevice(String hdd) {
    return new SlowDevice() {
      @Override
      public String id() {
        return hdd;
      }

      @Override
      public long availableBytes() {
        return diskAvailable.getOrDefault(hdd, diskAvailableBytes);
      }

      @Override
      public long lastReadNanos() {
        return lastReadNanos.getOrDefault(hdd, Long.MIN_VALUE);
      }

      @Override
      public long smallReads() {
        return smallReads;
      }

      @Override
      public long slowReads() {
        return slowReads;
      }
    };
  }

  @Override
  public List<FastDevice> devices() {
    long end = System.nanoTime() + devicesTakeNanos;
    for (long left = devicesTakeNanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left); // ends early if the planner is woken
    }
    return answers();
  }

  private synchronized List<FastDevice> answers() {
    Error fail = devicesFail;
    if (fail != null) {
      throw fail;
    }
    return ssds.keySet().stream()
        .filter(ssd -> !sick.contains(ssd))
        .map(
            ssd ->
                new FastDevice(
                        ssd,
                        requireNonNull(ssds.get(ssd)),
                        Math.max(0, available(ssd)),
                        !cacheDirectories.contains(ssd))
                    .ofTier(tiers.getOrDefault(ssd, 0), tiers.containsKey(ssd) ? ssd : "SSD"))
        .collect(Collectors.toList());
  }

  @Override
  public long wallMillis() {
    return wallMillis;
  }

  @Override
  public void pinned(BlockKey block, boolean here) {
    Error failure = nextPinned;
    if (failure != null) {
      nextPinned = null;
      throw failure;
    }
    boolean changed = here ? pinned.add(block) : pinned.remove(block);
    if (!changed) {
      throw new IllegalStateException("notified twice: block=" + block + " here=" + here);
    }
  }

  @Override
  public List<String> devicesOutOfUse() {
    return refused;
  }

  @Override
  public synchronized @Nullable Replica finalized(BlockKey block) {
    return replicas.get(block);
  }

  @Override
  public synchronized boolean exists(BlockKey block) {
    return replicas.containsKey(block);
  }

  @Override
  public synchronized @Nullable Sighting look(BlockKey block) {
    Replica replica = replicas.get(block);
    OnSsd on = ssdReplicas.get(block);
    OnSsd clean = cleanData.get(block);
    OnSsd sums = cleanChecksums.get(block);
    return replica == null
        ? null
        : new Sighting(
            replica,
            () -> on == null ? Home.DISK : sick.contains(on.device) ? null : Home.SSD_GUEST,
            on == null ? null : on.device,
            clean == null ? null : clean.device,
            sums == null ? null : sums.device,
            sums == null ? 0 : sums.bytes);
  }

  @Override
  public synchronized List<BlockKey> blocks() {
    return new ArrayList<>(replicas.keySet());
  }
}
