// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

/**
 * Names of all properties. Defaults, units, ranges and prose stand in {@code hycache-default.xml},
 * which the JAR carries; a test holds both against each other.
 */
public final class HyCacheKeys {
  public static final String MODE = "hycache.mode";
  public static final String POLICY = "hycache.policy";
  public static final String POLICY_CLASSES = "hycache.policy.classes";
  public static final String POLICY_WRITE_PRICE = "hycache.policy.write-price";
  public static final String SSD_CAPACITY = "hycache.ssd.capacity";
  public static final String SSD_WRITE_BUDGET = "hycache.ssd.write-budget";
  public static final String TIERS = "hycache.tiers";
  public static final String CACHE_DIRS = "hycache.cache.dirs";
  public static final String CACHE_DIRS_ALLOW_ROOT = "hycache.cache.dirs.allow-root";
  public static final String PARTITION = "hycache.partition";
  public static final String PARTITION_PERIOD = "hycache.partition.period";
  public static final String RESERVE_SHARE = "hycache.reserve.share";
  public static final String CHECKSUM_SHARE = "hycache.checksum.share";
  public static final String WRITE_SHARE = "hycache.write.share";
  public static final String WRITE_MIN_BLOCK_SIZE = "hycache.write.min-block-size";
  public static final String DEMOTE_HIGH = "hycache.demote.high";
  public static final String DEMOTE_LOW = "hycache.demote.low";
  public static final String DEMOTE_BANDWIDTH = "hycache.demote.bandwidth";
  public static final String DEMOTE_BANDWIDTH_BUSY = "hycache.demote.bandwidth.busy";
  public static final String PROMOTE_BANDWIDTH = "hycache.promote.bandwidth";
  public static final String PROMOTE_BANDWIDTH_BUSY = "hycache.promote.bandwidth.busy";
  public static final String PREFETCH_SHARE = "hycache.prefetch.share";
  public static final String DIRECTIVES = "hycache.directives";
  public static final String PINS_SHARE = "hycache.pins.share";
  public static final String ADVERTISE_BLOCKS = "hycache.advertise.blocks";
  public static final String MOVER_THREADS = "hycache.mover.threads";
  public static final String MOVER_QUEUE_LENGTH = "hycache.mover.queue-length";
  public static final String EVENTS_BUFFER_LENGTH = "hycache.events.buffer-length";
  public static final String FAILURES_TO_PASS_THROUGH = "hycache.failures.to-pass-through";
  public static final String SCRUB_BANDWIDTH = "hycache.scrub.bandwidth";
  public static final String OPEN_FILES_MAX = "hycache.open-files.max";
  public static final String PAGE = "hycache.page";
  public static final String BALANCE = "hycache.balance";
  public static final String COOPERATION_HOT_READS = "hycache.cooperation.hot-reads";
  public static final String SHADOW_MAX_BLOCKS = "hycache.shadow.max-blocks";
  public static final String DIRECTORY = "hycache.directory";
  public static final String DIRECTORY_DIR = "hycache.directory.dir";
  public static final String DIRECTORY_MEMBERS = "hycache.directory.members";
  public static final String DIRECTORY_REPLICAS = "hycache.directory.replicas";
  public static final String DIRECTORY_MAX_SIZE = "hycache.directory.max-size";
  public static final String DIRECTORY_REPUBLISH = "hycache.directory.republish";
  public static final String CLIENT_HINTS = "hycache.client.hints";
  public static final String CLIENT_LOCALITY = "hycache.client.locality";
  public static final String CLIENT_LOCALITY_TIMEOUT = "hycache.client.locality.timeout";
  public static final String HINTS_MAX_BLOCKS = "hycache.hints.max-blocks";
  public static final String HINTS_USER_MAX_BLOCKS = "hycache.hints.user.max-blocks";
  public static final String HINTS_USER_MAX_WORKFLOWS = "hycache.hints.user.max-workflows";
  public static final String HINTS_USER_MAX_TTL = "hycache.hints.user.max-ttl";

  /** A pattern: NAME stands for the name of a user. */
  public static final String USERS_NAME_WEIGHT = "hycache.users.NAME.weight";

  public static final String HINTS_REPLICAS = "hycache.hints.replicas";
  public static final String HINTS_BATCH_SIZE = "hycache.hints.batch-size";
  public static final String RPC_TIMEOUT = "hycache.rpc.timeout";
  public static final String CLIENT_THREADS = "hycache.client.threads";
  public static final String LOCALDIR_SSD = "hycache.localdir.ssd";
  public static final String LOCALDIR_HDD = "hycache.localdir.hdd";
  public static final String LOCALDIR_POLICY = "hycache.localdir.policy";
  public static final String LOCALDIR_HIGH = "hycache.localdir.high";
  public static final String LOCALDIR_LOW = "hycache.localdir.low";
  public static final String LOCALDIR_CAPACITY = "hycache.localdir.capacity";
  public static final String LOCALDIR_BANDWIDTH = "hycache.localdir.bandwidth";
  public static final String LOCALDIR_LEAST_SIZE = "hycache.localdir.least-size";
  public static final String LOCALDIR_GRACE = "hycache.localdir.grace";
  public static final String LOCALDIR_SWEEP_GRACE = "hycache.localdir.sweep-grace";

  private HyCacheKeys() {}
}
