// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Checks the configured directories; error messages give the fix. */
final class Roots {
  private Roots() {}

  /**
   * The real path of a configured directory.
   *
   * @param what the setting that names it
   * @throws IOException if it does not exist, is no directory or not writable; or if this process
   *     is root and another user could replace it or change names in it
   */
  static Path usable(String what, Path configured, Caller caller) throws IOException {
    Path real;
    try {
      real = configured.toRealPath();
    } catch (NoSuchFileException e) {
      throw new IOException(
          what
              + "="
              + configured
              + " does not exist. Fix: create the directory or mount its device",
          e);
    }
    if (!Files.isDirectory(real)) {
      throw new IOException(what + "=" + configured + " is not a directory. Fix: configure one");
    }
    if (!Files.isWritable(real)) {
      throw new IOException(
          what
              + "="
              + configured
              + " is not writable for "
              + System.getProperty("user.name")
              + ". Fix: grant the rights, or check whether its device became read-only");
    }
    if (caller.isRoot()) {
      requireRoots(what, configured, real);
    }
    return real;
  }

  /**
   * Requires that only root can change where the path leads. In a sticky directory only owners can
   * change their names, so root's names are safe there.
   */
  private static void requireRoots(String what, Path configured, Path real) throws IOException {
    if (!real.equals(configured)) {
      throw new IOException(
          what
              + "="
              + configured
              + " is reached through a link, which root does not follow. Fix: configure "
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
