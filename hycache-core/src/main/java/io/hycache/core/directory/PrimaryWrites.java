// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import io.hycache.core.directory.Operation.Kind;
import io.hycache.core.directory.Outcome.Status;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Writes to the records whose primary this node is: PUT, REMOVE, CAS and APPEND.
 *
 * <p>Each is one critical section of the record's lock: check that this node is the primary, that
 * the token is new and the epoch current; check the version; change the record; remember the token;
 * write the journal; queue the change for the other replicas. So a record's versions, its journal
 * and each replica's queue have the same order. Whatever an answer says of a record, an answer that
 * nothing was changed included, waits for the other replicas: after a crash of this node it would
 * otherwise not hold. Thread-safe.
 */
final class PrimaryWrites {
  private static final long MAX_RECORD_BYTES = 64L << 20;

  private final RecordStore store;
  private final Membership membership;
  private final Followers followers;
  private final DirectoryCounters counters;
  private final long maxBytes;
  private final LongSupplier wall;
  private final LongSupplier steady;

  /**
   * @param maxBytes of all records of the node
   * @param wallMillis for versions, which other nodes compare
   * @param steadyMillis for the ends of records
   */
  PrimaryWrites(
      RecordStore store,
      Membership membership,
      Followers followers,
      DirectoryCounters counters,
      long maxBytes,
      LongSupplier wallMillis,
      LongSupplier steadyMillis) {
    this.store = store;
    this.membership = membership;
    this.followers = followers;
    this.counters = counters;
    this.maxBytes = maxBytes;
    this.wall = wallMillis;
    this.steady = steadyMillis;
  }

  /** Does one operation that writes. */
  Outcome write(Operation operation, Batch batch) {
    while (true) {
      StoredRecord record = store.getOrCreate(operation.key());
      synchronized (record) {
        if (!record.dead) {
          return write(record, operation, batch);
        }
      }
    }
  }

  private Outcome write(StoredRecord record, Operation operation, Batch batch) {
    Shares shares = membership.shares();
    if (!shares.isReadyPrimary(record.shard)) {
      store.forgetIfNew(record);
      return Outcome.of(Status.NOT_OWNER, 0, 0);
    }
    Finished before = store.recent.get(operation.token());
    if (before != null) {
      followers.of(record.shard, shares, batch);
      return Outcome.of(Status.OK, before.version(), before.size());
    }
    long announced = store.epochs.of(batch.publisher);
    if (batch.epoch < announced) {
      store.forgetIfNew(record);
      return Outcome.ofEarlierEpoch(announced);
    }
    if (!store.epochs.isTaken(batch.publisher, batch.epoch)) {
      store.forgetIfNew(record);
      return Outcome.failed(
          Status.REFUSED, "expected an epoch by a clock, found a later one: epoch=" + batch.epoch);
    }
    long millis = steady.getAsLong();
    boolean there = store.holds(record, millis);
    long version = there ? record.version : 0;
    Kind kind = operation.kind();
    if (kind == Kind.CAS && operation.expected() != version) {
      store.forgetIfNew(record);
      followers.of(record.shard, shares, batch);
      return Outcome.of(Status.CONFLICT, version, there ? record.size() : 0);
    }
    if (kind == Kind.REMOVE && !there) {
      store.forgetIfNew(record);
      followers.of(record.shard, shares, batch);
      return Outcome.of(Status.ABSENT, 0, 0);
    }
    long grows = operation.value().length;
    if (kind != Kind.REMOVE && store.bytes() + grows > maxBytes) {
      store.forgetIfNew(record);
      counters.shed.increment();
      return Outcome.failed(Status.BUSY, "the node's share of the directory is full");
    }
    if (kind == Kind.APPEND && there && record.bytes() + grows > MAX_RECORD_BYTES) {
      return Outcome.failed(
          Status.REFUSED, "the record would have more than " + MAX_RECORD_BYTES + " bytes");
    }
    Change change = change(record, operation, batch, millis, there);
    int size = record.size();
    store.recent.add(new Finished(operation.token(), record.shard, record.version, size));
    store.journal(change);
    for (Follower follower : followers.of(record.shard, shares, batch)) {
      follower.add(change);
      counters.replicated.increment();
    }
    return Outcome.of(Status.OK, record.version, size);
  }

  private Change change(
      StoredRecord record, Operation operation, Batch batch, long millis, boolean there) {
    Kind kind = operation.kind();
    long before = record.version;
    long sizeBefore = RecordStore.sizeOf(record);
    boolean adds = kind == Kind.APPEND && there;
    if (!adds) {
      record.clear();
      record.publisher = kind == Kind.PUT ? batch.publisher : "";
      record.epoch = kind == Kind.PUT ? batch.epoch : 0;
    }
    record.version = Math.max(before + 1, wall.getAsLong() * 1000);
    record.removed = kind == Kind.REMOVE;
    if (record.removed) {
      record.endsMillis = millis + RecordStore.REMOVED_KEPT_MILLIS;
    } else {
      record.add(operation.value());
      if (!adds) {
        record.endsMillis =
            operation.ttlMillis() == 0
                ? Long.MAX_VALUE
                : RecordStore.later(millis, operation.ttlMillis());
      }
    }
    store.changed(record, sizeBefore);
    int size = record.size();
    return new Change(
        record.key,
        before,
        record.version,
        record.removed,
        adds ? size - 1 : 0,
        size,
        record.removed ? List.of() : List.of(operation.value()),
        record.ttlMillis(millis),
        record.publisher,
        record.epoch,
        operation.token());
  }
}
