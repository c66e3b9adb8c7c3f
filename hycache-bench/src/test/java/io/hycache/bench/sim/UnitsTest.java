// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "256MB, 256000000",
    "256MiB, 268435456",
    "1.5 GB, 1500000000",
    "77B, 77",
    "0.5KB, 500",
    "0.1%, 1",
    "5%, 99",
    "100%, 1999",
    "20 %, 399"
  })
  void capacity_bytesAndPercents_areRoundedDown(String text, long bytes) {
    assertEquals(bytes, Units.capacity("--capacity", text, 1999));
  }

  @Test
  void capacity_percentOfAHugeFootprint_isExact() {
    assertEquals(922337203685477580L, Units.capacity("--capacity", "10%", Long.MAX_VALUE));
  }

  @ParameterizedTest
  @CsvSource({"144MB/s, 144000000", "1GiB/s, 1073741824", "5, 5"})
  void bytesPerSec_withAndWithoutUnit(String text, double wanted) {
    assertEquals(wanted, Units.bytesPerSec("--hdd-bw", text));
  }

  @ParameterizedTest
  @CsvSource({"8ms, 0.008", "0.5s, 0.5", "100us, 0.0001"})
  void seconds_units(String text, double wanted) {
    assertEquals(wanted, Units.seconds("--seek", text), 1e-15);
  }

  @ParameterizedTest
  @CsvSource({"-1", "abc", "5XB", "8ms", "''"})
  void bytes_nonsense_saysWhatIsExpected(String text) {
    assertEquals(
        "--capacity: expected something like 256MB, 10GiB or a number of bytes, found " + text,
        assertThrows(IllegalArgumentException.class, () -> Units.bytes("--capacity", text))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource({"144Mb/s, 144Mb", "1.5Gib, 1.5Gib"})
  void bytesPerSec_bits_areRefused(String text, String found) {
    assertEquals(
        "--hdd-bw: expected bytes, such as 144MB, found "
            + found
            + ", which may mean bits. Fix: B for bytes; divide bits by 8",
        assertThrows(IllegalArgumentException.class, () -> Units.bytesPerSec("--hdd-bw", text))
            .getMessage());
    assertEquals(144e6, Units.bytesPerSec("--hdd-bw", "144mb/s"));
  }

  @ParameterizedTest
  @CsvSource({"0, 0 B", "999, 999 B", "1000, 1.00 KB", "1234567, 1.23 MB", "99949999, 99.9 MB"})
  void human_threeDigits(long bytes, String wanted) {
    assertEquals(wanted, Units.human(bytes));
  }
}
