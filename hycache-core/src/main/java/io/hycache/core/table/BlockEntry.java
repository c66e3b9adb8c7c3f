package io.hycache.core.table;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.model.Residency;
import org.jspecify.annotations.Nullable;

/**
 * What the planner knows of one finalized replica: a view of a row of {@link BlockTable}.
 *
 * <p>A view is good for the event that got it. One whose block is moving is good until the move
 * ended, is the only one of its block meanwhile, and keeps what it knew when the replica goes away.
 * Owned by the planner's thread.
 */
public final class BlockEntry {
  /** What is being done to the replica right now. */
  public enum Moving {
    NOTHING,
    PROMOTING,
    DEMOTING,
    EVICTING
  }

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

  /** Keeps what is known now, whatever becomes of the row. */
  void detach() {
    rows = rows.copyOf(row);
    row = 0;
  }

  /** Shows a row again that this block got; a move that is under way goes on. */
  void attach(Rows others, int itsRow) {
    Moving kept = moving();
    rows = others;
    row = itsRow;
    setMovingState(kept);
  }

  boolean isIn(Rows others) {
    return rows == others;
  }

  /** Number of the row: small, and this block's own as long as it is in the table. */
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

  @SuppressWarnings("EnumOrdinal") // in memory only: no number outlives the process
  void setHome(Home value, @Nullable String on) {
    rows.setHome(row, value.ordinal());
    setDevice(on);
  }

  /** Fast device of the replica or of the clean copy of its data; null if neither is on one. */
  public @Nullable String device() {
    return table.deviceName(rows.device(row));
  }

  void setDevice(@Nullable String value) {
    rows.setDevice(row, table.deviceNumber(value));
  }

  /** A clean copy of the data is on a fast device. */
  public boolean cleanData() {
    return rows.flag(row, Rows.CLEAN_DATA);
  }

  void setCleanData(boolean value) {
    rows.setFlag(row, Rows.CLEAN_DATA, value);
  }

  /** Size of the clean copy of the checksum file; 0 if there is none. */
  public long checksumBytes() {
    return rows.checksumBytes(row);
  }

  /** Fast device of the clean copy of the checksum file; null if there is none. */
  public @Nullable String checksumDevice() {
    return table.deviceName(rows.checksumDevice(row));
  }

  void setChecksums(long bytes, @Nullable String on) {
    rows.setChecksums(row, (int) Math.min(Integer.MAX_VALUE, bytes), table.deviceNumber(on));
  }

  /** The data can be read from a fast device. */
  public boolean fast() {
    return home() != Home.DISK || cleanData();
  }

  /** In what form the data is on a fast device. */
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

  /** What a policy holds: on the fast tier and not pinned there by its owner. */
  public boolean isResident() {
    return home() == Home.SSD_GUEST || cleanData();
  }

  public Moving moving() {
    return MOVINGS[rows.moving(row)];
  }

  @SuppressWarnings("EnumOrdinal") // in memory only: no number outlives the process
  public void setMoving(Moving value) {
    movingBytes = sizeBytes();
    movingStamp = rows.generationStamp(row);
    movingDevice = device();
    setMovingState(value);
  }

  @SuppressWarnings("EnumOrdinal") // as above
  private void setMovingState(Moving value) {
    rows.setMoving(row, value.ordinal());
    table.movingChanged(this, rows, row, value != Moving.NOTHING);
  }

  /** The fast device that it was on when its move began; null if it was on none. */
  public @Nullable String movingDevice() {
    return movingDevice;
  }

  /** The replica as it was when its move began. */
  public Replica movingReplica() {
    return new Replica(key(), movingStamp, movingBytes);
  }

  /** The size that the replica had when its move began. */
  public long movingBytes() {
    return movingBytes;
  }

  public int reads() {
    return rows.reads(row);
  }

  /** Takes up what an earlier process counted. */
  public void setReads(int value) {
    rows.setReads(row, value);
  }

  /**
   * Counts a read towards the next access. A block counts as accessed when an eighth of it was
   * taken since the last time, or after four small reads: a peek for a record's tail is not an
   * access, random reads are.
   *
   * @return true if this read completed an access
   */
  public boolean heat(long bytes) {
    float heat = rows.heat(row) + (float) Math.max(bytes, sizeBytes() / 32);
    long access = sizeBytes() / 8;
    if (heat >= (float) access) {
      rows.setHeat(row, 0);
      rows.setReads(row, rows.reads(row) + 1);
      return true;
    }
    rows.setHeat(row, heat);
    return false;
  }

  public boolean readSincePromotion() {
    return rows.flag(row, Rows.READ_SINCE_PROMOTION);
  }

  public void setReadSincePromotion(boolean value) {
    rows.setFlag(row, Rows.READ_SINCE_PROMOTION, value);
  }

  /** True while the block is left alone after a failed move. */
  public boolean resting(long nowNanos) {
    return table.resting(rows, row, nowNanos);
  }

  public void restUntil(long nanos) {
    table.restUntil(rows, row, nanos);
  }

  /** The last word on why the block is where it is. */
  public Reason reason() {
    return REASONS[rows.reason(row)];
  }

  @SuppressWarnings("EnumOrdinal") // in memory only: no number outlives the process
  public void setReason(Reason value) {
    rows.setReason(row, value.ordinal());
  }
}
