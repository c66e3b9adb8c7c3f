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
 * Puts the parts of submissions together, so that a workflow becomes active whole or not at all. A
 * submission whose next part does not come within a minute is forgotten. Bounded: submissions under
 * way, those of one user, and the steps that all of them hold; when a user's newest would be one
 * too many, that user's oldest goes, so that nobody keeps others out for long. A submission of one
 * part is never under way, so it is never kept out. Those of an administrator don't count for
 * others and aren't kept out by others: each has {@link #MAX_SUBMISSIONS} of his own. Thread-safe.
 */
final class HintAssembly {
  static final int MAX_SUBMISSIONS = 64;
  static final int MAX_SUBMISSIONS_OF_USER = 8;
  static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final int maxSteps;
  private final LongSupplier nanoTime;
  private final Executor later;

  /** A look for stale submissions is to come. */
  @GuardedBy("this")
  private boolean looksLater;

  @GuardedBy("this")
  private final Map<String, Submission> underWay = new HashMap<>();

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
   * @param maxSteps steps kept of one submission, and twice that of all; a submission's steps
   *     beyond it are dropped, which shows in the number accepted
   * @param later runs something when a submission that nobody goes on with is stale
   */
  HintAssembly(int maxSteps, LongSupplier nanoTime, Executor later) {
    this.later = later;
    this.maxSteps = maxSteps;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns the whole batch with the last part, null before.
   *
   * @param exempt whether the bounds of users don't hold for this one
   */
  synchronized @Nullable HintBatch add(String user, boolean exempt, SubmitRequest part)
      throws RefusedException {
    long now = discardStale();
    String key = user + '\n' + part.submission;
    Submission submission = underWay.get(key);
    if (submission == null) {
      if (part.part != 0) {
        throw new RefusedException(
            "unknown or stale submission: submission="
                + part.submission
                + " part="
                + part.part
                + "; submit again");
      }
      if (part.last) {
        int taken = Math.min(maxSteps, part.steps.size());
        return new HintBatch(part.workflow, part.ttlMillis, part.steps.subList(0, taken));
      }
      makeRoom(user, exempt, now);
      submission = new Submission(user, exempt, part.workflow, part.ttlMillis);
      underWay.put(key, submission);
      lookLater();
    }
    if (part.part != submission.nextPart
        || part.ttlMillis != submission.ttlMillis
        || !part.workflow.equals(submission.workflow)) {
      underWay.remove(key);
      throw new RefusedException(
          "part does not continue its submission: submission="
              + part.submission
              + " part="
              + part.part
              + " expected="
              + submission.nextPart);
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
    underWay.remove(key);
    return new HintBatch(submission.workflow, submission.ttlMillis, submission.steps);
  }

  @GuardedBy("this")
  private void checkSteps(String key, String user, int more) throws RefusedException {
    long held = more;
    long ofUser = more;
    for (Submission one : underWay.values()) {
      held += one.exempt ? 0 : one.steps.size();
      ofUser += one.user.equals(user) ? one.steps.size() : 0;
    }
    if (held > 2L * maxSteps || ofUser > maxSteps) {
      underWay.remove(key);
      throw new RefusedException(
          "too many hints under way: steps=" + held + " ofUser=" + ofUser + "; try again later");
    }
  }

  /** Forgets the oldest submission of a user that has too many; refuses one too many of all. */
  @GuardedBy("this")
  private void makeRoom(String user, boolean exempt, long now) throws RefusedException {
    List<Map.Entry<String, Submission>> own = new ArrayList<>();
    int ofUsers = 0;
    for (Map.Entry<String, Submission> entry : underWay.entrySet()) {
      ofUsers += entry.getValue().exempt ? 0 : 1;
      if (entry.getValue().user.equals(user)) {
        own.add(entry);
      }
    }
    if (own.size() >= (exempt ? MAX_SUBMISSIONS : MAX_SUBMISSIONS_OF_USER)) {
      underWay.remove(
          Collections.max(
                  own, Comparator.comparingLong(entry -> now - entry.getValue().touchedNanos))
              .getKey());
    } else if (!exempt && ofUsers >= MAX_SUBMISSIONS) {
      throw new RefusedException(
          "too many submissions under way: allowed=" + MAX_SUBMISSIONS + "; try again later");
    }
  }

  /** Returns the time. */
  synchronized long discardStale() {
    long now = nanoTime.getAsLong();
    underWay.values().removeIf(s -> now - s.touchedNanos > STALE_NANOS);
    return now;
  }

  /** Else the last ones would stay until somebody else submits. */
  @GuardedBy("this")
  private void lookLater() {
    if (!looksLater && !underWay.isEmpty()) {
      looksLater = true;
      later.execute(this::look);
    }
  }

  private synchronized void look() {
    looksLater = false;
    long unused = discardStale();
    lookLater();
  }

  synchronized void discard(String user, String submission) {
    underWay.remove(user + '\n' + submission);
  }

  synchronized int size() {
    return underWay.size();
  }
}
