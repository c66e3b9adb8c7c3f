// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Modes of files and directories, as {@code ls} shows them. */
final class Modes {
  private Modes() {}

  /** Makes a directory that has a mode, whatever the umask is. */
  static Path directory(Path directory, String mode) throws IOException {
    return Files.setPosixFilePermissions(
        Files.createDirectory(directory), PosixFilePermissions.fromString(mode));
  }

  static String of(Path file) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
  }
}
