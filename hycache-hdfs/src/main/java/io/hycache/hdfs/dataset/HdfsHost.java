package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.Host;
import io.hycache.hdfs.dataset.ReplicaStore.SsdVolume;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the DataNode's SSD volumes and cache directories to the engine. Thread-safe. */
final class HdfsHost implements Host {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsHost.class);

  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Map<String, CleanArea> areas;
  private final List<File> cacheDirs;
  private final long limitBytes;

  /**
   * @param areas filled with the area of every device seen
   * @param limitBytes most bytes of each device that are ours to count on
   */
  HdfsHost(
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      List<File> cacheDirs,
      long limitBytes) {
    this.store = store;
    this.copies = copies;
    this.areas = areas;
    this.cacheDirs = cacheDirs;
    this.limitBytes = limitBytes;
  }

  @Override
  public List<FastDevice> devices() {
    List<FastDevice> devices = new ArrayList<>();
    for (SsdVolume volume : store.ssdVolumes()) {
      try {
        devices.add(
            device(
                volume.root(),
                volume.capacityBytes(),
                volume.availableBytes(),
                volume.dfsUsedBytes(),
                true));
      } catch (IOException e) {
        LOG.debug("left out, HDFS deals with it: volume={}", volume.root(), e);
      }
    }
    for (File dir : cacheDirs) {
      if (dir.isDirectory()) {
        devices.add(device(dir, dir.getTotalSpace(), dir.getUsableSpace(), 0, false));
      }
    }
    return devices;
  }

  private FastDevice device(
      File root, long capacity, long available, long used, boolean holdsReplicas) {
    areas.computeIfAbsent(root.getPath(), path -> new CleanArea(root));
    long free = available;
    if (limitBytes < capacity) {
      free = Math.min(free, limitBytes - used - copies.bytesUnder(root));
    }
    return new FastDevice(
        root.getPath(), Math.min(capacity, limitBytes), Math.max(0, free), holdsReplicas);
  }

  @Override
  public @Nullable Replica finalized(BlockKey block) {
    ReplicaView view = store.finalized(block);
    return view == null ? null : view.replica();
  }

  @Override
  public boolean exists(BlockKey block) {
    return store.exists(block);
  }
}
