// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import io.hycache.core.model.Reason;

/** Where a block would be in mode {@code active}, by mode {@code observe}. Immutable. */
public final class ObservedPlace {
  /** Storage type of the fast tier that would hold its data; {@code DISK} if none would. */
  public final String storage;

  /** How long it would have been there, in milliseconds, &gt;= 0; 0 on DISK. */
  public final long agoMillis;

  /** Why it would be there. */
  public final Reason reason;

  public ObservedPlace(String storage, long agoMillis, Reason reason) {
    this.storage = storage;
    this.agoMillis = agoMillis;
    this.reason = reason;
  }

  /** Whether its data would be on a fast tier. */
  public boolean isFast() {
    return !storage.equals("DISK");
  }
}
