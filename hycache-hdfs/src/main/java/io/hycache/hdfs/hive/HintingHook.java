// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.hive;

import io.hycache.hdfs.client.RunHints;
import io.hycache.hdfs.history.HdfsPath;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hive.ql.hooks.Entity;
import org.apache.hadoop.hive.ql.hooks.ExecuteWithHookContext;
import org.apache.hadoop.hive.ql.hooks.HookContext;
import org.apache.hadoop.hive.ql.hooks.ReadEntity;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hook that hints what a query of Hive reads: the directories of its tables, and of partitioned
 * ones those of the partitions that are left after pruning. Name it in {@code hive.exec.pre.hooks},
 * and in {@code hive.exec.post.hooks} and {@code hive.exec.failure.hooks}, so that the hints end
 * with the query.
 *
 * <p>The workflow is named {@code hive/QUERY-ID} and belongs to the query's user. Nothing waits and
 * nothing fails the query, see {@link RunHints}. Hive makes a hook for each query; all of a process
 * share one queue and one thread. Thread-safe.
 */
public final class HintingHook implements ExecuteWithHookContext {
  private static final Logger LOG = LoggerFactory.getLogger(HintingHook.class);
  private static final AtomicLong FAILURES = new AtomicLong();

  /** Made by the first query. */
  private static final class Shared {
    static final RunHints HINTS = new RunHints(new HdfsConfiguration(), "hive");
  }

  /** Called by Hive, by reflection. */
  public HintingHook() {}

  @Override
  public void run(HookContext context) {
    try {
      run(
          Shared.HINTS,
          context.getHookType() == HookContext.HookType.PRE_EXEC_HOOK,
          context.getQueryPlan().getQueryId(),
          context.getUgi(),
          context.getInputs());
    } catch (Throwable e) {
      // The query goes on, whatever is wrong with an input or with the class path.
      if (FAILURES.getAndIncrement() == 0) {
        LOG.warn(
            "Could not submit or withdraw hints of a query; the query itself goes on, further"
                + " failures are not logged",
            e);
      }
    }
  }

  /**
   * Passes a query on.
   *
   * @param begins false: it ends
   */
  static void run(
      RunHints hints,
      boolean begins,
      String query,
      UserGroupInformation user,
      Set<ReadEntity> inputs)
      throws Exception {
    String workflow = RunHints.workflow("hive/", query);
    if (begins) {
      hints.begins(user, workflow, new ArrayList<>(paths(inputs)));
    } else {
      hints.ends(user, workflow);
    }
  }

  /** The directories on HDFS; of a partitioned table those of the partitions that are inputs. */
  private static Set<String> paths(Set<ReadEntity> inputs) throws Exception {
    Set<String> out = new LinkedHashSet<>();
    for (ReadEntity input : inputs) {
      Entity.Type type = input.getType();
      boolean isRead =
          type == Entity.Type.PARTITION
              || type == Entity.Type.DFS_DIR
              || (type == Entity.Type.TABLE
                  && !input.getTable().isView()
                  && !input.getTable().isPartitioned());
      URI location = isRead ? input.getLocation() : null;
      // Unlike the URI, the path is not percent-encoded.
      String path = location == null ? null : HdfsPath.of(new Path(location).toString());
      if (path != null) {
        out.add(path);
      }
    }
    return out;
  }
}
