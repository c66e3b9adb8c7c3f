// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.io.IOException;
import java.util.Arrays;

/**
 * Sizes of objects whose source names only requests: an object is as large as the farthest end of
 * its requests, as the first of two passes found it. What a log that grows shows to the second pass
 * alone is left out: objects, and bytes beyond those ends. 24 to 48 bytes an object. Not
 * thread-safe.
 */
final class Measured {
  /** A trace that can be read again from its beginning. */
  interface Source {
    void read(TraceAccess.Sink sink) throws IOException;
  }

  private final NameTable objects = new NameTable();
  private long[] ends = new long[1 << 10];

  private Measured() {}

  /** Reads the source once for the sizes and once for the accesses. */
  static void read(Source source, TraceAccess.Sink sink) throws IOException {
    Measured sizes = new Measured();
    source.read(sizes::measure);
    source.read(
        access -> {
          int object = sizes.objects.find(access.object);
          long end = object < 0 ? 0 : sizes.ends[object];
          if (access.offset < end) {
            access.sizeBytes = end;
            access.requestBytes = Math.min(access.requestBytes, end - access.offset);
            sink.accept(access);
          }
        });
  }

  private void measure(TraceAccess access) {
    int object = objects.number(access.object);
    if (object >= ends.length) {
      ends = Arrays.copyOf(ends, object + object / 2);
    }
    ends[object] = Math.max(ends[object], access.offset + access.requestBytes);
  }
}
