// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A complete file of a clean area. Immutable. There may be a million of them, so the path is
 * computed, not stored. The number is unique within the area, so that a delayed removal never hits
 * a newer file of the same replica.
 */
final class CleanFile {
  private final CleanArea area;
  private final Replica replica;
  private final Part part;
  private final int number;
  private final long lengthBytes;

  private final boolean verified;

  /** A file that this process creates from the replica. */
  CleanFile(CleanArea area, Replica replica, Part part, long lengthBytes) {
    this(area, replica, part, area.nextNumber(), lengthBytes, true);
  }

  private CleanFile(
      CleanArea area, Replica replica, Part part, int number, long lengthBytes, boolean verified) {
    this.area = area;
    this.replica = replica;
    this.part = part;
    this.number = number;
    this.lengthBytes = lengthBytes;
    this.verified = verified;
  }

  /**
   * A data file that an earlier process left. Its name does not prove its contents: after a
   * rollback HDFS issues block id, generation stamp and length again.
   */
  static CleanFile found(CleanArea area, Replica replica, int number, long lengthBytes) {
    return new CleanFile(area, replica, Part.DATA, number, lengthBytes, false);
  }

  /**
   * A checksum file of an earlier process whose length was not read: reading a million lengths
   * would dominate the start.
   */
  static CleanFile unmeasured(CleanArea area, Replica replica, int number) {
    long about = Replica.estimatedChecksumBytes(replica.lengthBytes());
    return new CleanFile(area, replica, Part.CHECKSUM, number, about, false);
  }

  /**
   * Returns true once its contents were compared with the replica's in this process, so that it may
   * be served.
   */
  boolean isVerified() {
    return verified;
  }

  /**
   * Returns true if its device was not removed, is healthy, and its files were verified since it
   * last was not.
   */
  boolean isOnHealthyDevice() {
    return !area.isClosed() && !area.watch().sick() && !area.watch().wasOutOfUse();
  }

  /**
   * Returns the failure of a read that must not wait for its device, which is out of use.
   *
   * @param why the replica on DISK can't be read; null if it has changed
   */
  IOException outOfUse(@Nullable IOException why) {
    return new IOException(
        "expected the replica on DISK as it was when the read began, as the SSD of its copy is out"
            + " of use, found it changed or unreadable. Fix: read another replica. file="
            + this,
        why);
  }

  /** Returns the same file as verified. */
  CleanFile asVerified(long foundBytes) {
    return new CleanFile(area, replica, part, number, foundBytes, true);
  }

  /**
   * Returns the same file as unverified, after its device was out of use and may have been
   * replaced.
   */
  CleanFile asUnverified() {
    return new CleanFile(area, replica, part, number, lengthBytes, false);
  }

  CleanArea area() {
    return area;
  }

  /** Returns the replica that it is a copy of. */
  Replica replica() {
    return replica;
  }

  Part part() {
    return part;
  }

  /** Returns its length; an estimate of a checksum file that is not verified. */
  long lengthBytes() {
    return lengthBytes;
  }

  /** Returns its bytes on the device, see {@link CleanArea#allocatedBytes}. */
  long allocatedBytes() {
    return area.allocatedBytes(lengthBytes);
  }

  File path() {
    return area.file(replica, part, number);
  }

  /** Returns true if the device is healthy and has no such file. Reads from the device. */
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

  /** Returns true if both denote the same file, whether verified or not. */
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
