// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import io.hycache.core.model.Reason;
import io.hycache.core.stats.Counters.Counter;
import org.jspecify.annotations.Nullable;

/** Why a new replica is not written to SSD. All constants but the first two are counted. */
public enum WriteFallback {
  /** The mode does not permit it. */
  NOT_MEANT(null, Reason.OBSERVE_ONLY),

  /** It was not intended for SSD: its expected length is below the least for writes. */
  TOO_SMALL(null, Reason.TOO_SMALL),
  NO_ROOM(Counter.FALLBACK_NO_ROOM, Reason.WRITTEN_NO_ROOM),
  WRITE_SHARE(Counter.FALLBACK_WRITE_SHARE, Reason.WRITTEN_WRITE_SHARE),
  WRITE_BUDGET(Counter.FALLBACK_WRITE_BUDGET, Reason.WRITTEN_WRITE_BUDGET),
  NO_USABLE_SSD(Counter.FALLBACK_NO_USABLE_SSD, Reason.WRITTEN_NO_USABLE_SSD),
  SCHEDULED_ON_DISK(Counter.FALLBACK_SCHEDULED, Reason.WRITTEN_SCHEDULED_ON_DISK),
  SSD_BUSY(Counter.FALLBACK_SSD_BUSY, Reason.WRITTEN_SSD_BUSY),
  SSD_FULL(Counter.FALLBACK_SSD_FULL, Reason.WRITTEN_SSD_FULL),
  SSD_FAILED(Counter.FALLBACK_SSD_FAILED, Reason.WRITTEN_SSD_FAILED);

  private final @Nullable Counter counter;
  private final Reason reason;

  WriteFallback(@Nullable Counter counter, Reason reason) {
    this.counter = counter;
    this.reason = reason;
  }

  /** The reason shown for the block until the next decision about it. */
  public Reason reason() {
    return reason;
  }

  /** Counts one replica, under its reason and in the sum. */
  public void count(Counters counters) {
    if (counter != null) {
      counters.increment(Counter.BLOCKS_WRITE_FALLBACK);
      counters.increment(counter);
    }
  }
}
