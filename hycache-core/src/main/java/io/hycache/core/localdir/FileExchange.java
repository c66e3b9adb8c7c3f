// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges two names of one file system.
 *
 * <p>With renameat2(2) the exchange is atomic: whatever is at one name at that instant is at the
 * other afterwards, regardless of concurrent changes. Without it, because JNA is missing or the
 * file system does not support it, a hard link saves the file at the name and a rename replaces it.
 * A program that replaces or removes the file between these two calls loses its change.
 */
abstract class FileExchange {
  private static final Logger LOG = LoggerFactory.getLogger(FileExchange.class);

  /**
   * Suffix of the saved file's name until the staged name is free; used only without an atomic
   * exchange.
   */
  static final String SAVED = ".saved";

  /**
   * Exchanges the two names.
   *
   * @param staged a name that only this process uses
   * @param path a name that other processes may use at the same time
   * @throws java.nio.file.NoSuchFileException if one is missing; nothing was changed
   * @throws IOException if the exchange fails; nothing was changed, or an exchange in two steps
   *     could not be undone, which {@link Settlement} recognizes
   */
  abstract void exchange(Path staged, Path path) throws IOException;

  /** True if no other process can interfere. */
  abstract boolean isAtomic();

  /**
   * The best exchange that a directory's file system supports.
   *
   * @param staging an empty directory in which to try it
   */
  static FileExchange in(Path staging, @Nullable LinuxCalls calls) throws IOException {
    Path shown = staging.toRealPath();
    if (calls != null) {
      Path a = Files.createTempFile(staging, "probe", "");
      Path b = Files.createTempFile(staging, "probe", "");
      try {
        calls.exchange(a, b);
        return new Atomic(calls);
      } catch (IOException e) {
        LOG.info("no atomic exchange on the file system of {}: {}", shown, e.toString());
      } finally {
        Files.deleteIfExists(a);
        Files.deleteIfExists(b);
      }
    }
    LOG.warn(
        "Files under {} are exchanged for links in two steps, not in one ({}): a program that"
            + " replaces or removes a file within the same microseconds loses its change",
        shown,
        calls == null ? "JNA is not on the class path" : "the file system has no exchange");
    return new TwoSteps();
  }

  private static final class Atomic extends FileExchange {
    private final LinuxCalls calls;

    Atomic(LinuxCalls calls) {
      this.calls = calls;
    }

    @Override
    void exchange(Path staged, Path path) throws IOException {
      calls.exchange(staged, path);
    }

    @Override
    boolean isAtomic() {
      return true;
    }
  }

  /** The exchange without the system call. */
  static class TwoSteps extends FileExchange {
    /** Hook for tests between the steps; 3 is in the middle of undoing them. */
    void between(int step) throws IOException {}

    @Override
    final void exchange(Path staged, Path path) throws IOException {
      Path saved = staged.resolveSibling(staged.getFileName() + SAVED);
      Files.deleteIfExists(saved);
      FileMark placed = FileMark.of(staged);
      Files.createLink(saved, path);
      try {
        between(1);
        Files.move(staged, path, StandardCopyOption.ATOMIC_MOVE);
        between(2);
        Files.move(saved, staged, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
        undo(staged, placed, saved, path, e);
        throw e;
      }
    }

    private void undo(Path staged, FileMark placed, Path saved, Path path, Throwable cause)
        throws IOException {
      if (FileMark.ifAny(staged) != null) {
        Files.deleteIfExists(saved); // what was staged has not replaced anything
        return;
      }
      try {
        Files.createLink(staged, path);
        between(3);
        if (!FileMark.of(staged).sameInode(placed)) {
          Files.delete(staged); // what another process has put at the path stands
          throw new IOException("replaced by another process: path=" + path);
        }
        Files.move(saved, path, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        IOException half =
            new IOException("half exchanged, the next start settles it: staged=" + staged, cause);
        half.addSuppressed(e);
        throw half;
      }
    }

    @Override
    final boolean isAtomic() {
      return false;
    }
  }
}
