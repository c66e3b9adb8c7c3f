// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * Evicts the block read least often while resident; ties go to the least recently used.
 *
 * <p>Idea: residents with the same number of reads share a bucket, a list in LRU order; buckets
 * form a list in order of their number. A read moves a block to the end of the next bucket, so
 * neither list needs sorting. A block starts with 0 reads and loses its count when it is removed.
 *
 * <p>Complexity: O(1) per event, O(k) for a decision with k victims.
 *
 * <p>Memory: about 80 bytes per resident plus its key, and about 100 per distinct number of reads;
 * none for blocks that are not resident.
 *
 * <p>Exact. Known weakness: counts do not age, so a block that was read often in the past stays.
 *
 * <p>Sources: the LFU of HyCache (Zhao, Raicu, IPDPSW'13); the bucket list of Shah, Mitra, Matani,
 * "An O(1) algorithm for implementing the LFU cache eviction scheme" (2010).
 */
final class LfuPolicy extends ResidentPolicy {

  /** The residents with the same number of reads; a node of the circular list of buckets. */
  static final class Bucket {
    private final long reads;
    private final Resident ends = Resident.listEnds();
    private Bucket previous = this;
    private Bucket next = this;

    private Bucket(long reads) {
      this.reads = reads;
      ends.bucket = this;
    }

    private void insertAfter(Bucket other) {
      previous = other;
      next = other.next;
      previous.next = this;
      next.previous = this;
    }

    private void dropIfEmpty() {
      if (ends.next == ends) {
        previous.next = next;
        next.previous = previous;
      }
    }
  }

  /** Head of the list of buckets; its own list stays empty. */
  private final Bucket head = new Bucket(-1);

  @Override
  void link(Resident resident) {
    append(resident, 0, head);
  }

  @Override
  void unlink(Resident resident) {
    Bucket bucket = bucketOf(resident);
    resident.unlink();
    bucket.dropIfEmpty();
  }

  @Override
  void touch(Resident resident) {
    Bucket bucket = bucketOf(resident);
    resident.unlink();
    append(resident, bucket.reads + 1, bucket);
    bucket.dropIfEmpty();
  }

  @Override
  @Nullable Resident first() {
    return after(head.ends);
  }

  @Override
  @Nullable Resident after(Resident resident) {
    Bucket bucket = bucketOf(resident);
    if (resident.next != bucket.ends) {
      return resident.next;
    }
    return bucket.next == head ? null : bucket.next.ends.next;
  }

  /** Appends to the bucket of {@code reads}, which follows {@code lower} or is created. */
  private static void append(Resident resident, long reads, Bucket lower) {
    Bucket bucket = lower.next;
    if (bucket.reads != reads) {
      bucket = new Bucket(reads);
      bucket.insertAfter(lower);
    }
    resident.bucket = bucket;
    resident.linkBefore(bucket.ends);
  }

  private static Bucket bucketOf(Resident resident) {
    Bucket bucket = resident.bucket;
    if (bucket == null) {
      throw new IllegalStateException("resident without bucket: block=" + resident.key);
    }
    return bucket;
  }
}
