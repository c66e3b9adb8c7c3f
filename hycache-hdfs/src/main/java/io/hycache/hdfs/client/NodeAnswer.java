// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one DataNode answered, or why it did not. Immutable. */
public final class NodeAnswer<T> {
  private final DataNode node;
  private final @Nullable T value;
  private final @Nullable IOException failure;

  private NodeAnswer(DataNode node, @Nullable T value, @Nullable IOException failure) {
    this.node = node;
    this.value = value;
    this.failure = failure;
  }

  static <T> NodeAnswer<T> of(DataNode node, T value) {
    return new NodeAnswer<>(node, Objects.requireNonNull(value), null);
  }

  static <T> NodeAnswer<T> failed(DataNode node, IOException failure) {
    return new NodeAnswer<>(node, null, Objects.requireNonNull(failure));
  }

  public DataNode node() {
    return node;
  }

  public boolean isAnswered() {
    return value != null;
  }

  /**
   * The answer.
   *
   * @throws IllegalStateException if there is none
   */
  public T value() {
    if (value == null) {
      throw new IllegalStateException("no answer: node=" + node, failure);
    }
    return value;
  }

  /** Null if the DataNode answered. */
  public @Nullable IOException failure() {
    return failure;
  }

  /** One line; empty if the DataNode answered. */
  public String failureText() {
    return failure == null ? "" : String.valueOf(failure.getMessage());
  }
}
