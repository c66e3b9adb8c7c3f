// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One tree of files over SSD and HDDs, for callers in this process. Results and errors are those of
 * {@code java.nio} on one plain directory, wherever a file's bytes are. Other programs may use the
 * same tree at the same time without this class.
 *
 * <p>Design: the name of a file on an HDD is a symbolic link, which the kernel follows, so most
 * calls are the plain ones; this class adds notifications to the policy and the special treatment
 * of links. The algorithms are those of HyCache (Zhao, Raicu, IPDPSW'13), each with one deviation,
 * for the same reason: no call waits for a move or for an HDD that the caller did not ask for.
 *
 * <ul>
 *   <li>Algorithm 1, open: a link means that the file is on an HDD. Making room in the policy's
 *       order, moving the file up and queueing it are left to the planner, and done only where it
 *       pays; this open reads through the link. Otherwise the file's position in the queue is
 *       adjusted.
 *   <li>Algorithm 2, remove: the name, link or file, is removed in one step. The sweeper removes
 *       the bytes on the HDD later, since another link may lead to them: a plain {@code cp -P}
 *       creates one.
 *   <li>Algorithm 3, rename: one rename(2) of the link or the file, atomically replacing the
 *       target. The link still leads to the old path on the HDD; later the file gets the new path
 *       there by a hard link and an exchange of links, invisibly to readers.
 * </ul>
 *
 * <p>A second name of a file on an HDD is a hard link of its symbolic link: it costs no transfer,
 * takes effect in one step, and is what a plain link(2) does to it. Such a file stays on the HDD as
 * long as it has two names, just as a file with two names stays on the SSD.
 *
 * <p>Only {@code lstat} and the inode number show that a file is on an HDD.
 *
 * <p>Calls that java.nio also has act on behalf of their caller and follow the links that java.nio
 * would follow; all others work through held directories, as the movers do. Thread-safe, except
 * that no call may be in progress or follow when the tree is closed.
 */
public final class TieredTree {
  private final TreeLayout layout;
  private final FileMover mover;
  private final LocalDirPlanner planner;
  private final LocalDirCounters counters;

  TieredTree(
      TreeLayout layout, FileMover mover, LocalDirPlanner planner, LocalDirCounters counters) {
    this.layout = layout;
    this.mover = mover;
    this.planner = planner;
    this.counters = counters;
  }

  /** The root of the tree; paths given to the other methods are relative to it or under it. */
  public Path root() {
    return layout.ssd();
  }

  /** A caller's path as an absolute path, checked to be inside the tree. */
  private Path at(Path path) throws FileSystemException {
    Path at = layout.ssd().resolve(path).normalize();
    if (!at.startsWith(layout.ssd())) {
      throw new InvalidPathException(path.toString(), "not under " + layout.ssd());
    }
    if (layout.hides(at)) {
      throw new FileSystemException(path.toString(), null, "this name is reserved for the tree");
    }
    return at;
  }

  /**
   * Opens a file, as {@link FileChannel#open(Path, OpenOption...)}.
   *
   * @throws IOException as that does on a plain directory
   */
  public FileChannel open(Path path, OpenOption... options) throws IOException {
    return open(path, Set.of(options));
  }

  /**
   * Opens a file (Algorithm 1), as {@link FileChannel#open(Path, Set, FileAttribute...)}.
   *
   * @throws IOException as that does on a plain directory
   */
  public FileChannel open(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path at = at(path);
    boolean down = layout.target(at) != null;
    Set<OpenOption> plain = new HashSet<>(options);
    boolean removeAtOnce = false;
    if (down) {
      // Both options would apply to the link instead of the file.
      plain.remove(LinkOption.NOFOLLOW_LINKS);
      removeAtOnce = plain.remove(StandardOpenOption.DELETE_ON_CLOSE);
    }
    FileChannel channel;
    try {
      channel = FileChannel.open(at, plain, attributes);
    } catch (FileSystemException e) {
      if (!down && layout.target(at) != null && refusesLinks(options)) {
        // The file was moved down between the check and the open; retry through the link.
        return open(path, options, attributes);
      }
      throw e;
    }
    if (removeAtOnce) {
      Files.deleteIfExists(at);
    }
    counters.count(down ? Figure.OPENS_DOWN : Figure.OPENS_UP);
    planner.opened(at);
    return channel;
  }

  private static boolean refusesLinks(Set<? extends OpenOption> options) {
    return options.contains(LinkOption.NOFOLLOW_LINKS)
        || options.contains(StandardOpenOption.DELETE_ON_CLOSE);
  }

  /**
   * Creates an empty file.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken
   * @throws IOException as {@link Files#createFile} does
   */
  public void create(Path path, FileAttribute<?>... attributes) throws IOException {
    var unused = Files.createFile(at(path), attributes);
  }

  /**
   * Appends to a file that must exist.
   *
   * @throws IOException as {@link Files#write} does
   */
  public void append(Path path, byte[] bytes) throws IOException {
    try (FileChannel channel = open(path, StandardOpenOption.APPEND)) {
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      while (rest.hasRemaining()) {
        if (channel.write(rest) < 0) {
          throw new EOFException(path.toString());
        }
      }
    }
  }

  /**
   * All bytes of a file.
   *
   * @throws IOException as {@link Files#readAllBytes} does
   */
  public byte[] read(Path path) throws IOException {
    try (FileChannel channel = open(path, StandardOpenOption.READ)) {
      return Channels.newInputStream(channel).readAllBytes();
    }
  }

  /**
   * Removes a file (Algorithm 2) or an empty directory.
   *
   * @throws IOException as {@link Files#delete} does
   */
  public void remove(Path path) throws IOException {
    Files.delete(at(path));
  }

  /**
   * Renames a file or a directory (Algorithm 3), over a file or an empty directory if there is one,
   * in one step.
   *
   * @throws IOException as {@link Files#move} does with {@link StandardCopyOption#ATOMIC_MOVE}
   */
  public void rename(Path from, Path to) throws IOException {
    Path target = at(to);
    var unused = Files.move(at(from), target, StandardCopyOption.ATOMIC_MOVE);
    if (Files.isSymbolicLink(target)) {
      planner.renamed(target);
    }
  }

  /**
   * Makes a directory whose parent exists.
   *
   * @throws IOException as {@link Files#createDirectory} does
   */
  public void mkdir(Path path, FileAttribute<?>... attributes) throws IOException {
    var unused = Files.createDirectory(at(path), attributes);
  }

  /**
   * Removes an empty directory.
   *
   * @throws NotDirectoryException if it is something else
   * @throws IOException as {@link Files#delete} does
   */
  public void rmdir(Path path) throws IOException {
    Path at = at(path);
    if (!FileMark.of(at).isDirectory()) {
      throw new NotDirectoryException(at.toString());
    }
    Files.delete(at);
  }

  /**
   * Gives a file a second name.
   *
   * @throws IOException as {@link Files#createLink} does
   */
  public void link(Path link, Path existing) throws IOException {
    Path from = at(existing);
    FileMark before = FileMark.ifAny(from);
    try {
      var unused = Files.createLink(at(link), from);
    } catch (NoSuchFileException e) {
      FileMark now = FileMark.ifAny(from);
      if (before == null || now == null || now.sameInode(before)) {
        throw e;
      }
      // The file was moved between the check and the call: the kernel refuses to link a file
      // without a name.
      link(link, existing);
    }
  }

  /**
   * The names in a directory, sorted.
   *
   * @throws NotDirectoryException if it is something else
   * @throws IOException as {@link Files#newDirectoryStream(Path)} does
   */
  public List<String> list(Path path) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(at(path))) {
      for (Path entry : entries) {
        if (!layout.hides(entry)) {
          names.add(String.valueOf(entry.getFileName()));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    Collections.sort(names);
    return names;
  }

  /**
   * Attributes of a file or directory, wherever its bytes are. For a link that leads out of the
   * tree, the link's own attributes.
   *
   * @throws IOException as {@link Files#readAttributes(Path, Class, LinkOption...)} does
   */
  public PosixFileAttributes stat(Path path) throws IOException {
    Path at = at(path);
    while (true) {
      PosixFileAttributes own =
          Files.readAttributes(at, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!own.isSymbolicLink()) {
        return own;
      }
      if (layout.target(at) != null) {
        return Files.readAttributes(at, PosixFileAttributes.class);
      }
      if (Files.isSymbolicLink(at)) {
        return own;
      }
      // The file was moved up between the check and the call.
    }
  }

  /** True if the path is a link to its file on an HDD of this tree. */
  public boolean isDown(Path path) throws IOException {
    return layout.target(at(path)) != null;
  }

  /**
   * True if the path is a link to an existing file on an HDD that {@link #bringUp} may move: link,
   * file and directory belong to the same user.
   */
  public boolean mayComeUp(Path path) throws IOException {
    return mover.isDown(at(path));
  }

  /** All links of the tree to its HDDs, found by one walk; absolute paths. */
  public List<Path> downFiles() throws IOException {
    List<Path> found = new ArrayList<>();
    Deque<Path> left = new ArrayDeque<>();
    left.push(layout.ssd());
    while (!left.isEmpty()) {
      collectDown(left.pop(), found, left);
    }
    return found;
  }

  private void collectDown(Path directory, List<Path> into, Deque<Path> below) throws IOException {
    try (Directory held = layout.hold(layout.relative(directory))) {
      if (held == null) {
        return; // removed meanwhile
      }
      for (Path name : held.names()) {
        FileMark mark = held.mark(name);
        Path entry = directory.resolve(name);
        if (mark != null && mark.isDirectory() && !layout.hides(entry)) {
          below.push(entry);
        } else if (mark != null && mark.isLink()) {
          Path text = TreeLayout.text(held, name);
          if (text != null && layout.targetOf(text) != null) {
            into.add(entry);
          }
        }
      }
    } catch (NoSuchFileException | LinuxCalls.TooLongException e) {
      // Removed meanwhile, or beyond the maximum path length.
    }
  }

  /** Size of a file, wherever its bytes are; 0 if it does not exist. */
  public long size(Path path) throws IOException {
    return Math.max(0, layout.size(at(path)));
  }

  /**
   * Moves one file up now, regardless of the policy.
   *
   * @return false if it stays: it is on the SSD already, open for writing, changed meanwhile, has
   *     two names, or is gone
   * @throws IOException if there is no room or a device failed; the file is readable as before
   */
  public boolean bringUp(Path path) throws IOException, InterruptedException {
    Path at = at(path);
    return mover.up(at) == MoveResult.MOVED;
  }

  /**
   * Moves one file down now, regardless of the policy.
   *
   * @return false if it stays: it is on an HDD already, open for writing, executable, too new, too
   *     small, has two names, was changed meanwhile, or is gone
   * @throws IOException if no HDD has room or a device failed; the file is as before
   */
  public boolean bringDown(Path path) throws IOException, InterruptedException {
    Path at = at(path);
    List<HddRoot> order = new ArrayList<>(layout.hdds());
    order.sort((a, b) -> Long.compare(b.roomBytes(), a.roomBytes()));
    MoveResult result = mover.down(at, order);
    if (result == MoveResult.FULL) {
      throw new FileSystemException(at.toString(), null, "no room on any of " + layout.hdds());
    }
    return result == MoveResult.MOVED;
  }
}
