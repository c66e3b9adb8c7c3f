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
import io.hycache.core.stats.QuietLog;
import io.hycache.hdfs.rpc.BlockOnSsd;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
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
 *
 * The epoch is the time of the start; EpochAnnouncer sends it to the members, whether or not there is
 * anything to publish. If the clock was set back since an earlier process started, the
 * directory refuses what this one publishes, and names the later epoch of the earlier one. Then all is
 * published again in an epoch after that.
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
  private final LongAdder refused = new LongAdder();
  private final QuietLog refusedLog = new QuietLog(LOG);

  /** Written under the lock of {@link #unpublished}. */
  private volatile long epoch;

  /** Nothing is published any more. Written under the lock of {@link #unpublished}. */
  private volatile boolean withdrawn;

  /**
   * @param datanode UUID of this DataNode
   * @param epoch should be later than that of any earlier process
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
    synchronized (unpublished) {
      if (withdrawn) {
        return;
      }
      if (residency == Residency.NONE) {
        here.remove(block);
      } else {
        here.put(block, state);
      }
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

  /**
   * Begins a later epoch in which nothing is here, and publishes nothing any more. What was
   * published ends when the epoch is announced.
   */
  void withdraw() {
    synchronized (unpublished) {
      if (!withdrawn) {
        withdrawn = true;
        epoch++;
        unpublished.clear();
        here.clear();
      }
    }
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

  /** Changes that the directory refused; a value that keeps rising is trouble. */
  long refused() {
    return refused.sum();
  }

  /** The epoch in which blocks are published. */
  long epoch() {
    return epoch;
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
    long epochOfPart;
    synchronized (unpublished) {
      epochOfPart = epoch;
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
              .run(datanode, epochOfPart, operations, PUBLISH_TIMEOUT_MILLIS)
              .whenComplete((outcomes, failure) -> published(part, outcomes));
    } catch (RuntimeException | Error e) {
      published(part, null);
      throw e;
    }
  }

  /** A call has ended, with or without outcomes: changes that failed are sent again. */
  private void published(Map<BlockKey, State> part, @Nullable List<Outcome> outcomes) {
    try {
      if (withdrawn) {
        return; // the directory refuses what it has of the earlier epoch
      }
      boolean again = outcomes != null && beginsLaterEpoch(outcomes);
      synchronized (unpublished) {
        if (withdrawn) {
          return;
        }
        int i = 0;
        for (Map.Entry<BlockKey, State> change : part.entrySet()) {
          if (outcomes == null || again || !isDone(outcomes.get(i))) {
            unpublished.putIfAbsent(change.getKey(), change.getValue());
          }
          i++;
        }
      }
      if (again) {
        publishAll();
      }
    } finally {
      publishing.set(false);
      flushIfWaiting();
    }
  }

  /** Counts refusals. Returns true if they name a later epoch; then one after that begins. */
  private boolean beginsLaterEpoch(List<Outcome> outcomes) {
    Outcome last = null;
    long later = 0;
    for (Outcome outcome : outcomes) {
      if (outcome.status() == Status.REFUSED) {
        refused.increment();
        later = Math.max(later, outcome.version());
        last = outcome;
      }
    }
    if (later > epoch && later < Long.MAX_VALUE) {
      refusedLog.warn(
          null,
          "The clock was set back since an earlier start of this DataNode. The directory refused its"
              + " blocks; they are all published again: epoch={} earlier={}",
          epoch,
          later);
      synchronized (unpublished) {
        epoch = later + 1;
      }
      return true;
    }
    if (last != null) {
      refusedLog.warn(null, "The directory refuses blocks of this DataNode: last={}", last);
    }
    return false;
  }

  /** True for a refusal too: to send the change again would not help. */
  private static boolean isDone(Outcome outcome) {
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
        LOG.warn("Could not process an answer of the directory", e);
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
