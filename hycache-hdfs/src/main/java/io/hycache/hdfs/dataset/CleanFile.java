package io.hycache.hdfs.dataset;

import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.io.File;

/**
 * A complete file of a clean area. Immutable. There may be a million of them: where it lies follows
 * from the rest and is not kept.
 */
final class CleanFile {
  private final CleanArea area;
  private final Replica replica;
  private final Part part;
  private final long lengthBytes;

  CleanFile(CleanArea area, Replica replica, Part part, long lengthBytes) {
    this.area = area;
    this.replica = replica;
    this.part = part;
    this.lengthBytes = lengthBytes;
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

  File path() {
    return area.file(replica, part);
  }

  @Override
  public String toString() {
    return path().toString();
  }
}
