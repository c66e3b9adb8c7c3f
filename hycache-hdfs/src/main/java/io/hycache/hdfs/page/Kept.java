// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last answer to a question, which is asked again by who wants an answer when the last one is
 * too old. While one thread asks, the others get the old answer, so that a slow answer occupies one
 * thread of the web server and not all; they wait only if there is none. Thread-safe.
 */
final class Kept<T> {
  /** A question. */
  interface Question<T> {
    T ask() throws IOException;
  }

  private static final class Answer<T> {
    final T value;
    final long nanos;

    Answer(T value, long nanos) {
      this.value = value;
      this.nanos = nanos;
    }
  }

  private static final long MAX_WAIT_MILLIS = 1000;

  private final Question<T> question;
  private final long maxAgeNanos;
  private final LongSupplier nanoTime;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile @Nullable Answer<T> last;

  Kept(Question<T> question, long maxAgeMillis, LongSupplier nanoTime) {
    this.question = question;
    this.maxAgeNanos = TimeUnit.MILLISECONDS.toNanos(maxAgeMillis);
    this.nanoTime = nanoTime;
  }

  /**
   * The answer.
   *
   * @throws IOException if the question was asked and failed, and the last answer is kept; or if
   *     there is no answer yet, and the one who asks does not get it within a second
   */
  T get() throws IOException {
    Answer<T> known = last;
    if (known != null && isRecent(known)) {
      return known.value;
    }
    if (known != null && !asking.tryLock()) {
      return known.value;
    }
    if (known == null) {
      waitForFirst();
    }
    try {
      known = last;
      if (known == null || !isRecent(known)) {
        known = new Answer<>(question.ask(), nanoTime.getAsLong());
        last = known;
      }
      return known.value;
    } finally {
      asking.unlock();
    }
  }

  /** Waits for the one who asks at present, but not long: there are few threads for requests. */
  private void waitForFirst() throws IOException {
    try {
      if (!asking.tryLock(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IOException("no answer yet, others wait for it, too");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for an answer");
    }
  }

  private boolean isRecent(Answer<T> answer) {
    return nanoTime.getAsLong() - answer.nanos < maxAgeNanos;
  }
}
