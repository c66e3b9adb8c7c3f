// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Applies changes that other replicas made, or that the journal kept. The greater version wins, so
 * changes may come twice and in any order. A change that needs the record as it was before is
 * refused if the record is another; parts of a long record are collected until all are there.
 * Thread-safe; each change is applied under its record's lock.
 */
final class ReplicaWrites {
  /** Long records whose parts are collected at the same time. */
  private static final int MAX_ASSEMBLING_RECORDS = 1000;

  private static final long PARTS_KEPT_MILLIS = 60_000;

  /** Greatest version that is taken: the record's next version must be a greater one. */
  private static final long MAX_VERSION = Long.MAX_VALUE / 2;

  private final RecordStore store;
  private final long maxBytes;
  private final DirectoryCounters counters;
  private final LongSupplier clock;

  /** Incomplete records by sender and key. Added and filled under the lock of the key's record. */
  private final Map<String, StoredRecord> assembling = new ConcurrentHashMap<>();

  /**
   * @param maxBytes of all records; up to twice as much is taken from other replicas
   */
  ReplicaWrites(
      RecordStore store, long maxBytes, DirectoryCounters counters, LongSupplier clockMillis) {
    this.store = store;
    this.maxBytes = maxBytes;
    this.counters = counters;
    this.clock = clockMillis;
  }

  /**
   * Applies a change. One whose version or epoch no clock gives is left out, and counted as shed.
   *
   * @param from where it came from: parts of different senders are collected apart
   * @param keep whether to write it to the journal
   * @return false if only the whole record would help
   */
  boolean take(Change change, String from, boolean keep) {
    boolean taken = apply(change, from, keep);
    if (taken) {
      int shard = Ring.shardOf(change.key());
      store.recent.add(new Finished(change.token(), shard, change.version(), change.size()));
    }
    return taken;
  }

  private boolean apply(Change change, String from, boolean keep) {
    if (change.version() > MAX_VERSION
        || !store.epochs.isTaken(change.publisher(), change.epoch())) {
      counters.shed.increment();
      return true;
    }
    if (!change.publisher().isEmpty()) {
      store.epochs.announce(change.publisher(), change.epoch());
    }
    boolean complete = change.first() == 0 && change.entries().size() == change.size();
    while (true) {
      StoredRecord record = store.getOrCreate(change.key());
      synchronized (record) {
        if (record.dead) {
          continue;
        }
        if (record.version >= change.version()) {
          store.forgetIfNew(record); // the change's version is 0 or less
          return true;
        }
        boolean grows = !change.removed() || record.version == 0;
        if (grows && (store.bytes() + change.bytes()) / 2 > maxBytes) {
          return leaveOut(record);
        }
        if (change.before() == Change.WHOLE && !complete) {
          return assemble(record, change, from, keep);
        }
        if (!complete && (record.version != change.before() || record.removed)) {
          store.forgetIfNew(record);
          return false;
        }
        set(record, change, complete);
        if (keep) {
          store.journal(change);
        }
        return true;
      }
    }
  }

  /** Drops a change for lack of room. Asking for the whole record would not help: returns true. */
  private boolean leaveOut(StoredRecord record) {
    store.forgetIfNew(record);
    counters.shed.increment();
    return true;
  }

  private void set(StoredRecord record, Change change, boolean complete) {
    long sizeBefore = RecordStore.sizeOf(record);
    if (complete) {
      record.clear();
    }
    change.entries().forEach(record::add);
    record.version = change.version();
    record.removed = change.removed();
    record.publisher = change.publisher();
    record.epoch = change.epoch();
    if (complete) {
      long now = clock.getAsLong();
      record.endsMillis =
          change.removed()
              ? now + RecordStore.REMOVED_KEPT_MILLIS
              : change.ttlMillis() == 0
                  ? Long.MAX_VALUE
                  : RecordStore.later(now, change.ttlMillis());
    }
    store.changed(record, sizeBefore);
  }

  /**
   * Collects a part of a long record, and sets the record when all parts are there. Replicas may
   * have different versions of it, so the parts of each are collected apart.
   */
  private boolean assemble(StoredRecord record, Change part, String from, boolean keep) {
    String name = from + ' ' + part.key();
    StoredRecord whole = assembling.get(name);
    if (part.first() == 0 || whole == null || whole.version != part.version()) {
      whole = new StoredRecord(part.key());
      whole.version = part.version();
      assembling.put(name, whole);
    }
    whole.endsMillis = clock.getAsLong() + PARTS_KEPT_MILLIS;
    if (assembling.size() > MAX_ASSEMBLING_RECORDS || assemblingBytes() + part.bytes() > maxBytes) {
      assembling.remove(name);
      return leaveOut(record);
    }
    if (part.first() != whole.size()) {
      store.forgetIfNew(record);
      return part.first() < whole.size();
    }
    part.entries().forEach(whole::add);
    if (whole.size() < part.size()) {
      store.forgetIfNew(record);
      return true;
    }
    assembling.remove(name);
    Change all =
        new Change(
            part.key(),
            Change.WHOLE,
            part.version(),
            part.removed(),
            0,
            part.size(),
            whole.entries(0, Integer.MAX_VALUE),
            part.ttlMillis(),
            part.publisher(),
            part.epoch(),
            part.token());
    set(record, all, true);
    if (keep) {
      store.journal(all);
    }
    return true;
  }

  /** Drops incomplete records whose last part came long ago. */
  void sweep(long nowMillis) {
    assembling.values().removeIf(whole -> whole.endsMillis < nowMillis);
  }

  /** Bytes of incomplete records. */
  long assemblingBytes() {
    return assembling.values().stream().mapToLong(StoredRecord::bytes).sum();
  }
}
