// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.dataset.ModelProgram.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random programs of users, operators and misfortunes on two DataNodes with two SSDs and two DISKs
 * each; after each step every byte is read and held against a model, and at rest the books against
 * the disks.
 *
 * <p>{@code -Dhycache.dataset.model.programs} changes the amount, {@code .seed} the choice, {@code
 * .first} is the number of the first program: with {@code .programs=1} one program alone. {@code
 * .without} leaves out kinds of steps and faults. {@code .goOn=true} goes on after a program that
 * failed, on a new cluster. {@code .always=CRASH} or another dear step makes each program have it.
 * {@code .plain=true} does without the plugin what can be done without it: the model must not ask
 * more than plain HDFS gives.
 *
 * <p>Which operations on files are stalled, and for how long, and where a fault meets them, follows
 * from the seed; in which order threads come to them does not, so that a program that failed may
 * need several runs to fail again.
 */
class DatasetModelIT {
  private static final String NAME = "hycache.dataset.model.";
  private static final int PROGRAMS = Integer.getInteger(NAME + "programs", 300);
  private static final int FIRST = Integer.getInteger(NAME + "first", 0);
  private static final long SEED = Long.getLong(NAME + "seed", 20132);
  private static final boolean GO_ON = Boolean.getBoolean(NAME + "goOn");
  private static final boolean PLAIN = Boolean.getBoolean(NAME + "plain");
  private static final int PROGRAMS_PER_CLUSTER = 150;
  private static final Set<String> SHOWN =
      Set.of(
          "SsdBlocksWrite",
          "SsdBlocksDemoted",
          "SsdBlocksPromoted",
          "SsdChecksumsPromoted",
          "SsdBlocksEvicted",
          "SsdBlocksReadHits",
          "SsdCopiesBad",
          "ReplicasReportedWell",
          "MovesAbandoned",
          "MovesFailed",
          "SsdReadErrors",
          "Failures");
  private static final Set<Step> WITHOUT = EnumSet.noneOf(Step.class);
  static final Set<ModelFaults.Kind> WITHOUT_FAULTS = EnumSet.noneOf(ModelFaults.Kind.class);

  static {
    for (String name : System.getProperty(NAME + "without", "").split(",", -1)) {
      String kind = name.trim().toUpperCase(Locale.ROOT);
      if (Arrays.stream(ModelFaults.Kind.values()).anyMatch(k -> k.name().equals(kind))) {
        WITHOUT_FAULTS.add(ModelFaults.Kind.valueOf(kind));
      }
      if (Arrays.stream(Step.values()).anyMatch(s -> s.name().equals(kind))) {
        WITHOUT.add(Step.valueOf(kind));
      }
    }
    if (PLAIN) {
      WITHOUT.addAll(
          EnumSet.of(
              Step.PROMOTE,
              Step.DEMOTE,
              Step.SETTLE_DOWN,
              Step.EVICT,
              Step.FLIP,
              Step.FAULT,
              Step.PLUGIN_OUT_AND_IN,
              Step.RESTORE));
    }
  }

  private final Map<Step, Integer> done = new EnumMap<>(Step.class);
  private final Map<String, Long> millis = new TreeMap<>();
  private final Map<String, Long> counters = new TreeMap<>();
  private final Map<ModelFaults.Kind, Integer> fired = new EnumMap<>(ModelFaults.Kind.class);

  @Test
  @Timeout(36_000)
  void randomPrograms_movesFaultsAndRestartsInBetween_everyByteAsWritten(@TempDir Path scratch)
      throws Exception {
    List<Throwable> failures = new ArrayList<>();
    int next = FIRST;
    while (next < FIRST + PROGRAMS) {
      try (ModelCluster c = ModelCluster.start(!PLAIN)) {
        ModelFaults faults = new ModelFaults(c.rootNames());
        FileOperations.observe(faults);
        int end = Math.min(FIRST + PROGRAMS, next + PROGRAMS_PER_CLUSTER);
        boolean sound = true;
        while (next < end && sound) {
          Throwable failed = run(c, faults, next, scratch);
          next++;
          if (failed != null && !GO_ON) {
            throw new AssertionError(failed.getMessage(), failed);
          }
          if (failed != null) {
            failures.add(failed);
            System.out.println(failed.getMessage());
            sound = false;
          }
        }
        if (sound) {
          c.counters().forEach((name, n) -> counters.merge(name, n, Long::sum));
        }
        for (ModelFaults.Kind kind : ModelFaults.Kind.values()) {
          fired.merge(kind, faults.fired(kind), Integer::sum);
        }
      } finally {
        FileOperations.observe(null);
      }
    }
    System.out.println(
        "DatasetModelIT: programs="
            + PROGRAMS
            + " first="
            + FIRST
            + " seed="
            + SEED
            + " failed="
            + failures.size()
            + " steps="
            + done
            + " faults="
            + fired
            + " counters="
            + shown()
            + " millis="
            + millis);
    for (Throwable failure : failures) {
      throw new AssertionError(failure.getMessage(), failure);
    }
    if (PROGRAMS >= 300 && WITHOUT.isEmpty() && WITHOUT_FAULTS.isEmpty()) {
      requireThatMuchHappened();
    }
  }

  private @Nullable Throwable run(ModelCluster c, ModelFaults faults, int number, Path scratch) {
    ModelProgram program = new ModelProgram(c, faults, SEED, number, WITHOUT, scratch);
    for (int i = 0; i < ModelCluster.NODES; i++) {
      program.setHooks(i);
    }
    try {
      program.run();
      return null;
    } catch (Throwable e) {
      return new AssertionError(
          "program="
              + number
              + " seed="
              + SEED
              + "\n  "
              + String.join("\n  ", program.log())
              + "\n  failed: "
              + e
              + (e.getCause() == null ? "" : "\n  cause: " + e.getCause())
              + "\n  again: -Dit.test=DatasetModelIT -D"
              + NAME
              + "seed="
              + SEED
              + " -D"
              + NAME
              + "first="
              + number
              + " -D"
              + NAME
              + "programs=1",
          e);
    } finally {
      program.millis().forEach((what, time) -> millis.merge(what, time, Long::sum));
      program.done().forEach((step, times) -> done.merge(step, times, Integer::sum));
    }
  }

  /** A test that does nothing finds nothing. */
  private void requireThatMuchHappened() {
    for (Step step : Step.values()) {
      assertTrue(done.getOrDefault(step, 0) > 0, step + " never happened: " + done);
    }
    for (ModelFaults.Kind kind : ModelFaults.Kind.values()) {
      assertTrue(Objects.requireNonNull(fired.get(kind)) > 0, kind + " never fired: " + fired);
    }
    require("SsdBlocksDemoted", PROGRAMS);
    require("SsdBlocksPromoted", PROGRAMS / 2);
    require("SsdBlocksReadHits", PROGRAMS);
    // SsdBlocksEvicted is shown only: whether room is missing depends on how long demotions take.
  }

  private Map<String, Long> shown() {
    Map<String, Long> some = new TreeMap<>(counters);
    some.keySet().retainAll(SHOWN);
    return some;
  }

  private void require(String counter, long least) {
    long found = counters.getOrDefault(counter, 0L);
    assertTrue(found >= least, counter + "=" + found + ", expected at least " + least);
  }
}
