package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.HeatStore;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.SlowDevice;
import io.hycache.core.table.HeatLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A DataNode in memory with one SSD: keeps the true bytes on it, logs every move, and can be told
 * to fail a move or to hold it until a gate opens. Moves are named {@code promote 1}, {@code
 * checksums 1}, {@code demote 1}, {@code replace 1} (a demotion that keeps nothing), {@code evict
 * 1}, {@code unlink 1} (the checksum file).
 */
final class FakeDataNode implements Host, BlockMover, HeatStore {
  static final String SSD = "ssd";
  static final String HDD = "hdd";

  private final long capacityBytes;
  private final ByteArrayOutputStream heat = new ByteArrayOutputStream();
  private int snapshots;
  private volatile long lastReadNanos = Long.MIN_VALUE;
  private volatile long smallReads;
  private volatile long slowReads;
  private volatile boolean ssdUsable = true;
  private volatile long diskAvailableBytes = Long.MAX_VALUE;
  private final Map<BlockKey, Replica> replicas = new HashMap<>();
  private final Map<BlockKey, Long> ssdReplicas = new HashMap<>();
  private final Map<BlockKey, Long> cleanData = new HashMap<>();
  private final Map<BlockKey, Long> cleanChecksums = new HashMap<>();
  private final List<String> moves = new ArrayList<>();
  private final Map<String, Throwable> failures = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

  FakeDataNode(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  synchronized void put(Replica replica, boolean onSsd) {
    replicas.put(replica.block(), replica);
    ssdReplicas.remove(replica.block());
    if (onSsd) {
      ssdReplicas.put(replica.block(), replica.lengthBytes());
    }
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
    gates.put(move, gate);
    return gate;
  }

  /** Names of the moves begun, in order. */
  synchronized List<String> moves() {
    return new ArrayList<>(moves);
  }

  synchronized long cleanDataBytes() {
    return sum(cleanData);
  }

  private static long sum(Map<BlockKey, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  private void begin(String what, BlockKey block) throws IOException, InterruptedException {
    String name = what + " " + block.id();
    synchronized (this) {
      moves.add(name);
    }
    CountDownLatch gate = gates.get(name);
    if (gate != null && !gate.await(20, TimeUnit.SECONDS)) {
      throw new IOException("gate never opened: move=" + name);
    }
    Throwable failure = failures.get(name);
    if (failure instanceof IOException) {
      throw (IOException) failure;
    }
    if (failure instanceof LinkageError) {
      throw (LinkageError) failure;
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
    begin(part == Part.DATA ? "promote" : "checksums", replica.block());
    synchronized (this) {
      if (!replicas.containsKey(replica.block())) {
        throw new IOException("replica is gone: " + replica);
      }
      long sums = Replica.estimatedChecksumBytes(replica.lengthBytes());
      Long had = cleanChecksums.put(replica.block(), sums);
      long written = had == null ? sums : 0;
      if (part == Part.DATA) {
        cleanData.put(replica.block(), replica.lengthBytes());
        written += replica.lengthBytes();
      }
      passToCommit(progress);
      return written;
    }
  }

  @Override
  public boolean demote(
      Replica replica, String slowDevice, boolean keepClean, Throttle throttle, Progress progress)
      throws IOException, InterruptedException {
    begin(keepClean ? "demote" : "replace", replica.block());
    synchronized (this) {
      if (ssdReplicas.remove(replica.block()) == null) {
        throw new IOException("no such replica on SSD: " + replica);
      }
      if (keepClean) {
        cleanData.put(replica.block(), replica.lengthBytes());
        cleanChecksums.put(replica.block(), Replica.estimatedChecksumBytes(replica.lengthBytes()));
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
      throw new IllegalStateException("evict must not be told to fail", e);
    }
    synchronized (this) {
      cleanData.remove(block);
      if (part == Part.CHECKSUM) {
        cleanChecksums.remove(block);
      }
    }
  }

  /** A user read from the HDD. */
  void readFromDisk(long nowNanos) {
    lastReadNanos = nowNanos;
  }

  /** Users have read little from the HDD so often since the start. */
  void setSmallReads(long count) {
    smallReads = count;
  }

  /** Users have waited long for a little of the HDD so often since the start. */
  void setSlowReads(long count) {
    slowReads = count;
  }

  void setDiskAvailable(long bytes) {
    diskAvailableBytes = bytes;
  }

  /** The SSD is sick, or well again. */
  void setSsdUsable(boolean usable) {
    ssdUsable = usable;
  }

  /** What is kept of the SSD's heat. */
  synchronized HeatLog.Loaded heat() {
    return HeatLog.read(new ByteArrayInputStream(heat.toByteArray()));
  }

  /** Times that the heat was written as a whole. */
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
    return List.of(
        new SlowDevice() {
          @Override
          public String id() {
            return HDD;
          }

          @Override
          public long availableBytes() {
            return diskAvailableBytes;
          }

          @Override
          public long lastReadNanos() {
            return lastReadNanos;
          }

          @Override
          public long smallReads() {
            return smallReads;
          }

          @Override
          public long slowReads() {
            return slowReads;
          }
        });
  }

  @Override
  public synchronized List<FastDevice> devices() {
    if (!ssdUsable) {
      return List.of();
    }
    long used = sum(ssdReplicas) + sum(cleanData) + sum(cleanChecksums);
    return List.of(new FastDevice(SSD, capacityBytes, Math.max(0, capacityBytes - used), true));
  }

  @Override
  public synchronized @Nullable Replica finalized(BlockKey block) {
    return replicas.get(block);
  }

  @Override
  public synchronized boolean exists(BlockKey block) {
    return replicas.containsKey(block);
  }
}
