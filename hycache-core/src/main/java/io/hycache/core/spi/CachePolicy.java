// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;

/**
 * Decides what the fast tier keeps. This is the interface to implement for a custom policy: name
 * the class in {@code hycache.policy}; it needs a public no-argument constructor.
 *
 * <p>A <em>block</em> is what is cached under one {@link CacheKey}: an HDFS block in a DataNode, a
 * file in a tree of temp files, an object in a simulation.
 *
 * <p>Contract:
 *
 * <ul>
 *   <li>All calls come from one thread (the DataNode's planner, or the simulator).
 *   <li>A policy does no I/O, reads no clock and starts no thread; the same calls yield the same
 *       answers.
 *   <li>An access is one call of {@link #onAccess}. In a DataNode and in a simulation, changes of
 *       the block's references and next use come before it; in a tree of temp files, after it. A
 *       {@link #decide} about the block may follow at once, later, or never.
 *   <li>A policy only decides. A block is resident from {@link #onAdmitted} to {@link #onRemoved},
 *       whatever the cause of either; a decision may be carried out late, in part, or not at all.
 *   <li>An exception undoes nothing: what a policy did not take in, it is notified of again after
 *       ten seconds, as far as it concerns residents.
 *   <li>Blocks that the NameNode placed on SSD (storage policies) and pinned blocks are not the
 *       policy's: it gets what is announced of them, but no accesses, and they are no residents.
 * </ul>
 */
public interface CachePolicy {

  /**
   * A block was read, resident or not. A DataNode counts small reads as one access when they make
   * up an eighth of the block, or are four; the access has their number and the sum of their bytes.
   *
   * @param access valid during the call only; the caller reuses the object
   */
  void onAccess(Access access);

  /**
   * A block is now on the fast tier, by a write or a fetch. Called again when the size of a
   * resident block changes.
   *
   * @param sizeBytes &gt;= 0
   */
  void onAdmitted(CacheKey key, long sizeBytes, long nowNanos);

  /** A block is no longer on the fast tier. Unknown blocks are ignored. */
  void onRemoved(CacheKey key);

  /** A block is deleted, resident or not: it will not be read again. */
  default void onDeleted(CacheKey key) {
    onRemoved(key);
  }

  /**
   * The time has come to so much. Called before announcements that do not come with an access.
   *
   * @param nowNanos on the clock of the other events
   */
  default void onTime(long nowNanos) {}

  /**
   * The number of references left to a block in the hinted sequences changed: hints were added,
   * used up, or withdrawn.
   *
   * @param remaining &gt;= 0; 0 means that no later reference is hinted
   */
  default void onReferences(CacheKey key, long remaining) {}

  /**
   * The expected time of a block's next use changed.
   *
   * @param atNanos on the clock of the other events; {@link Long#MAX_VALUE} if none is expected
   */
  default void onNextUse(CacheKey key, long atNanos) {}

  /**
   * An announced use of a block took place, and no access follows at once: the block was read on
   * another DataNode, or the policy has no part in it, or the read did not complete an access. The
   * changes of its references and next use came before.
   */
  default void onUsedWithoutAccess(CacheKey key) {}

  /**
   * Assigns a block to a class of blocks that behave alike: those of a job, a directory, or a kind.
   * Called before the block's first access and whenever its class changes.
   *
   * @param name such as {@code checksums} or the path of a directory
   */
  default void onClass(CacheKey key, String name) {}

  /**
   * All future reads are known. Called at the start and whenever the sequence changes. A policy may
   * read ahead in the sequence until the next call, which replaces it.
   */
  default void onSequence(KnownSequence sequence) {}

  /**
   * Decides whether to fetch the candidate, and which residents to evict for it.
   *
   * @param freeBytes free space on the fast tier before any eviction, &gt;= 0
   * @param capacityBytes total space for blocks, used or free, &gt;= freeBytes
   * @return victims are resident blocks, each once, whose sizes together with {@code freeBytes}
   *     make enough room
   */
  Decision decide(Candidate candidate, long freeBytes, long capacityBytes);

  /**
   * Residents in eviction order, each once, the next victim first. The iterator is valid until the
   * next call of another method and need not support removal.
   */
  Iterable<CacheKey> evictionOrder();

  /** Number of resident blocks that the policy holds. */
  int residents();

  /**
   * Name of the policy whose decisions this one takes over at present, for {@code status} and
   * {@code explain}; empty if it decides by itself.
   */
  default String follows() {
    return "";
  }
}
