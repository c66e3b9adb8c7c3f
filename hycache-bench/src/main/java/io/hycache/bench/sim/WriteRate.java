// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

/** How much may be written to the SSD over a trace: by second, by access, or as a policy does. */
final class WriteRate {
  private static final String PER_SECOND = "/s";
  private static final String PER_ACCESS = "/access";
  private static final double MILLIS_A_SECOND = 1000;

  private final String text;

  /**
   * @param text such as 20MB/s, 1MB/access, or the name of a policy
   */
  WriteRate(String text) {
    this.text = text.strip();
    if (this.text.endsWith(PER_SECOND) || this.text.endsWith(PER_ACCESS)) {
      var unused = amount();
    } else {
      Runs.check("--write-rate", this.text);
    }
  }

  private long amount() {
    return Units.bytes("--write-rate", text.substring(0, text.lastIndexOf('/')));
  }

  /** Bytes over the whole trace. */
  double bytes(Trace trace, Simulation simulation, long capacityBytes) {
    if (text.endsWith(PER_ACCESS)) {
      return (double) amount() * trace.length();
    }
    if (!text.endsWith(PER_SECOND)) {
      return simulation.runUnlimited(text, capacityBytes, at -> {}).totals.ssdWrittenBytes;
    }
    if (trace.spanMillis() == 0) {
      throw new IllegalArgumentException(
          "--write-rate: expected BYTES/access or a policy, because the trace has no "
              + (trace.hasTimes() ? "two accesses at different times" : "times")
              + ", found "
              + text);
    }
    return amount() * (trace.spanMillis() / MILLIS_A_SECOND);
  }
}
