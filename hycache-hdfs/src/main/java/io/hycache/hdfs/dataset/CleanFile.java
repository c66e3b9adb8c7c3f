package io.hycache.hdfs.dataset;

import java.io.File;

/** A complete file of a clean area. Immutable. */
final class CleanFile {
  private final CleanArea area;
  private final File path;
  private final long lengthBytes;

  CleanFile(CleanArea area, File path, long lengthBytes) {
    this.area = area;
    this.path = path;
    this.lengthBytes = lengthBytes;
  }

  CleanArea area() {
    return area;
  }

  File path() {
    return path;
  }

  long lengthBytes() {
    return lengthBytes;
  }

  boolean isAt(File other) {
    return path.equals(other);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
