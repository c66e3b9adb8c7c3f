// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static java.util.stream.Collectors.toList;

import com.google.common.collect.Streams;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.SlowDevice;
import io.hycache.core.stats.Counters;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.dataset.DeviceLoads.Kind;
import io.hycache.hdfs.dataset.ReplicaStore.Volume;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Presents the DataNode's volumes and cache directories to the engine. Thread-safe. */
final class HdfsHost implements Host, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsHost.class);

  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Map<String, CleanArea> areas;
  private final LockedBlocks locked;
  private final DeviceLoads loads;
  private final Map<String, DeviceWatch> disks = new ConcurrentHashMap<>();

  /** By volume root, of each volume that was ever read from or written to. */
  private final Map<String, DiskUse> uses = new ConcurrentHashMap<>();

  private final List<CacheDir> cacheDirs;
  private final DataDirMode mode;
  private final Counters counters;
  private final long limitBytes;
  private final boolean watched;

  /** Held while a device is added or removed; no I/O under it. */
  private final Object deviceChanges = new Object();

  private boolean closed;

  /**
   * @param areas receives the area of every device seen
   * @param loads receives every device seen, and samples them when the engine looks at them
   * @param mode of files and directories created on a device
   * @param limitBytes upper bound of the bytes used of each device
   * @param watched whether the devices are probed
   * @param counters counts failures of the host that are not a device's fault
   */
  HdfsHost(
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      LockedBlocks locked,
      DeviceLoads loads,
      List<CacheDir> cacheDirs,
      DataDirMode mode,
      long limitBytes,
      boolean watched,
      Counters counters) {
    this.store = store;
    this.copies = copies;
    this.areas = areas;
    this.locked = locked;
    this.loads = loads;
    this.cacheDirs = cacheDirs;
    this.mode = mode;
    this.limitBytes = limitBytes;
    this.watched = watched;
    this.counters = counters;
  }

  /** A query of a device, run on the device's own thread. */
  private interface Question {
    FastDevice answer(CleanArea area) throws IOException;
  }

  @Override
  public List<FastDevice> devices() {
    loads.sample();
    List<FastDevice> devices = new ArrayList<>();
    for (Volume volume : store.ssdVolumes()) {
      ask(
          volume.root(),
          volume.root(),
          area ->
              device(
                      area,
                      volume.root(),
                      volume.capacityBytes(),
                      volume.availableBytes(),
                      volume.dfsUsedBytes(),
                      true)
                  .ofTier(volume.tier(), name(volume.tier())),
          e -> {},
          devices);
    }
    int last = store.tiers().fast().size() - 1;
    for (CacheDir dir : cacheDirs) {
      File root = dir.root();
      ask(
          root,
          dir.parent(),
          area -> {
            dir.open();
            return device(area, root, root.getTotalSpace(), root.getUsableSpace(), 0, false)
                .ofTier(last, name(last));
          },
          dir::failed,
          devices);
    }
    return devices;
  }

  private String name(int tier) {
    return store.tiers().fast().get(tier).name();
  }

  @Override
  public List<String> devicesOutOfUse() {
    Stream<File> refused = cacheDirs.stream().filter(CacheDir::isRefused).map(CacheDir::root);
    Stream<File> sick =
        areas.values().stream().filter(area -> area.watch().sick()).map(CleanArea::root);
    return Streams.concat(refused, store.failedSsds().stream(), sick)
        .map(File::getPath)
        .distinct()
        .collect(toList());
  }

  /**
   * Adds the answer of a device, unless the device is sick, failed, removed or does not answer in
   * time.
   *
   * @param failed what is called if it failed
   */
  private void ask(
      File root,
      File mounted,
      Question question,
      Consumer<IOException> failed,
      List<FastDevice> answers) {
    CleanArea area = area(root, mounted);
    if (area == null || area.watch().sick()) {
      loads.outOfUse(root);
      return;
    }
    area.looked();
    try {
      FastDevice device = area.watch().ask(() -> question.answer(area));
      if (device != null) {
        loads.add(
            root,
            device.holdsReplicas() ? Kind.SSD_VOLUME : Kind.CACHE_DIRECTORY,
            device.tier(),
            area.watch().fileSystem(),
            device.availableBytes());
        answers.add(device);
      }
    } catch (IOException e) {
      LOG.debug("ignoring a device that HDFS will handle: device={}", root, e);
      loads.outOfUse(root);
      failed.accept(e);
    }
  }

  /**
   * Returns the area of a device; null if its volume was removed meanwhile: a new area with a
   * probing thread would never be closed.
   */
  private @Nullable CleanArea area(File root, File mounted) {
    CleanArea known = areas.get(root.getPath());
    if (known != null) {
      return known;
    }
    synchronized (deviceChanges) {
      if (closed || !present().contains(root.getPath())) {
        return null;
      }
      return areas.computeIfAbsent(
          root.getPath(),
          path -> {
            DeviceWatch watch = new DeviceWatch(root, mounted, DeviceWatch.files(mode), counters);
            return new CleanArea(root, watched ? watch.start() : watch, mode);
          });
    }
  }

  /** Returns the roots of all present devices. */
  private Set<String> present() {
    Set<String> present = new HashSet<>();
    store.ssdVolumes().forEach(volume -> present.add(volume.root().getPath()));
    cacheDirs.forEach(dir -> present.add(dir.root().getPath()));
    store.diskVolumes().forEach(volume -> present.add(volume.root().getPath()));
    return present;
  }

  private FastDevice device(
      CleanArea area, File root, long capacity, long available, long used, boolean holdsReplicas)
      throws IOException {
    if (!area.knowsUnit()) {
      area.allocatesBy(Files.getFileStore(root.toPath()).getBlockSize());
    }
    long free = available;
    if (limitBytes < capacity) {
      free = Math.min(free, limitBytes - used - area.bytes());
    }
    return new FastDevice(
        root.getPath(),
        Math.min(capacity, limitBytes),
        Math.max(0, free),
        holdsReplicas,
        area.allocatedBytes(1));
  }

  /** A snapshot of a DISK volume. */
  private static final class SeenDisk implements SlowDevice {
    private final String id;
    private final long availableBytes;
    private final DiskUse use;

    SeenDisk(String id, long availableBytes, DiskUse use) {
      this.id = id;
      this.availableBytes = availableBytes;
      this.use = use;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public long availableBytes() {
      return availableBytes;
    }

    @Override
    public long lastReadNanos() {
      return use.lastReadNanos();
    }

    @Override
    public long smallReads() {
      return use.smallReads();
    }

    @Override
    public long slowReads() {
      return use.slowReads();
    }
  }

  @Override
  public List<SlowDevice> slowDevices() {
    List<SlowDevice> devices = new ArrayList<>();
    for (Volume volume : store.diskVolumes()) {
      DeviceWatch watch = watch(volume.root());
      try {
        Long available = watch == null ? null : watch.ask(volume::availableBytes);
        if (watch != null && available != null) {
          loads.add(volume.root(), Kind.DISK_VOLUME, volume.tier(), watch.fileSystem(), available);
          devices.add(new SeenDisk(volume.root().getPath(), available, useOf(volume.root())));
        }
      } catch (IOException e) {
        loads.outOfUse(volume.root());
        LOG.debug("ignoring a device that HDFS will handle: device={}", volume.root(), e);
      }
    }
    return devices;
  }

  @Override
  public @Nullable String slowDevice(BlockKey block) {
    ReplicaView view = store.finalized(block);
    return view == null || view.onSsd() ? null : view.volumeRoot().getPath();
  }

  /** Returns the total free space of all DISK volumes. */
  long diskFreeBytes() {
    return slowDevices().stream().mapToLong(SlowDevice::availableBytes).sum();
  }

  /** Returns the watch of a DISK volume; null if the volume was removed. */
  private @Nullable DeviceWatch watch(File root) {
    DeviceWatch known = disks.get(root.getPath());
    if (known != null) {
      return known;
    }
    synchronized (deviceChanges) {
      return closed || !present().contains(root.getPath())
          ? null
          : disks.computeIfAbsent(root.getPath(), path -> new DeviceWatch(root));
    }
  }

  /** Returns how users load a volume. Used on the read path: O(1), no lock. */
  DiskUse useOf(File root) {
    DiskUse known = uses.get(root.getPath());
    return known != null ? known : uses.computeIfAbsent(root.getPath(), path -> new DiskUse());
  }

  @Override
  public void close() {
    synchronized (deviceChanges) {
      closed = true;
    }
    disks.values().forEach(disk -> disk.close());
    areas.values().forEach(CleanArea::close);
    cacheDirs.forEach(CacheDir::close);
  }

  /** Closes the areas and watches of removed volumes. */
  void forgetGoneDevices() {
    synchronized (deviceChanges) {
      Set<String> present = present();
      loads.retain(present);
      for (String root : List.copyOf(disks.keySet())) {
        DeviceWatch gone = present.contains(root) ? null : disks.remove(root);
        if (gone != null) {
          gone.close();
        }
      }
      for (String root : List.copyOf(areas.keySet())) {
        CleanArea gone = present.contains(root) ? null : areas.remove(root);
        if (gone != null) {
          gone.close();
        }
      }
    }
  }

  @Override
  public @Nullable Replica finalized(BlockKey block) {
    ReplicaView view = store.finalized(block);
    return view == null ? null : view.replica();
  }

  @Override
  public boolean servesClean(BlockKey block) {
    return !locked.contains(block);
  }

  @Override
  public long pageBytes() {
    return store.pageBytes();
  }

  @Override
  public void pinned(BlockKey block, boolean here) {
    store.countCached(here);
  }

  @Override
  public boolean exists(BlockKey block) {
    return store.exists(block);
  }

  @Override
  public boolean hasClean(BlockKey block, Part part) {
    CleanCopies.Copy copy = copies.get(block);
    return copy != null && (part == Part.DATA ? copy.data() : copy.checksums()) != null;
  }
}
