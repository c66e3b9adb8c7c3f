// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ShadowSize;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * What SSDs of several sizes would serve: the estimate of one DataNode, or of several together.
 * Immutable.
 */
final class Estimate {
  private final String name;
  private final long ssdBytes;
  private final long seconds;
  private final long reads;
  private final long readBytes;
  private final long hourBytes;
  private final long dayBytes;
  private final double standardError;
  private final Map<ShadowSize, Double> readShares = new EnumMap<>(ShadowSize.class);
  private final Map<ShadowSize, Double> byteShares = new EnumMap<>(ShadowSize.class);

  /** The estimate of a DataNode. */
  Estimate(String name, NodeStatus status) {
    this.name = name;
    this.ssdBytes = status.figure(NodeFigure.SHADOW_SSD_BYTES);
    this.seconds = status.figure(NodeFigure.SHADOW_SECONDS);
    this.reads = status.figure(NodeFigure.SHADOW_READS);
    this.readBytes = status.figure(NodeFigure.SHADOW_READ_BYTES);
    this.hourBytes = status.figure(NodeFigure.WORKING_SET_HOUR_BYTES);
    this.dayBytes = status.figure(NodeFigure.WORKING_SET_DAY_BYTES);
    this.standardError = status.share(NodeFigure.SHADOW_STANDARD_ERROR);
    for (ShadowSize size : ShadowSize.values()) {
      readShares.put(size, status.share(size.readShare()));
      byteShares.put(size, status.share(size.byteShare()));
    }
  }

  /**
   * The estimate of DataNodes together, whose SSDs all grow by the same factor.
   *
   * @param parts one or more, with reads
   */
  Estimate(String name, List<Estimate> parts) {
    this.name = name;
    this.ssdBytes = sum(parts, part -> part.ssdBytes);
    this.seconds = parts.stream().mapToLong(part -> part.seconds).min().orElse(0);
    this.reads = sum(parts, part -> part.reads);
    this.readBytes = sum(parts, part -> part.readBytes);
    this.hourBytes = sum(parts, part -> part.hourBytes);
    this.dayBytes = sum(parts, part -> part.dayBytes);
    // The DataNodes' errors are independent of each other.
    double variance =
        parts.stream().mapToDouble(part -> Math.pow(part.reads * part.standardError, 2)).sum();
    this.standardError = Math.sqrt(variance) / reads;
    for (ShadowSize size : ShadowSize.values()) {
      readShares.put(size, mean(parts, part -> part.reads, reads, part -> part.readShare(size)));
      byteShares.put(
          size, mean(parts, part -> part.readBytes, readBytes, part -> part.byteShare(size)));
    }
  }

  private static long sum(List<Estimate> parts, ToLongFunction<Estimate> figure) {
    return parts.stream().mapToLong(figure).sum();
  }

  private static double mean(
      List<Estimate> parts,
      ToLongFunction<Estimate> weight,
      long weights,
      ToDoubleFunction<Estimate> share) {
    double sum =
        parts.stream().mapToDouble(p -> weight.applyAsLong(p) * share.applyAsDouble(p)).sum();
    return weights == 0 ? 0 : sum / weights;
  }

  String name() {
    return name;
  }

  /** Whether there is anything to conclude from. */
  boolean hasReads() {
    return reads > 0;
  }

  /** Size of the SSD that the sizes are multiples of. */
  long ssdBytes() {
    return ssdBytes;
  }

  /** Time since the first of the reads was counted; of several DataNodes, the shortest. */
  long seconds() {
    return seconds;
  }

  long reads() {
    return reads;
  }

  long hourBytes() {
    return hourBytes;
  }

  long dayBytes() {
    return dayBytes;
  }

  double standardError() {
    return standardError;
  }

  double readShare(ShadowSize size) {
    return readShares.getOrDefault(size, 0.0);
  }

  double byteShare(ShadowSize size) {
    return byteShares.getOrDefault(size, 0.0);
  }

  /** Adds the figures to a JSON object. */
  void put(ObjectNode node) {
    node.put("ssdBytes", ssdBytes)
        .put("seconds", seconds)
        .put("reads", reads)
        .put("readBytes", readBytes)
        .put("standardError", standardError)
        .put("workingSetHourBytes", hourBytes)
        .put("workingSetDayBytes", dayBytes);
    ArrayNode sizes = node.putArray("sizes");
    for (ShadowSize size : ShadowSize.values()) {
      sizes
          .addObject()
          .put("factor", size.factor())
          .put("ssdBytes", size.of(ssdBytes))
          .put("readShare", readShare(size))
          .put("byteShare", byteShare(size));
    }
  }
}
