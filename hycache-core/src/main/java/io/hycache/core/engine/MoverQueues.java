// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.move.MoveQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The queues of the mover threads. Each fast device has queues of its own, so that a device that
 * hangs does not delay moves on another: one for data, one for checksum files, which thus run ahead
 * of the data, one for evictions, which wait for no copy, and one for read-ahead from each slow
 * device, so that all slow devices stream at the same time. Thread-safe; queues are made when they
 * are first used, and their idle threads end.
 */
final class MoverQueues implements AutoCloseable {
  /** Slow devices that demotions write to at a time, at most. */
  private static final int MAX_CONCURRENT_DEMOTIONS = 64;

  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Map<String, MoveQueue> data = new ConcurrentHashMap<>();
  private final Map<String, MoveQueue> evictions = new ConcurrentHashMap<>();

  /** By fast device and slow device. */
  private final Map<String, Map<String, MoveQueue>> checksums = new ConcurrentHashMap<>();

  /** By fast device and slow device. */
  private final Map<String, Map<String, MoveQueue>> readAhead = new ConcurrentHashMap<>();

  final MoveQueue writeBacks;
  final MoveQueue discarder;
  private final int threads;
  private final int length;

  /**
   * @param threads of each queue for data, &gt; 0
   * @param length of each queue, &gt; 0
   */
  MoverQueues(int threads, int length) {
    this.threads = threads;
    this.length = length;
    this.discarder = new MoveQueue("HyCacheDiscarder", 1, length);
    this.writeBacks = new MoveQueue("HyCacheScrubber", MAX_CONCURRENT_DEMOTIONS, length);
  }

  MoveQueue data(String device) {
    return data.computeIfAbsent(device, id -> new MoveQueue("HyCacheMover", threads, length));
  }

  MoveQueue readAhead(String slowDevice, String device) {
    return between(readAhead, slowDevice, device, "HyCacheReadAhead");
  }

  MoveQueue evictions(String device) {
    return evictions.computeIfAbsent(device, id -> new MoveQueue("HyCacheEvictor", 1, length));
  }

  MoveQueue checksums(String slowDevice, String device) {
    return between(checksums, slowDevice, device, "HyCacheChecksumMover");
  }

  private MoveQueue between(
      Map<String, Map<String, MoveQueue>> queues, String slowDevice, String device, String name) {
    return queues
        .computeIfAbsent(device, id -> new ConcurrentHashMap<>())
        .computeIfAbsent(slowDevice, id -> new MoveQueue(name, 1, length));
  }

  private List<MoveQueue> all() {
    List<MoveQueue> all = new ArrayList<>(data.values());
    for (Map<String, MoveQueue> of : readAhead.values()) {
      all.addAll(of.values());
    }
    for (Map<String, MoveQueue> of : checksums.values()) {
      all.addAll(of.values());
    }
    all.addAll(evictions.values());
    all.add(writeBacks);
    all.add(discarder);
    return all;
  }

  /** Whether the queue for data of a device has room for another move. */
  boolean hasRoom(String device) {
    return data(device).unfinished() < length;
  }

  /** Whether the queue for evictions from a device has room for another one. */
  boolean hasRoomToEvict(String device) {
    return evictions(device).unfinished() < length;
  }

  /** Moves waiting or running. */
  int unfinished() {
    int sum = 0;
    for (MoveQueue queue : all()) {
      sum += queue.unfinished();
    }
    return sum;
  }

  /** Stops all queues, and waits briefly for the threads of all to end. */
  @Override
  public void close() {
    List<MoveQueue> queues = all();
    queues.forEach(MoveQueue::stop);
    long deadline = System.nanoTime() + CLOSE_NANOS;
    queues.forEach(queue -> queue.awaitEnd(Math.max(0, deadline - System.nanoTime())));
  }
}
