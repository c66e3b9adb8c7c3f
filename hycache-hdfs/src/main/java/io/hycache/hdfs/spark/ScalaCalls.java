// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import org.apache.spark.sql.execution.FileSourceScanLike;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import scala.collection.Seq;

/**
 * Calls of Spark's methods whose signatures name a sequence, which is another class for each
 * version of Scala: found once, by name and number of arguments. Thread-safe.
 */
final class ScalaCalls {
  private static final MethodHandle CHILDREN = find(TreeNode.class, "children", 0);
  private static final MethodHandle SUBQUERIES = find(QueryPlan.class, "subqueries", 0);
  private static final MethodHandle PARTITION_FILTERS =
      find(FileSourceScanLike.class, "partitionFilters", 0);
  private static final MethodHandle DATA_FILTERS = find(FileSourceScanLike.class, "dataFilters", 0);
  private static final MethodHandle LIST_FILES = find(FileIndex.class, "listFiles", 2);
  private static final MethodHandle FILES = find(PartitionDirectory.class, "files", 0);

  private ScalaCalls() {}

  private static MethodHandle find(Class<?> type, String name, int arguments) {
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == arguments) {
        try {
          MethodHandle found = MethodHandles.publicLookup().unreflect(method);
          return found.asType(found.type().generic());
        } catch (IllegalAccessException e) {
          throw new LinkageError(e.toString(), e);
        }
      }
    }
    throw new NoSuchMethodError(
        type.getName() + ": expected a method " + name + " of " + arguments + " arguments");
  }

  private static Object call(MethodHandle method, Object... arguments) {
    try {
      return method.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static <T> List<T> list(Object sequence, Class<T> type) {
    List<T> out = new ArrayList<>();
    ((Seq<?>) sequence)
        .foreach(
            element -> {
              out.add(type.cast(element));
              return null;
            });
    return out;
  }

  static <T> List<T> children(TreeNode<?> node, Class<T> type) {
    return list(call(CHILDREN, node), type);
  }

  static <T> List<T> subqueries(QueryPlan<?> plan, Class<T> type) {
    return list(call(SUBQUERIES, plan), type);
  }

  static <T> List<T> partitionFilters(FileSourceScanLike scan, Class<T> type) {
    return list(call(PARTITION_FILTERS, scan), type);
  }

  /**
   * The partitions that a scan reads, and their files.
   *
   * @param without filters of partitions to leave out
   */
  static List<PartitionDirectory> partitions(FileSourceScanLike scan, Predicate<Object> without) {
    Object filters =
        ((Seq<?>) call(PARTITION_FILTERS, scan)).filterNot(filter -> without.test(filter));
    return list(
        call(LIST_FILES, scan.relation().location(), filters, call(DATA_FILTERS, scan)),
        PartitionDirectory.class);
  }

  static List<Object> files(PartitionDirectory partition) {
    return list(call(FILES, partition), Object.class);
  }
}
