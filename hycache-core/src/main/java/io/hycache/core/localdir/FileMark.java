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
 * What lstat(2) says of one name at a moment. Immutable. Times count in microseconds, which is what
 * every supported JVM can both read and set.
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
      throw new IllegalStateException("the file system tells no " + name);
    }
    return value;
  }

  private static long micros(Map<String, Object> attributes, String name) {
    return ((FileTime) value(attributes, name)).to(TimeUnit.MICROSECONDS);
  }

  private static final String NO_DIRECTORY = noDirectory();

  /**
   * Looks at a name; a link is looked at itself.
   *
   * @throws IOException as lstat(2) fails
   */
  static FileMark of(Path path) throws IOException {
    return new FileMark(Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS));
  }

  /**
   * Looks at what a link leads to.
   *
   * @throws IOException as stat(2) fails
   */
  static FileMark behind(Path link) throws IOException {
    return new FileMark(Files.readAttributes(link, ATTRIBUTES));
  }

  /** As {@link #of}, null if the name or a directory on its way is not there. */
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

  /** ENOTDIR, which has no class of its own: a directory of the path is something else now. */
  static boolean isNoDirectory(FileSystemException e) {
    return NO_DIRECTORY.equals(e.getReason());
  }

  /** What the system says of it in this process's locale. */
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

  /** Whether its group or anybody may write to it. */
  boolean isWritableForOthers() {
    return (mode & WRITING_OF_OTHERS) != 0;
  }

  /** Whether neither its group nor anybody may do anything with it. */
  boolean isForItsOwnerAlone() {
    return (mode & RIGHTS_OF_OTHERS) == 0;
  }

  /** Whether in it, if it is a directory, only the owner of a name may take the name away. */
  boolean isSticky() {
    return (mode & STICKY) != 0;
  }

  /** Whether in it, if it is a directory, all may make names, and take away only their own. */
  boolean isSharedByAll() {
    return isSticky() && (mode & WRITING_OF_ALL) != 0;
  }

  /** Whether who executes it, if it is a file, does so with rights of its owner or group. */
  boolean lendsRights() {
    return (mode & SET_IDS) != 0;
  }

  /** Its rights as chmod(1) takes them. */
  String rightsText() {
    return Integer.toOctalString(mode & RIGHTS);
  }

  boolean sameInode(FileMark other) {
    return dev == other.dev && ino == other.ino;
  }

  /** The same bytes, owner and rights, by all that can be told after a rename, which sets ctime. */
  boolean sameSave(FileMark other) {
    return sameInode(other)
        && size == other.size
        && mtimeMicros == other.mtimeMicros
        && mode == other.mode
        && uid == other.uid
        && gid == other.gid;
  }

  /** Nothing at all was done to it but reading. */
  boolean unchanged(FileMark other) {
    return sameSave(other) && ctimeMicros == other.ctimeMicros && nlink == other.nlink;
  }

  /** The later of its last write and the last change of its attributes. */
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
