// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The policy of a DataNode gets the class of each block's first reader. */
class ReaderClassIT {
  /** Classes by block id. Static, because DataNodes make their policies by the class's name. */
  private static final Map<Long, String> CLASSES = new ConcurrentHashMap<>();

  /** Records the classes. */
  public static final class Recording extends ForwardingPolicy {
    private final CachePolicy lru = Policies.create("lru");

    @Override
    protected CachePolicy current() {
      return lru;
    }

    @Override
    public void onClass(CacheKey key, String name) {
      CLASSES.put(key.id(), name);
    }
  }

  private static void read(EmbeddedCluster c, @Nullable String task, Path path) throws Exception {
    Configuration conf = new Configuration(c.cluster.getConfiguration(0));
    if (task != null) {
      conf.set("mapreduce.task.attempt.id", task); // HDFS's client puts it into its name
    }
    try (FileSystem fs = FileSystem.newInstance(c.fs.getUri(), conf);
        InputStream in = fs.open(path)) {
      IOUtils.readFully(in, new byte[EmbeddedCluster.BLOCK], 0, EmbeddedCluster.BLOCK);
    }
  }

  @Test
  void reads_ofSeveralClients_haveTheirClasses() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.POLICY, Recording.class.getName());
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      @Nullable String[] tasks = {
        null, "attempt_1718000000000_0042_m_000003_0", "hb_rs_n1,16020,7"
      };
      String[] classes = {"nonmapreduce", "mapreduce", "client:hb_rs_n#_#_#"};
      for (int i = 0; i < tasks.length; i++) {
        Path path = new Path("/f" + i);
        c.write(path.toString(), i, EmbeddedCluster.BLOCK);
        long block = c.keys(path.toString()).get(0).id();
        read(c, tasks[i], path);
        c.await("class of " + path, () -> CLASSES.containsKey(block));
        assertEquals(classes[i], CLASSES.get(block));
      }
    }
  }
}
