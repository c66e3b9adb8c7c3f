// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.util.Map;
import java.util.TreeMap;

/**
 * The objects that the paths of a file system name, while files and directories are renamed and
 * deleted. An object goes on under its new name, and of a directory all that is beneath; what has
 * its old name later is another object, and so is what has the name of a deleted one. An object is
 * called by its first path, or {@code PATH:N} if another one was there before, since no name in
 * HDFS holds a colon.
 *
 * <p>An entry for each path that was renamed or deleted, until its directory is. Not thread-safe.
 */
final class FileNames {
  private final TreeMap<String, String> objects = new TreeMap<>();
  private long changes;

  /** The object that a path names. O(depth log n). */
  String object(String path) {
    for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
      String object = objects.get(path.substring(0, end));
      if (object != null) {
        return object + path.substring(end);
      }
    }
    return path;
  }

  /** A file or a directory, which replaces what is at the new path. */
  void rename(String from, String to) {
    String object = object(from);
    Map<String, String> beneath = forgetBeneath(from);
    forgetBeneath(to);
    objects.put(from, another(from));
    objects.put(to, object);
    beneath.forEach((path, each) -> objects.put(to + path.substring(from.length()), each));
  }

  /** A file or a directory. */
  void delete(String path) {
    forgetBeneath(path);
    objects.put(path, another(path));
  }

  private String another(String path) {
    changes++;
    return path + ":" + changes;
  }

  /** Removes the entries beneath a directory. Returns them. */
  private Map<String, String> forgetBeneath(String directory) {
    Map<String, String> beneath = objects.subMap(directory + "/", directory + (char) ('/' + 1));
    Map<String, String> before = Map.copyOf(beneath);
    beneath.clear();
    return before;
  }
}
