// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link UserShares} as a plain list that is summed for each answer. */
final class UserSharesModel {
  private static final class Copy {
    final BlockKey block;
    final String user;
    long bytes;
    long nextUse;
    boolean counts = true;
    boolean here;

    Copy(BlockKey block, String user, long bytes, long nextUse) {
      this.block = block;
      this.user = user;
      this.bytes = bytes;
      this.nextUse = nextUse;
    }
  }

  /** In order of arrival. */
  private final List<Copy> copies = new ArrayList<>();

  private final Map<BlockKey, Long> reads = new HashMap<>();
  private final Set<BlockKey> ending = new HashSet<>();
  Map<String, Double> weights = Map.of();

  private @Nullable Copy find(BlockKey block) {
    return copies.stream().filter(c -> c.block.equals(block)).findFirst().orElse(null);
  }

  void brings(BlockKey block, @Nullable String user, long bytes, long nextUse) {
    forget(block);
    if (user != null) {
      copies.add(new Copy(block, user, bytes, nextUse));
    }
  }

  void arrived(BlockKey block, long bytes) {
    Copy copy = find(block);
    if (copy != null) {
      copy.counts = true;
      copy.here = true;
      copy.bytes = bytes;
    }
  }

  void leaves(BlockKey block) {
    Copy copy = find(block);
    if (copy != null) {
      copy.counts = false;
      copy.here = false;
    }
  }

  void forget(BlockKey block) {
    copies.removeIf(c -> c.block.equals(block));
    reads.remove(block);
    ending.remove(block);
  }

  void nextUse(BlockKey block, long at) {
    Copy copy = find(block);
    if (copy != null) {
      copy.nextUse = at;
    }
  }

  void readAsHinted(BlockKey block) {
    reads.remove(block);
    ending.add(block);
  }

  void read(BlockKey block, long now) {
    boolean end = ending.remove(block);
    Copy copy = find(block);
    if (!end && (copy == null || copy.nextUse == UserShares.NEVER)) {
      copies.removeIf(c -> c.block.equals(block));
      reads.put(block, now);
    }
  }

  /** Bytes held by a user, or for null without hints, of so many taken in all. */
  long held(@Nullable String user, long taken) {
    long users =
        copies.stream()
            .filter(c -> c.counts && (user == null || c.user.equals(user)))
            .mapToLong(c -> c.bytes)
            .sum();
    return user == null ? Math.max(0, taken - users) : users;
  }

  private double level(@Nullable String user, long taken, long more) {
    double weight = user == null ? 1 : weights.getOrDefault(user, 1.0);
    return (double) (held(user, taken) + more) / weight;
  }

  private List<String> users() {
    Set<String> names =
        copies.stream()
            .filter(c -> c.counts)
            .map(c -> c.user)
            .collect(Collectors.toCollection(TreeSet::new));
    return new ArrayList<>(names);
  }

  /** The highest user except this one, the first of equal ones by name. */
  private @Nullable String highestBut(@Nullable String user) {
    return users().stream()
        .filter(name -> !name.equals(user))
        .max(
            Comparator.<String>comparingDouble(name -> level(name, 0, 0))
                .thenComparing(Comparator.reverseOrder()))
        .orElse(null);
  }

  @Nullable String rival(@Nullable String user, long bytes, long missing, long taken) {
    String other = highestBut(user);
    return other != null && level(user, taken, bytes) <= level(other, taken, -missing)
        ? other
        : null;
  }

  List<BlockKey> order(String user) {
    return copies.stream()
        .filter(c -> c.here && c.user.equals(user))
        .sorted(Comparator.<Copy>comparingLong(c -> c.nextUse).reversed())
        .map(c -> c.block)
        .collect(Collectors.toList());
  }

  List<BlockKey> usedAfter(String user, long at) {
    return order(user).stream()
        .filter(block -> Objects.requireNonNull(find(block)).nextUse > at)
        .collect(Collectors.toList());
  }

  boolean allows(
      @Nullable String user,
      long bytes,
      long missing,
      long taken,
      Map<BlockKey, Long> victims,
      long now) {
    String rival = rival(user, bytes, missing, taken);
    for (BlockKey victim : victims.keySet()) {
      if (!isClaimed(victim, now)) {
        continue;
      }
      String loser = owner(victim);
      boolean may;
      if (user == null || user.equals(loser)) {
        may = rival == null || rival.equals(loser);
      } else {
        long freed =
            victims.entrySet().stream()
                .filter(v -> Objects.equals(owner(v.getKey()), loser))
                .mapToLong(Map.Entry::getValue)
                .sum();
        double level = level(loser, taken, 0);
        boolean highest =
            level >= level(null, taken, 0)
                && users().stream().allMatch(name -> level >= level(name, taken, 0));
        may = highest && level(user, taken, bytes) <= level(loser, taken, -freed);
      }
      if (!may) {
        return false;
      }
    }
    return true;
  }

  private @Nullable String owner(BlockKey block) {
    Copy copy = find(block);
    return copy == null ? null : copy.user;
  }

  private boolean isClaimed(BlockKey block, long now) {
    Copy copy = find(block);
    if (copy != null) {
      return copy.nextUse != UserShares.NEVER;
    }
    Long read = reads.get(block);
    return read != null && now - read <= UserShares.IN_USE_NANOS;
  }

  List<BlockKey> insteadOf(BlockKey victim) {
    Copy copy = find(victim);
    String highest = highestBut(null);
    if (copy == null || !copy.counts || copy.nextUse == UserShares.NEVER || highest == null) {
      return List.of();
    }
    return !highest.equals(copy.user) && level(highest, 0, -copy.bytes) >= level(copy.user, 0, 0)
        ? order(highest)
        : List.of();
  }
}
