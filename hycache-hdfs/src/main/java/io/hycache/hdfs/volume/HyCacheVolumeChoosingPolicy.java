package io.hycache.hdfs.volume;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
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
 * <p>Idea: power of d choices with d = all but a random bias. A volume's weight is its free space
 * after the write, damped by the bytes chosen for it lately (they are in flight or fresh in its
 * queue); one volume is drawn with a probability proportional to its weight. So a large volume gets
 * more, a small one never starves, an empty new one is not piled upon: the damping halves its
 * weight for every burst of writes that goes to it. The memory of recent choices fades by half for
 * every {@code FADE_BLOCKS} blocks chosen, without a clock. Falls back to round robin when anything
 * is odd.
 *
 * <p>Thread-safe; O(volumes) per choice; a few words per volume.
 */
public class HyCacheVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheVolumeChoosingPolicy.class);
  private static final int FADE_BLOCKS = 16;

  private final RoundRobinVolumeChoosingPolicy<V> fallback = new RoundRobinVolumeChoosingPolicy<>();
  private final Map<String, AtomicLong> recentBytes = new ConcurrentHashMap<>();

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
      chosen = choose(healthy(volumes), replicaSize, ThreadLocalRandom.current().nextDouble());
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

  /**
   * The choice itself.
   *
   * @param draw in [0, 1)
   */
  V choose(List<V> volumes, long replicaSize, double draw) throws IOException {
    List<V> fitting = new ArrayList<>(volumes.size());
    double[] weights = new double[volumes.size()];
    double total = 0;
    long mostBytes = 0;
    for (V volume : volumes) {
      long available = volume.getAvailable();
      mostBytes = Math.max(mostBytes, available);
      long after = available - replicaSize;
      if (after > 0) {
        double recent = recent(volume).get();
        double weight = after / (1 + recent / Math.max(1.0, 4.0 * replicaSize));
        weights[fitting.size()] = weight;
        fitting.add(volume);
        total += weight;
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
    double left = draw * total;
    int at = 0;
    while (at < fitting.size() - 1 && left >= weights[at]) {
      left -= weights[at++];
    }
    V chosen = fitting.get(at);
    remember(chosen, replicaSize);
    return chosen;
  }

  private AtomicLong recent(V volume) {
    return recentBytes.computeIfAbsent(volume.getStorageID(), id -> new AtomicLong());
  }

  private void remember(V chosen, long bytes) {
    for (AtomicLong each : recentBytes.values()) {
      each.updateAndGet(b -> b - b / FADE_BLOCKS);
    }
    recent(chosen).addAndGet(bytes);
  }
}
