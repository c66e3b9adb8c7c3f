// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

/**
 * The sizes of the fast tier for which a DataNode estimates what it would serve: multiples of
 * {@link NodeFigure#SHADOW_SSD_BYTES}, which is the space of the SSDs for HyCache; on a DataNode
 * without an SSD, about a quarter of the size of the blocks used in a day.
 */
public enum ShadowSize {
  QUARTER(0.25, "1/4", NodeFigure.SHADOW_READ_SHARE_QUARTER, NodeFigure.SHADOW_BYTE_SHARE_QUARTER),
  HALF(0.5, "1/2", NodeFigure.SHADOW_READ_SHARE_HALF, NodeFigure.SHADOW_BYTE_SHARE_HALF),
  NOW(1, "1", NodeFigure.SHADOW_READ_SHARE_NOW, NodeFigure.SHADOW_BYTE_SHARE_NOW),
  TWICE(2, "2", NodeFigure.SHADOW_READ_SHARE_TWICE, NodeFigure.SHADOW_BYTE_SHARE_TWICE),
  FOURFOLD(4, "4", NodeFigure.SHADOW_READ_SHARE_FOURFOLD, NodeFigure.SHADOW_BYTE_SHARE_FOURFOLD),
  EIGHTFOLD(8, "8", NodeFigure.SHADOW_READ_SHARE_EIGHTFOLD, NodeFigure.SHADOW_BYTE_SHARE_EIGHTFOLD);

  private final double factor;
  private final String label;
  private final NodeFigure readShare;
  private final NodeFigure byteShare;

  ShadowSize(double factor, String label, NodeFigure readShare, NodeFigure byteShare) {
    this.factor = factor;
    this.label = label;
    this.readShare = readShare;
    this.byteShare = byteShare;
  }

  public double factor() {
    return factor;
  }

  /** The factor as a text, such as {@code 1/4}. */
  public String label() {
    return label;
  }

  /** The figure with the share of the reads. */
  public NodeFigure readShare() {
    return readShare;
  }

  /** The figure with the share of the bytes read. */
  public NodeFigure byteShare() {
    return byteShare;
  }

  /** The size, for this size of the present SSDs. */
  public long of(long presentBytes) {
    return (long) (presentBytes * factor);
  }
}
