// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The lstat(2) of one name at one moment. Immutable. Times are in microseconds, which every
 * supported JVM can both read and set.
 */
final class FileMark {
  private static final int TYPE = 0170000;
  private static final int DIRECTORY = 0040000;
  private static final int REGULAR = 0100000;
  private static final int LINK = 0120000;
  private static final int RIGHTS = 07777;
  private static final int RIGHTS_OF_OTHERS = 077;
  private static final int WRITING_OF_OTHERS = 022;
  private static final int STICKY = 01000;
  private static final int WRITING_OF_ALL = 02;
  private static final int SET_IDS = 06000;
  private static final int EXECUTING = 0111;
  private static final String ATTRIBUTES =
      "unix:dev,ino,size,nlink,mode,uid,gid,lastModifiedTime,ctime,lastAccessTime";

  final long dev;
  final long ino;
  final long size;
  final int nlink;
  final int mode;
  final int uid;
  final int gid;
  final long mtimeMicros;
  final long ctimeMicros;
  final long atimeMicros;

  private FileMark(Map<String, Object> attributes) {
    dev = ((Number) value(attributes, "dev")).longValue();
    ino = ((Number) value(attributes, "ino")).longValue();
    size = ((Number) value(attributes, "size")).longValue();
    nlink = ((Number) value(attributes, "nlink")).intValue();
    mode = ((Number) value(attributes, "mode")).intValue();
    uid = ((Number) value(attributes, "uid")).intValue();
    gid = ((Number) value(attributes, "gid")).intValue();
    mtimeMicros = micros(attributes, "lastModifiedTime");
    ctimeMicros = micros(attributes, "ctime");
    atimeMicros = micros(attributes, "lastAccessTime");
  }

  private static Object value(Map<String, Object> attributes, String name) {
    Object value = attributes.get(name);
    if (value == null) {
      throw new IllegalStateException("the file system does not report " + name);
    }
    return value;
  }

  private static long micros(Map<String, Object> attributes, String name) {
    return ((FileTime) value(attributes, name)).to(TimeUnit.MICROSECONDS);
  }

  private static final String NO_DIRECTORY = noDirectory();

  /**
   * Reads the status of a name; does not follow a link.
   *
   * @throws IOException as lstat(2) fails
   */
  static FileMark of(Path path) throws IOException {
    return new FileMark(Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS));
  }

  /**
   * Reads the status of a link's target.
   *
   * @throws IOException as stat(2) fails
   */
  static FileMark behind(Path link) throws IOException {
    return new FileMark(Files.readAttributes(link, ATTRIBUTES));
  }

  /** As {@link #of}; null if the name or a directory on its path does not exist. */
  static @Nullable FileMark ifAny(Path path) throws IOException {
    try {
      return of(path);
    } catch (NoSuchFileException e) {
      return null;
    } catch (FileSystemException e) {
      if (isNoDirectory(e)) {
        return null;
      }
      throw e;
    }
  }

  /**
   * Recognises ENOTDIR, which has no exception class: a directory of the path has been replaced by
   * something else.
   */
  static boolean isNoDirectory(FileSystemException e) {
    return NO_DIRECTORY.equals(e.getReason());
  }

  /** The system's message for ENOTDIR in this process's locale. */
  private static String noDirectory() {
    try {
      Files.readAttributes(Path.of("/dev/null/none"), "unix:ino");
    } catch (FileSystemException e) {
      if (e.getReason() != null) {
        return e.getReason();
      }
    } catch (IOException | RuntimeException e) {
      return "Not a directory";
    }
    return "Not a directory";
  }

  boolean isFile() {
    return (mode & TYPE) == REGULAR;
  }

  boolean isDirectory() {
    return (mode & TYPE) == DIRECTORY;
  }

  boolean isLink() {
    return (mode & TYPE) == LINK;
  }

  /** Whether its group or others may write to it. */
  boolean isWritableForOthers() {
    return (mode & WRITING_OF_OTHERS) != 0;
  }

  /** Whether group and others have no rights on it. */
  boolean isForItsOwnerAlone() {
    return (mode & RIGHTS_OF_OTHERS) == 0;
  }

  /** Whether it is a directory in which only the owner of a name may remove it. */
  boolean isSticky() {
    return (mode & STICKY) != 0;
  }

  /**
   * Whether it is a directory in which all users may create names and remove only their own, such
   * as {@code /tmp}.
   */
  boolean isSharedByAll() {
    return isSticky() && (mode & WRITING_OF_ALL) != 0;
  }

  /** Whether it is a file that executes with the rights of its owner or group. */
  boolean lendsRights() {
    return (mode & SET_IDS) != 0;
  }

  /** Whether it is a file that a user may execute. */
  boolean isExecutable() {
    return (mode & EXECUTING) != 0;
  }

  /** Its mode in the form that chmod(1) takes. */
  String rightsText() {
    return Integer.toOctalString(mode & RIGHTS);
  }

  boolean sameInode(FileMark other) {
    return dev == other.dev && ino == other.ino;
  }

  /**
   * Whether bytes, owner and mode are the same, compared by what survives a rename, which sets
   * ctime.
   */
  boolean sameSave(FileMark other) {
    return sameInode(other)
        && size == other.size
        && mtimeMicros == other.mtimeMicros
        && mode == other.mode
        && uid == other.uid
        && gid == other.gid;
  }

  /** Whether the file was at most read since. */
  boolean unchanged(FileMark other) {
    return sameSave(other) && ctimeMicros == other.ctimeMicros && nlink == other.nlink;
  }

  /** The later of the last write and the last change of attributes. */
  long changedMicros() {
    return Math.max(mtimeMicros, ctimeMicros);
  }

  @Override
  public String toString() {
    return "ino="
        + ino
        + " size="
        + size
        + " nlink="
        + nlink
        + " mode="
        + Integer.toOctalString(mode);
  }
}
