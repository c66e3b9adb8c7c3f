package io.hycache.core.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A policy's answer about one {@link Candidate}: fetch it, evicting victims, or leave it. */
public final class Decision {
  private final boolean admit;
  private final List<BlockKey> victims;
  private final Reason reason;
  private final @Nullable Weighing weighing;

  private Decision(
      boolean admit, List<BlockKey> victims, Reason reason, @Nullable Weighing weighing) {
    this.admit = admit;
    this.victims = victims;
    this.reason = reason;
    this.weighing = weighing;
  }

  /**
   * Fetch, after the victims are gone.
   *
   * @param victims residents to evict, in order; copied
   */
  public static Decision admit(List<BlockKey> victims) {
    return new Decision(true, List.copyOf(victims), Reason.MOVE_QUEUED, null);
  }

  /** Leave the candidate where it is and evict nothing. */
  public static Decision bypass(Reason reason) {
    return new Decision(false, List.of(), Objects.requireNonNull(reason), null);
  }

  /** The same, with the figures behind it. */
  public Decision because(double gain, double cost, String unit) {
    return new Decision(admit, victims, reason, new Weighing(gain, cost, unit));
  }

  /** What was compared; null if nothing was. */
  public @Nullable Weighing weighing() {
    return weighing;
  }

  public boolean isAdmit() {
    return admit;
  }

  /** Empty when nothing has to go or the candidate is bypassed. */
  public List<BlockKey> victims() {
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
