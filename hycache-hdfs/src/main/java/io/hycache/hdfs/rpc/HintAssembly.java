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
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts the parts of submissions together, so that a workflow becomes active whole or not at all. A
 * submission whose next part does not come within a minute is forgotten. Bounded: submissions under
 * way, those of one user, and the steps that all of them hold; when a user's newest would be one
 * too many, that user's oldest goes, so that nobody keeps others out for long. Thread-safe.
 */
final class HintAssembly {
  static final int MAX_SUBMISSIONS = 64;
  static final int MAX_SUBMISSIONS_OF_USER = 8;
  static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final int maxSteps;
  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private final Map<String, Submission> underWay = new HashMap<>();

  private static final class Submission {
    final String user;
    final String workflow;
    final long ttlMillis;
    final List<Step> steps = new ArrayList<>();
    int nextPart;
    long touchedNanos;

    Submission(String user, String workflow, long ttlMillis) {
      this.user = user;
      this.workflow = workflow;
      this.ttlMillis = ttlMillis;
    }
  }

  /**
   * @param maxSteps steps kept of one submission, and twice that of all; a submission's steps
   *     beyond it are dropped, which shows in the number accepted
   */
  HintAssembly(int maxSteps, LongSupplier nanoTime) {
    this.maxSteps = maxSteps;
    this.nanoTime = nanoTime;
  }

  /** Returns the whole batch with the last part, null before. */
  synchronized @Nullable HintBatch add(String user, Wire.SubmitPart part) throws RefusedException {
    long now = nanoTime.getAsLong();
    underWay.values().removeIf(s -> now - s.touchedNanos > STALE_NANOS);
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
      makeRoom(user, now);
      if (underWay.size() >= MAX_SUBMISSIONS) {
        throw new RefusedException(
            "too many submissions under way: allowed=" + MAX_SUBMISSIONS + "; try again later");
      }
      submission = new Submission(user, part.workflow, part.ttlMillis);
      underWay.put(key, submission);
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
    long held = 0;
    long ofUser = 0;
    for (Submission one : underWay.values()) {
      held += one.steps.size();
      ofUser += one.user.equals(user) ? one.steps.size() : 0;
    }
    if (!part.last && (held + taken > 2L * maxSteps || ofUser + taken > maxSteps)) {
      underWay.remove(key);
      throw new RefusedException(
          "too many hints under way: steps="
              + (held + taken)
              + " ofUser="
              + (ofUser + taken)
              + "; try again later");
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

  /** Forgets the oldest submission of a user that has too many. */
  @GuardedBy("this")
  private void makeRoom(String user, long now) {
    List<Map.Entry<String, Submission>> own = new ArrayList<>();
    for (Map.Entry<String, Submission> entry : underWay.entrySet()) {
      if (entry.getValue().user.equals(user)) {
        own.add(entry);
      }
    }
    if (own.size() >= MAX_SUBMISSIONS_OF_USER) {
      underWay.remove(
          Collections.max(
                  own, Comparator.comparingLong(entry -> now - entry.getValue().touchedNanos))
              .getKey());
    }
  }

  synchronized void discard(String user, String submission) {
    underWay.remove(user + '\n' + submission);
  }

  synchronized int size() {
    return underWay.size();
  }
}
