// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toUnmodifiableList;

import io.hycache.core.model.BlockKey;
import io.hycache.core.move.DeviceLoad;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.device.BlockDevice;
import io.hycache.hdfs.device.FileSystemNumber;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loads of all SSDs and DISK volumes. Volumes on the same file system share one. A file system
 * whose device the kernel does not count has none.
 *
 * <p>Thread-safe. Streams are counted on the paths of readers and writers: no lock, no I/O, O(1).
 * Changes of the volumes hold a lock, without I/O under it.
 */
final class DeviceLoads {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLoads.class);

  /** Usual speeds, in bytes a second, until a device is measured. */
  private static final double SSD_SPEED = 400e6;

  private static final double DISK_SPEED = 120e6;

  /** A write that is open for longer is a log, which takes little of a device's speed. */
  private static final long MAX_STREAM_NANOS = TimeUnit.SECONDS.toNanos(60);

  /**
   * A machine that is busy, as when all its daemons start, makes a device seem slow. So each is
   * measured again after these times, while it has little to do, and the median counts.
   */
  private static final long[] AGAIN_NANOS = {
    TimeUnit.MINUTES.toNanos(1), TimeUnit.MINUTES.toNanos(5)
  };

  /**
   * A measurement takes less than a second. After this time the device is taken to hang: the next
   * ones are measured by another thread.
   */
  private static final long MAX_MEASUREMENT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Time for a sample of a device, which takes well below a millisecond, with its counts. */
  private static final long MAX_SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int MAX_SAMPLE_TRIES = 5;

  /** The part of a device's speed up to which it has little to do. */
  private static final double LITTLE_USE = 0.05;

  private static final long OUT_OF_USE = -1;

  private static final Path NO_COUNTS = Path.of("/dev/null");

  /** What a device is used for. */
  enum Kind {
    SSD_VOLUME,

    /** A read cache on SSD, without replicas. */
    CACHE_DIRECTORY,
    DISK_VOLUME
  }

  /** The device of a file system. */
  private static final class Device {
    final File root;
    final Kind kind;
    final int tier;
    final Path counts;
    final DeviceLoad load;

    /** Bytes available on each of its volumes at the last look, by root, or {@link #OUT_OF_USE}. */
    final Map<String, Long> availableBytes = new ConcurrentHashMap<>();

    // Guarded by the lock of DeviceLoads.
    int measurements;
    long measuredNanos;
    boolean isBeingMeasured;

    Device(File root, Kind kind, int tier, Path counts, DeviceLoad load) {
      this.root = root;
      this.kind = kind;
      this.tier = tier;
      this.counts = counts;
      this.load = load;
    }

    boolean isFast() {
      return kind != Kind.DISK_VOLUME;
    }

    /**
     * Whether HDFS could write a replica of this size to one of its volumes. On a fast device clean
     * copies make way for it: whether there is room is known before.
     */
    boolean takes(long bytes) {
      long least = isFast() ? 0 : bytes;
      return availableBytes.values().stream().anyMatch(available -> available >= least);
    }

    boolean isToBeMeasured(long nowNanos) {
      return !isBeingMeasured && takes(1) && (measurements == 0 || isToBeMeasuredAgain(nowNanos));
    }

    private boolean isToBeMeasuredAgain(long nowNanos) {
      return measurements <= AGAIN_NANOS.length
          && nowNanos - measuredNanos >= AGAIN_NANOS[measurements - 1]
          && load.use() <= LITTLE_USE;
    }
  }

  /** A stream that is counted under a key. Thread-safe; no lock. */
  private static final class Stream {
    private static final long ENDED = Long.MAX_VALUE;

    final DeviceLoad load;
    final long begunNanos;

    /** What it has written up to now, in bytes. */
    private final LongSupplier written;

    /** Bytes of it that the load counts. */
    private final AtomicLong counted = new AtomicLong();

    Stream(DeviceLoad load, long begunNanos, LongSupplier written) {
      this.load = load;
      this.begunNanos = begunNanos;
      this.written = written;
    }

    void count() {
      long bytes = written.getAsLong();
      long before = counted.get();
      if (before < bytes && counted.compareAndSet(before, bytes)) {
        load.wrote(bytes - before);
      }
    }

    void ended() {
      count();
      long bytes = counted.getAndSet(ENDED);
      if (bytes != ENDED) {
        load.ended(bytes);
      }
    }
  }

  /** Measures the speed of a volume, see {@link DeviceSpeed#measure}. */
  interface Measure {
    /**
     * Returns bytes a second; 0 if it cannot be measured.
     *
     * @param counts to be called when what is written begins to count
     */
    double speedOf(File root, DeviceSpeed.Begin counts) throws IOException;
  }

  /** Streams by the block that is written, or by the thread that opens or creates a block. */
  private final Map<Object, Stream> streams = new ConcurrentHashMap<>();

  private final boolean enabled;
  private final LongFunction<@Nullable Path> countsOf;
  private final Measure measure;
  private final LongSupplier nanoTime;

  /** By number of the file system. */
  private final Map<Long, Device> devices = new ConcurrentHashMap<>();

  /** By path of the root of a volume. */
  private final Map<String, Device> volumes = new ConcurrentHashMap<>();

  /** Of the SSD volumes, by tier. */
  private volatile Map<Integer, List<Device>> ssds = Map.of();

  private volatile List<Device> disks = List.of();

  /** The newest thread that measures devices, and when its last measurement began. */
  private @Nullable Thread measurer;

  private long measurementBegunNanos;

  /**
   * @param enabled if false, no volume is ever known
   * @param countsOf the kernel's counts of the device of a file system, see {@link
   *     BlockDevice#counts}
   */
  DeviceLoads(
      boolean enabled,
      LongFunction<@Nullable Path> countsOf,
      Measure measure,
      LongSupplier nanoTime) {
    this.enabled = enabled;
    this.countsOf = countsOf;
    this.measure = measure;
    this.nanoTime = nanoTime;
  }

  /**
   * @param mode of the file with which a device is measured
   * @param enabled if false, no volume is ever known
   */
  static DeviceLoads of(DataDirMode mode, boolean enabled) {
    return new DeviceLoads(
        enabled,
        BlockDevice::counts,
        (root, counts) -> DeviceSpeed.measure(root.toPath(), mode, counts),
        System::nanoTime);
  }

  // ---- volumes ----------------------------------------------------------------------------------

  /** For tests: as {@link #add(File, Kind, int, long, long)}, with room, to the fastest tier. */
  void add(File root, Kind kind, long fileSystem) {
    add(root, kind, 0, fileSystem, Long.MAX_VALUE);
  }

  /**
   * Adds a volume, unless it is known, and takes over how many bytes are available there.
   *
   * @param tier its number
   * @param fileSystem see {@link FileSystemNumber}; 0 if it is unknown
   */
  void add(File root, Kind kind, int tier, long fileSystem, long availableBytes) {
    if (!enabled || fileSystem == 0) {
      return;
    }
    if (!volumes.containsKey(root.getPath())) {
      Path counts = countsOf.apply(fileSystem);
      if (counts != null) {
        add(root, kind, tier, fileSystem, counts);
      }
    }
    available(root, availableBytes);
  }

  private synchronized void add(File root, Kind kind, int tier, long fileSystem, Path counts) {
    volumes.put(
        root.getPath(),
        devices.computeIfAbsent(
            fileSystem,
            number -> {
              boolean slow = kind == Kind.DISK_VOLUME;
              DeviceLoad load = new DeviceLoad(slow ? DISK_SPEED : SSD_SPEED, slow);
              return new Device(root, kind, tier, counts, load);
            }));
    changed();
  }

  /** Called when a volume is found to be out of use: no replica is written there. */
  void outOfUse(File root) {
    available(root, OUT_OF_USE);
  }

  private void available(File root, long bytes) {
    Device device = volumes.get(root.getPath());
    if (device != null) {
      device.availableBytes.put(root.getPath(), bytes);
    }
  }

  /** For tests: replaces all loads by those of an SSD and a DISK volume. */
  synchronized void replaceAll(File ssd, DeviceLoad ofSsd, File disk, DeviceLoad ofDisk) {
    volumes.clear();
    devices.clear();
    Device fast = new Device(ssd, Kind.SSD_VOLUME, 0, NO_COUNTS, ofSsd);
    Device slow = new Device(disk, Kind.DISK_VOLUME, 1, NO_COUNTS, ofDisk);
    volumes.put(ssd.getPath(), fast);
    volumes.put(disk.getPath(), slow);
    available(ssd, Long.MAX_VALUE);
    available(disk, Long.MAX_VALUE);
    ssds = Map.of(0, List.of(fast));
    disks = List.of(slow);
  }

  /** Forgets all volumes but those with these roots. */
  synchronized void retain(Set<String> roots) {
    if (volumes.keySet().retainAll(roots)) {
      devices.values().retainAll(volumes.values());
      devices.values().forEach(device -> device.availableBytes.keySet().retainAll(roots));
      changed();
    }
  }

  /** Called with the lock held, so that no thread replaces newer lists by older ones. */
  private void changed() {
    ssds =
        of(Kind.SSD_VOLUME).stream()
            .collect(groupingBy(device -> device.tier, toUnmodifiableList()));
    disks = of(Kind.DISK_VOLUME);
  }

  private List<Device> of(Kind kind) {
    return devices.values().stream()
        .filter(device -> device.kind == kind)
        .collect(toUnmodifiableList());
  }

  /** Returns the load of a volume; null if it is not known. */
  @Nullable DeviceLoad of(File root) {
    Device device = volumes.get(root.getPath());
    return device == null ? null : device.load;
  }

  /** For tests: returns the loads of the volumes of a fast tier. */
  List<DeviceLoad> ssds(int tier) {
    return loads(ssds.getOrDefault(tier, List.of()), device -> true);
  }

  /** Returns the loads of the volumes of a fast tier that take a replica of this size. */
  List<DeviceLoad> ssds(int tier, long bytes) {
    return loads(ssds.getOrDefault(tier, List.of()), device -> device.takes(bytes));
  }

  /** For tests: returns the loads of all DISK volumes that are not on an SSD. */
  List<DeviceLoad> disks() {
    return loads(disks, device -> true);
  }

  /** Returns the loads of the DISK volumes, not on an SSD, that take a replica of this size. */
  List<DeviceLoad> disks(long bytes) {
    return loads(disks, device -> device.takes(bytes));
  }

  /** Returns the number of all DISK volumes that are not on an SSD. */
  int diskCount() {
    return disks.size();
  }

  private static List<DeviceLoad> loads(List<Device> of, Predicate<Device> which) {
    return of.stream().filter(which).map(device -> device.load).collect(toUnmodifiableList());
  }

  // ---- streams ----------------------------------------------------------------------------------

  /** Called when a stream of a volume begins. Returns its load; null if it is not known. */
  @Nullable DeviceLoad begun(File volume) {
    DeviceLoad load = of(volume);
    if (load != null) {
      load.begun();
    }
    return load;
  }

  /**
   * Called when a replica is being written to a volume; {@link #ended} should follow.
   *
   * @param written bytes of it that are written up to now; called often, from several threads
   */
  void writeBegun(BlockKey block, File volume, LongSupplier written) {
    DeviceLoad load = of(volume);
    if (load != null) {
      begun(block, load, written);
    } else {
      ended(block);
    }
  }

  /**
   * Counts a stream under a key, in place of the one that was counted under it before. To be called
   * as soon as a device is chosen, so that choices at the same time take it into account.
   *
   * @param key the block that is written, or the thread that opens or creates a block
   */
  void begun(Object key, DeviceLoad load) {
    begun(key, load, () -> 0);
  }

  private void begun(Object key, DeviceLoad load, LongSupplier written) {
    load.begun();
    ended(streams.put(key, new Stream(load, nanoTime.getAsLong(), written)));
  }

  /** Returns the load for which a stream is counted under a key; null if there is none. */
  @Nullable DeviceLoad counted(Object key) {
    Stream stream = streams.get(key);
    return stream == null ? null : stream.load;
  }

  /** Called when the stream that is counted under a key ended, well or not. */
  void ended(Object key) {
    ended(streams.remove(key));
  }

  private static void ended(@Nullable Stream stream) {
    if (stream != null) {
      stream.ended();
    }
  }

  // ---- samples ----------------------------------------------------------------------------------

  /**
   * Samples what all devices have done and what streams have written, and no longer counts writes
   * that are open for long. Reads files of the kernel, not of the devices. O(devices + streams).
   */
  void sample() {
    long nowNanos = nanoTime.getAsLong();
    streams.forEach(
        (key, stream) -> {
          if (nowNanos - stream.begunNanos > MAX_STREAM_NANOS && streams.remove(key, stream)) {
            ended(stream);
          } else {
            stream.count();
          }
        });
    for (Device device : devices.values()) {
      try {
        sample(device);
      } catch (IOException e) {
        LOG.debug("a device is gone: root={}", device.root, e);
      }
    }
    measure();
  }

  /**
   * Samples a device, unless the thread stops again and again between the time and the counts: the
   * device would seem to have done in the interval before what it did in the pause, and so to be
   * faster than it is.
   */
  private void sample(Device device) throws IOException {
    for (int i = 0; i < MAX_SAMPLE_TRIES; i++) {
      long begunNanos = nanoTime.getAsLong();
      DeviceLoad.Work done = BlockDevice.read(device.counts);
      if (nanoTime.getAsLong() - begunNanos <= MAX_SAMPLE_NANOS) {
        device.load.sample(done, begunNanos);
        return;
      }
    }
  }

  /**
   * Measures the devices that are to be measured, one after the other, on a thread that ends then.
   * The SSDs are first, as it is their speed that matters most. There is nothing to measure until
   * there are two tiers. A thread whose device hangs is replaced by another one, and ends with that
   * measurement; there are at most as many threads as devices.
   */
  private synchronized void measure() {
    long nowNanos = nanoTime.getAsLong();
    boolean goesOn = measurer != null && nowNanos - measurementBegunNanos < MAX_MEASUREMENT_NANOS;
    if (goesOn || next(nowNanos) == null) {
      return;
    }
    boolean oneTier = disks.isEmpty() || devices.values().stream().noneMatch(Device::isFast);
    if (!oneTier) {
      Thread thread = Daemons.named("HyCacheDeviceSpeed").newThread(this::measureAll);
      thread.start();
      measurer = thread; // it waits for this lock before it begins
      measurementBegunNanos = nowNanos;
    }
  }

  private @Nullable Device next(long nowNanos) {
    Device next = null;
    for (Device device : devices.values()) {
      if (device.isToBeMeasured(nowNanos)
          && (next == null || (device.isFast() && !next.isFast()))) {
        next = device;
      }
    }
    return next;
  }

  /** Returns the next device for this thread; null if there is none or it was replaced. */
  private synchronized @Nullable Device begin() {
    if (!Thread.currentThread().equals(measurer)) {
      return null;
    }
    long nowNanos = nanoTime.getAsLong();
    Device device = next(nowNanos);
    if (device != null) {
      device.measurements++;
      device.measuredNanos = nowNanos;
      device.isBeingMeasured = true;
      measurementBegunNanos = nowNanos;
    }
    return device;
  }

  private synchronized void ended(Device device) {
    device.isBeingMeasured = false;
  }

  private synchronized void ended() {
    if (Thread.currentThread().equals(measurer)) {
      measurer = null;
    }
  }

  /** For tests: whether a thread measures devices, beside those that were replaced. */
  synchronized boolean isMeasuring() {
    return measurer != null;
  }

  private void measureAll() {
    try {
      for (Device device = begin(); device != null; device = begin()) {
        try {
          measure(device);
        } finally {
          ended(device);
        }
      }
    } finally {
      ended();
    }
  }

  /** What a device transfers for all processes, from the last {@link #begins} on. */
  private static final class Transfer implements DeviceSpeed.Begin {
    private final Device device;
    private DeviceLoad.Work before;
    private long begunNanos;

    Transfer(Device device) throws IOException {
      this.device = device;
      begins();
    }

    @Override
    public final void begins() throws IOException {
      begunNanos = System.nanoTime();
      before = BlockDevice.read(device.counts);
    }

    /** The time contains both looks at the counts: a pause makes the device seem slower. */
    double bytesPerSecond() throws IOException {
      long bytes = BlockDevice.read(device.counts).bytesOneWay(before);
      return bytes * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begunNanos);
    }
  }

  /** What others transfer meanwhile is part of a device's speed, that it was hanging is not. */
  private void measure(Device device) {
    try {
      long begunNanos = System.nanoTime();
      Transfer all = new Transfer(device);
      double ours = measure.speedOf(device.root, all);
      double speed = Math.max(ours, all.bytesPerSecond());
      if (ours > 0 && System.nanoTime() - begunNanos <= MAX_MEASUREMENT_NANOS) {
        device.load.measured(speed);
        LOG.info("measured a volume: root={}, MB/s={}", device.root, Math.round(speed / 1e6));
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("could not measure a volume: root={}", device.root, e);
    }
  }
}
