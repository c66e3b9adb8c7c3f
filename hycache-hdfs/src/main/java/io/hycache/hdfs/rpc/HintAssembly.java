// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.Hints.Watched;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the chunks of submissions, so that a workflow becomes active as a whole or not at all.
 * Thread-safe.
 *
 * <p>A submission is dropped if its next chunk does not arrive within {@link #STALE_NANOS}. The
 * number of incomplete submissions, in all and of one user, and the references and watched blocks
 * that they hold are bounded. A user's submission beyond the bound replaces the oldest one of the
 * same user, so that no user keeps others out for long. A submission of a single chunk is complete
 * on arrival and bypasses these bounds. An administrator's submissions neither count towards the
 * bounds of others nor are subject to them: each administrator may have {@link #MAX_SUBMISSIONS}.
 */
final class HintAssembly {
  /** Incomplete submissions of all users but administrators. */
  static final int MAX_SUBMISSIONS = 64;

  /** Incomplete submissions of one user. */
  static final int MAX_SUBMISSIONS_OF_USER = 8;

  /** Age of the last chunk at which a submission is dropped. */
  static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final int maxReferences;
  private final LongSupplier nanoTime;
  private final Executor delayed;

  /** Whether a check for stale submissions is scheduled. */
  @GuardedBy("this")
  private boolean checkScheduled;

  /** Incomplete submissions by user and name. */
  @GuardedBy("this")
  private final Map<String, Submission> incomplete = new HashMap<>();

  private static final class Submission {
    final String user;
    final boolean exempt;
    final String workflow;
    final long ttlMillis;
    final List<Reference> references = new ArrayList<>();
    final List<Watched> watched = new ArrayList<>();
    int nextChunk;
    long touchedNanos;

    Submission(String user, boolean exempt, String workflow, long ttlMillis) {
      this.user = user;
      this.exempt = exempt;
      this.workflow = workflow;
      this.ttlMillis = ttlMillis;
    }
  }

  /**
   * Makes an assembly without submissions.
   *
   * @param maxReferences references kept of one submission, and twice that of all; further
   *     references of a submission are dropped and are missing from the number accepted
   * @param delayed runs a task {@link #STALE_NANOS} later
   */
  HintAssembly(int maxReferences, LongSupplier nanoTime, Executor delayed) {
    this.delayed = delayed;
    this.maxReferences = maxReferences;
    this.nanoTime = nanoTime;
  }

  /**
   * Adds a chunk. Returns all hints with the last chunk, null before.
   *
   * @param exempt whether the bounds on users don't apply to this one
   * @throws RefusedException if the chunk does not continue its submission, or a bound is exceeded
   */
  synchronized @Nullable Hints add(String user, boolean exempt, SubmitRequest chunk)
      throws RefusedException {
    long now = discardStale();
    String key = user + '\n' + chunk.submission;
    Submission submission = incomplete.get(key);
    if (submission == null) {
      if (chunk.number != 0) {
        throw new RefusedException(
            "part: expected 0 of an unknown or stale submission, found "
                + chunk.number
                + ": submission="
                + chunk.submission
                + ". Fix: submit again");
      }
      if (chunk.last) {
        int taken = Math.min(maxReferences, chunk.references.size());
        return chunk.hints(
            chunk.references.subList(0, taken), firstOf(chunk.watched, maxReferences));
      }
      makeRoom(user, exempt, now);
      submission = new Submission(user, exempt, chunk.workflow, chunk.ttlMillis);
      incomplete.put(key, submission);
      scheduleCheck();
    }
    if (chunk.number != submission.nextChunk
        || chunk.ttlMillis != submission.ttlMillis
        || !chunk.workflow.equals(submission.workflow)) {
      incomplete.remove(key);
      throw new RefusedException(
          "part: expected "
              + submission.nextChunk
              + " with the workflow and ttlMillis of the parts before, found "
              + chunk.number
              + ": submission="
              + chunk.submission
              + ". Fix: submit again");
    }
    int room = Math.max(0, maxReferences - submission.references.size());
    int taken = Math.min(room, chunk.references.size());
    if (!chunk.last && !exempt) {
      checkReferences(key, user, taken);
    }
    submission.references.addAll(chunk.references.subList(0, taken));
    submission.watched.addAll(firstOf(chunk.watched, roomForWatched(user, submission)));
    submission.nextChunk++;
    submission.touchedNanos = now;
    if (!chunk.last) {
      return null;
    }
    incomplete.remove(key);
    return chunk.hints(submission.references, submission.watched);
  }

  private static List<Watched> firstOf(List<Watched> all, long most) {
    return all.subList(0, (int) Math.max(0, Math.min(all.size(), most)));
  }

  /** Watched blocks have the bounds of references. None is a reason to refuse a submission. */
  @GuardedBy("this")
  private long roomForWatched(String user, Submission submission) {
    long held = 0;
    long ofUser = 0;
    for (Submission one : incomplete.values()) {
      held += one.exempt ? 0 : one.watched.size();
      ofUser += one.user.equals(user) ? one.watched.size() : 0;
    }
    return submission.exempt
        ? maxReferences - submission.watched.size()
        : Math.min(2L * maxReferences - held, maxReferences - ofUser);
  }

  @GuardedBy("this")
  private void checkReferences(String key, String user, int more) throws RefusedException {
    long held = more;
    long ofUser = more;
    for (Submission one : incomplete.values()) {
      held += one.exempt ? 0 : one.references.size();
      ofUser += one.user.equals(user) ? one.references.size() : 0;
    }
    if (held > 2L * maxReferences || ofUser > maxReferences) {
      incomplete.remove(key);
      throw new RefusedException(
          "references in incomplete submissions: expected at most "
              + 2L * maxReferences
              + " and "
              + maxReferences
              + " of one user, found "
              + held
              + " and "
              + ofUser
              + ". Fix: try again later");
    }
  }

  /** Drops the oldest submission of a user at the bound; refuses if all users are. */
  @GuardedBy("this")
  private void makeRoom(String user, boolean exempt, long now) throws RefusedException {
    List<Map.Entry<String, Submission>> own = new ArrayList<>();
    int ofUsers = 0;
    for (Map.Entry<String, Submission> entry : incomplete.entrySet()) {
      ofUsers += entry.getValue().exempt ? 0 : 1;
      if (entry.getValue().user.equals(user)) {
        own.add(entry);
      }
    }
    if (own.size() >= (exempt ? MAX_SUBMISSIONS : MAX_SUBMISSIONS_OF_USER)) {
      incomplete.remove(
          Collections.max(
                  own, Comparator.comparingLong(entry -> now - entry.getValue().touchedNanos))
              .getKey());
    } else if (!exempt && ofUsers >= MAX_SUBMISSIONS) {
      throw new RefusedException(
          "incomplete submissions: expected at most "
              + MAX_SUBMISSIONS
              + ", found as many before this one. Fix: try again later");
    }
  }

  /** Drops stale submissions; returns the current time. */
  synchronized long discardStale() {
    long now = nanoTime.getAsLong();
    incomplete.values().removeIf(s -> now - s.touchedNanos > STALE_NANOS);
    return now;
  }

  /** Schedules a check, without which the last submissions would stay until the next one. */
  @GuardedBy("this")
  private void scheduleCheck() {
    if (!checkScheduled && !incomplete.isEmpty()) {
      checkScheduled = true;
      delayed.execute(this::check);
    }
  }

  private synchronized void check() {
    checkScheduled = false;
    long unused = discardStale();
    scheduleCheck();
  }

  synchronized void discard(String user, String submission) {
    incomplete.remove(user + '\n' + submission);
  }

  synchronized int size() {
    return incomplete.size();
  }
}
