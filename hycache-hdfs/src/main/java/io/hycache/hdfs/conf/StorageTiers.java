// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;

/**
 * The tiers of a DataNode: storage types, the fastest first. The last is the slow tier, where the
 * NameNode puts what has no storage policy; all others are fast, numbered from 0. Volumes of other
 * types are left to HDFS. Immutable.
 */
public final class StorageTiers {
  /** SSD before DISK. */
  public static final StorageTiers DEFAULT =
      new StorageTiers(List.of(StorageType.SSD, StorageType.DISK));

  private final List<StorageType> fast;
  private final StorageType slow;

  private StorageTiers(List<StorageType> types) {
    this.fast = List.copyOf(types.subList(0, types.size() - 1));
    this.slow = types.get(types.size() - 1);
  }

  /**
   * Reads a list of storage types. They are looked up by name, because not every version of Hadoop
   * has all of them.
   *
   * @throws IllegalArgumentException naming the key, what was expected and what was found
   */
  static StorageTiers parse(String key, Collection<String> names) {
    List<StorageType> types = new ArrayList<>(names.size());
    for (String name : names) {
      StorageType type = type(key, name);
      if (types.contains(type)) {
        throw invalid(key, "each storage type once", names, "name it once");
      }
      types.add(type);
    }
    if (types.size() < 2) {
      throw invalid(
          key, "two storage types or more, the fastest first", names, "name a fast and a slow one");
    }
    return new StorageTiers(types);
  }

  /** The tiers of a DataNode; the default if the setting is invalid. */
  public static StorageTiers of(Configuration hadoop) {
    try {
      return new HyCacheConf(hadoop).tiers();
    } catch (IllegalArgumentException e) {
      return DEFAULT; // the node reports it, and passes all calls through
    }
  }

  private static StorageType type(String key, String name) {
    StorageType type =
        Arrays.stream(StorageType.values())
            .filter(each -> each.name().equals(name.toUpperCase(Locale.ROOT)))
            .findFirst()
            .orElseThrow(
                () ->
                    invalid(
                        key,
                        "storage types of this version of Hadoop, one of " + durable(),
                        name,
                        "correct its name; NVDIMM needs Hadoop 3.4 or later"));
    if (!isDurable(type)) {
      throw invalid(
          key,
          "storage types that keep replicas when the machine restarts, one of " + durable(),
          name,
          "leave it out; " + HyCacheKeys.CACHE_DIRS + " takes a directory in memory");
    }
    return type;
  }

  private static boolean isDurable(StorageType type) {
    return !type.isTransient() && type != StorageType.PROVIDED;
  }

  private static String durable() {
    return Arrays.stream(StorageType.values())
        .filter(StorageTiers::isDurable)
        .map(StorageType::name)
        .collect(Collectors.joining(", "));
  }

  private static IllegalArgumentException invalid(
      String key, String expected, Object found, String fix) {
    return PropertyReader.unexpected(key, expected, "'" + found + "'. Fix: " + fix);
  }

  /** The fast tiers, the fastest first; never empty. */
  public List<StorageType> fast() {
    return fast;
  }

  /** The slow tier. */
  public StorageType slow() {
    return slow;
  }

  public boolean isFast(StorageType type) {
    return fast.contains(type);
  }

  /** Number of the tier from 0; one more than that of the slow tier for a type that is none. */
  public int tierOf(StorageType type) {
    int tier = fast.indexOf(type);
    return tier >= 0 ? tier : fast.size() + (type == slow ? 0 : 1);
  }

  @Override
  public String toString() {
    return fast.stream().map(StorageType::name).collect(Collectors.joining(",")) + "," + slow;
  }
}
