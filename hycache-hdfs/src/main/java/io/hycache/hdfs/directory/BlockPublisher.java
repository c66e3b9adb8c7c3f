// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Outcome.Status;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Residency;
import io.hycache.core.spi.Neighbours;
import io.hycache.hdfs.rpc.BlockOnSsd;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Changes are kept by block until they are sent, so that a block that comes and goes costs one record.
 * One call is under way at a time, so that the records of a block change in order. A change that could
 * not be sent is sent again with the next call. All blocks are published anew at intervals, before their
 * records expire, as block reports are in HDFS: what the directory lost comes back.
 */
/**
 * Publishes to the directory which blocks are on this DataNode's SSDs, and looks up those of other
 * DataNodes. Thread-safe.
 */
final class BlockPublisher implements Neighbours {
  private static final Logger LOG = LoggerFactory.getLogger(BlockPublisher.class);
  private static final int MAX_CALL_BLOCKS = 2000;
  private static final long PUBLISH_TIMEOUT_MILLIS = 5000;
  private static final long QUERY_TIMEOUT_MILLIS = 500;
  private static final int MAX_PENDING_QUERIES = 10_000;

  /** While the directory does not answer, no more changes than these wait for it. */
  static final int MAX_UNPUBLISHED_BLOCKS = 1_000_000;

  /** A state and its size. */
  private static final class State {
    final Residency residency;
    final long sizeBytes;

    State(Residency residency, long sizeBytes) {
      this.residency = residency;
      this.sizeBytes = sizeBytes;
    }
  }

  private static final class Question {
    final BlockKey block;
    final Consumer<Boolean> answer;

    Question(BlockKey block, Consumer<Boolean> answer) {
      this.block = block;
      this.answer = answer;
    }
  }

  private final String datanode;
  private final long epoch;
  private final long ttlMillis;
  private final DirectoryClient client;
  private final BooleanSupplier hasOthers;
  private final ReadNotices notices;
  private final Runnable flushSoon;

  /** All that is on SSD here. */
  private final Map<BlockKey, State> here = new ConcurrentHashMap<>();

  /** Changes that were not sent yet. Guarded by itself. */
  private final Map<BlockKey, State> unpublished = new LinkedHashMap<>();

  private final ConcurrentLinkedQueue<Question> queries = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean publishing = new AtomicBoolean();

  /**
   * @param datanode UUID of this DataNode
   * @param epoch later than that of any earlier process
   * @param hasOthers whether there is anybody else to ask
   * @param notices sends reports of reads
   * @param flushSoon has {@link #flush} called; called whenever something waits for it
   */
  BlockPublisher(
      String datanode,
      long epoch,
      long ttlMillis,
      DirectoryClient client,
      BooleanSupplier hasOthers,
      ReadNotices notices,
      Runnable flushSoon) {
    this.datanode = datanode;
    this.epoch = epoch;
    this.ttlMillis = ttlMillis;
    this.client = client;
    this.hasOthers = hasOthers;
    this.notices = notices;
    this.flushSoon = flushSoon;
  }

  @Override
  public void publish(BlockKey block, Residency residency, long sizeBytes) {
    State state = new State(residency, sizeBytes);
    if (residency == Residency.NONE) {
      here.remove(block);
    } else {
      here.put(block, state);
    }
    synchronized (unpublished) {
      // A dropped change is sent when all blocks are published again, or its record expires.
      if (unpublished.size() < MAX_UNPUBLISHED_BLOCKS || unpublished.containsKey(block)) {
        unpublished.put(block, state);
      }
    }
    flushSoon.run();
  }

  /** Schedules all blocks to be published again. */
  void publishAll() {
    synchronized (unpublished) {
      here.forEach(unpublished::putIfAbsent);
    }
    flushIfWaiting();
  }

  /** Has {@link #flush} called if something waits for it. */
  void flushIfWaiting() {
    if (!queries.isEmpty() || unpublished() > 0) {
      flushSoon.run();
    }
  }

  /** Blocks on SSD here. */
  int size() {
    return here.size();
  }

  /** Number of changes that were not sent yet. */
  int unpublished() {
    synchronized (unpublished) {
      return unpublished.size();
    }
  }

  @Override
  public void ask(BlockKey block, Consumer<Boolean> answer) {
    if (!hasOthers.getAsBoolean() || queries.size() >= MAX_PENDING_QUERIES) {
      answer.accept(false);
    } else {
      queries.add(new Question(block, answer));
      flushSoon.run();
    }
  }

  @Override
  public boolean reportRead(BlockKey block, List<String> hinted) {
    return notices.add(block, hinted);
  }

  /** Sends what waits, as much as one call takes. Does not wait for answers. */
  void flush() {
    try {
      sendQuestions();
      sendChanges();
    } finally {
      if (!queries.isEmpty()) {
        flushSoon.run(); // changes follow when the call with those before them has ended
      }
    }
  }

  private void sendChanges() {
    if (!publishing.compareAndSet(false, true)) {
      return;
    }
    Map<BlockKey, State> part = new LinkedHashMap<>();
    synchronized (unpublished) {
      var waiting = unpublished.entrySet().iterator();
      while (waiting.hasNext() && part.size() < MAX_CALL_BLOCKS) {
        var next = waiting.next();
        part.put(next.getKey(), next.getValue());
        waiting.remove();
      }
    }
    if (part.isEmpty()) {
      publishing.set(false);
      return;
    }
    try {
      List<Operation> operations = new ArrayList<>();
      part.forEach(
          (block, state) ->
              operations.add(
                  BlockRecords.published(
                      block, datanode, state.residency, state.sizeBytes, ttlMillis)));
      var unused =
          client
              .run(datanode, epoch, operations, PUBLISH_TIMEOUT_MILLIS)
              .whenComplete((outcomes, failure) -> published(part, outcomes));
    } catch (RuntimeException | Error e) {
      published(part, null);
      throw e;
    }
  }

  /** A call has ended, with or without outcomes: changes that failed are sent again. */
  private void published(Map<BlockKey, State> part, @Nullable List<Outcome> outcomes) {
    try {
      synchronized (unpublished) {
        int i = 0;
        for (Map.Entry<BlockKey, State> change : part.entrySet()) {
          if (outcomes == null || !isPublished(outcomes.get(i))) {
            unpublished.putIfAbsent(change.getKey(), change.getValue());
          }
          i++;
        }
      }
    } finally {
      publishing.set(false);
      flushIfWaiting();
    }
  }

  private static boolean isPublished(Outcome outcome) {
    return outcome.isOk()
        || outcome.status() == Status.ABSENT
        || outcome.status() == Status.REFUSED;
  }

  private void sendQuestions() {
    List<Question> asked = new ArrayList<>();
    List<Operation> operations = new ArrayList<>();
    for (Question next = queries.poll(); next != null; next = queries.poll()) {
      asked.add(next);
      operations.add(BlockRecords.asked(next.block));
      if (asked.size() >= MAX_CALL_BLOCKS) {
        break;
      }
    }
    if (asked.isEmpty()) {
      return;
    }
    try {
      var unused =
          client
              .run(operations, QUERY_TIMEOUT_MILLIS)
              .whenComplete((outcomes, failure) -> answer(asked, outcomes));
    } catch (RuntimeException | Error e) {
      answer(asked, null);
      throw e;
    }
  }

  /** Each question is answered, whatever becomes of the others. */
  private void answer(List<Question> asked, @Nullable List<Outcome> outcomes) {
    for (int i = 0; i < asked.size(); i++) {
      try {
        asked.get(i).answer.accept(outcomes != null && isElsewhere(outcomes.get(i)));
      } catch (RuntimeException | Error e) {
        LOG.warn("An answer of the directory could not be taken", e);
      }
    }
  }

  private boolean isElsewhere(Outcome outcome) {
    for (Row row : outcome.rows()) {
      BlockOnSsd one = BlockRecords.read(row);
      if (one != null && !one.datanode().equals(datanode)) {
        return true;
      }
    }
    return false;
  }
}
