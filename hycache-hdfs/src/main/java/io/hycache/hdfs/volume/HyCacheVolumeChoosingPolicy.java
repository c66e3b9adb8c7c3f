// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.volume;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Picks, among the volumes of one storage type, the one for the next replica. Useful without the
 * rest of HyCache.
 *
 * <p>Idea: smooth weighted round robin. A volume's weight is its free space after the write, at
 * most twice that of all others together. Each choice gives every volume its share of the weights
 * as credit, takes the one with most credit, and takes one choice off it. So a large volume gets
 * more, a small one never starves, an empty new one is not piled upon, and equal ones take turns as
 * with HDFS's round robin. Volumes that are much busier than others are not considered, and neither
 * gain nor lose credit. Falls back to round robin when anything is odd.
 *
 * <p>Thread-safe; O(volumes) per choice; a few words per volume. Source: the smooth weighted round
 * robin of nginx.
 */
public class HyCacheVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheVolumeChoosingPolicy.class);
  private static final double MAX_WEIGHT_RATIO = 2;

  /** Volumes whose slowdowns differ by less are equally busy. */
  private static final double MAX_RATIO_OF_SLOWDOWNS = 1.25;

  /** Credits closer than this are equal: of these the next volume is taken. */
  private static final double CREDIT_TOLERANCE = 1e-3;

  private final RoundRobinVolumeChoosingPolicy<V> fallback = new RoundRobinVolumeChoosingPolicy<>();

  /** What each storage is owed, in choices. Guarded by itself. */
  private final Map<String, Double> credits = new HashMap<>();

  /**
   * Where the volumes of a storage type are gone through from: those that are owed alike take turns
   * in the order of HDFS's round robin, also when one of them is removed. Guarded by credits.
   */
  private final Map<StorageType, Integer> cursors = new EnumMap<>(StorageType.class);

  /** Called by reflection. */
  public HyCacheVolumeChoosingPolicy() {}

  @Override
  public void setConf(Configuration conf) {
    ReflectionUtils.setConf(fallback, conf); // not Configurable before Hadoop 3.4
  }

  @Override
  @SuppressWarnings("NullAway") // Configurable leaves it open; there is no caller.
  public Configuration getConf() {
    return null;
  }

  @Override
  public V chooseVolume(List<V> volumes, long replicaSize, String storageId) throws IOException {
    try {
      if (volumes.size() > 1 || (!volumes.isEmpty() && madeWay(volumes.get(0)) != 0)) {
        return choose(volumes, replicaSize);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("weighing failed, going round robin", e);
    }
    return fallback.chooseVolume(volumes, replicaSize, storageId);
  }

  /** A volume and the bytes on it that a new replica may take. Immutable. */
  private static final class Room<V> {
    final V volume;
    final long bytes;

    Room(V volume, long bytes) {
      this.volume = volume;
      this.bytes = bytes;
    }
  }

  /** Asks the file systems of the volumes. */
  private static <V extends FsVolumeSpi> List<Room<V>> rooms(List<V> volumes) throws IOException {
    List<Room<V>> rooms = new ArrayList<>(volumes.size());
    for (V volume : volumes) {
      rooms.add(new Room<>(volume, volume.getAvailable() + madeWay(volume)));
    }
    return rooms;
  }

  /** Without those that HyCache found sick, unless that leaves none. */
  private List<V> healthy(List<V> volumes) {
    List<V> healthy = new ArrayList<>(volumes.size());
    for (V volume : volumes) {
      VolumeHealth health = health(volume);
      if (health == null || !health.isSick(volume)) {
        healthy.add(volume);
      }
    }
    return healthy.isEmpty() ? volumes : healthy;
  }

  /**
   * Without those that are much busier than others with space. A slow volume is not a busy one: it
   * gets its share. If that is not known of one of them, all are returned.
   */
  private static <V extends FsVolumeSpi> List<Room<V>> notBusy(
      List<Room<V>> rooms, long replicaSize) {
    double[] slowdowns = rooms.stream().mapToDouble(room -> slowdown(room.volume)).toArray();
    DoubleSummaryStatistics all = Arrays.stream(slowdowns).summaryStatistics();
    if (all.getMin() == 0 || all.getMax() <= MAX_RATIO_OF_SLOWDOWNS * all.getMin()) {
      return rooms;
    }
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < slowdowns.length; i++) {
      if (slowdowns[i] < least && rooms.get(i).bytes > replicaSize) {
        least = slowdowns[i];
      }
    }
    List<Room<V>> notBusy = new ArrayList<>(rooms.size());
    for (int i = 0; i < slowdowns.length; i++) {
      if (slowdowns[i] <= MAX_RATIO_OF_SLOWDOWNS * least) {
        notBusy.add(rooms.get(i));
      }
    }
    return notBusy;
  }

  private static <V extends FsVolumeSpi> long madeWay(V volume) {
    VolumeHealth health = health(volume);
    return health == null ? 0 : health.madeWayBytes(volume);
  }

  /** What HyCache knows of a volume; null of one that is not HyCache's dataset's. */
  private static @Nullable VolumeHealth health(FsVolumeSpi volume) {
    FsDatasetSpi<?> dataset = volume.getDataset();
    return dataset instanceof VolumeHealth ? (VolumeHealth) dataset : null;
  }

  /** The choice itself. */
  V choose(List<V> volumes, long replicaSize) throws IOException {
    List<Room<V>> rooms = rooms(healthy(volumes));
    // One choice after the other, as each makes its volume busier. No I/O meanwhile.
    synchronized (credits) {
      V chosen = pickFitting(notBusy(rooms, replicaSize), replicaSize);
      VolumeHealth health = health(chosen);
      if (health != null) {
        health.chosen(chosen);
      }
      return chosen;
    }
  }

  /** Guarded by credits. */
  private V pickFitting(List<Room<V>> rooms, long replicaSize) throws IOException {
    List<V> fitting = new ArrayList<>(rooms.size());
    List<Double> weights = new ArrayList<>(rooms.size());
    long mostBytes = 0;
    for (Room<V> room : rooms) {
      mostBytes = Math.max(mostBytes, room.bytes);
      if (room.bytes - replicaSize > 0) {
        fitting.add(room.volume);
        weights.add((double) (room.bytes - replicaSize));
      }
    }
    if (fitting.isEmpty()) {
      throw new DiskOutOfSpaceException(
          "Out of space: the volume with the most available space (="
              + mostBytes
              + " B) is less than the block size (="
              + replicaSize
              + " B).");
    }
    cap(weights);
    return fitting.get(pick(fitting, weights));
  }

  /** The one that is left more than twice as much as all others together counts for that. */
  private static void cap(List<Double> weights) {
    double total = weights.stream().mapToDouble(Double::doubleValue).sum();
    weights.replaceAll(
        weight ->
            weights.size() == 1 ? weight : Math.min(weight, MAX_WEIGHT_RATIO * (total - weight)));
  }

  private static <V extends FsVolumeSpi> double slowdown(V volume) {
    VolumeHealth health = health(volume);
    return health == null ? 0 : health.slowdown(volume);
  }

  /** Guarded by credits. */
  private int pick(List<V> volumes, List<Double> weights) {
    double total = weights.stream().mapToDouble(Double::doubleValue).sum();
    StorageType type = volumes.get(0).getStorageType();
    int from = cursors.getOrDefault(type, 0) % volumes.size();
    int best = from;
    double most = Double.NEGATIVE_INFINITY;
    for (int step = 0; step < volumes.size(); step++) {
      int i = (from + step) % volumes.size();
      double credit =
          credits.merge(volumes.get(i).getStorageID(), weights.get(i) / total, Double::sum);
      if (credit > most + CREDIT_TOLERANCE) {
        best = i;
        most = credit;
      }
    }
    credits.merge(volumes.get(best).getStorageID(), -1.0, Double::sum);
    cursors.put(type, (best + 1) % volumes.size());
    return best;
  }
}
