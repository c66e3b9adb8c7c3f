// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A tree served by root, with a directory for each of two users, and files outside of it on the
 * same file system, so that only rights and checks protect them from the service.
 *
 * <pre>
 *  ssd/m/x, ssd/m/d/x, ssd/m/d/e/x   Mallory's
 *  ssd/a/x                           Alice's, in a private directory
 *  outside/x, outside/d/x            root's; outside/d/e a directory of root's
 *  outside/secret                    Alice's
 * </pre>
 */
final class AttackRig implements AutoCloseable {
  static final int MALLORY = 54_321;
  static final int ALICE = 54_322;
  static final int BYTES = 1_000;

  final LocalDirRig rig;
  final Path ssd;
  final Path outside;
  final Path mallorys;
  final Path alices;

  AttackRig() throws Exception {
    rig = new LocalDirRig();
    ssd = rig.ssd;
    for (Path root : new Path[] {rig.base, rig.ssd, rig.hdd0, rig.hdd1}) {
      rights(root, "rwxr-xr-x");
    }
    outside = directory(rig.base.resolve("outside"), 0);
    directory(outside.resolve("d/e"), 0);
    file(outside.resolve("x"), 0);
    file(outside.resolve("d/x"), 0);
    rights(file(outside.resolve("secret"), ALICE), "rw-------");
    mallorys = directory(ssd.resolve("m"), MALLORY);
    directory(ssd.resolve("m/d"), MALLORY);
    directory(ssd.resolve("m/d/e"), MALLORY);
    for (String name : new String[] {"x", "d/x", "d/e/x"}) {
      file(mallorys.resolve(name), MALLORY);
    }
    alices = directory(ssd.resolve("a"), ALICE);
    rights(alices, "rwx------");
    file(alices.resolve("x"), ALICE);
    rig.awaitTick();
  }

  static Path directory(Path path, int uid) throws IOException {
    Files.createDirectories(path);
    rights(path, "rwxr-xr-x");
    return give(path, uid);
  }

  static Path file(Path path, int uid) throws IOException {
    Files.write(path, LocalDirRig.bytes(BYTES, uid));
    rights(path, "rw-r--r--");
    return give(path, uid);
  }

  static Path link(Path path, Path text, int uid) throws IOException {
    return give(Files.createSymbolicLink(path, text), uid);
  }

  static Path give(Path path, int uid) throws IOException {
    Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(path, "unix:gid", uid, LinkOption.NOFOLLOW_LINKS);
    return path;
  }

  static void rights(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  /** The directory on an HDD that contains the file of a link. */
  static Path behind(Path link) throws IOException {
    return Files.readSymbolicLink(link).resolveSibling(".").normalize();
  }

  @Override
  public void close() throws IOException {
    rig.close();
  }
}
