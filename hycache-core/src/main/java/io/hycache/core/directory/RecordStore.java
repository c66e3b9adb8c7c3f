// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The records that a node holds, their bytes, the last writes by token, and the journal.
 *
 * <p>A record's content is guarded by the record's own lock. A change holds it from the check of
 * the record's version to the writes of journal and followers' queues, so that both get the changes
 * of one key in order. A record that is {@code dead} left the table between look-up and lock: look
 * its key up again. Thread-safe.
 */
final class RecordStore {
  /** How long the version of a removed record is kept, so that nothing older comes back. */
  static final long REMOVED_KEPT_MILLIS = 600_000;

  /** Bytes of one part of a record, and of one answer to a pull. */
  private static final int MAX_PULL_BYTES = 1 << 20;

  /** Parts of records in one answer to a pull. */
  private static final int MAX_PULL_PARTS = 4096;

  private static final long SWEEP_INTERVAL_MILLIS = 30_000;

  private final ConcurrentSkipListMap<String, StoredRecord> records = new ConcurrentSkipListMap<>();
  private final AtomicLong bytes = new AtomicLong();

  /** The last writes, by token. */
  final RecentWrites recent = new RecentWrites();

  final PublisherEpochs epochs;
  private final Membership membership;
  private final RecordJournal journal;
  private final LongSupplier wall;
  private final LongSupplier clock;

  /** Used only by {@link #sweepIfDue}, which one thread calls. */
  private long sweptMillis;

  /**
   * @param wallMillis for the ages of journaled records
   * @param clockMillis for the ends of records
   */
  RecordStore(
      PublisherEpochs epochs,
      Membership membership,
      RecordJournal journal,
      LongSupplier wallMillis,
      LongSupplier clockMillis) {
    this.epochs = epochs;
    this.membership = membership;
    this.journal = journal;
    this.wall = wallMillis;
    this.clock = clockMillis;
  }

  // ---- look-up ----------------------------------------------------------------------------------

  @Nullable StoredRecord get(String key) {
    return records.get(key);
  }

  /** The record of a key, which may be an empty new one: see {@link #forgetIfNew}. */
  StoredRecord getOrCreate(String key) {
    return records.computeIfAbsent(key, StoredRecord::new);
  }

  /** The records from a key on, in the order of their keys; weakly consistent. */
  Iterable<StoredRecord> from(String key, boolean inclusive) {
    return records.tailMap(key, inclusive).values();
  }

  /**
   * Whether a record exists for readers: it holds, and its publisher is a member. Under its lock.
   */
  boolean isVisible(StoredRecord record, long nowMillis) {
    return holds(record, nowMillis)
        && (record.publisher.isEmpty() || membership.shares().isMember(record.publisher));
  }

  /** Whether a record has neither ended nor become void. Under its lock. */
  boolean holds(StoredRecord record, long nowMillis) {
    return record.holds(nowMillis, epochs.of(record.publisher));
  }

  int size() {
    return records.size();
  }

  /** Bytes of all keys and entries. */
  long bytes() {
    return bytes.get();
  }

  // ---- changes, under the record's lock ---------------------------------------------------------

  /** Bytes that a record counts for; 0 for an empty new one. */
  static long sizeOf(StoredRecord record) {
    return record.version == 0 ? 0 : record.key.length() + record.bytes();
  }

  /** Counts the bytes of a record that was changed. */
  void changed(StoredRecord record, long sizeBefore) {
    bytes.addAndGet(sizeOf(record) - sizeBefore);
  }

  /**
   * Writes a change to the journal. There a record's life counts from its version, so that it goes
   * on while the node is away.
   */
  void journal(Change change) {
    long ttl = change.ttlMillis();
    journal.write(ttl == 0 ? change : change.withTtl(later(ageMillis(change), ttl)));
  }

  /** A change from the journal with what is left of its life; one that ended ends at once. */
  Change fromJournal(Change change) {
    long ttl = change.ttlMillis();
    boolean ends = ttl != 0 && ttl != Long.MAX_VALUE;
    return ends ? change.withTtl(Math.max(1, ttl - ageMillis(change))) : change;
  }

  /** Time since the version was made, 0 if that was by a clock that is ahead. */
  private long ageMillis(Change change) {
    return Math.max(0, wall.getAsLong() - change.version() / 1000);
  }

  /** Removes an empty new record, which was created only to be locked. */
  void forgetIfNew(StoredRecord record) {
    if (record.version == 0) {
      record.dead = true;
      records.remove(record.key, record);
    }
  }

  private void forget(StoredRecord record) {
    record.dead = true;
    bytes.addAndGet(-sizeOf(record));
    records.remove(record.key, record);
    journal.drop(record.key);
  }

  /** The end of something that begins now; {@code Long.MAX_VALUE} instead of an overflow. */
  static long later(long nowMillis, long ttlMillis) {
    return ttlMillis > Long.MAX_VALUE - nowMillis ? Long.MAX_VALUE : nowMillis + ttlMillis;
  }

  // ---- for other replicas -----------------------------------------------------------------------

  /** The whole record of a key, in parts; none if there is no record. */
  List<Change> whole(String key) {
    List<Change> out = new ArrayList<>();
    StoredRecord record = records.get(key);
    if (record != null) {
      synchronized (record) {
        long epoch = epochs.of(record.publisher);
        int at = 0;
        Change part;
        do {
          part = record.part(at, MAX_PULL_BYTES, clock.getAsLong(), epoch);
          out.add(part);
          at += part.entries().size();
        } while (at < part.size());
      }
    }
    return out;
  }

  /** The records of some shards from a place on, as many as fit into one answer. */
  Peers.Pulled pull(BitSet wanted, PullPlace from) {
    List<Change> changes = new ArrayList<>();
    int size = 0;
    for (StoredRecord record : from(from.key, true)) {
      if (!wanted.get(record.shard)) {
        continue;
      }
      synchronized (record) {
        if (record.dead || record.version == 0) {
          continue;
        }
        // A record that changed since its first parts starts again.
        boolean goesOn = record.key.equals(from.key) && record.version == from.version;
        int place = goesOn ? from.entry : 0;
        long epoch = epochs.of(record.publisher);
        Change part;
        do {
          if (size >= MAX_PULL_BYTES || changes.size() >= MAX_PULL_PARTS) {
            PullPlace next = new PullPlace(place, record.version, record.key);
            return new Peers.Pulled(changes, List.of(), next.toString());
          }
          part = record.part(place, MAX_PULL_BYTES - size, clock.getAsLong(), epoch);
          changes.add(part);
          place += part.entries().size();
          size += part.bytes();
        } while (place < part.size());
      }
    }
    return new Peers.Pulled(changes, recent.of(wanted), "");
  }

  // ---- sweep ------------------------------------------------------------------------------------

  /**
   * Forgets records that have ended, are void, or, some time after the last change of members, are
   * of foreign shards or of publishers that are not members. Removed ones of this node's shards are
   * kept for {@link #REMOVED_KEPT_MILLIS}. One thread only.
   *
   * @return true if it was due
   */
  boolean sweepIfDue(long nowMillis) {
    if (nowMillis - sweptMillis <= SWEEP_INTERVAL_MILLIS) {
      return false;
    }
    sweptMillis = nowMillis;
    Shares shares = membership.shares();
    boolean settled = membership.isSettled(nowMillis);
    for (StoredRecord record : records.values()) {
      synchronized (record) {
        boolean over = record.removed ? record.endsMillis <= nowMillis : !holds(record, nowMillis);
        boolean kept = record.removed || isVisible(record, nowMillis);
        if (over || (settled && !(shares.has(record.shard) && kept))) {
          forget(record);
        }
      }
    }
    if (settled) {
      epochs.retainMembers(shares); // the records of the others are gone
    }
    return true;
  }
}
