package io.hycache.hdfs.client;

import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.rpc.NodeClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** The settings of the client, read once from the configuration. Immutable. */
final class ClientSettings {
  final int replicas;
  final int batchSteps;
  final Duration timeout;
  final int threads;
  final SsdHolders.Locality locality;
  final Duration localityTimeout;

  ClientSettings(Configuration conf) {
    this.replicas = integer(conf, HyCacheKeys.HINTS_REPLICAS, 1, 1, 512);
    this.batchSteps =
        integer(
            conf,
            HyCacheKeys.HINTS_BATCH_SIZE,
            NodeClient.DEFAULT_BATCH_STEPS,
            1,
            NodeClient.DEFAULT_BATCH_STEPS);
    this.timeout = duration(conf, HyCacheKeys.RPC_TIMEOUT, NodeClient.DEFAULT_TIMEOUT);
    this.locality = locality(conf);
    this.localityTimeout =
        duration(conf, HyCacheKeys.CLIENT_LOCALITY_TIMEOUT, Duration.ofMillis(300));
    this.threads = integer(conf, HyCacheKeys.CLIENT_THREADS, 32, 1, 1024);
  }

  private static int integer(Configuration conf, String key, int otherwise, int min, int max) {
    try {
      return inRange(key, conf.getInt(key, otherwise), min, max);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "setting is no whole number: "
              + key
              + "="
              + conf.get(key)
              + " allowed="
              + min
              + ".."
              + max,
          e);
    }
  }

  private static SsdHolders.Locality locality(Configuration conf) {
    String text = conf.getTrimmed(HyCacheKeys.CLIENT_LOCALITY, "prefer");
    for (SsdHolders.Locality locality : SsdHolders.Locality.values()) {
      if (locality.name().equalsIgnoreCase(text)) {
        return locality;
      }
    }
    throw new IllegalArgumentException(
        "setting can't be: "
            + HyCacheKeys.CLIENT_LOCALITY
            + "="
            + text
            + " allowed=prefer, only, off");
  }

  private static Duration duration(Configuration conf, String key, Duration otherwise) {
    long millis;
    try {
      millis = conf.getTimeDuration(key, otherwise.toMillis(), TimeUnit.MILLISECONDS);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "setting is no duration: " + key + "=" + conf.get(key) + " allowed=1ms..10m", e);
    }
    return Duration.ofMillis(
        inRange(
            key,
            (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, millis)),
            1,
            600_000));
  }

  private static int inRange(String key, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "setting out of range: " + key + "=" + value + " allowed=" + min + ".." + max);
    }
    return value;
  }
}
