package io.hycache.hdfs.client;

import io.hycache.hdfs.rpc.NodeClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** The settings of the client, read once from the configuration. Immutable. */
final class ClientSettings {
  static final String REPLICAS = "hycache.hints.replicas";
  static final String BATCH_SIZE = "hycache.hints.batch-size";
  static final String RPC_TIMEOUT = "hycache.rpc.timeout";
  static final String THREADS = "hycache.client.threads";

  final int replicas;
  final int batchSteps;
  final Duration timeout;
  final int threads;

  ClientSettings(Configuration conf) {
    this.replicas = inRange(REPLICAS, conf.getInt(REPLICAS, 1), 1, 512);
    this.batchSteps =
        inRange(
            BATCH_SIZE,
            conf.getInt(BATCH_SIZE, NodeClient.DEFAULT_BATCH_STEPS),
            1,
            NodeClient.DEFAULT_BATCH_STEPS);
    this.timeout =
        Duration.ofMillis(
            inRange(
                RPC_TIMEOUT,
                Math.toIntExact(
                    Math.min(
                        Integer.MAX_VALUE,
                        conf.getTimeDuration(
                            RPC_TIMEOUT,
                            NodeClient.DEFAULT_TIMEOUT.toMillis(),
                            TimeUnit.MILLISECONDS))),
                1,
                600_000));
    this.threads = inRange(THREADS, conf.getInt(THREADS, 32), 1, 1024);
  }

  private static int inRange(String key, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "setting out of range: " + key + "=" + value + " allowed=" + min + ".." + max);
    }
    return value;
  }
}
