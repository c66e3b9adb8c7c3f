// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A policy's answer about one {@link Candidate}: fetch it, evicting victims, or leave it. */
public final class Decision {
  private final boolean admit;
  private final List<CacheKey> victims;
  private final Reason reason;
  private final @Nullable Weighing weighing;

  private Decision(
      boolean admit, List<CacheKey> victims, Reason reason, @Nullable Weighing weighing) {
    this.admit = admit;
    this.victims = victims;
    this.reason = reason;
    this.weighing = weighing;
  }

  /**
   * Fetch the candidate after the victims are evicted.
   *
   * @param victims residents to evict, in order; copied
   */
  public static Decision admit(List<? extends CacheKey> victims) {
    return new Decision(true, List.copyOf(victims), Reason.MOVE_QUEUED, null);
  }

  /** Do not fetch the candidate; evict nothing. */
  public static Decision bypass(Reason reason) {
    return new Decision(false, List.of(), Objects.requireNonNull(reason), null);
  }

  /**
   * The same decision with the two figures that led to it.
   *
   * @param gain of fetching the candidate
   * @param cost of evicting the victims
   * @param unit of both figures, for display
   */
  public Decision because(double gain, double cost, String unit) {
    return new Decision(admit, victims, reason, new Weighing(gain, cost, unit));
  }

  /** The figures that were compared; null if the decision needed no comparison. */
  public @Nullable Weighing weighing() {
    return weighing;
  }

  public boolean isAdmit() {
    return admit;
  }

  /** Empty if the candidate is bypassed or fits without eviction. */
  public List<CacheKey> victims() {
    return victims;
  }

  public Reason reason() {
    return reason;
  }

  @Override
  public String toString() {
    return admit ? "admit victims=" + victims : "bypass reason=" + reason;
  }
}
