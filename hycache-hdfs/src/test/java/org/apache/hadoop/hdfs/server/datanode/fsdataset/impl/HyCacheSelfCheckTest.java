package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class HyCacheSelfCheckTest {
  @Test
  void problems_onTheHadoopItIsBuiltFor_none() {
    assertEquals(List.of(), HyCacheSelfCheck.problems());
  }
}
