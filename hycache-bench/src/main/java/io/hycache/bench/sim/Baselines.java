// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.cost.DiskTime;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The simple baselines of Baleen (FAST'24), {@link Admission} in front of LRU:
 *
 * <ul>
 *   <li>{@code rejectx[:X]} admits an object at its miss X + 1 while its name is in a history
 *       (default: X = 1).
 *   <li>{@code coinflip[:P]} admits with probability P.
 *   <li>{@code offline} knows the future and admits the best {@link Episodes}.
 * </ul>
 *
 * <p>With a {@link WriteRate}, the length of the history, the probability and the lowest score are
 * found by bisection, so that what is written comes close to the rate and is at most 1 % more. It
 * is less when a history of all names, a probability of 1, or all episodes that save time write
 * less; it is more when {@code rejectx} writes more even with a history of one name, which the
 * result says. Without a rate the history is unlimited, P is 0.5, and every episode that saves time
 * may be admitted.
 *
 * <p>{@code offline} cuts the future into episodes by several eviction ages, from that of an LRU
 * which admits all it may to the whole trace, and admits all of them or, by their mean size, as
 * many as fit: of a loop, LRU keeps a part or nothing. The result is the run with the least disk
 * time that keeps the rate. It is no bound: LRU evicts.
 */
final class Baselines {
  private static final Pattern NAME =
      Pattern.compile("(rejectx)(?::(\\d{1,6}))?|(coinflip)(?::(\\d+(?:\\.\\d+)?))?|offline");
  private static final double TOLERANCE = 0.01;
  private static final int MAX_STEPS = 32;

  /** Quotient of two eviction ages that are tried. */
  private static final double AGE_STEP = 1.4;

  /**
   * Parts of the capacity that the mean size of what is admitted may take; at times it is more than
   * its mean.
   */
  private static final double[] SHARES = {1, 0.9, 0.8};

  /** Admits every episode that saves time. */
  private static final float LEAST = Float.MIN_VALUE;

  private final Trace trace;
  private final DiskTime disk;
  private final long seed;
  private final Simulation simulation;
  private final @Nullable WriteRate rate;
  private int runs;

  /**
   * @param rate null: none
   */
  Baselines(
      Trace trace, DiskTime disk, long seed, Simulation simulation, @Nullable WriteRate rate) {
    this.trace = trace;
    this.disk = disk;
    this.seed = seed;
    this.simulation = simulation;
    this.rate = rate;
  }

  /** Number of simulations so far. */
  int runs() {
    return runs;
  }

  static boolean isName(String policy) {
    return NAME.matcher(policy).matches();
  }

  /**
   * Refuses a parameter that would stand for another one.
   *
   * @param policy for which {@link #isName} is true
   * @throws IllegalArgumentException with a message for the user
   */
  static void check(String option, String policy) {
    Matcher matcher = NAME.matcher(policy);
    if (!matcher.matches()) {
      return;
    }
    String rejects = matcher.group(2);
    String probability = matcher.group(4);
    if (rejects != null && Integer.parseInt(rejects) == 0) {
      throw new IllegalArgumentException(
          option + ": expected rejectx:X with X of 1 or more, found " + policy);
    }
    if (probability != null && Double.parseDouble(probability) > 1) {
      throw new IllegalArgumentException(
          option + ": expected coinflip:P with P of 0 to 1, found " + policy);
    }
  }

  /** One run, with a gate that is made for it. */
  private final class Run {
    final Simulation.Result result;

    /** {@link Admission#evictionAge}. */
    final double evictionAge;

    Run(String name, String how, Admission.Gate gate, long capacityBytes) {
      Admission policy = new Admission(gate, trace.objects());
      result = simulation.run(name, () -> policy, capacityBytes, at -> {});
      result.admission = how;
      evictionAge = policy.evictionAge();
      runs++;
    }

    double written() {
      return result.totals.ssdWrittenBytes;
    }

    double diskSeconds() {
      return result.totals.diskSeconds(disk);
    }
  }

  /** Makes a run from a parameter; a larger one writes more to the SSD. */
  private interface Maker {
    Run run(long parameter);
  }

  /** Runs a baseline, tuned to the rate if there is one. */
  Simulation.Result run(String name, long capacityBytes, IntConsumer progress) {
    check("--policy", name);
    if (!simulation.partition().isShared()) {
      throw new IllegalArgumentException(
          "--partition: expected shared with --policy "
              + name
              + ", found "
              + simulation.partition());
    }
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("expected a baseline, found " + name);
    }
    Run run;
    double target = rate == null ? -1 : rate.bytes(trace, simulation, capacityBytes);
    if (matcher.group(1) != null) {
      int rejects = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
      run = rejectX(name, rejects, capacityBytes, target);
    } else if (matcher.group(3) != null) {
      run = coinFlip(name, matcher.group(4), capacityBytes, target);
    } else {
      run = offline(name, capacityBytes, target, progress);
    }
    progress.accept(trace.length());
    return run.result;
  }

  private Run rejectX(String name, int rejects, long capacityBytes, double target) {
    Maker maker =
        history ->
            new Run(
                name,
                "rejects=" + rejects + " history=" + history,
                Admission.rejectX(rejects, (int) history),
                capacityBytes);
    return target < 0 ? maker.run(trace.objects()) : tune(maker, 1, trace.objects(), target);
  }

  private Run coinFlip(String name, @Nullable String given, long capacityBytes, double target) {
    double unit = 1 << 30;
    Maker maker =
        share ->
            new Run(
                name,
                String.format(Locale.ROOT, "probability=%.6f", share / unit),
                Admission.coinFlip(share / unit, seed),
                capacityBytes);
    if (given != null && target >= 0) {
      throw new IllegalArgumentException(
          "--write-rate: expected coinflip without a probability, which the rate decides, found "
              + name);
    }
    if (given != null) {
      return maker.run(Math.round(Double.parseDouble(given) * unit));
    }
    return target < 0 ? maker.run(1 << 29) : tune(maker, 0, 1 << 30, target);
  }

  /** A run of {@code offline}, and what a finer one of the same episodes needs. */
  private final class Plan {
    final Maker maker;
    final float least;
    final Run run;

    /**
     * @param least admits no episode with a lower score
     */
    Plan(String name, Episodes episodes, double age, float least, long capacityBytes) {
      this.maker =
          rank -> {
            float score = fromRank(-rank);
            return new Run(
                name,
                String.format(
                    Locale.ROOT, "score=%.3e s/B, eviction_age=%.0f accesses", score, age),
                (candidate, at) -> episodes.score(at) >= score,
                capacityBytes);
          };
      this.least = least;
      this.run = maker.run(-rank(least));
    }
  }

  /** Keeps the best plan only: each holds the scores of all accesses. */
  private Run offline(String name, long capacityBytes, double target, IntConsumer progress) {
    Column next = simulation.nextUses();
    double age = trace.length();
    Episodes episodes = new Episodes(trace, disk, next, age);
    float least = target < 0 ? LEAST : lowest(episodes::bytesFrom, target, LEAST);
    Plan best = new Plan(name, episodes, age, least, capacityBytes);
    double shortest = Math.min(age, Math.max(1, best.run.evictionAge));
    while (true) {
      for (double share : SHARES) {
        float fits = lowest(episodes::meanBytesFrom, share * capacityBytes, least);
        if (fits > least) {
          least = fits;
          best = better(best, new Plan(name, episodes, age, least, capacityBytes), target);
        }
      }
      age /= AGE_STEP;
      if (age < shortest) {
        return tuned(best, target);
      }
      progress.accept((int) (trace.length() * part(age, shortest)));
      episodes = new Episodes(trace, disk, next, age);
      least = target < 0 ? LEAST : lowest(episodes::bytesFrom, target, LEAST);
      best = better(best, new Plan(name, episodes, age, least, capacityBytes), target);
    }
  }

  /** The part of the ages that are tried before this one. */
  private double part(double age, double shortest) {
    return Math.log(trace.length() / age) / Math.log(trace.length() / shortest * AGE_STEP);
  }

  private Plan better(Plan best, Plan other, double target) {
    int order = Double.compare(over(other.run, target), over(best.run, target));
    boolean saves = other.run.diskSeconds() < best.run.diskSeconds();
    return order < 0 || (order == 0 && saves) ? other : best;
  }

  /** A run that comes closer to the target, if there is one and it saves more. */
  private static Run tuned(Plan plan, double target) {
    if (target < 0) {
      return plan.run;
    }
    Run run = tune(plan.maker, -rank(Float.MAX_VALUE), -rank(plan.least), target);
    return over(plan.run, target) > 0 || run.diskSeconds() < plan.run.diskSeconds()
        ? run
        : plan.run;
  }

  /** Bytes written that the target and its tolerance do not allow; 0 if there is no target. */
  private static double over(Run run, double target) {
    return target < 0 ? 0 : Math.max(0, run.written() - target * (1 + TOLERANCE));
  }

  /**
   * The lowest score from which the episodes' amount is within a limit, without a simulation.
   *
   * @param least is as low as it may be
   */
  private static float lowest(ToDoubleFunction<Float> amount, double limit, float least) {
    if (amount.applyAsDouble(least) <= limit) {
      return least;
    }
    long low = rank(least) + 1;
    long high = rank(Float.MAX_VALUE);
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (amount.applyAsDouble(fromRank(middle)) <= limit) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return fromRank(low);
  }

  /** Positive floats in order as whole numbers. */
  private static long rank(float value) {
    return Float.floatToRawIntBits(value);
  }

  private static float fromRank(long rank) {
    return Float.intBitsToFloat((int) rank);
  }

  /**
   * The run that writes most without writing more than the target and its tolerance. If all write
   * more, the one of the least parameter, which is {@link Simulation.Result#overRate}.
   */
  private static Run tune(Maker maker, long least, long most, double target) {
    Run best = maker.run(most);
    if (over(best, target) == 0) {
      return best;
    }
    best = maker.run(least);
    if (over(best, target) > 0) {
      best.result.overRate = true;
      return best;
    }
    long low = least;
    long high = most;
    for (int step = 0; step < MAX_STEPS && high - low > 1; step++) {
      // A history is worth a ratio more or less, not a number of names.
      long middle = low >= 1 ? Math.round(Math.sqrt((double) low * high)) : (low + high) >> 1;
      middle = Math.min(high - 1, Math.max(low + 1, middle));
      Run tried = maker.run(middle);
      if (over(tried, target) == 0) {
        low = middle;
        best = tried.written() >= best.written() ? tried : best;
        if (best.written() >= target * (1 - TOLERANCE)) {
          break;
        }
      } else {
        high = middle;
      }
    }
    return best;
  }
}
