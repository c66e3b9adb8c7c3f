// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Synthetic traces, each from a seed alone. */
final class Workloads {
  /** A way to make a trace. */
  private interface Maker {
    Trace make(String name, int objects, int accesses, long seed);
  }

  private static final long BYTES_PER_MB = 1_000_000;
  private static final long BLOCK_BYTES = 128 * BYTES_PER_MB;
  private static final int MIN_FILE_MB = 6;
  private static final int MAX_FILE_MB = 250;
  private static final int DRIFTS = 8;
  private static final int RARE = 20;
  private static final int WORKFLOWS = 12;
  private static final double PARETO_SHAPE = 0.5;

  private static final Map<String, Maker> BY_NAME = new LinkedHashMap<>();

  static {
    BY_NAME.put("round-robin", Workloads::roundRobin);
    BY_NAME.put("loop", Workloads::loop);
    BY_NAME.put("scan-polluted", Workloads::scanPolluted);
    BY_NAME.put("zipf", (name, objects, accesses, seed) -> zipf(name, objects, accesses, seed, 1));
    BY_NAME.put(
        "zipf-drift",
        (name, objects, accesses, seed) -> zipf(name, objects, accesses, seed, DRIFTS));
    BY_NAME.put("mixed-sizes", Workloads::mixedSizes);
    BY_NAME.put("writes", Workloads::writes);
    BY_NAME.put("turning", Workloads::turning);
    BY_NAME.put("daily", Workloads::daily);
    BY_NAME.put("recent", Workloads::recent);
  }

  private Workloads() {}

  static Set<String> names() {
    return Collections.unmodifiableSet(BY_NAME.keySet());
  }

  /**
   * @param workload one of {@link #names}
   * @param objects distinct objects, &gt; 0
   * @param accesses &gt; 0
   */
  static Trace make(String workload, int objects, int accesses, long seed) {
    Maker maker = BY_NAME.get(workload);
    if (maker == null) {
      throw new IllegalArgumentException(
          "workload: expected one of "
              + String.join(", ", BY_NAME.keySet())
              + ", found "
              + workload);
    }
    if (objects <= 0 || accesses <= 0) {
      throw new IllegalArgumentException(
          "objects and accesses: expected 1 or more, found " + objects + " and " + accesses);
    }
    return maker.make(
        workload + "-" + objects + "x" + accesses + "-seed" + seed, objects, accesses, seed);
  }

  private static void read(Trace.Builder trace, String object, long bytes) {
    trace.add(object, bytes, false, bytes, null);
  }

  /** The paper's: files of 6 to 250 MB at random, read one after the other, again and again. */
  private static Trace roundRobin(String name, int objects, int accesses, long seed) {
    long[] sizes = fileSizes(objects, seed);
    Trace.Builder trace = new Trace.Builder(name);
    for (int at = 0; at < accesses; at++) {
      read(trace, "f" + at % objects, sizes[at % objects]);
    }
    return trace.build();
  }

  private static long[] fileSizes(int objects, long seed) {
    return new Random(seed)
        .longs(objects, MIN_FILE_MB * BYTES_PER_MB, MAX_FILE_MB * BYTES_PER_MB + 1)
        .toArray();
  }

  /** Blocks of one size in loops of several lengths, one within the other. */
  private static Trace loop(String name, int objects, int accesses, long seed) {
    Random random = new Random(seed);
    Trace.Builder trace = new Trace.Builder(name);
    int done = 0;
    while (done < accesses) {
      int from = random.nextInt(objects);
      int length = 1 + random.nextInt(Math.max(1, objects / 4));
      int rounds = 2 + random.nextInt(6);
      for (int i = 0; i < length * rounds && done < accesses; i++, done++) {
        read(trace, "b" + (from + i % length) % objects, BLOCK_BYTES);
      }
    }
    return trace.build();
  }

  /** Zipf reads of blocks; every so often somebody reads very many others once. */
  private static Trace scanPolluted(String name, int objects, int accesses, long seed) {
    Random random = new Random(seed);
    Zipf zipf = new Zipf(objects, Zipf.SKEW);
    Trace.Builder trace = new Trace.Builder(name);
    int scanned = 0;
    for (int at = 0; at < accesses; ) {
      for (int i = 0; i < objects && at < accesses; i++, at++) {
        read(trace, "z" + zipf.draw(random), BLOCK_BYTES);
      }
      for (int i = 0; i < objects / 2 && at < accesses; i++, at++) {
        read(trace, "scan" + scanned++, BLOCK_BYTES);
      }
    }
    return trace.build();
  }

  /** Zipf reads of blocks; the popular ones change so often. */
  private static Trace zipf(String name, int objects, int accesses, long seed, int drifts) {
    Random random = new Random(seed);
    Zipf zipf = new Zipf(objects, Zipf.SKEW);
    int[] order = IntStream.range(0, objects).toArray();
    Trace.Builder trace = new Trace.Builder(name);
    int every = Math.max(1, accesses / drifts);
    for (int at = 0; at < accesses; at++) {
      if (at % every == 0) {
        shuffle(order, random);
      }
      read(trace, "z" + order[zipf.draw(random)], BLOCK_BYTES);
    }
    return trace.build();
  }

  /** As {@link Collections#shuffle} does. */
  private static void shuffle(int[] values, Random random) {
    for (int i = values.length; i > 1; i--) {
      int other = random.nextInt(i);
      int value = values[i - 1];
      values[i - 1] = values[other];
      values[other] = value;
    }
  }

  /** Zipf reads of files whose sizes are spread over five powers of ten. */
  private static Trace mixedSizes(String name, int objects, int accesses, long seed) {
    Random random = new Random(seed);
    Zipf zipf = new Zipf(objects, Zipf.SKEW);
    long[] sizes = new long[objects];
    for (int i = 0; i < objects; i++) {
      sizes[i] = (long) Math.pow(10, 5 + 5 * random.nextDouble());
    }
    Trace.Builder trace = new Trace.Builder(name);
    for (int at = 0; at < accesses; at++) {
      int object = zipf.draw(random);
      read(trace, "m" + object, sizes[object]);
    }
    return trace.build();
  }

  /** Stages of jobs: each writes files that the next one reads two times, some in small pieces. */
  private static Trace writes(String name, int objects, int accesses, long seed) {
    Random random = new Random(seed);
    long[] sizes = fileSizes(objects, seed);
    Trace.Builder trace = new Trace.Builder(name);
    int stage = Math.max(1, objects / 8);
    for (int at = 0, from = 0; at < accesses; from = (from + stage) % objects) {
      for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < stage && at < accesses; i++, at++) {
          int object = (from + i) % objects;
          boolean piece = pass == 2 && random.nextInt(4) == 0;
          long request = piece ? Math.min(64 << 10, sizes[object]) : sizes[object];
          trace.add("w" + object, sizes[object], pass == 0, request, "stage" + pass);
        }
      }
    }
    return trace.build();
  }

  /** Zipf reads and rewrites of blocks: nineteen reads to a write, later the other way round. */
  private static Trace turning(String name, int objects, int accesses, long seed) {
    Random random = new Random(seed);
    Zipf zipf = new Zipf(objects, Zipf.SKEW);
    Trace.Builder trace = new Trace.Builder(name);
    for (int at = 0; at < accesses; at++) {
      boolean rare = random.nextInt(RARE) == 0;
      boolean write = at < accesses / 2 ? rare : !rare;
      trace.add((write ? "w" : "r") + zipf.draw(random), BLOCK_BYTES, write, BLOCK_BYTES, null);
    }
    return trace.build();
  }

  /**
   * Workflows that run once a day, in any order: each reads the same blocks and what it wrote on
   * the day before, and writes half as many blocks as it reads each day.
   */
  private static Trace daily(String name, int objects, int accesses, long seed) {
    Random random = new Random(seed);
    int[] order = IntStream.range(0, WORKFLOWS).toArray();
    Trace.Builder trace = new Trace.Builder(name);
    for (int day = 0, at = 0; at < accesses; day++) {
      shuffle(order, random);
      for (int workflow : order) {
        int from = (int) ((long) objects * workflow / WORKFLOWS);
        int to = (int) ((long) objects * (workflow + 1) / WORKFLOWS);
        for (int i = from; i < to && at < accesses; i++, at++) {
          read(trace, "in" + i, BLOCK_BYTES);
        }
        for (int i = from; day > 0 && i < to && at < accesses; i += 2, at++) {
          read(trace, "out" + (day - 1) + "-" + i, BLOCK_BYTES);
        }
        for (int i = from; i < to && at < accesses; i += 2, at++) {
          trace.add("out" + day + "-" + i, BLOCK_BYTES, true, BLOCK_BYTES, null);
        }
      }
    }
    return trace.build();
  }

  /**
   * Reads of blocks that were read lately: how many others were read since is Pareto-distributed,
   * so that LRU is the best order without knowledge of the future.
   */
  private static Trace recent(String name, int objects, int accesses, long seed) {
    Random random = new Random(seed);
    List<Integer> byTime = IntStream.range(0, objects).boxed().collect(Collectors.toList());
    Trace.Builder trace = new Trace.Builder(name);
    for (int at = 0; at < accesses; at++) {
      double distance = Math.pow(1 - random.nextDouble(), -1 / PARETO_SHAPE) - 1;
      int block = byTime.remove((int) Math.min(objects - 1, distance));
      byTime.add(0, block);
      read(trace, "b" + block, BLOCK_BYTES);
    }
    return trace.build();
  }
}
