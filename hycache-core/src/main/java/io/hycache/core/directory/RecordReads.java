// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Reads of records: GET from the primary or from any replica, and LIST. Thread-safe. */
final class RecordReads {
  private final RecordStore store;
  private final Membership membership;
  private final Followers followers;
  private final LongSupplier clock;

  RecordReads(
      RecordStore store, Membership membership, Followers followers, LongSupplier clockMillis) {
    this.store = store;
    this.membership = membership;
    this.followers = followers;
    this.clock = clockMillis;
  }

  /** One record from an entry on. */
  Outcome get(Operation operation, Batch batch) {
    int shard = Ring.shardOf(operation.key());
    boolean any = operation.anyReplica();
    StoredRecord record = store.get(operation.key());
    if (record == null) {
      return answer(shard, any, batch, Outcome.of(Status.ABSENT, 0, 0));
    }
    synchronized (record) {
      if (record.dead || !store.isVisible(record, clock.getAsLong())) {
        return answer(shard, any, batch, Outcome.of(Status.ABSENT, 0, 0));
      }
      List<byte[]> entries = record.entries(operation.from(), Operation.MAX_ANSWER_BYTES);
      boolean more = operation.from() + entries.size() < record.size();
      return answer(
          shard,
          any,
          batch,
          new Outcome(Status.OK, record.version, record.size(), entries, List.of(), more, ""));
    }
  }

  /**
   * What was found, if this node may answer for the shard after it was found. The answer of a
   * primary waits for the other replicas: after a crash of this node it would otherwise not hold.
   */
  private Outcome answer(int shard, boolean any, Batch batch, Outcome found) {
    Shares shares = membership.shares();
    if (any ? !shares.isReady(shard) : !shares.isReadyPrimary(shard)) {
      return Outcome.of(Status.NOT_OWNER, 0, 0);
    }
    if (!any) {
      followers.of(shard, shares, batch);
    }
    return found;
  }

  /** The records of a prefix that this node holds in any role. */
  Outcome list(Operation operation) {
    String prefix = operation.key();
    Shares shares = membership.shares();
    if (Ring.tag(prefix) != null && !shares.isReady(Ring.shardOf(prefix))) {
      return Outcome.of(Status.NOT_OWNER, 0, 0);
    }
    boolean behind = operation.after().compareTo(prefix) >= 0;
    List<Row> rows = new ArrayList<>();
    long millis = clock.getAsLong();
    int size = 0;
    for (StoredRecord record : store.from(behind ? operation.after() : prefix, !behind)) {
      if (!record.key.startsWith(prefix)) {
        break;
      }
      synchronized (record) {
        if (record.dead || !shares.has(record.shard) || !store.isVisible(record, millis)) {
          continue;
        }
        if (rows.size() >= Operation.MAX_ROWS || size >= Operation.MAX_ANSWER_BYTES) {
          return Outcome.listed(rows, true);
        }
        Row row = new Row(record.key, record.version, record.first());
        rows.add(row);
        size += row.bytes();
      }
    }
    return Outcome.listed(rows, false);
  }
}
