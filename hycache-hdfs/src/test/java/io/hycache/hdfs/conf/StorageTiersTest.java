// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorageTiersTest {
  private static StorageTiers tiers(String value) {
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.TIERS, value);
    return new HyCacheConf(conf).tiers();
  }

  @Test
  void default_isSsdBeforeDisk() {
    StorageTiers tiers = new HyCacheConf(new Configuration(false)).tiers();
    assertEquals(List.of(StorageType.SSD), tiers.fast());
    assertEquals(StorageType.DISK, tiers.slow());
    assertEquals(StorageTiers.DEFAULT.toString(), tiers.toString());
    assertFalse(tiers.isFast(StorageType.ARCHIVE));
    assertTrue(tiers.tierOf(StorageType.ARCHIVE) > tiers.tierOf(StorageType.DISK));
  }

  @Test
  void list_namesTheTiersInItsOrder_inAnyCase() {
    StorageTiers tiers = tiers(" ssd, Disk ,ARCHIVE");
    assertEquals(List.of(StorageType.SSD, StorageType.DISK), tiers.fast());
    assertEquals(StorageType.ARCHIVE, tiers.slow());
    assertEquals(0, tiers.tierOf(StorageType.SSD));
    assertEquals(1, tiers.tierOf(StorageType.DISK));
    assertEquals(2, tiers.tierOf(StorageType.ARCHIVE));
    assertEquals("SSD,DISK,ARCHIVE", tiers.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FLOPPY,DISK | one of SSD, DISK, ARCHIVE",
        "SSD,SSD,DISK | each storage type once",
        "SSD | two storage types or more",
        "RAM_DISK,SSD,DISK | keep replicas when the machine restarts",
        "SSD,PROVIDED | keep replicas when the machine restarts"
      })
  void invalid_isRefusedWithKeyExpectedFoundAndFix(String value, String expected) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> tiers(value));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("hycache.tiers: expected "), message);
    assertTrue(message.contains(expected), message);
    assertTrue(message.contains(", found '") && message.contains(". Fix: "), message);
  }

  @Test
  void invalid_thePluginUsesTheDefault_andReportsIt() {
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.TIERS, "SSD");
    assertEquals("SSD,DISK", StorageTiers.of(conf).toString());
  }
}
