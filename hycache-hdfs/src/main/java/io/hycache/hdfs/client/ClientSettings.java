// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static io.hycache.hdfs.conf.PropertyReader.quoted;
import static io.hycache.hdfs.conf.PropertyReader.unexpected;

import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.rpc.NodeClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** The settings of the client, read once from the configuration. Immutable. */
final class ClientSettings {
  final int replicas;
  final int chunkReferences;
  final Duration timeout;
  final int threads;
  final SsdHolders.Locality locality;
  final Duration localityTimeout;

  ClientSettings(Configuration conf) {
    this.replicas = integer(conf, HyCacheKeys.HINTS_REPLICAS, 1, 1, 512);
    this.chunkReferences =
        integer(
            conf,
            HyCacheKeys.HINTS_BATCH_SIZE,
            NodeClient.DEFAULT_CHUNK_REFERENCES,
            1,
            NodeClient.DEFAULT_CHUNK_REFERENCES);
    this.timeout = duration(conf, HyCacheKeys.RPC_TIMEOUT, NodeClient.DEFAULT_TIMEOUT);
    this.locality = locality(conf);
    this.localityTimeout =
        duration(conf, HyCacheKeys.CLIENT_LOCALITY_TIMEOUT, Duration.ofMillis(300));
    this.threads = integer(conf, HyCacheKeys.CLIENT_THREADS, 32, 1, 1024);
  }

  /**
   * Returns true if clients submit hints of what they are about to read.
   *
   * @throws IllegalArgumentException if the setting is neither
   */
  static boolean isHintingAutomatically(Configuration conf) {
    String text = conf.getTrimmed(HyCacheKeys.CLIENT_HINTS, "off");
    if (!text.equalsIgnoreCase("auto") && !text.equalsIgnoreCase("off")) {
      throw unexpected(HyCacheKeys.CLIENT_HINTS, "auto or off", quoted(text));
    }
    return text.equalsIgnoreCase("auto");
  }

  private static int integer(Configuration conf, String key, int otherwise, int min, int max) {
    try {
      return inRange(key, conf.getInt(key, otherwise), min, max, "");
    } catch (NumberFormatException e) {
      throw unexpected(key, "a whole number from " + min + " to " + max, quoted(conf.get(key)), e);
    }
  }

  private static SsdHolders.Locality locality(Configuration conf) {
    String text = conf.getTrimmed(HyCacheKeys.CLIENT_LOCALITY, "prefer");
    for (SsdHolders.Locality locality : SsdHolders.Locality.values()) {
      if (locality.name().equalsIgnoreCase(text)) {
        return locality;
      }
    }
    throw unexpected(HyCacheKeys.CLIENT_LOCALITY, "prefer, only or off", quoted(text));
  }

  private static Duration duration(Configuration conf, String key, Duration otherwise) {
    long millis;
    try {
      millis = conf.getTimeDuration(key, otherwise.toMillis(), TimeUnit.MILLISECONDS);
    } catch (NumberFormatException e) {
      throw unexpected(key, "a duration from 1ms to 10m", quoted(conf.get(key)), e);
    }
    return Duration.ofMillis(
        inRange(
            key,
            (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, millis)),
            1,
            600_000,
            " ms"));
  }

  private static int inRange(String key, int value, int min, int max, String unit) {
    if (value < min || value > max) {
      throw unexpected(key, min + " to " + max + unit, value);
    }
    return value;
  }
}
