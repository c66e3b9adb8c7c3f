package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ShortCircuitRegistry;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Holds what {@link HyCacheDataset} relies on against the Hadoop that is really there.
 *
 * <p>The bridge uses package-private parts of HDFS, which another version may lack. An override of
 * a method that is gone would never be called, and a call of one would fail in the middle of an
 * operation; both are found here, before the dataset is made. Nothing is called, only looked up.
 */
final class HyCacheSelfCheck {
  /** Our own methods that override nothing. */
  private static final Set<String> OURS = Set.of("hyCache", "isSick");

  /** Overrides of which one form is enough: 3.3 has the first, from 3.4 on there are both. */
  private static final Set<String> ONE_FORM_IS_ENOUGH = Set.of("createRbw");

  /** Overrides of what 3.3 does elsewhere: nobody calls them there. */
  private static final Set<String> NOT_NEEDED = Set.of("invalidateMissingBlock");

  private final List<String> problems = new ArrayList<>();

  private HyCacheSelfCheck() {}

  /** What doesn't fit, one entry each; empty if all is well. */
  static List<String> problems() {
    HyCacheSelfCheck check = new HyCacheSelfCheck();
    try {
      check.overrides();
      check.uses();
    } catch (LinkageError e) {
      check.problems.add(e.toString());
    }
    return check.problems;
  }

  private void overrides() {
    for (Method method : HyCacheDataset.class.getDeclaredMethods()) {
      if (Modifier.isPrivate(method.getModifiers())
          || Modifier.isStatic(method.getModifiers())
          || method.isSynthetic()
          || OURS.contains(method.getName())
          || NOT_NEEDED.contains(method.getName())) {
        continue;
      }
      boolean any =
          ONE_FORM_IS_ENOUGH.contains(method.getName())
              && Arrays.stream(FsDatasetImpl.class.getDeclaredMethods())
                  .anyMatch(m -> m.getName().equals(method.getName()));
      if (!any) {
        method(
            FsDatasetImpl.class,
            method.getReturnType(),
            method.getName(),
            method.getParameterTypes());
      }
    }
  }

  private void uses() {
    constructor(FsDatasetImpl.class, DataNode.class, DataStorage.class, Configuration.class);
    field(FsDatasetImpl.class, "volumeMap", ReplicaMap.class);
    field(FsDatasetImpl.class, "datanode", DataNode.class);
    method(ReplicaMap.class, ReplicaInfo.class, "get", String.class, long.class);
    method(ReplicaMap.class, ReplicaInfo.class, "get", String.class, Block.class);
    method(FsDatasetImpl.class, List.class, "getFinalizedBlocks", String.class);
    method(FsDatasetImpl.class, List.class, "getVolumeList");
    method(FsVolumeImpl.class, File.class, "getTmpDir", String.class);
    method(FsVolumeImpl.class, long.class, "getReservedForReplicas");
    method(FsDatasetUtil.class, File.class, "getMetaFile", File.class, long.class);
    method(DatanodeUtil.class, File.class, "idToBlockDir", File.class, long.class);
    method(LocalReplica.class, File.class, "getBlockFile");
    method(LocalReplica.class, File.class, "getMetaFile");
    method(ReplicaInfo.class, FsVolumeSpi.class, "getVolume");
    method(DataNode.class, ShortCircuitRegistry.class, "getShortCircuitRegistry");
    method(
        DataNode.class,
        void.class,
        "notifyNamenodeReceivedBlock",
        ExtendedBlock.class,
        String.class,
        String.class,
        boolean.class);
    method(
        ShortCircuitRegistry.class, void.class, "processBlockInvalidation", ExtendedBlockId.class);
  }

  private void method(Class<?> owner, Class<?> returns, String name, Class<?>... parameters) {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      for (Method found : c.getDeclaredMethods()) {
        if (found.getName().equals(name)
            && found.getReturnType() == returns
            && Arrays.equals(found.getParameterTypes(), parameters)) {
          return;
        }
      }
    }
    problems.add(
        "no "
            + returns.getSimpleName()
            + " "
            + owner.getSimpleName()
            + "."
            + name
            + Arrays.toString(
                Arrays.stream(parameters).map(Class::getSimpleName).toArray(String[]::new)));
  }

  private void field(Class<?> owner, String name, Class<?> type) {
    try {
      if (owner.getDeclaredField(name).getType() == type) {
        return;
      }
    } catch (NoSuchFieldException e) {
      // Said below, as for another type.
    }
    problems.add("no field " + type.getSimpleName() + " " + owner.getSimpleName() + "." + name);
  }

  private void constructor(Class<?> owner, Class<?>... parameters) {
    boolean found =
        Arrays.stream(owner.getDeclaredConstructors())
            .anyMatch(c -> Arrays.equals(c.getParameterTypes(), parameters));
    if (!found) {
      problems.add("no constructor of " + owner.getSimpleName() + " as expected");
    }
  }
}
