// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where each user created files last, by the template of the directory. Those older than {@link
 * #RECENT_MILLIS} are dropped, and the oldest ones beyond a limit. Apart from the uses of
 * directories, because most directories in which files are created are never read: those of task
 * attempts and of jobs being submitted. Not thread-safe; O(1) amortized.
 */
final class RecentCreates {
  /** A job's output is created when it begins and read when it has ended. */
  static final long RECENT_MILLIS = TimeUnit.HOURS.toMillis(1);

  private static final class Created {
    final long timeMillis;
    final DatedPath directory;

    Created(long timeMillis, DatedPath directory) {
      this.timeMillis = timeMillis;
      this.directory = directory;
    }
  }

  private final int max;

  /** By user and template; the oldest first. */
  private final Map<List<String>, Created> all = new LinkedHashMap<>();

  /**
   * @param max directories of which one is kept, &gt; 0
   */
  RecentCreates(int max) {
    this.max = max;
  }

  /** Records that a user created a file in a directory. Times must not decrease. */
  void add(long timeMillis, String user, DatedPath directory) {
    List<String> key = List.of(user, directory.template());
    all.remove(key); // So that it goes to the end.
    all.put(key, new Created(timeMillis, directory));
    Iterator<Created> oldestFirst = all.values().iterator();
    while (oldestFirst.hasNext()) {
      boolean kept = isRecent(oldestFirst.next(), timeMillis) && all.size() <= max;
      if (kept) {
        return;
      }
      oldestFirst.remove();
    }
  }

  /** The directory of a template in which a user created a file last; null if none is kept. */
  @Nullable DatedPath find(long timeMillis, String user, String template) {
    Created created = all.get(List.of(user, template));
    return created == null || !isRecent(created, timeMillis) ? null : created.directory;
  }

  private static boolean isRecent(Created created, long nowMillis) {
    return nowMillis - created.timeMillis < RECENT_MILLIS;
  }

  int size() {
    return all.size();
  }
}
