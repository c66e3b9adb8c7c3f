// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.model.CacheKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A trace in memory, in columns: 4 bytes an access, 8 more once a request differs from its object's
 * size; about 150 bytes an object. Immutable when built. An object has one size at a time; accesses
 * that name another change it from there on, which costs 8 bytes an access for all of them.
 */
final class Trace {
  private static final int WRITE = 1 << 31;

  private final String name;
  private final List<String> classes;
  private final int[] accesses;
  private final int length;
  private final long @Nullable [] requests;
  private final long @Nullable [] sizesByAccess;
  private final long[] sizes;

  /** The size of all objects, so that none is looked up; or negative. */
  private final long oneSize;

  private final int @Nullable [] classOf;
  private final CacheKey[] keys;
  private final double days;

  private Trace(Builder b) {
    name = b.name;
    classes = b.classNames;
    accesses = b.accesses;
    length = b.length;
    requests = b.requests;
    sizesByAccess = b.sizesByAccess;
    sizes = Arrays.copyOf(b.sizes, b.objects.size());
    boolean same = sizesByAccess == null && Arrays.stream(sizes).distinct().limit(2).count() == 1;
    oneSize = same ? sizes[0] : -1;
    classOf = b.classNames.isEmpty() ? null : Arrays.copyOf(b.classOf, sizes.length);
    keys = new CacheKey[sizes.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = new CacheKey("trace", i);
    }
    days = b.days;
  }

  String name() {
    return name;
  }

  /** Number of accesses. */
  int length() {
    return length;
  }

  /** Number of distinct objects; they are numbered in order of their first access. */
  int objects() {
    return sizes.length;
  }

  /** Time that the trace covers; NaN if it has no times. */
  double days() {
    return days;
  }

  /** Sum of the objects' (last) sizes. */
  long footprintBytes() {
    return Arrays.stream(sizes).sum();
  }

  int object(int at) {
    return accesses[at] & ~WRITE;
  }

  CacheKey key(int object) {
    return keys[object];
  }

  boolean isWrite(int at) {
    return (accesses[at] & WRITE) != 0;
  }

  long sizeBytes(int at) {
    if (oneSize >= 0) {
      return oneSize;
    }
    return sizesByAccess == null ? sizes[object(at)] : sizesByAccess[at];
  }

  long requestBytes(int at) {
    return requests == null ? sizeBytes(at) : requests[at];
  }

  boolean hasClasses() {
    return classOf != null;
  }

  /** Name of the object's class, null if it has none. */
  @Nullable String classOf(int object) {
    return classOf == null || classOf[object] < 0 ? null : classes.get(classOf[object]);
  }

  /** For each access the next one of the same object, {@code length()} if there is none. */
  int[] nextUses() {
    int[] next = new int[length];
    int[] seen = new int[sizes.length];
    Arrays.fill(seen, length);
    for (int at = length - 1; at >= 0; at--) {
      int object = object(at);
      next[at] = seen[object];
      seen[object] = at;
    }
    return next;
  }

  /** For each object the number of its accesses. */
  int[] references() {
    int[] count = new int[sizes.length];
    for (int at = 0; at < length; at++) {
      count[object(at)]++;
    }
    return count;
  }

  /** Takes accesses in their order. */
  static final class Builder {
    private final String name;
    private final Map<String, Integer> objects = new HashMap<>();
    private final Map<String, Integer> classNumbers = new HashMap<>();
    private final List<String> classNames = new ArrayList<>();
    private int[] accesses = new int[1 << 12];
    private int length;
    private long @Nullable [] requests;
    private long @Nullable [] sizesByAccess;
    private long[] sizes = new long[1 << 10];
    private int[] classOf = new int[1 << 10];
    private double days = Double.NaN;

    Builder(String name) {
      this.name = name;
    }

    Builder days(double value) {
      days = value;
      return this;
    }

    int length() {
      return length;
    }

    /**
     * @param requestBytes 0 to sizeBytes
     * @param className null: none
     */
    void add(
        String object,
        long sizeBytes,
        boolean write,
        long requestBytes,
        @Nullable String className) {
      Integer known = objects.get(object);
      int id = known == null ? objects.size() : known;
      if (known == null) {
        objects.put(object, id);
        if (id == sizes.length) {
          sizes = Arrays.copyOf(sizes, id * 2);
          classOf = Arrays.copyOf(classOf, id * 2);
        }
        sizes[id] = sizeBytes;
        classOf[id] = -1;
      }
      if (length == accesses.length) {
        grow();
      }
      if (sizes[id] != sizeBytes && sizesByAccess == null) {
        sizesByAccess = new long[accesses.length];
        for (int at = 0; at < length; at++) {
          sizesByAccess[at] = sizes[accesses[at] & ~WRITE];
        }
      }
      if (requestBytes != sizeBytes && requests == null) {
        requests = new long[accesses.length];
        for (int at = 0; at < length; at++) {
          requests[at] = sizesByAccess == null ? sizes[accesses[at] & ~WRITE] : sizesByAccess[at];
        }
      }
      sizes[id] = sizeBytes;
      if (sizesByAccess != null) {
        sizesByAccess[length] = sizeBytes;
      }
      if (requests != null) {
        requests[length] = requestBytes;
      }
      if (className != null) {
        Integer number = classNumbers.get(className);
        if (number == null) {
          number = classNames.size();
          classNames.add(className);
          classNumbers.put(className, number);
        }
        classOf[id] = number;
      }
      accesses[length++] = write ? id | WRITE : id;
    }

    private void grow() {
      int to = (int) Math.min(Integer.MAX_VALUE - 8L, length * 2L);
      if (to == length) {
        throw new IllegalArgumentException(name + ": more than " + length + " accesses");
      }
      accesses = Arrays.copyOf(accesses, to);
      if (requests != null) {
        requests = Arrays.copyOf(requests, to);
      }
      if (sizesByAccess != null) {
        sizesByAccess = Arrays.copyOf(sizesByAccess, to);
      }
    }

    Trace build() {
      return new Trace(this);
    }
  }
}
