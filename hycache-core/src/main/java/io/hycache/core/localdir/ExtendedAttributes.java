// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * System calls for extended attributes of all namespaces; Java accesses only the {@code user.}
 * namespace. Thread-safe.
 */
final class ExtendedAttributes {
  private static final int ERANGE = 34;
  private static final int ENODATA = 61;
  private static final int EOPNOTSUPP = 95;

  /** The kernel's limit on the size of one value and of the list of names. */
  private static final int MAX_ATTRIBUTE_BYTES = 64 << 10;

  private final Function listxattr;
  private final Function getxattr;
  private final Function lsetxattr;
  private final Function lremovexattr;

  /**
   * @throws UnsatisfiedLinkError if the C library lacks one of the calls
   */
  ExtendedAttributes(NativeLibrary libc) {
    listxattr = libc.getFunction("listxattr");
    getxattr = libc.getFunction("getxattr");
    lsetxattr = libc.getFunction("lsetxattr");
    lremovexattr = libc.getFunction("lremovexattr");
  }

  /** Names of all extended attributes visible to this process; follows links. */
  List<String> names(Path path) throws IOException {
    byte[] names = new byte[MAX_ATTRIBUTE_BYTES];
    long length =
        listxattr.invokeLong(new Object[] {PathBytes.bytes(path), names, (long) names.length});
    if (length < 0) {
      int errno = Native.getLastError();
      if (errno == EOPNOTSUPP) {
        return List.of();
      }
      throw new FileSystemException(path.toString(), null, "listxattr errno=" + errno);
    }
    List<String> found = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (names[i] == 0) {
        found.add(new String(names, start, i - start, StandardCharsets.UTF_8));
        start = i + 1;
      }
    }
    return found;
  }

  /**
   * Copies one extended attribute; does nothing if it has been removed meanwhile.
   *
   * @param from links are followed
   */
  void copy(Path from, Path to, String name) throws IOException {
    byte[] value = get(from, name);
    if (value != null) {
      set(to, name, value);
    }
  }

  /** The value of an extended attribute; null if there is none. Follows links. */
  byte @Nullable [] get(Path path, String name) throws IOException {
    byte[] value = new byte[MAX_ATTRIBUTE_BYTES];
    byte[] attribute = PathBytes.terminated(name.getBytes(StandardCharsets.UTF_8));
    long length =
        getxattr.invokeLong(
            new Object[] {PathBytes.bytes(path), attribute, value, (long) value.length});
    if (length >= 0) {
      return Arrays.copyOf(value, (int) length);
    }
    int errno = Native.getLastError();
    if (errno == ENODATA || errno == EOPNOTSUPP) {
      return null;
    }
    throw new FileSystemException(
        path.toString(), null, name + (errno == ERANGE ? " is too long" : " errno=" + errno));
  }

  /** Sets an extended attribute; does not follow links. */
  void set(Path path, String name, byte[] value) throws IOException {
    byte[] attribute = PathBytes.terminated(name.getBytes(StandardCharsets.UTF_8));
    if (lsetxattr.invokeInt(
            new Object[] {PathBytes.bytes(path), attribute, value, (long) value.length, 0})
        != 0) {
      int errno = Native.getLastError();
      throw new FileSystemException(
          path.toString(),
          null,
          "setting " + name + (errno == EOPNOTSUPP ? " is not supported" : " errno=" + errno));
    }
  }

  /** Removes an extended attribute if it exists; does not follow links. */
  void remove(Path path, String name) throws IOException {
    byte[] attribute = PathBytes.terminated(name.getBytes(StandardCharsets.UTF_8));
    if (lremovexattr.invokeInt(new Object[] {PathBytes.bytes(path), attribute}) != 0) {
      int errno = Native.getLastError();
      if (errno != ENODATA && errno != EOPNOTSUPP) {
        throw new FileSystemException(
            path.toString(), null, "removing " + name + " errno=" + errno);
      }
    }
  }
}
