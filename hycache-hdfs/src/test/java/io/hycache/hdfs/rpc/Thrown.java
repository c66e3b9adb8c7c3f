// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

/** Helpers for assertions about exceptions. */
public final class Thrown {
  private Thrown() {}

  /** The message, never null. */
  public static String message(Throwable thrown) {
    return String.valueOf(thrown.getMessage());
  }
}
