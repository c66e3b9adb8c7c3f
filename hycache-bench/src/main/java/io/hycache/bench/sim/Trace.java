// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.model.CacheKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A trace in columns: 4 bytes an access, 8 more each once a request differs from its object's size,
 * once an object changes its size, and if there are times. What does not fit an eighth of the heap
 * lies in a temporary file ({@link Spill}); the heap holds 0 to 12 bytes an object, and keys for
 * the first million. Immutable when built. An object has one size at a time; accesses that name
 * another change it from there on.
 */
final class Trace {
  private static final int WRITE = 1 << 31;
  private static final int CONTINUES = 1 << 30;
  private static final int OBJECT = CONTINUES - 1;

  /** Keys of further objects are made when they are asked for. */
  private static final int MAX_KEYS = 1 << 20;

  private static final double MILLIS_A_DAY = 86_400_000;

  private final String name;
  private final List<String> classes;
  private final Spill spill;
  private final Column accesses;
  private final int length;
  private final @Nullable Column requests;
  private final @Nullable Column sizesByAccess;
  private final @Nullable Column times;
  private final long firstMillis;
  private final long lastMillis;
  private final int objects;

  /** By object; null if all have one size. */
  private final long @Nullable [] sizes;

  /** The size of all objects, so that none is looked up; or negative. */
  private final long oneSize;

  private final int @Nullable [] classOf;
  private final boolean continued;
  private final CacheKey[] keys;
  private final double days;

  private Trace(Builder b) {
    name = b.name;
    classes = b.classNames;
    spill = b.spill;
    accesses = b.accesses;
    length = b.accesses.length();
    requests = b.requests;
    sizesByAccess = b.sizesByAccess;
    times = b.times;
    firstMillis = b.firstMillis;
    lastMillis = b.lastMillis;
    objects = b.objects.size();
    sizes = b.sizes == null ? null : Arrays.copyOf(b.sizes, objects);
    oneSize = b.sizes == null ? b.oneSize : -1;
    classOf = b.classOf == null ? null : Arrays.copyOf(b.classOf, objects);
    continued = b.continued;
    keys = new CacheKey[Math.min(objects, MAX_KEYS)];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = new CacheKey("trace", i);
    }
    days =
        Double.isNaN(b.days) && times != null ? (lastMillis - firstMillis) / MILLIS_A_DAY : b.days;
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
    return objects;
  }

  /** Time that the trace covers; NaN if it has no times. */
  double days() {
    return days;
  }

  /** Sum of the objects' (last) sizes. */
  long footprintBytes() {
    return sizes == null ? Math.max(0, oneSize) * objects : Arrays.stream(sizes).sum();
  }

  /** Bytes of the trace that lie in a temporary file. */
  long fileBytes() {
    return spill.fileBytes();
  }

  int object(int at) {
    return accesses.getInt(at) & OBJECT;
  }

  CacheKey key(int object) {
    return object < keys.length ? keys[object] : new CacheKey("trace", object);
  }

  boolean isWrite(int at) {
    return (accesses.getInt(at) & WRITE) != 0;
  }

  /** Whether the access belongs to the same request as the one before. */
  boolean continuesRequest(int at) {
    return (accesses.getInt(at) & CONTINUES) != 0;
  }

  /** Whether any access {@link #continuesRequest}. */
  boolean hasContinued() {
    return continued;
  }

  long sizeBytes(int at) {
    if (sizes == null) {
      return oneSize;
    }
    return sizesByAccess == null ? sizes[object(at)] : sizesByAccess.get(at);
  }

  long requestBytes(int at) {
    return requests == null ? sizeBytes(at) : requests.get(at);
  }

  boolean hasTimes() {
    return times != null;
  }

  /** Milliseconds from the earliest access to this one; 0 if the trace has no times. */
  long timeMillis(int at) {
    return times == null ? 0 : times.get(at) - firstMillis;
  }

  /** Milliseconds from the earliest access to the latest one; 0 if the trace has no times. */
  long spanMillis() {
    return times == null ? 0 : lastMillis - firstMillis;
  }

  boolean hasClasses() {
    return classOf != null;
  }

  /** Name of the object's class, that of its first read; null if that has none. */
  @Nullable String classOf(int object) {
    return classOf == null || classOf[object] == 0 ? null : classes.get(classOf[object] - 1);
  }

  /**
   * For each access the next one of the same object, {@code length()} if there is none. Computed
   * backwards; kept as the trace is.
   */
  Column nextUses() {
    Column next = Column.ofInts(spill, length);
    int[] seen = new int[objects];
    Arrays.fill(seen, length);
    for (int at = length - 1; at >= 0; at--) {
      int object = object(at);
      next.set(at, seen[object]);
      seen[object] = at;
    }
    return next;
  }

  /** For each object the number of its accesses. */
  int[] references() {
    int[] count = new int[objects];
    for (int at = 0; at < length; at++) {
      count[object(at)]++;
    }
    return count;
  }

  /** Takes accesses in their order. */
  static final class Builder implements TraceAccess.Sink {
    private final String name;
    private final Spill spill;
    private final NameTable objects = new NameTable();
    private final Map<String, Integer> classNumbers = new HashMap<>();
    private final List<String> classNames = new ArrayList<>();
    private final Column accesses;
    private @Nullable Column requests;
    private @Nullable Column sizesByAccess;
    private @Nullable Column times;
    private long firstMillis = Long.MAX_VALUE;
    private long lastMillis = Long.MIN_VALUE;

    /** By object, once there are two sizes; before that all have {@link #oneSize}. */
    private long @Nullable [] sizes;

    private long oneSize = -1;

    /** By object the number of its class plus 1; 0 for none. */
    private int @Nullable [] classOf;

    /** Objects that were read. */
    private final BitSet read = new BitSet();

    private boolean continued;
    private long movedBytes;
    private double days = Double.NaN;

    Builder(String name) {
      this(name, new Spill());
    }

    Builder(String name, Spill spill) {
      this.name = name;
      this.spill = spill;
      this.accesses = Column.ofInts(spill);
    }

    Builder days(double value) {
      days = value;
      return this;
    }

    int length() {
      return accesses.length();
    }

    /** An access without a time. */
    void add(
        String object,
        long sizeBytes,
        boolean write,
        long requestBytes,
        @Nullable String className) {
      add(object, sizeBytes, write, requestBytes, className, -1, false);
    }

    @Override
    public void accept(TraceAccess a) {
      add(a.object, a.sizeBytes, a.write, a.requestBytes, a.className, a.timeMillis, a.continues);
    }

    /**
     * @param requestBytes 0 to sizeBytes
     * @param className counts for the first read of an object; null: none
     * @param timeMillis since any fixed moment; negative: none, for all accesses of the trace
     * @param continues whether it belongs to the same request as the access before
     * @throws TraceException if the accesses are too many bytes for {@link TraceAccess#addMoved},
     *     or times begin after the first access
     */
    void add(
        String object,
        long sizeBytes,
        boolean write,
        long requestBytes,
        @Nullable String className,
        long timeMillis,
        boolean continues) {
      movedBytes = TraceAccess.addMoved(name, movedBytes, sizeBytes);
      int before = objects.size();
      int id = objects.number(object);
      int length = accesses.length();
      if (id > OBJECT) {
        throw new IllegalStateException(name + ": more than " + OBJECT + " objects");
      }
      size(id, id == before, sizeBytes);
      if (requestBytes != sizeBytes && requests == null) {
        requests = Column.ofLongs(spill);
        for (int at = 0; at < length; at++) {
          requests.add(sizeAt(at));
        }
      }
      if (sizesByAccess != null) {
        sizesByAccess.add(sizeBytes);
      }
      if (requests != null) {
        requests.add(requestBytes);
      }
      // As a DataNode does, to which writes are not reported.
      if (!write && !read.get(id)) {
        read.set(id);
        if (className != null) {
          classOf(id, className);
        }
      }
      time(timeMillis);
      continued |= continues;
      accesses.add(id | (write ? WRITE : 0) | (continues ? CONTINUES : 0));
    }

    private long sizeAt(int at) {
      if (sizesByAccess != null) {
        return sizesByAccess.get(at);
      }
      return sizes == null ? oneSize : sizes[accesses.getInt(at) & OBJECT];
    }

    private void size(int id, boolean isNew, long sizeBytes) {
      if (sizes == null) {
        if (oneSize < 0 || oneSize == sizeBytes) {
          oneSize = sizeBytes;
          return;
        }
        sizes = new long[Math.max(1 << 10, objects.size() + objects.size() / 2)];
        Arrays.fill(sizes, 0, objects.size(), oneSize);
      }
      if (id >= sizes.length) {
        sizes = Arrays.copyOf(sizes, id + id / 2);
      }
      if (!isNew && sizes[id] != sizeBytes && sizesByAccess == null) {
        Column all = Column.ofLongs(spill);
        for (int at = 0; at < accesses.length(); at++) {
          all.add(sizes[accesses.getInt(at) & OBJECT]);
        }
        sizesByAccess = all;
      }
      sizes[id] = sizeBytes;
    }

    private void classOf(int id, String className) {
      Integer number = classNumbers.get(className);
      if (number == null) {
        classNames.add(className);
        number = classNames.size();
        classNumbers.put(className, number);
      }
      if (classOf == null) {
        classOf = new int[1 << 10];
      }
      if (id >= classOf.length) {
        classOf = Arrays.copyOf(classOf, Math.max(id + 1, objects.size() + objects.size() / 2));
      }
      classOf[id] = number;
    }

    private void time(long millis) {
      if (times == null) {
        if (millis < 0) {
          return;
        }
        if (accesses.length() > 0) {
          throw TraceException.timesBeginLate(name, accesses.length());
        }
        times = Column.ofLongs(spill);
      }
      long known = millis < 0 ? lastMillis : millis;
      firstMillis = Math.min(firstMillis, known);
      lastMillis = Math.max(lastMillis, known);
      times.add(known);
    }

    Trace build() {
      return new Trace(this);
    }
  }
}
