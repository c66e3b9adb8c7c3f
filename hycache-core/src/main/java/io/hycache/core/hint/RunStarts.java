// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the workflow of which a run begins when a file is opened: by user and by the directory that
 * a run reads first. Immutable; O(length of the path), however many workflows there are.
 */
public final class RunStarts {
  /** By user, then by template of the first directory, of which a user has one workflow at most. */
  private final Map<String, Map<String, RecurringWorkflow>> users = new HashMap<>();

  /**
   * @param workflows found together by {@link RecurringReads#learn}
   */
  public RunStarts(Collection<RecurringWorkflow> workflows) {
    for (RecurringWorkflow workflow : workflows) {
      users
          .computeIfAbsent(workflow.user(), user -> new HashMap<>())
          .put(workflow.firstTemplate(), workflow);
    }
  }

  /**
   * Returns the workflow of the user that reads the file's directory first, if a run is due at
   * about that time; otherwise null.
   *
   * @param timeMillis since 1970, after the last run that was seen
   * @param path of the file that is opened; absolute
   */
  public @Nullable RecurringWorkflow find(long timeMillis, String user, String path) {
    Map<String, RecurringWorkflow> ofUser = users.get(user);
    RecurringWorkflow workflow = ofUser == null ? null : ofUser.get(RecurringReads.template(path));
    return workflow == null || !workflow.isDue(timeMillis) ? null : workflow;
  }
}
