package io.hycache.core.table;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import org.jspecify.annotations.Nullable;

/** What the planner knows of one finalized replica. Owned by the planner's thread. */
public final class BlockEntry {
  /** What is being done to the replica right now. */
  public enum Moving {
    NOTHING,
    PROMOTING,
    DEMOTING,
    EVICTING
  }

  private Replica replica;
  private Home home;
  private @Nullable String device;
  private boolean cleanData;
  private long checksumBytes;
  private @Nullable String checksumDevice;
  private Moving moving = Moving.NOTHING;
  private long movingBytes;
  private boolean checksumQueued;
  private long heatBytes;
  private int reads;
  private boolean readSincePromotion;
  private long notBeforeNanos = Long.MIN_VALUE;
  private Reason reason = Reason.NEVER_READ;

  BlockEntry(Replica replica, Home home, @Nullable String device) {
    this.replica = replica;
    this.home = home;
    this.device = device;
  }

  public BlockKey key() {
    return replica.block();
  }

  public Replica replica() {
    return replica;
  }

  void setReplica(Replica value) {
    replica = value;
  }

  public long sizeBytes() {
    return replica.lengthBytes();
  }

  public Home home() {
    return home;
  }

  void setHome(Home value, @Nullable String on) {
    home = value;
    device = on;
  }

  /** Fast device of the replica or of the clean copy of its data; null if neither is on one. */
  public @Nullable String device() {
    return device;
  }

  void setDevice(@Nullable String value) {
    device = value;
  }

  /** A clean copy of the data is on a fast device. */
  public boolean cleanData() {
    return cleanData;
  }

  void setCleanData(boolean value) {
    cleanData = value;
  }

  /** Size of the clean copy of the checksum file; 0 if there is none. */
  public long checksumBytes() {
    return checksumBytes;
  }

  /** Fast device of the clean copy of the checksum file; null if there is none. */
  public @Nullable String checksumDevice() {
    return checksumDevice;
  }

  void setChecksums(long bytes, @Nullable String on) {
    checksumBytes = bytes;
    checksumDevice = on;
  }

  /** The data can be read from a fast device. */
  public boolean fast() {
    return home != Home.DISK || cleanData;
  }

  /** What a policy holds: on the fast tier and not pinned there by its owner. */
  public boolean isResident() {
    return home == Home.SSD_GUEST || cleanData;
  }

  public Moving moving() {
    return moving;
  }

  public void setMoving(Moving value) {
    moving = value;
    movingBytes = sizeBytes();
  }

  /** The size that the replica had when its move began. */
  public long movingBytes() {
    return movingBytes;
  }

  public boolean checksumQueued() {
    return checksumQueued;
  }

  public void setChecksumQueued(boolean value) {
    checksumQueued = value;
  }

  public int reads() {
    return reads;
  }

  /** Takes up what an earlier process counted. */
  public void setReads(int value) {
    reads = value;
  }

  /**
   * Counts a read towards the next access. A block counts as accessed when an eighth of it was
   * taken since the last time, or after four small reads: a peek for a record's tail is not an
   * access, random reads are.
   *
   * @return true if this read completed an access
   */
  public boolean heat(long bytes) {
    heatBytes += Math.max(bytes, sizeBytes() / 32);
    if (heatBytes >= sizeBytes() / 8) {
      heatBytes = 0;
      reads++;
      return true;
    }
    return false;
  }

  public boolean readSincePromotion() {
    return readSincePromotion;
  }

  public void setReadSincePromotion(boolean value) {
    readSincePromotion = value;
  }

  /** True while the block is left alone after a failed move. */
  public boolean resting(long nowNanos) {
    return notBeforeNanos != Long.MIN_VALUE && nowNanos - notBeforeNanos < 0;
  }

  public void restUntil(long nanos) {
    notBeforeNanos = nanos;
  }

  /** The last word on why the block is where it is. */
  public Reason reason() {
    return reason;
  }

  public void setReason(Reason value) {
    reason = value;
  }
}
