// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The objects that the paths of a file system name, while files and directories are renamed and
 * deleted. An object goes on under its new name, and of a directory all that is beneath; what has
 * its old name later is another object, and so is what has the name of a deleted one. An object is
 * called by its first path, or {@code PATH:N} if another one was there before, since no name in
 * HDFS holds a colon.
 *
 * <p>An entry for each path that was renamed or deleted, until its directory is, and for each
 * directory that is there. Not thread-safe.
 */
final class FileNames {
  private final TreeMap<String, String> objects = new TreeMap<>();

  /** Those that are there, as far as is known. What is above one of them is one, too. */
  private final NavigableSet<String> directories = new TreeSet<>();

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

  /** Whether this is known to be a directory. */
  boolean isDirectory(String path) {
    return path.equals("/") || directories.contains(path);
  }

  /** A directory is there, and so are those above. */
  void directory(String path) {
    for (String each = path; !each.isEmpty() && directories.add(each); ) {
      each = parent(each);
    }
  }

  /** A file is there, and so are the directories above. */
  void file(String path) {
    directory(parent(path));
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  /** A file or a directory, which replaces what is at the new path. */
  void rename(String from, String to) {
    String object = object(from);
    Map<String, String> beneath = forgetBeneath(from);
    forgetBeneath(to);
    objects.put(from, another(from));
    objects.put(to, object);
    beneath.forEach((path, each) -> objects.put(to + path.substring(from.length()), each));
    SortedSet<String> moved = forgetDirectories(from);
    var unused = forgetDirectories(to);
    file(to);
    moved.forEach(path -> directories.add(to + path.substring(from.length())));
  }

  /** A file or a directory. */
  void delete(String path) {
    forgetBeneath(path);
    objects.put(path, another(path));
    var unused = forgetDirectories(path);
  }

  private String another(String path) {
    changes++;
    return path + ":" + changes;
  }

  /** Removes a path and what is beneath from the directories. Returns what was there. */
  private SortedSet<String> forgetDirectories(String path) {
    SortedSet<String> beneath = directories.subSet(path + "/", path + (char) ('/' + 1));
    SortedSet<String> before = new TreeSet<>(beneath);
    beneath.clear();
    if (directories.remove(path)) {
      before.add(path);
    }
    return before;
  }

  /** Removes the entries beneath a directory. Returns them. */
  private Map<String, String> forgetBeneath(String directory) {
    Map<String, String> beneath = objects.subMap(directory + "/", directory + (char) ('/' + 1));
    Map<String, String> before = Map.copyOf(beneath);
    beneath.clear();
    return before;
  }
}
