// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import io.hycache.core.table.HeatLog.Loaded;
import io.hycache.core.table.HeatLog.Row;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class HeatLogTest {
  private static final long SEED = 11;

  private static Row row(long id, int reads) {
    return new Row(new BlockKey("BP-" + id % 3, id), 1000 + id, 10 * id, reads);
  }

  private static byte[] log(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static Loaded read(byte[] log) {
    return HeatLog.read(new ByteArrayInputStream(log));
  }

  private static List<Long> ids(Loaded loaded) {
    return loaded.rows().stream().map(row -> row.block().id()).collect(Collectors.toList());
  }

  @Test
  void snapshotAndWhatHappenedSince_theLastRowOfABlockCounts_inItsPlace() {
    Loaded loaded =
        read(
            log(
                HeatLog.header(),
                HeatLog.rows(List.of(row(1, 5), row(2, 6), row(3, 7))),
                HeatLog.rows(List.of(row(1, 8)))));
    assertNull(loaded.problem());
    assertEquals(List.of(2L, 3L, 1L), ids(loaded));
    assertEquals(8, loaded.rows().get(2).reads());
    assertTrue(loaded.rows().get(2).isOf(new Replica(new BlockKey("BP-1", 1), 1001, 10)));
    assertEquals(false, loaded.rows().get(2).isOf(new Replica(new BlockKey("BP-1", 1), 1002, 10)));
  }

  @Test
  void wear_theLastNumbersCount() {
    Loaded loaded =
        read(
            log(
                HeatLog.header(),
                HeatLog.wear(new long[] {1, 2}),
                HeatLog.rows(List.of(row(1, 5))),
                HeatLog.wear(new long[] {-3, Long.MAX_VALUE, 0})));
    assertNull(loaded.problem());
    assertArrayEquals(new long[] {-3, Long.MAX_VALUE, 0}, loaded.wear());
    assertEquals(List.of(1L), ids(loaded));
    assertEquals(0, HeatLog.NOTHING.wear().length);
  }

  @Test
  void manyRows_goThroughSeveralFrames() {
    List<Row> rows = new ArrayList<>();
    for (long id = 0; id < 120_001; id++) {
      rows.add(row(id, (int) id));
    }
    Loaded loaded = read(log(HeatLog.header(), HeatLog.rows(rows)));
    assertNull(loaded.problem());
    assertEquals(120_001, loaded.rows().size());
    assertEquals(120_000, loaded.rows().get(120_000).reads());
  }

  @Test
  void tornAnywhere_keepsTheFramesBefore() {
    byte[] header = HeatLog.header();
    byte[] first = HeatLog.rows(List.of(row(1, 1), row(2, 2)));
    byte[] whole = log(header, first, HeatLog.rows(List.of(row(3, 3))));
    for (int length = 0; length < whole.length; length++) {
      Loaded loaded = read(Arrays.copyOf(whole, length));
      boolean atBoundary = length == header.length || length == header.length + first.length;
      assertEquals(atBoundary, loaded.problem() == null, "length=" + length);
      int rows = length >= header.length + first.length ? 2 : 0;
      assertEquals(rows, loaded.rows().size(), "length=" + length);
    }
  }

  @Test
  void anyByteChanged_isNoticed() {
    byte[] whole = log(HeatLog.header(), HeatLog.rows(List.of(row(1, 1), row(2, 2))));
    Random random = new Random(SEED);
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= (byte) (1 + random.nextInt(255));
      Loaded loaded = read(changed);
      assertNotNull(loaded.problem(), "seed=" + SEED + " at=" + at);
      assertEquals(List.of(), loaded.rows());
    }
  }

  @Test
  void foreignAndNewer_areReported() {
    assertEquals("empty", read(new byte[0]).problem());
    assertNotNull(
        read("PK-3-4 something else altogether".getBytes(java.nio.charset.StandardCharsets.UTF_8))
            .problem());
    byte[] newer = HeatLog.header();
    newer[15] = 3;
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(newer, 8, 8);
    java.nio.ByteBuffer.wrap(newer).putInt(4, (int) crc.getValue());
    assertEquals("version=3 known=2", read(newer).problem());
  }
}
