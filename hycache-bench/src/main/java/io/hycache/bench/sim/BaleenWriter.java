// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes accesses as a trace that {@link BaleenReader} and Baleen's own simulator read: whole
 * numbers for all names but those that are kept. Of what Tectonic's operations tell, a read is
 * getChunkData.Permanent (2) and a write is putChunk.Permanent (4).
 */
final class BaleenWriter implements TraceAccess.Sink {
  private static final String HEADER =
      "# block_id io_offset io_size op_time op_name pipeline user_namespace user_name op_count\n";

  /** For what the source does not name. */
  private static final String NOT_SET = "NOT_SET";

  private static final int MILLIS_A_SECOND = 1000;

  private final Writer out;
  private final UnaryOperator<String> names;
  private final boolean opNames;
  private long written;
  private final TimeOrder order = new TimeOrder();

  /**
   * @param names what to write for a name; without spaces, commas and #
   * @param opNames whether to write operations by name instead of by code
   */
  BaleenWriter(Writer out, UnaryOperator<String> names, boolean opNames) throws IOException {
    this.out = out;
    this.names = names;
    this.opNames = opNames;
    out.write(HEADER);
  }

  /** Number of accesses written. */
  long written() {
    return written;
  }

  /** Of the accesses that were written. */
  TimeOrder order() {
    return order;
  }

  /**
   * Writes an access.
   *
   * @throws IllegalStateException if it has no time
   */
  @Override
  public void accept(TraceAccess access) throws IOException {
    if (access.timeMillis < 0) {
      throw new IllegalStateException(
          "expected a time for each access, found none for access "
              + (written + 1)
              + ". Fix: name a source with times; CSV needs a column time, in seconds");
    }
    order.add(access.timeMillis);
    out.write(names.apply(access.object));
    out.write(' ');
    out.write(Long.toString(access.offset));
    out.write(' ');
    out.write(Long.toString(access.requestBytes));
    out.write(' ');
    out.write(
        String.format(
            Locale.ROOT,
            "%d.%03d",
            access.timeMillis / MILLIS_A_SECOND,
            access.timeMillis % MILLIS_A_SECOND));
    out.write(' ');
    if (opNames) {
      out.write(access.write ? "putChunk.Permanent" : "getChunkData.Permanent");
    } else {
      out.write(access.write ? "4" : "2");
    }
    name(access.pipeline);
    name(access.namespace);
    name(access.user);
    out.write(" 1\n");
    written++;
  }

  private void name(@Nullable String name) throws IOException {
    out.write(' ');
    out.write(names.apply(name == null ? NOT_SET : name));
  }
}
