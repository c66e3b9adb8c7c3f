// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** What came of a {@link Phase} in one node, or in all. Immutable. */
final class PhaseResult {
  /** Operations that succeeded in the measured time, for each second of it. */
  public final double operationsPerSecond;

  /** Calls of the measured time, in nanoseconds: a compressed histogram in Base64. */
  public final String latency;

  /**
   * CPU time of the process's Java threads in the measured time, in microseconds: without that of
   * the compiler and the garbage collector.
   */
  public final double cpuMicros;

  /** Operations that succeeded, those before and after the measured time too. */
  public final long acknowledged;

  /** Operations that did not succeed, at any time. */
  public final long errors;

  /** One of them; empty if there is none. */
  public final String error;

  @JsonCreator
  PhaseResult(
      @JsonProperty("operationsPerSecond") double operationsPerSecond,
      @JsonProperty("latency") String latency,
      @JsonProperty("cpuMicros") double cpuMicros,
      @JsonProperty("acknowledged") long acknowledged,
      @JsonProperty("errors") long errors,
      @JsonProperty("error") String error) {
    this.operationsPerSecond = operationsPerSecond;
    this.latency = latency;
    this.cpuMicros = cpuMicros;
    this.acknowledged = acknowledged;
    this.errors = errors;
    this.error = error;
  }

  /** A histogram of nanoseconds up to minutes, with two digits. */
  static Histogram newHistogram() {
    return new Histogram(2);
  }

  static String encode(Histogram histogram) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
  }

  Histogram histogram() {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(latency));
      return Histogram.decodeFromCompressedByteBuffer(bytes, 0);
    } catch (DataFormatException e) {
      throw new IllegalStateException("not a histogram", e);
    }
  }

  /** That of all nodes together. */
  static PhaseResult sum(List<PhaseResult> results) {
    double perSecond = 0;
    double cpu = 0;
    long acknowledged = 0;
    long errors = 0;
    String error = "";
    Histogram all = newHistogram();
    for (PhaseResult one : results) {
      perSecond += one.operationsPerSecond;
      cpu += one.cpuMicros;
      acknowledged += one.acknowledged;
      errors += one.errors;
      error = error.isEmpty() ? one.error : error;
      all.add(one.histogram());
    }
    return new PhaseResult(perSecond, encode(all), cpu, acknowledged, errors, error);
  }

  /** The same with more errors. */
  PhaseResult withErrors(long more, String what) {
    return new PhaseResult(
        operationsPerSecond, latency, cpuMicros, acknowledged, errors + more, what);
  }
}
