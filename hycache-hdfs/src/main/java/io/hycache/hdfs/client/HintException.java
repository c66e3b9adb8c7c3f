// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.io.IOException;

/**
 * A manifest that reads well but cannot be submitted: a path of it is missing, may not be read, or
 * is not on HDFS, or it grows too large. The message names the place in the manifest, what was
 * expected, what was found and how to fix it. Nothing has been submitted.
 */
public final class HintException extends IOException {
  private static final long serialVersionUID = 1L;

  public HintException(String message) {
    super(message);
  }
}
