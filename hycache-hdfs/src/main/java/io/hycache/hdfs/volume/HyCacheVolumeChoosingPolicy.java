package io.hycache.hdfs.volume;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Picks, among the volumes of one storage type, the one for the next replica. Useful without the
 * rest of HyCache.
 *
 * <p>Idea: smooth weighted round robin. A volume's weight is its free space after the write, damped
 * by the bytes chosen for it lately (they are in flight or fresh in its queue). Each choice gives
 * every volume its share of the weights as credit, takes the one with most credit, and takes one
 * choice off it. So a large volume gets more, a small one never starves, equal ones take turns, and
 * an empty new one is not piled upon: the damping halves its weight for every burst of writes that
 * goes to it. The memory of recent choices fades by half for every {@code FADE_BLOCKS} blocks
 * chosen, without a clock. Falls back to round robin when anything is odd.
 *
 * <p>Thread-safe; O(volumes) per choice; a few words per volume. Source: the smooth weighted round
 * robin of nginx.
 */
public class HyCacheVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheVolumeChoosingPolicy.class);
  private static final int FADE_BLOCKS = 16;

  /** Credits closer than this are equal: of these the first volume is taken. */
  private static final double ROUNDING = 1e-3;

  private final RoundRobinVolumeChoosingPolicy<V> fallback = new RoundRobinVolumeChoosingPolicy<>();

  /** By storage; guarded by itself. */
  private final Map<String, Share> shares = new HashMap<>();

  /** What a volume got, and what it is owed. */
  private static final class Share {
    long recentBytes;

    /** In choices. */
    double credit;
  }

  /** Called by reflection. */
  public HyCacheVolumeChoosingPolicy() {}

  @Override
  public void setConf(Configuration conf) {
    ReflectionUtils.setConf(fallback, conf); // not Configurable before Hadoop 3.4
  }

  @Override
  @SuppressWarnings("NullAway") // Configurable leaves it open; nobody asks.
  public Configuration getConf() {
    return null;
  }

  @Override
  public V chooseVolume(List<V> volumes, long replicaSize, String storageId) throws IOException {
    if (volumes.size() < 2) {
      return fallback.chooseVolume(volumes, replicaSize, storageId);
    }
    V chosen;
    try {
      chosen = choose(healthy(volumes), replicaSize);
    } catch (IOException | RuntimeException e) {
      LOG.debug("weighing failed, going round robin", e);
      return fallback.chooseVolume(volumes, replicaSize, storageId);
    }
    return chosen;
  }

  /** Without those that HyCache found sick, unless that leaves none. */
  private List<V> healthy(List<V> volumes) {
    List<V> healthy = new ArrayList<>(volumes.size());
    for (V volume : volumes) {
      FsDatasetSpi<?> dataset = volume.getDataset();
      if (!(dataset instanceof VolumeHealth) || !((VolumeHealth) dataset).isSick(volume)) {
        healthy.add(volume);
      }
    }
    return healthy.isEmpty() ? volumes : healthy;
  }

  /** The choice itself. */
  V choose(List<V> volumes, long replicaSize) throws IOException {
    List<V> fitting = new ArrayList<>(volumes.size());
    List<Long> afterBytes = new ArrayList<>(volumes.size());
    long mostBytes = 0;
    for (V volume : volumes) {
      long available = volume.getAvailable();
      mostBytes = Math.max(mostBytes, available);
      if (available - replicaSize > 0) {
        fitting.add(volume);
        afterBytes.add(available - replicaSize);
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
    return fitting.get(pick(fitting, afterBytes, replicaSize));
  }

  private int pick(List<V> volumes, List<Long> afterBytes, long replicaSize) {
    synchronized (shares) {
      Share[] found = new Share[volumes.size()];
      double[] weights = new double[found.length];
      double total = 0;
      for (int i = 0; i < found.length; i++) {
        found[i] = shares.computeIfAbsent(volumes.get(i).getStorageID(), id -> new Share());
        weights[i] =
            afterBytes.get(i) / (1 + found[i].recentBytes / Math.max(1.0, 4.0 * replicaSize));
        total += weights[i];
      }
      int best = 0;
      for (int i = 0; i < found.length; i++) {
        found[i].credit += weights[i] / total;
        if (found[i].credit > found[best].credit + ROUNDING) {
          best = i;
        }
      }
      found[best].credit--;
      for (Share each : shares.values()) {
        each.recentBytes -= each.recentBytes / FADE_BLOCKS;
      }
      found[best].recentBytes += replicaSize;
      return best;
    }
  }
}
