// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Copies owner, group, mode, extended attributes and times from a file to its copy. */
final class Attributes {
  private static final int MODE_BITS = 07777;
  private static final String CAPABILITY = "security.capability";

  private final @Nullable LinuxCalls calls;

  /**
   * @param calls null: only extended attributes of the {@code user.} namespace are copied
   */
  Attributes(@Nullable LinuxCalls calls) {
    this.calls = calls;
  }

  /**
   * Copies all attributes, times last.
   *
   * @param to a name that only this process uses
   * @throws IOException if an attribute can't be copied; the copy must not be used then
   */
  void copy(HeldFile from, Path to) throws IOException {
    FileMark mark = from.mark;
    owner(to, mark);
    rights(to, mark);
    extended(from.path(), to);
    BasicFileAttributeView view =
        Files.getFileAttributeView(to, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    view.setTimes(
        FileTime.from(mark.mtimeMicros, TimeUnit.MICROSECONDS),
        FileTime.from(mark.atimeMicros, TimeUnit.MICROSECONDS),
        null);
  }

  /**
   * Whether executing the file grants rights (setuid, setgid, capabilities), as far as can be
   * determined.
   */
  boolean lendRights(HeldFile file) throws IOException {
    return file.mark.lendsRights()
        || (calls != null && calls.attributes.get(file.path(), CAPABILITY) != null);
  }

  /** Sets owner and group of a file or link; makes no call if they are right already. */
  static void owner(Path to, FileMark wanted) throws IOException {
    FileMark now = FileMark.of(to);
    if (now.uid != wanted.uid) {
      Files.setAttribute(to, "unix:uid", wanted.uid, LinkOption.NOFOLLOW_LINKS);
    }
    if (now.gid != wanted.gid) {
      Files.setAttribute(to, "unix:gid", wanted.gid, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** Sets the mode of a file; call it after setting the owner. */
  private static void rights(Path to, FileMark wanted) throws IOException {
    if ((FileMark.of(to).mode & MODE_BITS) != (wanted.mode & MODE_BITS)) {
      Files.setAttribute(to, "unix:mode", wanted.mode & MODE_BITS);
    }
  }

  private void extended(Path from, Path to) throws IOException {
    if (calls == null) {
      ofUser(from, to);
      return;
    }
    for (String name : calls.attributes.names(from)) {
      try {
        calls.attributes.copy(from, to, name);
      } catch (FileSystemException e) {
        // Security labels are assigned by the target's own file system.
        if (!name.startsWith("security.")) {
          throw e;
        }
      }
    }
  }

  private static void ofUser(Path from, Path to) throws IOException {
    UserDefinedFileAttributeView source =
        Files.getFileAttributeView(from, UserDefinedFileAttributeView.class);
    UserDefinedFileAttributeView target =
        Files.getFileAttributeView(to, UserDefinedFileAttributeView.class);
    if (source == null || target == null) {
      return;
    }
    for (String name : source.list()) {
      ByteBuffer value = ByteBuffer.allocate(source.size(name));
      var unused = source.read(name, value);
      value.flip();
      if (target.write(name, value) != value.limit()) {
        throw new IOException("user." + name + " of " + from + " was truncated at " + to);
      }
    }
  }
}
