// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Policies and accounting as their definitions say, with lists that are searched anew at each
 * access and a future that is read anew: O(n) an access, and nothing shared with what it is held
 * against.
 */
final class Definition {
  /** One access. */
  static final class Access {
    final int object;
    final long size;
    final boolean write;
    final long request;

    Access(int object, long size, boolean write, long request) {
      this.object = object;
      this.size = size;
      this.write = write;
      this.request = request;
    }

    @Override
    public String toString() {
      return (write ? "W" : "R") + object + "(" + request + "/" + size + ")";
    }
  }

  private static final class Item {
    final int object;
    final long size;
    final int admitted;
    boolean dirty;
    int used;
    int count;
    Fraction h = Fraction.ZERO;

    Item(Access access, int now) {
      this.object = access.object;
      this.size = access.size;
      this.admitted = now;
      this.used = now;
    }
  }

  /** An exact sum of fractions. */
  private static final class Fraction implements Comparable<Fraction> {
    static final Fraction ZERO = new Fraction(BigInteger.ZERO, BigInteger.ONE);

    final BigInteger numerator;
    final BigInteger denominator;

    Fraction(BigInteger numerator, BigInteger denominator) {
      BigInteger common = numerator.gcd(denominator);
      this.numerator = numerator.divide(common);
      this.denominator = denominator.divide(common);
    }

    Fraction plus(long count, long size) {
      BigInteger by = BigInteger.valueOf(size);
      return new Fraction(
          numerator.multiply(by).add(BigInteger.valueOf(count).multiply(denominator)),
          denominator.multiply(by));
    }

    @Override
    public int compareTo(Fraction other) {
      return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
    }
  }

  private final String policy;
  private final long capacity;
  private final List<Access> trace;
  private final List<Item> items = new ArrayList<>();
  private Fraction age = Fraction.ZERO;

  long hits;
  long hitBytes;
  long missBytes;
  long admittedBytes;
  long evictedBytes;
  long ssdBytes;
  long operations;
  long diskBytes;
  long moveOperations;
  long moveBytes;

  Definition(String policy, long capacity, List<Access> trace) {
    this.policy = policy;
    this.capacity = capacity;
    this.trace = trace;
  }

  Definition run() {
    for (int now = 0; now < trace.size(); now++) {
      access(trace.get(now), now);
    }
    for (Item item : items) {
      if (item.dirty) {
        operations++;
        diskBytes += item.size;
      }
    }
    return this;
  }

  private void access(Access access, int now) {
    for (Item item : items) {
      if (item.object == access.object) {
        hits++;
        hitBytes += access.request;
        item.used = now;
        item.count++;
        item.h = age.plus(item.count, item.size);
        if (access.write) {
          item.dirty = true;
          ssdBytes += access.request;
        }
        return;
      }
    }
    missBytes += access.request;
    List<Item> victims = victims(access, now);
    if (victims == null) {
      disk(access.request);
      return;
    }
    for (Item victim : victims) {
      items.remove(victim);
      evictedBytes += victim.size;
      age = victim.h;
      if (victim.dirty) {
        operations++;
        diskBytes += victim.size;
      }
      moveOperations++;
      moveBytes += victim.size;
    }
    if (!access.write || access.request < access.size) {
      disk(access.size);
    }
    Item added = new Item(access, now);
    added.count = 1;
    added.h = age.plus(1, access.size);
    added.dirty = access.write;
    items.add(added);
    admittedBytes += access.size;
    ssdBytes += access.size;
  }

  private void disk(long bytes) {
    operations++;
    diskBytes += bytes;
    moveOperations++;
    moveBytes += bytes;
  }

  /** Null: bypass. */
  @SuppressWarnings("NullAway") // null is an answer of its own here
  private List<Item> victims(Access access, int now) {
    if (access.size > capacity) {
      return null;
    }
    long free = capacity;
    for (Item item : items) {
      free -= item.size;
    }
    boolean belady = policy.equals("belady");
    boolean heuristic = policy.equals("heuristic");
    if ((belady || heuristic) && uses(access.object, now) == 0) {
      return null;
    }
    List<Item> order = new ArrayList<>(items);
    order.sort(order(now));
    List<Item> victims = new ArrayList<>();
    long cost = 0;
    long gain = uses(access.object, now) * access.size;
    for (Item item : order) {
      if (free >= access.size) {
        break;
      }
      if (belady && next(item.object, now) <= next(access.object, now)) {
        return null;
      }
      cost += uses(item.object, now) * item.size;
      if (heuristic && cost >= gain) {
        return null;
      }
      victims.add(item);
      free += item.size;
    }
    return victims;
  }

  private Comparator<Item> order(int now) {
    switch (policy) {
      case "lru":
        return Comparator.comparingInt(i -> i.used);
      case "fifo":
        return Comparator.comparingInt(i -> i.admitted);
      case "lfu":
        return Comparator.<Item>comparingInt(i -> i.count).thenComparingInt(i -> i.used);
      case "gdsf":
        return Comparator.<Item, Fraction>comparing(i -> i.h).thenComparingInt(i -> i.used);
      case "belady":
        return Comparator.<Item>comparingLong(i -> -next(i.object, now))
            .thenComparingInt(i -> firstSeen(i.object));
      case "heuristic":
        return Comparator.<Item>comparingLong(i -> uses(i.object, now) * i.size)
            .thenComparingInt(i -> firstSeen(i.object));
      default:
        throw new IllegalArgumentException(policy);
    }
  }

  private int firstSeen(int object) {
    int at = 0;
    while (trace.get(at).object != object) {
      at++;
    }
    return at;
  }

  /** Position of the next use after {@code now}; beyond all others if there is none. */
  private long next(int object, int now) {
    for (int at = now + 1; at < trace.size(); at++) {
      if (trace.get(at).object == object) {
        return at;
      }
    }
    return Integer.MAX_VALUE;
  }

  private long uses(int object, int now) {
    long uses = 0;
    for (int at = now + 1; at < trace.size(); at++) {
      if (trace.get(at).object == object) {
        uses++;
      }
    }
    return uses;
  }
}
