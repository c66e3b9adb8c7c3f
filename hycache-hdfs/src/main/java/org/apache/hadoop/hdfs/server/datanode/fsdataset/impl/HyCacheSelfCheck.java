// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static java.util.stream.Collectors.toList;

import io.hycache.hdfs.dataset.HadoopReferences;
import io.hycache.hdfs.dataset.HyCachePlugin;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.datanode.HyCacheClients;
import org.apache.hadoop.hdfs.server.datanode.HyCacheReports;
import org.apache.hadoop.hdfs.server.datanode.HyCacheWeb;

/**
 * Checks {@link HyCacheDataset} and its dependencies against the installed Hadoop.
 *
 * <p>An override of a missing method would never be called, and a call of one would fail in the
 * middle of an operation; both are detected here, before the dataset is created. Methods are looked
 * up, not called.
 */
final class HyCacheSelfCheck {
  /** Entry points of HyCache in a DataNode. */
  private static final List<Class<?>> ROOTS = List.of(HyCacheDataset.class, HyCachePlugin.class);

  /** Classes whose users do without them where a reference is missing. */
  private static final List<String> SELF_CHECKING =
      List.of(
          HyCacheReports.class.getName(),
          HyCacheClients.class.getName(),
          HyCacheWeb.class.getName());

  /** Methods of HyCache that override nothing in HDFS's dataset. */
  private static final Set<String> NOT_OVERRIDES =
      Set.of("hyCache", "isSick", "madeWayBytes", "slowdown", "chosen", "nodeIfConstructed");

  /** The classes that override methods of HDFS's dataset. */
  private static final List<Class<?>> DATASETS =
      List.of(HyCacheDataset.class, HyCacheCachingDataset.class, HyCacheNamedDataset.class);

  /** Overrides of which one overload is enough: 3.3 has the first, 3.4 and later have both. */
  private static final Set<String> ONE_FORM_IS_ENOUGH = Set.of("createRbw");

  /** Overrides of methods that do not exist in 3.3 and are not needed there. */
  private static final Set<String> OPTIONAL_OVERRIDES =
      Set.of("invalidateMissingBlock", "removeReplicaFromMem", "registerMBean");

  /** References in code that runs only where they exist. */
  private static final Set<String> OPTIONAL =
      Set.of(
          "FsDatasetImpl.createRbw",
          "FsDatasetImpl.acquireDatasetLockManager",
          "FsDatasetImpl.invalidateMissingBlock",
          "FsDatasetImpl.removeReplicaFromMem",
          "FsDatasetImpl.registerMBean",
          "StorageReport.getMount",
          "org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock",
          "org.apache.hadoop.hdfs.server.common.DataNodeLockManager",
          "org.apache.hadoop.hdfs.server.common.DataNodeLockManager$LockLevel");

  private HyCacheSelfCheck() {}

  /** Returns the incompatibilities, one entry each; empty if there are none. */
  static List<String> problems() {
    return problems(HyCacheSelfCheck.class.getClassLoader());
  }

  /**
   * As {@link #problems()}.
   *
   * @param hadoop class loader in which the references are looked up
   */
  static List<String> problems(ClassLoader hadoop) {
    List<String> problems = new ArrayList<>();
    try {
      List<String> roots = ROOTS.stream().map(Class::getName).collect(toList());
      for (String missing : HadoopReferences.missing(hadoop, roots, SELF_CHECKING)) {
        if (!OPTIONAL.contains(missing.replaceFirst("\\(.*", ""))) {
          problems.add("no " + missing);
        }
      }
      for (Class<?> dataset : DATASETS) {
        for (Method method : dataset.getDeclaredMethods()) {
          if (overrides(method) && !isThere(method)) {
            problems.add("nothing to override for " + method);
          }
        }
      }
    } catch (LinkageError | UncheckedIOException e) {
      problems.add(e.toString());
    }
    return problems;
  }

  private static boolean overrides(Method method) {
    return !Modifier.isPrivate(method.getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && !method.isSynthetic()
        && !NOT_OVERRIDES.contains(method.getName())
        && !OPTIONAL_OVERRIDES.contains(method.getName());
  }

  private static boolean isThere(Method override) {
    return Arrays.stream(FsDatasetImpl.class.getDeclaredMethods())
        .filter(method -> method.getName().equals(override.getName()))
        .anyMatch(
            method ->
                ONE_FORM_IS_ENOUGH.contains(method.getName())
                    || (method.getReturnType() == override.getReturnType()
                        && Arrays.equals(
                            method.getParameterTypes(), override.getParameterTypes())));
  }
}
