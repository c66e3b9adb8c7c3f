// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.hdfs.rpc.ErrorText;
import io.hycache.hdfs.rpc.RefusedException;
import java.util.concurrent.Callable;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/** An answer, or why there is none. Immutable. */
final class Outcome<T> {
  private final @Nullable T value;
  private final @Nullable Exception failure;

  private Outcome(@Nullable T value, @Nullable Exception failure) {
    this.value = value;
    this.failure = failure;
  }

  static <T> Outcome<T> of(T value) {
    return new Outcome<>(value, null);
  }

  static <T> Outcome<T> failed(Exception failure) {
    return new Outcome<>(null, failure);
  }

  /**
   * Asks.
   *
   * @throws InterruptedException if the question was interrupted; any other exception is the answer
   */
  static <T> Outcome<T> ask(Callable<T> question) throws InterruptedException {
    try {
      return of(question.call());
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return failed(e);
    }
  }

  /** The answer; null if there is none. */
  @Nullable T value() {
    return value;
  }

  boolean failedWith(Class<? extends Exception> type) {
    return type.isInstance(failure);
  }

  /** Whether the other side answered, be it with an error. */
  boolean isAnswered() {
    return failure == null
        || failure instanceof RefusedException
        || failure instanceof AccessControlException
        || failure.getCause() instanceof RemoteException;
  }

  /** One line; empty if there is an answer. */
  String failureText() {
    return failure == null ? "" : ErrorText.of(failure);
  }
}
