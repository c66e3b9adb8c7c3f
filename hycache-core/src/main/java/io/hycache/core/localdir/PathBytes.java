// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Converts paths to and from the bytes of system calls. The URI of a path preserves its bytes; its
 * text does not where the locale can't represent them.
 */
final class PathBytes {
  /** Nothing can exist below a file, so that resolving a path against it causes no look-ups. */
  private static final Path NOWHERE = Path.of("/dev/null");

  /** NAME_MAX of Linux. */
  private static final int MAX_NAME_BYTES = 255;

  private PathBytes() {}

  /** Appends a terminating zero byte. */
  static byte[] terminated(byte[] bytes) {
    byte[] longer = new byte[bytes.length + 1];
    System.arraycopy(bytes, 0, longer, 0, bytes.length);
    return longer;
  }

  /** The path with exactly these bytes; the inverse of {@link #bytes(Path)}. */
  static Path path(byte[] bytes, int length) {
    StringBuilder uri = new StringBuilder("file:///");
    for (int i = 0; i < length; i++) {
      if (bytes[i] != '/') {
        uri.append(String.format("%%%02X", bytes[i] & 0xff));
      } else if (i > 0 && bytes[i - 1] != '/') {
        uri.append('/');
      }
    }
    Path absolute = Path.of(URI.create(uri.toString()));
    int names = absolute.getNameCount();
    return bytes[0] == '/' || names == 0 ? absolute : absolute.subpath(0, names);
  }

  /** A name with ASCII text appended, whatever its own text is. */
  static Path append(Path name, String text) {
    byte[] before = bytes(name);
    byte[] bytes = Arrays.copyOf(before, before.length - 1 + text.length());
    System.arraycopy(
        text.getBytes(StandardCharsets.US_ASCII), 0, bytes, before.length - 1, text.length());
    return path(bytes, bytes.length);
  }

  /** A name without its last bytes, of which it must have more. */
  static Path cut(Path name, int count) {
    byte[] bytes = bytes(name);
    return path(bytes, bytes.length - 1 - count);
  }

  /**
   * Whether a name of the path is longer than Linux allows for files. Such a path can be the text
   * of a link, but each use of it fails.
   */
  static boolean hasTooLongName(Path path) {
    int length = 0;
    for (byte each : bytes(path)) {
      length = each == '/' || each == 0 ? 0 : length + 1;
      if (length > MAX_NAME_BYTES) {
        return true;
      }
    }
    return false;
  }

  /** Whether the path's text denotes the path, in this process's locale. */
  static boolean isText(Path path) {
    try {
      return Path.of(path.toString()).equals(path);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** The exact bytes of a path, zero-terminated; {@code .} for the empty path. */
  static byte[] bytes(Path path) {
    if (path.toString().isEmpty()) {
      return new byte[] {'.', 0};
    }
    Path nowhere = NOWHERE.resolve(path.subpath(0, path.getNameCount()));
    String raw = nowhere.toUri().getRawPath();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = NOWHERE.toString().length() + (path.isAbsolute() ? 0 : 1); i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes.write(Integer.parseInt(raw.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    bytes.write(0);
    return bytes.toByteArray();
  }
}
