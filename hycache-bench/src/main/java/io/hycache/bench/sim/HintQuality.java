// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * How good the hints of a simulation are: the value of {@code --hints}. Immutable.
 *
 * <p>{@code perfect}: each access comes with the exact time of the object's next one and with the
 * number of all accesses that the object has left; {@code lookahead} gets the whole sequence, too.
 * {@code none}: no hints at all. Otherwise a list of {@code name=value}:
 *
 * <ul>
 *   <li>{@code wrong=10%}: so many of the hints name another object, drawn at random;
 *   <li>{@code part=50%}: only so many of the objects are hinted, drawn at random;
 *   <li>{@code late=N}: a hint arrives N accesses after its time;
 *   <li>{@code shuffle=N}: the time in a hint is up to N accesses off, in either direction;
 *   <li>{@code chunk=N}: hints come as manifests of N accesses each, at their start, instead of one
 *       with each access;
 *   <li>{@code ttl=N}: a hint is withdrawn N accesses after it arrived;
 *   <li>{@code seed=N}: of all that is drawn.
 * </ul>
 *
 * <p>Without {@code chunk} these are single hints: an access brings one, for the object's next
 * access, so that an object has one hint left, however many accesses. So {@code wrong=0%} is less
 * than {@code perfect}. With a {@code chunk} as long as the trace, objects have all their hints, as
 * with {@code perfect}.
 */
final class HintQuality {
  static final HintQuality PERFECT = new HintQuality("perfect", Map.of());
  static final HintQuality NONE = new HintQuality("none", Map.of());

  private static final List<String> PERCENTS = List.of("wrong", "part");
  private static final String SHUFFLE = "shuffle";
  private static final List<String> COUNTS = List.of("late", SHUFFLE, "chunk", "ttl", "seed");

  /** In either direction, so that the number of choices is an int. */
  private static final int MAX_SHUFFLE = 1_000_000_000;

  private final String text;
  final double wrong;
  final double part;
  final int late;
  final int shuffle;

  /** Accesses of a manifest; 0 if each access brings the hint for the next use of its object. */
  final int chunk;

  final int ttl;
  final int seed;

  private HintQuality(String text, Map<String, Double> values) {
    this.text = text;
    this.wrong = values.getOrDefault("wrong", 0.0);
    this.part = values.getOrDefault("part", 1.0);
    this.late = values.getOrDefault("late", 0.0).intValue();
    this.shuffle = values.getOrDefault("shuffle", 0.0).intValue();
    this.chunk = values.getOrDefault("chunk", 0.0).intValue();
    this.ttl = values.getOrDefault("ttl", (double) Integer.MAX_VALUE).intValue();
    this.seed = values.getOrDefault("seed", 1.0).intValue();
  }

  /**
   * Parses the values of an option, in their order.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static List<HintQuality> parse(String option, List<String> values) {
    List<HintQuality> qualities = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    for (String value : values) {
      HintQuality quality = parse(option, value);
      if (!texts.add(quality.text)) {
        throw new IllegalArgumentException(
            option + ": expected each quality once, found twice " + quality);
      }
      qualities.add(quality);
    }
    return qualities;
  }

  /**
   * Parses the value of an option.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static HintQuality parse(String option, String value) {
    switch (value.trim()) {
      case "perfect":
        return PERFECT;
      case "none":
        return NONE;
      default:
        break;
    }
    Map<String, Double> values = new LinkedHashMap<>();
    for (String part : Units.list(value)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      double number = number(option, name, equals < 0 ? "" : part.substring(equals + 1));
      if (values.put(name, number) != null) {
        throw refused(option, "twice " + name);
      }
    }
    if (values.isEmpty()) {
      throw refused(option, "nothing");
    }
    return new HintQuality(value.trim(), values);
  }

  private static double number(String option, String name, String value) {
    try {
      if (PERCENTS.contains(name) && value.endsWith("%")) {
        double percent = Double.parseDouble(value.substring(0, value.length() - 1));
        if (percent >= 0 && percent <= 100) {
          return percent / 100;
        }
      } else if (COUNTS.contains(name)) {
        int count = Integer.parseInt(value);
        if (count > 0 && (count <= MAX_SHUFFLE || !name.equals(SHUFFLE))) {
          return count;
        }
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw refused(option, name + "=" + value);
  }

  private static IllegalArgumentException refused(String option, String found) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s: expected perfect, none, or a list of %s=PERCENT and %s=COUNT (above 0; shuffle up"
                + " to %d), each once, for example wrong=10%%,chunk=1000, found %s",
            option,
            String.join("=PERCENT, ", PERCENTS),
            String.join("=COUNT, ", COUNTS),
            MAX_SHUFFLE,
            found));
  }

  boolean isPerfect() {
    return this == PERFECT;
  }

  boolean isNone() {
    return this == NONE;
  }

  @Override
  public String toString() {
    return text;
  }
}
