// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;

/**
 * Puts faults and stalls in front of our own file operations. Each DataNode has at most one fault
 * armed, which fires once, at the n-th operation from then on that such a fault may meet; a crash
 * goes on until {@link #restarted}. Thread-safe.
 */
final class ModelFaults implements FileOperations.Observer {
  /** What may happen to an operation. */
  enum Kind {
    EIO("Input/output error"),
    ENOSPC("No space left on device"),
    EMFILE("Too many open files"),
    OOM("injected"),
    STALL(""),
    CRASH("crashed");

    final String message;

    Kind(String message) {
      this.message = message;
    }

    boolean meets(FileOperation operation) {
      return this == ENOSPC
          ? NEEDS_SPACE.contains(operation)
          : this == EMFILE
              ? NEEDS_DESCRIPTOR.contains(operation)
              : this != EIO || operation != FileOperation.SWITCH;
    }
  }

  private static final Set<FileOperation> NEEDS_SPACE =
      EnumSet.of(
          FileOperation.CREATE,
          FileOperation.WRITE,
          FileOperation.SYNC,
          FileOperation.MKDIR,
          FileOperation.LINK,
          FileOperation.MARK,
          FileOperation.PROBE);
  private static final Set<FileOperation> NEEDS_DESCRIPTOR =
      EnumSet.of(
          FileOperation.OPEN,
          FileOperation.READ,
          FileOperation.CREATE,
          FileOperation.SYNC,
          FileOperation.LIST,
          FileOperation.MARKED,
          FileOperation.PROBE);

  private static final int LONG_STALL_MILLIS = 400;
  private static final int LONGEST_STALL_MILLIS = 12;
  private static final int OPERATIONS_PER_STALL = 6;

  private static final class Armed {
    final Kind kind;
    final AtomicInteger left;

    Armed(Kind kind, int left) {
      this.kind = kind;
      this.left = new AtomicInteger(left);
    }
  }

  private final List<List<String>> roots;
  private final @Nullable Armed[] armed;
  private final boolean[] crashed;
  private final boolean[] unmarked;

  /** How often each operation was made since the program began. */
  private final Map<String, AtomicLong> operations = new ConcurrentHashMap<>();

  /** What was done to each file since the program began, by path. */
  private final Map<String, Queue<String>> histories = new ConcurrentHashMap<>();

  private final Map<Kind, AtomicInteger> fired = new EnumMap<>(Kind.class);
  private volatile long stallSeed;

  /**
   * @param roots of each DataNode its directories
   */
  ModelFaults(List<List<String>> roots) {
    this.roots = roots;
    this.armed = new Armed[roots.size()];
    this.crashed = new boolean[roots.size()];
    this.unmarked = new boolean[roots.size()];
    for (Kind kind : Kind.values()) {
      fired.put(kind, new AtomicInteger());
    }
  }

  /** A program begins: which operations are stalled, and for how long, follows from the seed. */
  synchronized void begin(long seed) {
    stallSeed = seed;
    operations.clear();
    histories.clear();
    for (int i = 0; i < armed.length; i++) {
      armed[i] = null;
    }
  }

  synchronized void arm(int node, Kind kind, int operationsLeft) {
    armed[node] = new Armed(kind, operationsLeft);
  }

  synchronized void disarm(int node) {
    armed[node] = null;
  }

  synchronized boolean crashed(int node) {
    return crashed[node];
  }

  /** The mark of a guest may not have been written on this DataNode: it may be an owner's now. */
  synchronized boolean unmarked(int node) {
    return unmarked[node];
  }

  synchronized void restarted(int node) {
    crashed[node] = false;
    armed[node] = null;
  }

  /** What was done to a file since the program began; for people. */
  Object history(String path) {
    return histories.getOrDefault(path, new ConcurrentLinkedQueue<>());
  }

  int fired(Kind kind) {
    return requireNonNull(fired.get(kind)).get();
  }

  int fired() {
    return fired.values().stream().mapToInt(AtomicInteger::get).sum();
  }

  private int nodeOf(File file) {
    String path = file.getPath();
    for (int node = 0; node < roots.size(); node++) {
      for (String root : roots.get(node)) {
        if (path.startsWith(root)) {
          return node;
        }
      }
    }
    return -1;
  }

  @Override
  public void before(FileOperation operation, File file) throws IOException {
    int node = nodeOf(file);
    if (node < 0) {
      return;
    }
    histories
        .computeIfAbsent(file.getPath(), path -> new ConcurrentLinkedQueue<>())
        .add(
            LocalTime.now(ZoneId.systemDefault())
                + " "
                + operation
                + " "
                + Thread.currentThread().getName());
    stall(operation.name());
    Kind kind = next(node, operation);
    if (kind == null) {
      return;
    }
    if (kind == Kind.STALL) {
      sleep(LONG_STALL_MILLIS);
      return;
    }
    if (kind == Kind.OOM) {
      throw new OutOfMemoryError(kind.message + " at " + operation + " " + file);
    }
    throw new IOException(kind.message + ": injected at " + operation + " " + file);
  }

  private synchronized @Nullable Kind next(int node, FileOperation operation) {
    if (crashed[node]) {
      return Kind.CRASH;
    }
    Armed a = armed[node];
    if (a == null || !a.kind.meets(operation) || a.left.decrementAndGet() > 0) {
      return null;
    }
    armed[node] = null;
    requireNonNull(fired.get(a.kind)).incrementAndGet();
    if (a.kind == Kind.CRASH) {
      crashed[node] = true;
    }
    if (operation == FileOperation.MARK || a.kind == Kind.CRASH) {
      unmarked[node] = true;
    }
    return a.kind;
  }

  private void stall(String operation) {
    long nth = operations.computeIfAbsent(operation, o -> new AtomicLong()).incrementAndGet();
    SplittableRandom random =
        new SplittableRandom(stallSeed + 31L * operation.hashCode() + 1_000_003 * nth);
    if (random.nextInt(OPERATIONS_PER_STALL) == 0) {
      sleep(random.nextInt(LONGEST_STALL_MILLIS));
    }
  }

  /** Stalls HDFS's own operations on replicas as well. */
  FaultInjectorFileIoEvents ofHdfs() {
    return new FaultInjectorFileIoEvents(null) {
      @Override
      public void beforeMetadataOp(@Nullable FsVolumeSpi volume, OPERATION operation) {
        if (volume != null) {
          stall("HDFS " + operation.name());
        }
      }
    };
  }

  private static void sleep(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
