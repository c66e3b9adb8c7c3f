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

/**
 * Holds {@link HyCacheDataset} and all that it uses against the Hadoop that is really there.
 *
 * <p>An override of a method that is gone would never be called, and a call of one would fail in
 * the middle of an operation; both are found here, before the dataset is made. Nothing is called,
 * only looked up.
 */
final class HyCacheSelfCheck {
  /** Where our code in a DataNode begins. */
  private static final List<Class<?>> ROOTS = List.of(HyCacheDataset.class, HyCachePlugin.class);

  /** Ours that ask for themselves; without them the rest runs. */
  private static final List<String> APART =
      List.of(HyCacheReports.class.getName(), HyCacheClients.class.getName());

  /** Our own methods that override nothing. */
  private static final Set<String> OURS = Set.of("hyCache", "isSick", "madeWayBytes");

  /** Overrides of which one form is enough: 3.3 has the first, from 3.4 on there are both. */
  private static final Set<String> ONE_FORM_IS_ENOUGH = Set.of("createRbw");

  /** Overrides of what 3.3 does elsewhere: nobody calls them there. */
  private static final Set<String> NOT_NEEDED =
      Set.of("invalidateMissingBlock", "removeReplicaFromMem");

  /** Named by code that runs only where they are. */
  private static final Set<String> OPTIONAL =
      Set.of(
          "FsDatasetImpl.createRbw",
          "FsDatasetImpl.acquireDatasetLockManager",
          "FsDatasetImpl.invalidateMissingBlock",
          "FsDatasetImpl.removeReplicaFromMem",
          "StorageReport.getMount",
          "org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock",
          "org.apache.hadoop.hdfs.server.common.DataNodeLockManager",
          "org.apache.hadoop.hdfs.server.common.DataNodeLockManager$LockLevel");

  private HyCacheSelfCheck() {}

  /** What doesn't fit, one entry each; empty if all is well. */
  static List<String> problems() {
    return problems(HyCacheSelfCheck.class.getClassLoader());
  }

  /**
   * As {@link #problems()}.
   *
   * @param hadoop its references are looked up there
   */
  static List<String> problems(ClassLoader hadoop) {
    List<String> problems = new ArrayList<>();
    try {
      List<String> roots = ROOTS.stream().map(Class::getName).collect(toList());
      for (String missing : HadoopReferences.missing(hadoop, roots, APART)) {
        if (!OPTIONAL.contains(missing.replaceFirst("\\(.*", ""))) {
          problems.add("no " + missing);
        }
      }
      for (Method method : HyCacheDataset.class.getDeclaredMethods()) {
        if (overrides(method) && !isThere(method)) {
          problems.add("nothing is overridden by " + method);
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
        && !OURS.contains(method.getName())
        && !NOT_NEEDED.contains(method.getName());
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
