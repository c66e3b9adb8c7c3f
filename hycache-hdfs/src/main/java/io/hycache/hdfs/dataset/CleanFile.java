package io.hycache.hdfs.dataset;

import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A complete file of a clean area. Immutable. There may be a million of them: where it lies follows
 * from the rest and is not kept. Each file has a number of its own in its area, so that what is to
 * be removed late is never a newer file of the same replica.
 */
final class CleanFile {
  private final CleanArea area;
  private final Replica replica;
  private final Part part;
  private final int number;
  private final long lengthBytes;

  private final boolean measured;
  private final boolean verified;

  /** A new file that this process makes from the replica. */
  CleanFile(CleanArea area, Replica replica, Part part, long lengthBytes) {
    this(area, replica, part, area.nextNumber(), lengthBytes, true, true);
  }

  private CleanFile(
      CleanArea area,
      Replica replica,
      Part part,
      int number,
      long lengthBytes,
      boolean measured,
      boolean verified) {
    this.area = area;
    this.replica = replica;
    this.part = part;
    this.number = number;
    this.lengthBytes = lengthBytes;
    this.measured = measured;
    this.verified = verified;
  }

  /**
   * A data file that an earlier process left. Its name proves nothing: after a rollback HDFS issues
   * block id, generation stamp and length again.
   */
  static CleanFile found(CleanArea area, Replica replica, int number, long lengthBytes) {
    return new CleanFile(area, replica, Part.DATA, number, lengthBytes, true, false);
  }

  /**
   * A checksum file of which only the name is known: a look at each of a million takes longer than
   * all else after a start.
   */
  static CleanFile unmeasured(CleanArea area, Replica replica, int number) {
    long about = Replica.estimatedChecksumBytes(replica.lengthBytes());
    return new CleanFile(area, replica, Part.CHECKSUM, number, about, false, false);
  }

  /** True once its bytes were compared with the replica's in this process: it may be served. */
  boolean isVerified() {
    return verified;
  }

  /** The same file, verified. */
  CleanFile asVerified(long foundBytes) {
    return new CleanFile(area, replica, part, number, foundBytes, true, true);
  }

  /** {@link #lengthBytes} is what the file had when it was written or found, not an estimate. */
  boolean isMeasured() {
    return measured;
  }

  /** The same file, after its device was out of use: what is on it may be another one's. */
  CleanFile asUnverified() {
    return new CleanFile(area, replica, part, number, lengthBytes, measured, false);
  }

  CleanArea area() {
    return area;
  }

  /** The replica that it copies. */
  Replica replica() {
    return replica;
  }

  Part part() {
    return part;
  }

  long lengthBytes() {
    return lengthBytes;
  }

  /** What it takes on the device, see {@link CleanArea#allocatedBytes}. */
  long allocatedBytes() {
    return area.allocatedBytes(lengthBytes);
  }

  File path() {
    return area.file(replica, part, number);
  }

  /** True if the device answers, and has no such file. Reads the device. */
  boolean isMissing() {
    try {
      Files.readAttributes(path().toPath(), BasicFileAttributes.class);
      return false;
    } catch (NoSuchFileException e) {
      return area.watch().isKnownGood();
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether both are the same file of the device, whatever is known of it. */
  boolean isSameFileAs(CleanFile other) {
    return area == other.area
        && number == other.number
        && part == other.part
        && replica.equals(other.replica);
  }

  @Override
  public String toString() {
    return path().toString();
  }
}
