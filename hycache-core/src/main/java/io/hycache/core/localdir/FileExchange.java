package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets two names of one file system change places.
 *
 * <p>With renameat2(2) that is one instant: whatever was at the name is afterwards at the other,
 * whoever did what to it until then. Without it, because JNA or the file system doesn't have it, a
 * hard link saves what is at the name and a rename puts the other over it: a program that replaces
 * or removes the file between these two calls loses.
 */
abstract class FileExchange {
  private static final Logger LOG = LoggerFactory.getLogger(FileExchange.class);

  /** What saves a file under its staged name until that is free, where there is no exchange. */
  static final String SAVED = ".saved";

  /**
   * Changes places.
   *
   * @param staged a name that only this process uses
   * @param path a name that anybody may use at the same time
   * @throws java.nio.file.NoSuchFileException if one is missing; nothing was done
   * @throws IOException if it can't be done; nothing was done
   */
  abstract void exchange(Path staged, Path path) throws IOException;

  /** True if nobody can come in between. */
  abstract boolean isAtomic();

  /**
   * The best that a directory's file system does.
   *
   * @param staging an empty corner to try it in
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

  /** The way without the system call. */
  static class TwoSteps extends FileExchange {
    /** Lets a test come in between. */
    void between(int step) throws IOException {}

    @Override
    final void exchange(Path staged, Path path) throws IOException {
      Path saved = staged.resolveSibling(staged.getFileName() + SAVED);
      Files.deleteIfExists(saved);
      Files.createLink(saved, path);
      between(1);
      try {
        Files.move(staged, path, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        Files.deleteIfExists(saved);
        throw e;
      }
      between(2);
      Files.move(saved, staged, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    final boolean isAtomic() {
      return false;
    }
  }
}
