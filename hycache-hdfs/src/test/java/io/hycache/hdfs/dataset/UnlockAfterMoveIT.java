// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A move whose replica can't be unlocked in memory is completed all the same. */
@Timeout(120)
class UnlockAfterMoveIT {
  /** HDFS's cached blocks, whose look-up by a move fails once. */
  private static final class FailsOnce extends HashMap<Object, Object> {
    private static final long serialVersionUID = 1;

    private final AtomicBoolean failed = new AtomicBoolean();

    @Override
    public @Nullable Object get(@Nullable Object key) {
      if (isInUnlock() && failed.compareAndSet(false, true)) {
        throw new OutOfMemoryError("injected");
      }
      return super.get(key);
    }

    private static boolean isInUnlock() {
      return StackWalker.getInstance()
          .walk(
              frames ->
                  frames.anyMatch(
                      frame ->
                          frame.getMethodName().equals("unlock")
                              && frame.getClassName().endsWith(".HyCacheLocalMove")));
    }
  }

  private static Field field(Class<?> type, String name) throws Exception {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  @Test
  void demotion_unlockThrowsAnError_theSourceIsRemoved() throws Exception {
    Configuration conf = EmbeddedCluster.dirtyConf();
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      byte[] data = c.write("/a", 1, EmbeddedCluster.BLOCK);
      ReplicaView source = c.node(0).replica(c.keys("/a").get(0));
      assertNotNull(source);
      File before = source.data();
      Class<?> plain =
          Class.forName("org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetImpl");
      Object cache = field(plain, "cacheManager").get(c.dataNode(0).getFSDataset());
      assertNotNull(cache);
      field(cache.getClass(), "mappableBlockMap").set(cache, new FailsOnce());

      c.node(0).settings(Map.of(HyCacheKeys.DEMOTE_HIGH, "0", HyCacheKeys.DEMOTE_LOW, "0"));
      c.await("on DISK", () -> c.types("/a").equals(List.of(StorageType.DISK)));
      c.await("the source is removed", () -> !before.exists());
      c.await("one failure", () -> c.count(0, "Failures") == 1);
      assertEquals(1, c.cluster.getAllBlockFiles(c.blocks("/a").get(0).getBlock()).length);
      assertArrayEquals(data, c.read("/a"));
    }
  }
}
