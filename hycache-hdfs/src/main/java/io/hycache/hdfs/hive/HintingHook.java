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
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hive.ql.hooks.Entity;
import org.apache.hadoop.hive.ql.hooks.ExecuteWithHookContext;
import org.apache.hadoop.hive.ql.hooks.HookContext;
import org.apache.hadoop.hive.ql.hooks.ReadEntity;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hook that hints what a query of Hive reads: the directories of its tables, and of partitioned
 * ones those of the partitions that are left after pruning. Name it in {@code hive.exec.pre.hooks},
 * and in {@code hive.exec.post.hooks} and {@code hive.exec.failure.hooks}, so that the hints end
 * with the query. Statements that read no data, and tables of storage handlers, such as those of
 * Iceberg, are passed over.
 *
 * <p>The workflow is named {@code hive/QUERY-ID} and belongs to the query's user. Nothing waits and
 * nothing fails the query, see {@link RunHints}. Hive makes a hook for each query; all of a process
 * share one queue and one thread. Thread-safe.
 */
public final class HintingHook implements ExecuteWithHookContext {
  private static final Logger LOG = LoggerFactory.getLogger(HintingHook.class);
  private static final AtomicLong FAILURES = new AtomicLong();

  /** Operations that read their inputs; {@code INSERT ... SELECT} is a {@code QUERY}. */
  private static final Set<String> READING =
      Set.of(
          "QUERY",
          "CREATETABLE_AS_SELECT",
          "CREATE_MATERIALIZED_VIEW",
          "ALTER_MATERIALIZED_VIEW_REBUILD",
          "EXECUTE QUERY",
          "EXPORT");

  /** Its operation is that of the statement that it explains. */
  private static final Pattern EXPLAIN =
      Pattern.compile("\\s*explain\\s.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** Made by the first query. */
  private static final class Shared {
    static final RunHints HINTS = new RunHints(new HdfsConfiguration(), "hive");
  }

  /** Called by Hive, by reflection. */
  public HintingHook() {}

  @Override
  public void run(HookContext context) {
    try {
      boolean begins = context.getHookType() == HookContext.HookType.PRE_EXEC_HOOK;
      if (begins && !reads(context.getOperationName(), context.getQueryPlan().getQueryStr())) {
        return;
      }
      run(
          Shared.HINTS,
          begins,
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
   * Returns true if a statement reads the data of its inputs.
   *
   * @param operation null: Hive has none for it, such as {@code UPDATE}, {@code DELETE} and {@code
   *     MERGE}
   */
  static boolean reads(@Nullable String operation, @Nullable String statement) {
    return (operation == null || READING.contains(operation))
        && (statement == null || !EXPLAIN.matcher(statement).matches());
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

  /**
   * The directories on HDFS, as many as are hinted; of a partitioned table those of the partitions
   * that are inputs.
   */
  private static Set<String> paths(Set<ReadEntity> inputs) throws Exception {
    Set<String> out = new LinkedHashSet<>();
    for (ReadEntity input : inputs) {
      if (out.size() == RunHints.MAX_PATHS) {
        break;
      }
      URI location = isRead(input) ? input.getLocation() : null;
      // Unlike the URI, the path is not percent-encoded.
      String path = location == null ? null : HdfsPath.of(new Path(location).toString());
      if (path != null) {
        out.add(path);
      }
    }
    return out;
  }

  private static boolean isRead(ReadEntity input) {
    Entity.Type type = input.getType();
    if (type == Entity.Type.DFS_DIR) {
      return true;
    }
    if (type != Entity.Type.TABLE && type != Entity.Type.PARTITION) {
      return false;
    }
    Table table = input.getTable();
    // What a table of a storage handler has in its directory is no list of what a query reads.
    return !table.isNonNative()
        && (type == Entity.Type.PARTITION || (!table.isView() && !table.isPartitioned()));
  }
}
