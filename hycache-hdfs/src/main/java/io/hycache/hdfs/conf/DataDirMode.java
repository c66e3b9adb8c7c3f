// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * The mode of what HyCache makes on a DataNode: that of HDFS's data directories ({@code
 * dfs.datanode.data.dir.perm}); a file has it without the execute bits.
 *
 * <p>It is given when the file or directory is made, not afterwards: there is no moment at which
 * another user could open it. The process's umask can only take bits off. On a file system without
 * POSIX modes nothing is given and nothing is refused.
 *
 * <p>Immutable.
 */
public final class DataDirMode {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final Set<PosixFilePermission> EXECUTE =
      Set.of(
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_EXECUTE);

  /** HDFS's default: only the DataNode's user. */
  public static final DataDirMode OWNER_ONLY =
      of(DFSConfigKeys.DFS_DATANODE_DATA_DIR_PERMISSION_DEFAULT);

  /** A directory is wider than this mode allows, so that it must not be used. */
  public static final class TooWideException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    private TooWideException(String directory, String reason) {
      super(directory, null, reason);
    }
  }

  private final String octal;
  private final Set<PosixFilePermission> directory;
  private final Set<PosixFilePermission> file;

  private DataDirMode(FsPermission mode) {
    this.octal = String.format("%03o", mode.toShort() & 0777);
    this.directory =
        PosixFilePermissions.fromString(
            mode.getUserAction().SYMBOL
                + mode.getGroupAction().SYMBOL
                + mode.getOtherAction().SYMBOL);
    this.file = EnumSet.copyOf(directory);
    file.removeAll(EXECUTE);
  }

  /**
   * @param mode octal or symbolic, as Hadoop reads {@code dfs.datanode.data.dir.perm}
   * @throws IllegalArgumentException if it is no mode
   */
  static DataDirMode of(String mode) {
    return new DataDirMode(new FsPermission(mode));
  }

  /** What a new file is to be made with; to be passed to {@link Files}. */
  public FileAttribute<?>[] fileAttributes() {
    return attributes(file);
  }

  private static FileAttribute<?>[] attributes(Set<PosixFilePermission> mode) {
    return POSIX
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
        : new FileAttribute<?>[0];
  }

  /** Opens a file; if that makes it, with the mode. */
  public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
    return FileChannel.open(file, options, fileAttributes());
  }

  /** Makes one directory with the mode, if it is not there; its parent must be. */
  public void makeDirectory(Path dir) throws IOException {
    try {
      Files.createDirectory(dir, attributes(directory));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(dir)) {
        throw e;
      }
    }
  }

  /**
   * Looks whether directories are open to more users than the mode allows. One that is not there is
   * not.
   *
   * @throws TooWideException if some are; says what was expected and found, and how to mend it
   * @throws IOException if one can't be looked at
   */
  public void requireOf(Path... dirs) throws IOException {
    List<String> found = new ArrayList<>();
    List<String> wide = new ArrayList<>();
    for (Path dir : dirs) {
      Set<PosixFilePermission> its = modeOf(dir);
      if (!directory.containsAll(its)) {
        found.add(PosixFilePermissions.toString(its) + " " + dir);
        wide.add(dir.toString());
      }
    }
    if (!wide.isEmpty()) {
      throw new TooWideException(
          wide.get(0),
          "other users may enter it: expected "
              + this
              + " at most ("
              + DFSConfigKeys.DFS_DATANODE_DATA_DIR_PERMISSION_KEY
              + "), found "
              + String.join(", ", found)
              + ". Fix: chmod "
              + octal
              + " "
              + String.join(" ", wide));
    }
  }

  private static Set<PosixFilePermission> modeOf(Path dir) throws IOException {
    try {
      return POSIX ? Files.getPosixFilePermissions(dir) : Set.of();
    } catch (NoSuchFileException e) {
      return Set.of();
    }
  }

  /** As {@code ls} shows it, such as {@code rwx------}. */
  @Override
  public String toString() {
    return PosixFilePermissions.toString(directory);
  }
}
