package io.hycache.hdfs.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintBatch.Step;
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
 * Assembles the parts of submissions, so that a workflow becomes active as a whole or not at all.
 * Thread-safe.
 *
 * <p>A submission is dropped if its next part does not arrive within {@link #STALE_NANOS}. The
 * number of incomplete submissions, in all and of one user, and the steps that they hold are
 * bounded. A user's submission beyond the bound replaces the oldest one of the same user, so that
 * no user keeps others out for long. A submission of a single part is complete on arrival and
 * bypasses these bounds. An administrator's submissions neither count towards the bounds of others
 * nor are subject to them: each administrator may have {@link #MAX_SUBMISSIONS}.
 */
final class HintAssembly {
  /** Incomplete submissions of all users but administrators. */
  static final int MAX_SUBMISSIONS = 64;

  /** Incomplete submissions of one user. */
  static final int MAX_SUBMISSIONS_OF_USER = 8;

  /** Age of the last part at which a submission is dropped. */
  static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final int maxSteps;
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
    final List<Step> steps = new ArrayList<>();
    int nextPart;
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
   * @param maxSteps steps kept of one submission, and twice that of all; further steps of a
   *     submission are dropped and are missing from the number accepted
   * @param delayed runs a task {@link #STALE_NANOS} later
   */
  HintAssembly(int maxSteps, LongSupplier nanoTime, Executor delayed) {
    this.delayed = delayed;
    this.maxSteps = maxSteps;
    this.nanoTime = nanoTime;
  }

  /**
   * Adds a part. Returns the whole batch with the last part, null before.
   *
   * @param exempt whether the bounds on users don't apply to this one
   * @throws RefusedException if the part does not continue its submission, or a bound is exceeded
   */
  synchronized @Nullable HintBatch add(String user, boolean exempt, SubmitRequest part)
      throws RefusedException {
    long now = discardStale();
    String key = user + '\n' + part.submission;
    Submission submission = incomplete.get(key);
    if (submission == null) {
      if (part.part != 0) {
        throw new RefusedException(
            "part: expected 0 of an unknown or stale submission, found "
                + part.part
                + ": submission="
                + part.submission
                + ". Fix: submit again");
      }
      if (part.last) {
        int taken = Math.min(maxSteps, part.steps.size());
        return new HintBatch(part.workflow, part.ttlMillis, part.steps.subList(0, taken));
      }
      makeRoom(user, exempt, now);
      submission = new Submission(user, exempt, part.workflow, part.ttlMillis);
      incomplete.put(key, submission);
      scheduleCheck();
    }
    if (part.part != submission.nextPart
        || part.ttlMillis != submission.ttlMillis
        || !part.workflow.equals(submission.workflow)) {
      incomplete.remove(key);
      throw new RefusedException(
          "part: expected "
              + submission.nextPart
              + " with the workflow and ttlMillis of the parts before, found "
              + part.part
              + ": submission="
              + part.submission
              + ". Fix: submit again");
    }
    int room = Math.max(0, maxSteps - submission.steps.size());
    int taken = Math.min(room, part.steps.size());
    if (!part.last && !exempt) {
      checkSteps(key, user, taken);
    }
    submission.steps.addAll(part.steps.subList(0, taken));
    submission.nextPart++;
    submission.touchedNanos = now;
    if (!part.last) {
      return null;
    }
    incomplete.remove(key);
    return new HintBatch(submission.workflow, submission.ttlMillis, submission.steps);
  }

  @GuardedBy("this")
  private void checkSteps(String key, String user, int more) throws RefusedException {
    long held = more;
    long ofUser = more;
    for (Submission one : incomplete.values()) {
      held += one.exempt ? 0 : one.steps.size();
      ofUser += one.user.equals(user) ? one.steps.size() : 0;
    }
    if (held > 2L * maxSteps || ofUser > maxSteps) {
      incomplete.remove(key);
      throw new RefusedException(
          "steps in incomplete submissions: expected at most "
              + 2L * maxSteps
              + " and "
              + maxSteps
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
