// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartAdviceTest {
  @ParameterizedTest
  @CsvSource({"'SSD,DISK', /d", "'SSD,ARCHIVE', /a", "'SSD,DISK,ARCHIVE', /a", "nonsense, /d"})
  void slowDirs_anyTiers_areThoseOfTheLast(String tiers, File slow) {
    Configuration conf = new Configuration(false);
    conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, "[SSD]/s,[DISK]/d,[ARCHIVE]/a");
    conf.set(HyCacheKeys.TIERS, tiers);
    assertEquals(Set.of(slow), StartAdvice.slowDirs(conf));
  }
}
