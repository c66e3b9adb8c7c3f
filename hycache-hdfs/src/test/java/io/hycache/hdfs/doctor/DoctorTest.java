// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorTest {
  /** No machine has a multicast address as its own. */
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:9866, 224.0.0.2:9866, true",
    "224.0.0.1:9866, 127.0.0.1:9866, true",
    "224.0.0.1:9866, 224.0.0.2:9866, false"
  })
  void machine_ofALiveOrDeadDataNode_isExamined(String live, String dead, boolean expected) {
    NodeFacts.Address address = new NodeFacts.Address("dn1", live, "dn1:9867", "dn1:9864");
    NameNodeFacts facts =
        new NameNodeFacts(false, List.of(address), List.of(dead), Map.of(), Map.of());
    assertEquals(expected, Doctor.isHere(facts));
  }
}
