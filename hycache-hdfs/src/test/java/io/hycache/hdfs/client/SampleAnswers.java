// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.hdfs.rpc.SampleErrors;
import java.io.IOException;

/** Answers of DataNodes that no test runs. */
public final class SampleAnswers {
  private SampleAnswers() {}

  /** A value that the DataNode of this name answered. */
  public static <T> NodeAnswer<T> answered(String name, T value) {
    return NodeAnswer.of(node(name), value);
  }

  /** A failure of the DataNode of this name. */
  public static <T> NodeAnswer<T> failed(String name, String message) {
    return NodeAnswer.failed(node(name), new IOException(message));
  }

  /** That the DataNode of this name has no plugin. */
  public static <T> NodeAnswer<T> notActive(String name) {
    return NodeAnswer.failed(node(name), SampleErrors.notActive());
  }

  private static DataNode node(String name) {
    return new DataNode("uuid of " + name, name, name);
  }
}
