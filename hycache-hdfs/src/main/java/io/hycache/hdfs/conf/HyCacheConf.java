// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import static io.hycache.hdfs.conf.PropertyReader.quoted;
import static io.hycache.hdfs.conf.PropertyReader.unexpected;

import com.google.common.net.HostAndPort;
import io.hycache.core.config.HintLimits;
import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.PartitionRule;
import io.hycache.core.localdir.LocalDirConfig;
import io.hycache.core.policy.Policies;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.util.StringUtils;
import org.jspecify.annotations.Nullable;

/** The one reader of our keys. Defaults come from the {@code hycache-default.xml} in the JAR. */
public final class HyCacheConf {
  private static final long MIN_SCRUB_BYTES_PER_SEC = 64 << 10;

  private static final String DEFAULTS = "hycache-default.xml";

  /** What the names of all settings begin with. */
  public static final String PREFIX = "hycache.";

  private static final String USERS = "hycache.users.";
  private static final String WEIGHT = ".weight";

  /** What the names of all settings of temp directories begin with. */
  public static final String LOCALDIR = "hycache.localdir.";

  /** Keys that may change while a DataNode runs; the others hold from its start on. Sorted. */
  public static final List<String> CHANGEABLE =
      List.of(
          HyCacheKeys.ADVERTISE_BLOCKS,
          HyCacheKeys.COOPERATION_HOT_READS,
          HyCacheKeys.DEMOTE_BANDWIDTH,
          HyCacheKeys.DEMOTE_BANDWIDTH_BUSY,
          HyCacheKeys.DEMOTE_HIGH,
          HyCacheKeys.DEMOTE_LOW,
          HyCacheKeys.HINTS_USER_MAX_BLOCKS,
          HyCacheKeys.HINTS_USER_MAX_TTL,
          HyCacheKeys.HINTS_USER_MAX_WORKFLOWS,
          HyCacheKeys.PARTITION,
          HyCacheKeys.PARTITION_PERIOD,
          HyCacheKeys.PINS_SHARE,
          HyCacheKeys.POLICY,
          HyCacheKeys.POLICY_CLASSES,
          HyCacheKeys.POLICY_WRITE_PRICE,
          HyCacheKeys.PREFETCH_SHARE,
          HyCacheKeys.PROMOTE_BANDWIDTH,
          HyCacheKeys.PROMOTE_BANDWIDTH_BUSY,
          HyCacheKeys.SHADOW_MAX_BLOCKS,
          HyCacheKeys.WRITE_MIN_BLOCK_SIZE,
          HyCacheKeys.WRITE_SHARE);

  private final Configuration conf;
  private final Configuration defaults;
  private final PropertyReader read;

  /** Reads from a copy of the configuration with our defaults beneath it. */
  public HyCacheConf(Configuration hadoop) {
    this.defaults = new Configuration(false);
    defaults.setClassLoader(HyCacheConf.class.getClassLoader());
    defaults.addResource(DEFAULTS);
    this.conf = new Configuration(hadoop);
    this.read = new PropertyReader(conf);
    defaults.forEach(
        entry -> {
          if (hadoop.getRaw(entry.getKey()) == null) {
            this.conf.set(entry.getKey(), entry.getValue(), DEFAULTS);
          }
        });
  }

  /**
   * The engine's settings.
   *
   * @throws IllegalArgumentException naming the key, what was expected and what was found
   */
  public HyCacheConfig engine() {
    return HyCacheConfig.builder()
        .mode(HyCacheConfig.Mode.parse(read.text(HyCacheKeys.MODE)))
        .policy(policy(HyCacheKeys.POLICY))
        .policyClasses(flag(HyCacheKeys.POLICY_CLASSES))
        .writePrice(read.number(HyCacheKeys.POLICY_WRITE_PRICE))
        .minBlockBytes(read.bytes(HyCacheKeys.WRITE_MIN_BLOCK_SIZE))
        .writeShare(read.number(HyCacheKeys.WRITE_SHARE))
        .demoteWatermarks(read.number(HyCacheKeys.DEMOTE_LOW), read.number(HyCacheKeys.DEMOTE_HIGH))
        .partition(
            PartitionRule.parse(HyCacheKeys.PARTITION, read.text(HyCacheKeys.PARTITION)),
            read.duration(HyCacheKeys.PARTITION_PERIOD))
        .reserveShare(read.number(HyCacheKeys.RESERVE_SHARE))
        .checksumShare(read.number(HyCacheKeys.CHECKSUM_SHARE))
        .driveWritesPerDay(read.number(HyCacheKeys.SSD_WRITE_BUDGET))
        .moverThreads(read.integer(HyCacheKeys.MOVER_THREADS))
        .queueLength(read.integer(HyCacheKeys.MOVER_QUEUE_LENGTH))
        .demoteBytesPerSec(
            read.bytes(HyCacheKeys.DEMOTE_BANDWIDTH), read.bytes(HyCacheKeys.DEMOTE_BANDWIDTH_BUSY))
        .promoteBytesPerSec(
            read.bytes(HyCacheKeys.PROMOTE_BANDWIDTH),
            read.bytes(HyCacheKeys.PROMOTE_BANDWIDTH_BUSY))
        .prefetchShare(read.number(HyCacheKeys.PREFETCH_SHARE))
        .directives(flag(HyCacheKeys.DIRECTIVES) && directivesRefused() == null)
        .pinsShare(read.number(HyCacheKeys.PINS_SHARE))
        .advertiseBlocks(read.integer(HyCacheKeys.ADVERTISE_BLOCKS))
        .ringLength(read.integer(HyCacheKeys.EVENTS_BUFFER_LENGTH))
        .hintMaxReferences(read.integer(HyCacheKeys.HINTS_MAX_BLOCKS))
        .hintLimits(
            new HintLimits(
                read.integer(HyCacheKeys.HINTS_USER_MAX_BLOCKS),
                read.integer(HyCacheKeys.HINTS_USER_MAX_WORKFLOWS),
                read.duration(HyCacheKeys.HINTS_USER_MAX_TTL)))
        .userWeights(userWeights())
        .hotReads(read.integer(HyCacheKeys.COOPERATION_HOT_READS))
        .shadowBlocks(read.integer(HyCacheKeys.SHADOW_MAX_BLOCKS))
        .build();
  }

  private String policy(String key) {
    String name = read.text(key);
    if (Policies.isClairvoyant(name)) {
      throw unexpected(
          key,
          "a policy that does without all future accesses",
          quoted(name) + ", for the simulator only");
    }
    return name;
  }

  /**
   * Why cache directives are left to HDFS although the settings ask for pins; null if they are not.
   */
  public @Nullable String directivesRefused() {
    if (!flag(HyCacheKeys.DIRECTIVES)) {
      return null;
    }
    String memory = DFSConfigKeys.DFS_DATANODE_MAX_LOCKED_MEMORY_KEY;
    String persistent = DFSConfigKeys.DFS_DATANODE_PMEM_CACHE_DIRS_KEY;
    String key = conf.getLongBytes(memory, 0) > 0 ? memory : persistent;
    String value = conf.getTrimmed(key, "");
    return value.isEmpty()
        ? null
        : HyCacheKeys.DIRECTIVES
            + ": expected "
            + key
            + " to be unset, found "
            + quoted(value)
            + ": cache directives keep HDFS's own meaning, and nothing is pinned on SSD. Fix: unset"
            + " one of the two and restart the DataNode";
  }

  /** Why no block is advertised although the settings ask for it; null if blocks are advertised. */
  public @Nullable String advertisingRefused() {
    boolean asked = read.integer(HyCacheKeys.ADVERTISE_BLOCKS) > 0;
    boolean directives = flag(HyCacheKeys.DIRECTIVES) && directivesRefused() == null;
    if (!asked || (directives && read.number(HyCacheKeys.PINS_SHARE) > 0)) {
      return null;
    }
    return HyCacheKeys.ADVERTISE_BLOCKS
        + ": expected "
        + HyCacheKeys.DIRECTIVES
        + " true and in force, and "
        + HyCacheKeys.PINS_SHARE
        + " above 0, found "
        + HyCacheKeys.DIRECTIVES
        + " "
        + (directives ? "in force" : "not in force")
        + " and "
        + HyCacheKeys.PINS_SHARE
        + " "
        + quoted(read.text(HyCacheKeys.PINS_SHARE))
        + ": no block is advertised, because a DataNode without a cache sends no cache reports."
        + " Fix: set both, or "
        + HyCacheKeys.ADVERTISE_BLOCKS
        + " to 0";
  }

  /** Most bytes of each SSD volume that HyCache counts as its own; {@code Long.MAX_VALUE}: all. */
  public long ssdCapacityBytes() {
    long bytes = read.bytes(HyCacheKeys.SSD_CAPACITY);
    if (bytes < 0) {
      throw unexpected(HyCacheKeys.SSD_CAPACITY, "0 or more", bytes);
    }
    return bytes == 0 ? Long.MAX_VALUE : bytes;
  }

  /** The storage types of the tiers; see {@link StorageTiers#parse}. */
  public StorageTiers tiers() {
    return StorageTiers.parse(
        HyCacheKeys.TIERS, List.of(StringUtils.getTrimmedStrings(read.text(HyCacheKeys.TIERS))));
  }

  /** Directories on SSDs that are no HDFS volumes, for all DataNodes here; may be empty. */
  public List<File> cacheDirs() {
    List<File> dirs = new ArrayList<>();
    for (String dir : conf.getTrimmedStringCollection(HyCacheKeys.CACHE_DIRS)) {
      dirs.add(new File(dir));
    }
    return dirs;
  }

  /** Whether these directories may lie on the machine's root file system. */
  public boolean cacheDirsAllowRoot() {
    return flag(HyCacheKeys.CACHE_DIRS_ALLOW_ROOT);
  }

  /** Whether reads and writes use DISK while it is faster than a busy SSD. */
  public boolean balances() {
    return flag(HyCacheKeys.BALANCE);
  }

  /** Whether the DataNode's web server has HyCache's pages. */
  public boolean page() {
    return flag(HyCacheKeys.PAGE);
  }

  private boolean flag(String key) {
    String text = read.text(key);
    if (!text.equals("true") && !text.equals("false")) {
      throw unexpected(key, "true or false", quoted(text));
    }
    return text.equals("true");
  }

  /**
   * The mode of what is made on a DataNode: HDFS's own for data directories.
   *
   * @throws IllegalArgumentException naming the key, what was expected and what was found
   */
  public DataDirMode dataDirMode() {
    String key = DFSConfigKeys.DFS_DATANODE_DATA_DIR_PERMISSION_KEY;
    String text = conf.getTrimmed(key, DFSConfigKeys.DFS_DATANODE_DATA_DIR_PERMISSION_DEFAULT);
    try {
      return DataDirMode.of(text);
    } catch (IllegalArgumentException e) {
      throw unexpected(key, "a mode such as 700", quoted(text), e);
    }
  }

  /** Failures in a row after which the plugin steps aside. */
  public int failuresToPassThrough() {
    int failures = read.integer(HyCacheKeys.FAILURES_TO_PASS_THROUGH);
    if (failures < 1) {
      throw unexpected(HyCacheKeys.FAILURES_TO_PASS_THROUGH, "1 or more", failures);
    }
    return failures;
  }

  /** Data files of DISK replicas that are kept open. */
  public int openFiles() {
    int most = read.integer(HyCacheKeys.OPEN_FILES_MAX);
    if (most < 0) {
      throw unexpected(HyCacheKeys.OPEN_FILES_MAX, "0 or more", most);
    }
    return most;
  }

  /** Bytes per second that are read from each SSD at most to verify clean copies. */
  public long scrubBytesPerSec() {
    long bytes = read.bytes(HyCacheKeys.SCRUB_BANDWIDTH);
    if (bytes < MIN_SCRUB_BYTES_PER_SEC) {
      throw unexpected(HyCacheKeys.SCRUB_BANDWIDTH, "64KB or more", bytes);
    }
    return bytes;
  }

  /**
   * HDFS's own period for the block scanner: 0 stands for its default, and less than 0 means that
   * nothing is scanned, for which 0 is returned.
   */
  public long scanPeriodNanos() {
    long hours =
        conf.getLong(
            DFSConfigKeys.DFS_DATANODE_SCAN_PERIOD_HOURS_KEY,
            DFSConfigKeys.DFS_DATANODE_SCAN_PERIOD_HOURS_DEFAULT);
    if (hours == 0) {
      hours = DFSConfigKeys.DFS_DATANODE_SCAN_PERIOD_HOURS_DEFAULT;
    }
    return TimeUnit.HOURS.toNanos(Math.max(0, hours));
  }

  /** Where a DataNode keeps its share of the directory. */
  public enum DirectoryStore {
    OFF,
    MEMORY,
    LEVELDB
  }

  /**
   * Where this DataNode keeps its share of the directory, if it has one.
   *
   * @throws IllegalArgumentException naming the key, what was expected and what was found
   */
  public DirectoryStore directoryStore() {
    String text = read.text(HyCacheKeys.DIRECTORY);
    for (DirectoryStore store : DirectoryStore.values()) {
      if (store.name().equalsIgnoreCase(text)) {
        return store;
      }
    }
    throw unexpected(HyCacheKeys.DIRECTORY, "off, memory or leveldb", quoted(text));
  }

  /** Parent of the LevelDBs of the DataNodes of this machine. */
  public File directoryDir() {
    return new File(read.text(HyCacheKeys.DIRECTORY_DIR));
  }

  /**
   * IPC addresses, host:port, of the DataNodes that take part in the directory; empty if the
   * NameNode lists them.
   *
   * @param ipcPort of those named without a port
   * @throws IllegalArgumentException naming the key, what was expected and what was found
   */
  public List<String> directoryMembers(int ipcPort) {
    List<String> out = new ArrayList<>();
    for (String member : conf.getTrimmedStrings(HyCacheKeys.DIRECTORY_MEMBERS)) {
      try {
        HostAndPort address = HostAndPort.fromString(member).withDefaultPort(ipcPort);
        out.add(address.getHost() + ":" + address.getPort());
      } catch (IllegalArgumentException e) {
        throw unexpected(
            HyCacheKeys.DIRECTORY_MEMBERS,
            "host or host:port, separated by commas",
            quoted(member),
            e);
      }
    }
    return out;
  }

  /** Copies of each record of the directory. */
  public int directoryReplicas() {
    return (int)
        inRange(HyCacheKeys.DIRECTORY_REPLICAS, read.integer(HyCacheKeys.DIRECTORY_REPLICAS), 8);
  }

  /** Bytes that a DataNode holds of the directory at most. */
  public long directoryBytes() {
    return inRange(
        HyCacheKeys.DIRECTORY_MAX_SIZE, read.bytes(HyCacheKeys.DIRECTORY_MAX_SIZE), Long.MAX_VALUE);
  }

  private static long inRange(String key, long value, long most) {
    if (value < 1 || value > most) {
      throw unexpected(key, "1 to " + most, value);
    }
    return value;
  }

  /** Interval at which all blocks on SSD are published to the directory again. */
  public Duration directoryRepublish() {
    Duration every = read.duration(HyCacheKeys.DIRECTORY_REPUBLISH);
    if (every.compareTo(Duration.ofSeconds(10)) < 0) {
      throw unexpected(HyCacheKeys.DIRECTORY_REPUBLISH, "10s or more", every);
    }
    return every;
  }

  /**
   * The trees of temp directories on this machine, one for each SSD directory named; none if none
   * is.
   *
   * @throws IllegalArgumentException naming the key, what was expected and what was found
   */
  public List<LocalDirConfig> localDirs() {
    List<Path> hdds = paths(HyCacheKeys.LOCALDIR_HDD);
    List<LocalDirConfig> trees = new ArrayList<>();
    for (Path ssd : paths(HyCacheKeys.LOCALDIR_SSD)) {
      LocalDirConfig tree = localDir(ssd, hdds);
      for (LocalDirConfig other : trees) {
        Path one = real(tree.ssd());
        Path two = real(other.ssd());
        if (one.startsWith(two) || two.startsWith(one)) {
          throw unexpected(
              HyCacheKeys.LOCALDIR_SSD,
              "directories of which none is inside another",
              other.ssd() + " and " + tree.ssd());
        }
      }
      trees.add(tree);
    }
    return trees;
  }

  /** The path without links; as it is if it does not exist. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path;
    }
  }

  /**
   * One tree of temp directories, with the settings that all trees have.
   *
   * @throws IllegalArgumentException naming the key, what was expected and what was found
   */
  public LocalDirConfig localDir(Path ssd, List<Path> hdds) {
    LocalDirConfig.Builder builder =
        LocalDirConfig.builder(ssd)
            .hdds(hdds)
            .neighbours(paths(HyCacheKeys.LOCALDIR_SSD))
            .policy(policy(HyCacheKeys.LOCALDIR_POLICY))
            .high(read.share(HyCacheKeys.LOCALDIR_HIGH))
            .low(read.share(HyCacheKeys.LOCALDIR_LOW))
            .capacityBytes(read.bytes(HyCacheKeys.LOCALDIR_CAPACITY))
            .bandwidthBytesPerSec(read.bytes(HyCacheKeys.LOCALDIR_BANDWIDTH))
            .leastBytes(read.bytes(HyCacheKeys.LOCALDIR_LEAST_SIZE))
            .grace(read.duration(HyCacheKeys.LOCALDIR_GRACE))
            .sweepGrace(read.duration(HyCacheKeys.LOCALDIR_SWEEP_GRACE));
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(LOCALDIR + e.getMessage(), e);
    }
  }

  private List<Path> paths(String key) {
    List<Path> paths = new ArrayList<>();
    conf.getTrimmedStringCollection(key).forEach(dir -> paths.add(Paths.get(dir)));
    return paths;
  }

  /**
   * These settings with some of the {@link #CHANGEABLE} ones changed. Hadoop would replace
   * variables in a value by environment variables, Java's system properties and other settings,
   * which may be secret, and the error for a bad value shows it: so none are allowed.
   *
   * @throws IllegalArgumentException naming the key, what was expected and what was found; then
   *     none is changed
   */
  public HyCacheConf with(Map<String, String> changes) {
    HyCacheConf next = new HyCacheConf(conf);
    changes.forEach(
        (key, value) -> {
          if (!CHANGEABLE.contains(key)) {
            String unknown = ConfCheck.unknownChange(key);
            throw unknown != null
                ? new IllegalArgumentException(unknown)
                : unexpected(
                    key,
                    "a setting that can change while a DataNode runs",
                    "one that holds from the DataNode's start on. Fix: set it in hdfs-site.xml and"
                        + " restart the DataNode");
          }
          if (value.contains("${")) {
            throw unexpected(key, "a value without variables", quoted(value));
          }
          next.conf.set(key, value);
        });
    next.engine();
    return next;
  }

  /** What a key is set to, or its default. */
  public String text(String key) {
    return read.text(key);
  }

  /** What the {@link #CHANGEABLE} keys are set to, in their order. */
  public Map<String, String> changeable() {
    Map<String, String> values = new LinkedHashMap<>();
    CHANGEABLE.forEach(key -> values.put(key, read.text(key)));
    return values;
  }

  /**
   * A line for each property whose value is not its default: value, default and origin, each as it
   * is written, without variables substituted. Sorted.
   */
  public List<String> nonDefaults() {
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, String> property : conf) {
      String key = property.getKey();
      String original = defaults.getRaw(key);
      if (key.startsWith(PREFIX) && !property.getValue().equals(original)) {
        String[] sources = conf.getPropertySources(key);
        lines.add(
            key
                + "="
                + property.getValue().replaceAll("\\s+", " ")
                + " default="
                + (original == null ? "none" : original)
                + " from="
                + (sources == null || sources.length == 0 ? "?" : sources[sources.length - 1]));
      }
    }
    lines.sort(null);
    return lines;
  }

  /** The weights that are set, by the user's name. */
  private Map<String, Double> userWeights() {
    Map<String, Double> weights = new HashMap<>();
    for (String name : conf.getPropsWithPrefix(USERS).keySet()) {
      String key = USERS + name;
      if (name.endsWith(WEIGHT) && !key.equals(HyCacheKeys.USERS_NAME_WEIGHT)) {
        weights.put(name.substring(0, name.length() - WEIGHT.length()), read.number(key));
      }
    }
    return weights;
  }
}
