// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for what a read record says besides block and bytes: the block pool, and the class of the
 * reader, which policies get as the class of the block ({@code CachePolicy.onClass}).
 *
 * <p>A class must recur to be worth learning about, and a job's number never does. So what varies
 * is cut from names: the tasks of all MapReduce jobs are {@link #MAPREDUCE}, other HDFS clients,
 * which do not name themselves, are {@link #NONMAPREDUCE}, clients that name themselves are {@code
 * client:NAME}, hints are {@code workflow:USER/NAME}, each with a {@code #} for digits in the name,
 * for hexadecimal numbers of eight or more characters and for UUIDs, which Hive's queries and
 * OpenLineage's runs have. What else is not a letter or one of {@code . _ - /} is an underscore,
 * and what is behind the {@value #MAX_NAME_CHARS}th character is cut.
 *
 * <p>At most {@value #MAX_CLASSES} classes, half of them of workflows, so that neither they nor
 * clients with ever new names take the others' place: later ones are all {@link #OTHER}. A user's
 * workflows have at most as many classes as are still free, so that some are left for other users.
 * About 300 bytes each at most. Thread-safe; no lock for the class of a client that is known or one
 * too many. Names are never removed, because policies learn about them for as long as they run.
 */
public final class ReadSources {
  /** Tasks of MapReduce jobs. */
  public static final String MAPREDUCE = "mapreduce";

  /** HDFS clients outside of MapReduce: Spark, Hive, Trino, the command line. */
  public static final String NONMAPREDUCE = "nonmapreduce";

  /** Stands for all classes beyond the maximum. */
  public static final String OTHER = "other";

  public static final int MAX_CLASSES = 1024;

  /** Characters of a name that count. */
  public static final int MAX_NAME_CHARS = 64;

  /**
   * Name that HDFS's client gives itself: with the id of a task attempt, which other programs set
   * to a name of theirs, or NONMAPREDUCE; and two numbers.
   */
  private static final Pattern HDFS_CLIENT = Pattern.compile("DFSClient_(.*)_-?\\d+_\\d+");

  /** UUIDs, and hexadecimal numbers that a word of letters is not taken for. */
  private static final Pattern LONG_NUMBER =
      Pattern.compile(
          "(?<!\\p{Alnum})(?:\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}"
              + "|(?=[a-fA-F]*+\\d)\\p{XDigit}{8,}+)(?!\\p{Alnum})");

  private static final String TASK = "DFSClient_attempt_";
  private static final String NO_TASK = "DFSClient_NONMAPREDUCE_";
  private static final int MAX_CLIENT_CHARS = 256;

  /** A source is a pool's number, and above these bits that of a class; 0 stands for none. */
  private static final int CLASS_SHIFT = Integer.SIZE;

  private final Map<String, Integer> poolNumbers = new ConcurrentHashMap<>();

  /** Block pools by number; they are never removed. */
  private final CopyOnWriteArrayList<String> pools = new CopyOnWriteArrayList<>();

  private final Map<String, Integer> clientClasses = new ConcurrentHashMap<>();
  private final Map<String, Integer> workflowClasses = new ConcurrentHashMap<>();

  /** Classes that the workflows of each user added. */
  private final Map<String, Integer> added = new HashMap<>();

  /** Classes by number; that of 0 is empty. */
  private final CopyOnWriteArrayList<String> classes = new CopyOnWriteArrayList<>();

  private final int otherNumber;

  ReadSources() {
    classes.add("");
    otherNumber = intern(OTHER, clientClasses);
    intern(MAPREDUCE, clientClasses);
    intern(NONMAPREDUCE, clientClasses);
  }

  /** The number of a block pool: a source without a class. */
  int poolNumber(String pool) {
    Integer known = poolNumbers.get(pool);
    return known != null ? known : poolNumbers.computeIfAbsent(pool, this::add);
  }

  private synchronized int add(String pool) {
    pools.add(pool);
    return pools.size() - 1;
  }

  /**
   * The source of reads of a client.
   *
   * @param client name by which it calls itself; null if it is not known
   */
  long of(String pool, @Nullable String client) {
    long number = client == null ? 0 : numberOfClient(classOfClient(client));
    return number << CLASS_SHIFT | poolNumber(pool);
  }

  /** The pool of a source. */
  String pool(long source) {
    return pools.get((int) source);
  }

  /** The class of a source; null if it has none. */
  @Nullable String className(long source) {
    int number = (int) (source >>> CLASS_SHIFT);
    return number == 0 ? null : classes.get(number);
  }

  /** The class of blocks that a workflow hinted. */
  synchronized String classOfWorkflow(String user, String workflow) {
    String name = "workflow:" + withoutNumbers(user + "/" + workflow);
    if (workflowClasses.containsKey(name)) {
      return name;
    }
    if (added.getOrDefault(user, 0) >= free(workflowClasses)) {
      return OTHER;
    }
    added.merge(user, 1, Integer::sum);
    return classes.get(intern(name, workflowClasses));
  }

  /** The class of a client, by the name that it gives itself, as if there were no other classes. */
  public static String classOfClient(String client) {
    if (client.startsWith(NO_TASK)) {
      return NONMAPREDUCE;
    }
    if (client.startsWith(TASK)) {
      return MAPREDUCE;
    }
    String name = client.substring(0, Math.min(client.length(), MAX_CLIENT_CHARS));
    Matcher ofHdfs = HDFS_CLIENT.matcher(name);
    return "client:" + withoutNumbers(ofHdfs.matches() ? ofHdfs.group(1) : name);
  }

  /** The number of a class of clients, or that of {@link #OTHER}. */
  private int numberOfClient(String name) {
    Integer known = clientClasses.get(name);
    if (known != null) {
      return known;
    }
    return free(clientClasses) > 0 ? intern(name, clientClasses) : otherNumber;
  }

  /** Classes that may still be added to a half of them. */
  private static int free(Map<String, Integer> half) {
    return MAX_CLASSES / 2 - half.size();
  }

  private synchronized int intern(String name, Map<String, Integer> half) {
    Integer known = half.get(name);
    if (known != null) {
      return known;
    }
    if (free(half) == 0) {
      return otherNumber;
    }
    classes.add(name);
    half.put(name, classes.size() - 1);
    return classes.size() - 1;
  }

  private static String withoutNumbers(String given) {
    String name = LONG_NUMBER.matcher(given).replaceAll("0");
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < name.length() && out.length() < MAX_NAME_CHARS; i++) {
      char c = name.charAt(i);
      if (!Character.isDigit(c)) {
        out.append(Character.isLetter(c) || "._-/".indexOf(c) >= 0 ? c : '_');
      } else if (out.length() == 0 || out.charAt(out.length() - 1) != '#') {
        out.append('#');
      }
    }
    return out.toString();
  }
}
