// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.history;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells paths on HDFS from others by their URI. Stateless. */
public final class HdfsPath {
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):.*");

  private HdfsPath() {}

  /**
   * Returns a path without trailing slashes; null if it is on another file system than HDFS, or not
   * absolute. A path without a scheme is taken to be on HDFS.
   */
  public static @Nullable String of(String uri) {
    String path = uri.strip();
    Matcher scheme = SCHEME.matcher(path);
    if (scheme.matches()) {
      String name = scheme.group(1).toLowerCase(Locale.ROOT);
      if (!name.equals("hdfs") || !path.startsWith("//", scheme.end(1) + 1)) {
        return null;
      }
      // The directory above all is not what a job reads.
      int root = path.indexOf('/', scheme.end(1) + 3);
      return root < 0 || root == path.length() - 1 ? null : withoutSlash(path);
    }
    return path.startsWith("/") && path.length() > 1 ? withoutSlash(path) : null;
  }

  /**
   * Returns the path of an OpenLineage dataset, whose namespace is the file system's URI; null if
   * it is no path on HDFS.
   */
  public static @Nullable String of(String namespace, String name) {
    if (!namespace.toLowerCase(Locale.ROOT).startsWith("hdfs://")) {
      return null;
    }
    return of(withoutSlash(namespace) + (name.startsWith("/") ? name : "/" + name));
  }

  private static String withoutSlash(String path) {
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }
}
