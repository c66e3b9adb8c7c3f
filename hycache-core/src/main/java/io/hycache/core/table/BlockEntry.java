// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.table;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.model.Residency;
import org.jspecify.annotations.Nullable;

/**
 * The planner's record of one finalized replica: a view of a row of {@link BlockTable}.
 *
 * <p>A view is valid during the event for which it was obtained. The view of a block that is moving
 * is valid until the move ends; it is then the only view of its block, and it keeps its values if
 * the replica is removed meanwhile. Confined to the planner's thread.
 */
public final class BlockEntry {
  /** The move in progress, if any. */
  public enum Moving {
    NOTHING,
    PROMOTING,
    DEMOTING,
    EVICTING
  }

  /** Small reads that count as one access. */
  private static final int READS_OF_ACCESS = 4;

  private static final Home[] HOMES = Home.values();
  private static final Moving[] MOVINGS = Moving.values();
  private static final Reason[] REASONS = Reason.values();

  private final BlockTable table;
  private Rows rows;
  private int row;
  private long movingBytes;
  private long movingStamp;
  private @Nullable String movingDevice;

  BlockEntry(BlockTable table, Rows rows, int row) {
    this.table = table;
    this.rows = rows;
    this.row = row;
  }

  /** Copies the row, so that the view keeps its values whatever becomes of the row. */
  void detach() {
    rows = rows.copyOf(row);
    row = 0;
  }

  /** Attaches the view to the block's new row; a move in progress continues. */
  void attach(Rows others, int itsRow) {
    Moving kept = moving();
    rows = others;
    row = itsRow;
    setMovingState(kept);
  }

  boolean isIn(Rows others) {
    return rows == others;
  }

  /** Number of the row: small, and unique to this block while it is in the table. */
  public int row() {
    return row;
  }

  public BlockKey key() {
    return new BlockKey(table.pool(rows.pool(row)), rows.id(row));
  }

  public Replica replica() {
    return new Replica(key(), rows.generationStamp(row), rows.length(row));
  }

  void setReplica(Replica value) {
    rows.setGenerationStamp(row, value.generationStamp());
    rows.setLength(row, value.lengthBytes());
  }

  public long sizeBytes() {
    return rows.length(row);
  }

  public Home home() {
    return HOMES[rows.home(row)];
  }

  @SuppressWarnings("EnumOrdinal") // in memory only; ordinals are never persisted
  void setHome(Home value, @Nullable String on) {
    rows.setHome(row, value.ordinal());
    setDevice(on);
  }

  /**
   * Fast device that holds the replica or the clean copy of its data; null if neither is on one.
   */
  public @Nullable String device() {
    return table.deviceName(rows.device(row));
  }

  void setDevice(@Nullable String value) {
    rows.setDevice(row, table.deviceNumber(value));
  }

  /** True if a clean copy of the data is on a fast device. */
  public boolean cleanData() {
    return rows.flag(row, Rows.CLEAN_DATA);
  }

  void setCleanData(boolean value) {
    rows.setFlag(row, Rows.CLEAN_DATA, value);
    setUnreadPromotion(false);
  }

  /** Size of the clean copy of the checksum file in bytes; 0 if there is none. */
  public long checksumBytes() {
    return Math.max(0, rows.checksumBytes(row));
  }

  /**
   * What the last clean copy of this replica's checksum file took in bytes, kept or not; 0 if there
   * was none.
   */
  public long lastChecksumBytes() {
    return Math.abs(rows.checksumBytes(row));
  }

  /** Fast device that holds the clean copy of the checksum file; null if there is none. */
  public @Nullable String checksumDevice() {
    return table.deviceName(rows.checksumDevice(row));
  }

  void setChecksums(long bytes, @Nullable String on) {
    long value = bytes > 0 ? Math.min(Integer.MAX_VALUE, bytes) : -lastChecksumBytes();
    rows.setChecksums(row, (int) value, table.deviceNumber(on));
  }

  /** The replica has changed: what its checksum file took is of no use any more. */
  void forgetChecksums() {
    rows.setChecksums(row, 0, table.deviceNumber(null));
  }

  /** True if the data can be read from a fast device. */
  public boolean fast() {
    return home() != Home.DISK || cleanData();
  }

  /** How the data is held on a fast device. */
  public Residency residency() {
    switch (home()) {
      case SSD_GUEST:
        return Residency.DIRTY;
      case SSD_OWNER:
        return Residency.OWNER;
      default:
        return cleanData() ? Residency.CLEAN : Residency.NONE;
    }
  }

  /** True if a policy manages it: on the fast tier, and not placed there by the NameNode. */
  public boolean isResident() {
    return home() == Home.SSD_GUEST || cleanData();
  }

  public Moving moving() {
    return MOVINGS[rows.moving(row)];
  }

  @SuppressWarnings("EnumOrdinal") // in memory only; ordinals are never persisted
  public void setMoving(Moving value) {
    movingBytes = sizeBytes();
    movingStamp = rows.generationStamp(row);
    movingDevice = device();
    setMovingState(value);
  }

  @SuppressWarnings("EnumOrdinal") // as above
  private void setMovingState(Moving value) {
    // The table's part may end with an Error; no row is left moving then.
    boolean begins = value != Moving.NOTHING;
    if (!begins) {
      rows.setMoving(row, value.ordinal());
    }
    table.movingChanged(this, rows, row, begins);
    if (begins) {
      rows.setMoving(row, value.ordinal());
    }
  }

  /** Fast device that it was on when its move began; null if none. */
  public @Nullable String movingDevice() {
    return movingDevice;
  }

  /** The replica as it was when its move began. */
  public Replica movingReplica() {
    return new Replica(key(), movingStamp, movingBytes);
  }

  /** Size of the replica when its move began, in bytes. */
  public long movingBytes() {
    return movingBytes;
  }

  public int reads() {
    return rows.reads(row);
  }

  /** Restores the count of an earlier process. */
  public void setReads(int value) {
    rows.setReads(row, value);
  }

  /** Bytes read since the last access, to the precision of a float. */
  public long bytesSinceAccess() {
    return (long) rows.heat(row);
  }

  /** Reads since the last access, 0 to 3. */
  public int readsSinceAccess() {
    return rows.heatReads(row);
  }

  /**
   * Counts bytes read towards the next access. A block counts as accessed after an eighth of it was
   * read since the last access, or after four small reads. So random reads count, but reading the
   * tail of a record does not.
   *
   * @return true if this read completed an access
   */
  public boolean heat(long bytes) {
    long sum = bytesSinceAccess() + bytes;
    int reads = readsSinceAccess() + 1;
    if (sum >= sizeBytes() / 8 || reads == READS_OF_ACCESS) {
      rows.setHeat(row, 0, 0);
      rows.setReads(row, rows.reads(row) + 1);
      return true;
    }
    rows.setHeat(row, (float) sum, reads);
    return false;
  }

  /**
   * True if a promotion made the clean copy of the data and the block has not been read since. A
   * copy that a demotion left, or that was found after a restart, cost no promotion.
   */
  public boolean unreadPromotion() {
    return rows.flag(row, Rows.UNREAD_PROMOTION);
  }

  public void setUnreadPromotion(boolean value) {
    rows.setFlag(row, Rows.UNREAD_PROMOTION, value);
  }

  /** True during the pause after a failed move. */
  public boolean resting(long nowNanos) {
    return table.resting(rows, row, nowNanos);
  }

  public void restUntil(long nanos) {
    table.restUntil(rows, row, nanos);
  }

  /** The latest reason why the block is where it is. */
  public Reason reason() {
    return REASONS[rows.reason(row)];
  }

  @SuppressWarnings("EnumOrdinal") // in memory only; ordinals are never persisted
  public void setReason(Reason value) {
    rows.setReason(row, value.ordinal());
  }
}
