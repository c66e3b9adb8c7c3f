package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Set;

/** One tree of files over SSD and HDDs. */
public final class TieredTree {
  TieredTree() {}

  /** The root of the tree; paths given to the other methods are relative to it or under it. */
  public Path root() {
    throw new UnsupportedOperationException();
  }

  /** Opens a file, as {@link FileChannel#open}. */
  public FileChannel open(Path path, OpenOption... options) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Opens a file, as {@link FileChannel#open}. */
  public FileChannel open(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Creates an empty file that must not exist yet. */
  public void create(Path path, FileAttribute<?>... attributes) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Appends to a file that must exist. */
  public void append(Path path, byte[] bytes) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** All bytes of a file. */
  public byte[] read(Path path) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Removes a file or an empty directory. */
  public void remove(Path path) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Renames a file or a directory, over what is there, as rename(2). */
  public void rename(Path from, Path to) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Makes a directory whose parent exists. */
  public void mkdir(Path path, FileAttribute<?>... attributes) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Removes an empty directory. */
  public void rmdir(Path path) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Gives a file a second name. */
  public void link(Path link, Path existing) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The names in a directory, sorted. */
  public List<String> list(Path path) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Attributes of a file or directory, wherever its bytes are. */
  public PosixFileAttributes stat(Path path) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** True if the path is a link to its file on an HDD of this tree. */
  public boolean isDown(Path path) {
    throw new UnsupportedOperationException();
  }

  /** All files of the tree that are down now, by one walk. */
  public List<Path> downFiles() throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Moves one file up now, whatever the policy says.
   *
   * @return false if it stays: it is up, open for writing, changed meanwhile, or gone
   * @throws IOException if there is no room or a device failed; the file is readable as before
   */
  public boolean bringUp(Path path) throws IOException, InterruptedException {
    throw new UnsupportedOperationException();
  }

  /**
   * Moves one file down now, whatever the policy says.
   *
   * @return false if it stays: it is down, open for writing, too new, too small, hard-linked,
   *     changed meanwhile, or gone
   * @throws IOException if no HDD has room or a device failed; the file is as before
   */
  public boolean bringDown(Path path) throws IOException, InterruptedException {
    throw new UnsupportedOperationException();
  }
}
