// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestTest {
  @Test
  void ofReads_keepsOrderAndRepetitions_andTakesPathsLiterally() {
    Manifest manifest =
        Manifest.ofReads(
            "w",
            Duration.ofHours(1),
            List.of(
                Manifest.Read.ofFile("/t/day={1}", true),
                Manifest.Read.ofFile("/t/b", false),
                Manifest.Read.ofFile("/t/day={1}", false)));
    assertEquals("w", manifest.workflow());
    assertEquals(1, manifest.jobsInOrder().size());
    List<Manifest.Read> reads = manifest.jobsInOrder().get(0).reads();
    assertEquals(3, reads.size());
    assertEquals("/t/day=\\{1\\}", reads.get(0).path());
    assertEquals("/t/b", reads.get(1).path());
    assertEquals("/t/day=\\{1\\}", reads.get(2).path());
    assertTrue(reads.get(0).random());
    assertFalse(reads.get(2).random());
    assertEquals(1, reads.get(2).times());
  }
}
