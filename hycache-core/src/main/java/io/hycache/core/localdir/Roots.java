package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Checks of the configured directories, each with a message that says what to do. */
final class Roots {
  private Roots() {}

  /**
   * The real path of a configured directory.
   *
   * @param what the setting that names it
   * @throws IOException if it is not there, no directory or not writable; or if this is root and
   *     somebody else may put another directory in its place or change names in it
   */
  static Path usable(String what, Path configured, Caller caller) throws IOException {
    Path real;
    try {
      real = configured.toRealPath();
    } catch (NoSuchFileException e) {
      throw new IOException(
          what + "=" + configured + " does not exist; create the directory or mount its device", e);
    }
    if (!Files.isDirectory(real)) {
      throw new IOException(what + "=" + configured + " is no directory; name one");
    }
    if (!Files.isWritable(real)) {
      throw new IOException(
          what
              + "="
              + configured
              + " is not writable for "
              + System.getProperty("user.name")
              + "; give it the rights, or check whether its device became read-only");
    }
    if (caller.isRoot()) {
      requireRoots(what, configured, real);
    }
    return real;
  }

  /**
   * Nobody but root may change what the path leads to. Names in a sticky directory are their
   * owners', so those of root are safe there.
   */
  private static void requireRoots(String what, Path configured, Path real) throws IOException {
    if (!real.equals(configured)) {
      throw new IOException(
          what
              + "="
              + configured
              + " is reached through a link, which root does not follow; name "
              + real);
    }
    Path at = real.getRoot();
    for (int i = 0; at != null; i++) {
      FileMark mark = FileMark.of(at);
      if (mark.uid != 0 || (mark.isWritableForOthers() && !mark.isSticky())) {
        throw new IOException(
            what
                + "="
                + configured
                + ": expected that only root may change names in "
                + at
                + ", since this is root; found uid="
                + mark.uid
                + " mode="
                + mark.rightsText()
                + ". Fix: chown root and chmod go-w it (directories below the tree's root may be"
                + " anybody's), or serve the tree as the user whose jobs write to it");
      }
      at = i < real.getNameCount() ? at.resolve(real.getName(i)) : null;
    }
  }
}
