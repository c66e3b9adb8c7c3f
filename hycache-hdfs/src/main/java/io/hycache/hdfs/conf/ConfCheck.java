// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.policy.Policies;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** Finds the mistakes of a configuration, all of them at once. */
public final class ConfCheck {
  private static final String USERS = "hycache.users.";
  private static final String WEIGHT = ".weight";
  private static final String RESTART = " and restart the DataNode";

  private ConfCheck() {}

  /**
   * All mistakes that a reader of settings finds, in the order in which it finds them. After each
   * one, the properties that its message names take their defaults, and the reader reads again.
   *
   * @param reader throws at the first invalid value a RuntimeException that names the key
   * @return a message for each; empty if the settings are valid
   */
  public static List<String> mistakes(Configuration hadoop, Consumer<HyCacheConf> reader) {
    Configuration rest = new Configuration(hadoop);
    List<String> found = new ArrayList<>();
    while (true) {
      try {
        reader.accept(new HyCacheConf(rest));
        return found;
      } catch (RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        found.add(message);
        if (!unsetNamed(rest, message)) {
          return found;
        }
      }
    }
  }

  /** All mistakes for which a DataNode passes all calls to plain HDFS; see {@link #passThrough}. */
  public static List<String> nodeMistakes(Configuration hadoop) {
    return mistakes(hadoop, ConfCheck::readNode);
  }

  /** What a mistake of {@link #nodeMistakes} leads to. */
  public static String passThrough(String mistake) {
    return mistake + ". HyCache is in pass-through. Fix: correct it" + RESTART;
  }

  /** A message for each mistake that keeps a DataNode out of the directory. */
  public static List<String> directoryMistakes(Configuration hadoop) {
    List<String> found = new ArrayList<>();
    for (String mistake : mistakes(hadoop, ConfCheck::readDirectory)) {
      found.add(
          mistake + ". This DataNode has no part in the directory. Fix: correct it" + RESTART);
    }
    return found;
  }

  /** True if the settings give this DataNode a part in the directory, and are valid. */
  public static boolean isInDirectory(HyCacheConf conf) {
    try {
      readDirectory(conf);
      return conf.directoryStore() != HyCacheConf.DirectoryStore.OFF;
    } catch (IllegalArgumentException e) {
      return false; // one of the mistakes
    }
  }

  private static void readDirectory(HyCacheConf conf) {
    if (conf.directoryStore() != HyCacheConf.DirectoryStore.OFF) {
      Object unused =
          List.of(
              conf.directoryMembers(0),
              conf.directoryReplicas(),
              conf.directoryBytes(),
              conf.directoryRepublish());
    }
  }

  /**
   * The engine's settings, with a policy that can be made.
   *
   * @throws IllegalArgumentException naming the key, what was expected and what was found
   */
  public static HyCacheConfig engine(HyCacheConf conf) {
    HyCacheConfig config = conf.engine();
    var unused = Policies.create(config);
    return config;
  }

  /** Reads all that a node reads, and throws at the first invalid value. */
  private static void readNode(HyCacheConf conf) {
    Object unused =
        List.of(
            engine(conf),
            conf.tiers(),
            conf.cacheDirs(),
            conf.cacheDirsAllowRoot(),
            conf.dataDirMode(),
            conf.ssdCapacityBytes(),
            conf.failuresToPassThrough(),
            conf.openFiles(),
            conf.balances(),
            conf.page(),
            conf.scrubBytesPerSec(),
            conf.scanPeriodNanos());
  }

  /** Unsets the properties that a message names; false if it names none that is set. */
  private static boolean unsetNamed(Configuration conf, String message) {
    List<String> named = new ArrayList<>();
    for (Map.Entry<String, String> property : conf) {
      String key = property.getKey();
      if (message.contains(key) && isNamed(key, message)) {
        named.add(key);
      }
    }
    named.forEach(conf::unset);
    return !named.isEmpty();
  }

  /** True if a message contains a key that is not a part of a longer one. */
  private static boolean isNamed(String key, String message) {
    return Pattern.compile("(?<![\\w.-])" + Pattern.quote(key) + "(?![\\w-]|\\.\\w)")
        .matcher(message)
        .find();
  }

  /**
   * A message for each property whose name begins with {@code hycache.} and that no part of HyCache
   * reads, with the nearest name that one reads. Sorted by name. O(names * properties).
   */
  public static List<String> unknownKeys(Configuration hadoop) {
    Set<String> known = names();
    Map<String, String> messages = new TreeMap<>();
    for (Map.Entry<String, String> property : hadoop) {
      String key = property.getKey();
      if (key.startsWith(HyCacheConf.PREFIX) && !known.contains(key) && !isWeight(key)) {
        messages.put(key, unknown(key, known, hadoop.getPropertySources(key)));
      }
    }
    return List.copyOf(messages.values());
  }

  /**
   * A message for a key that is to be changed and that no part of HyCache reads, with the nearest
   * of those that can change; null if it is known.
   */
  static @Nullable String unknownChange(String key) {
    return names().contains(key) || isWeight(key)
        ? null
        : key
            + ": expected a setting that can change while a DataNode runs, found an unknown name."
            + " Fix: the nearest is "
            + nearest(key, HyCacheConf.CHANGEABLE)
            + "; the command settings lists all";
  }

  /** The names of all properties; of a pattern, the pattern. */
  static Set<String> names() {
    Set<String> names = new TreeSet<>();
    try {
      for (Field field : HyCacheKeys.class.getDeclaredFields()) {
        if (Modifier.isPublic(field.getModifiers()) && field.getType() == String.class) {
          names.add((String) field.get(null));
        }
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("public, but not accessible", e);
    }
    return names;
  }

  private static boolean isWeight(String key) {
    return key.startsWith(USERS)
        && key.endsWith(WEIGHT)
        && key.length() > USERS.length() + WEIGHT.length();
  }

  private static String unknown(String key, Set<String> known, String @Nullable [] sources) {
    List<String> names = new ArrayList<>(known);
    names.remove(HyCacheKeys.USERS_NAME_WEIGHT);
    int last = key.lastIndexOf('.');
    if (key.startsWith(USERS) && last >= USERS.length()) {
      names.add(key.substring(0, last) + WEIGHT);
    }
    String from = sources == null || sources.length == 0 ? "?" : sources[sources.length - 1];
    return key
        + ": expected a property of HyCache, found an unknown name, which has no effect. Fix: the"
        + " nearest known name is "
        + nearest(key, names)
        + "; correct it, or remove it. from="
        + from;
  }

  private static String nearest(String key, Collection<String> names) {
    return names.stream()
        .min(Comparator.<String>comparingInt(name -> distance(key, name)).thenComparing(n -> n))
        .orElse("none");
  }

  /** Levenshtein's distance: how many characters are inserted, removed or replaced at least. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
