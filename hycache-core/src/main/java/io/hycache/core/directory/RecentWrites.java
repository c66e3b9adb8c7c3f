// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results of the last writes, by token. Thread-safe. */
final class RecentWrites {
  private static final int MAX_WRITES = 1 << 16;

  private final Map<Long, Finished> byToken =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Finished> eldest) {
          return size() > MAX_WRITES;
        }
      };

  /** The result of the write with a token; null if it is not remembered or the token is 0. */
  synchronized @Nullable Finished get(long token) {
    return token == 0 ? null : byToken.get(token);
  }

  synchronized void add(Finished finished) {
    if (finished.token() != 0) {
      byToken.put(finished.token(), finished);
    }
  }

  /** The results of writes to some shards. O(writes). */
  synchronized List<Finished> of(BitSet shards) {
    List<Finished> out = new ArrayList<>();
    for (Finished finished : byToken.values()) {
      if (shards.get(finished.shard())) {
        out.add(finished);
      }
    }
    return out;
  }
}
