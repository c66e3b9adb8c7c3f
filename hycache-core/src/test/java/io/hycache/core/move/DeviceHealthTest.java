// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeviceHealthTest {
  private final DeviceHealth health = new DeviceHealth();
  private long now = -TimeUnit.HOURS.toNanos(1);

  private void millis(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private @Nullable String probe(long tookMillis) {
    millis(2000);
    health.probing(now);
    millis(tookMillis);
    return health.probed(now);
  }

  private @Nullable String failedProbe() {
    millis(2000);
    health.probing(now);
    return health.failed(now, true);
  }

  @Test
  void errors_threeWithinAMinute_quarantine() {
    assertNull(failedProbe());
    assertNull(health.failed(now, false));
    assertFalse(health.sick(now));
    assertEquals("quarantined: 3 errors within a minute", health.failed(now, false));
    assertTrue(health.sick(now));
    assertNull(health.failed(now, false));
  }

  @Test
  void errors_thatAreRare_doNotQuarantine() {
    for (int i = 0; i < 10; i++) {
      assertNull(health.failed(now, false));
      millis(30_500);
      assertFalse(health.sick(now));
    }
  }

  @Test
  void slowProbes_threeInARow_quarantine() {
    assertNull(probe(1500));
    assertNull(probe(1500));
    assertNull(probe(10));
    assertNull(probe(1500));
    assertNull(probe(1500));
    assertFalse(health.sick(now));
    assertEquals("quarantined: 3 probes in a row were slow, the last took 1.2 s", probe(1200));
    assertTrue(health.sick(now));
  }

  @Test
  void hangingProbe_isSickWhileItHangs_andAfter() {
    health.probing(now);
    millis(9_999);
    assertFalse(health.sick(now));
    millis(1);
    assertTrue(health.sick(now));
    millis(20_000);
    assertEquals("quarantined: a probe took 30.0 s", health.probed(now));
    assertTrue(health.sick(now));
  }

  @Test
  void hangingProbe_thatFails_quarantines() {
    health.probing(now);
    millis(31_000);
    assertEquals("quarantined: a probe failed after 31.0 s", health.failed(now, true));
    assertTrue(health.sick(now));
  }

  @Test
  void failedRead_whileAProbeHangs_isOneError() {
    health.probing(now);
    millis(31_000);
    assertNull(health.failed(now, false));
    assertTrue(health.sick(now), "the probe hangs on");
    health.notProbed();
    assertFalse(health.sick(now));
  }

  @Test
  void goodProbes_endTheQuarantine_notBeforeTenSeconds() {
    health.failed(now, false);
    health.failed(now, false);
    health.failed(now, false);
    for (int i = 0; i < 4; i++) {
      assertNull(probe(1));
    }
    assertNull(health.failed(now, false));
    for (int i = 0; i < 4; i++) {
      assertNull(probe(1));
      assertTrue(health.sick(now));
    }
    assertEquals("healthy again after 5 good probes", probe(1));
    assertFalse(health.sick(now));
    assertNull(health.failed(now, false));
    assertNull(health.failed(now, false));
    assertFalse(health.sick(now));
  }

  @Test
  void notProbed_aHundredTimes_changesNothing() {
    for (int i = 0; i < 100; i++) {
      millis(2000);
      health.probing(now);
      health.notProbed();
      millis(11_000);
      assertFalse(health.sick(now));
    }
    health.failed(now, false);
    health.failed(now, false);
    health.failed(now, false);
    for (int i = 0; i < 10; i++) {
      millis(2000);
      health.probing(now);
      health.notProbed();
    }
    assertTrue(health.sick(now), "a probe that did not run is not a good probe");
  }

  @Test
  void hostLimit_knowsFullAndDescriptorsAndMemory_notADeviceError() {
    assertTrue(HostLimit.isCause(new FileNotFoundException("/x (Too many open files)")));
    assertTrue(HostLimit.isCause(new IOException("Too many open files in system")));
    assertTrue(HostLimit.isCause(new FileSystemException("/x", null, "No space left on device")));
    assertTrue(
        HostLimit.isCause(new IOException("wrapped", new IOException("Disk quota exceeded"))));
    assertTrue(HostLimit.isCause(new OutOfMemoryError("Java heap space")));
    assertFalse(HostLimit.isCause(new IOException("Input/output error")));
    assertFalse(HostLimit.isCause(new FileNotFoundException("/x (No such file or directory)")));
    assertFalse(HostLimit.isCause(new FileSystemException("/x", null, "Read-only file system")));
    assertFalse(HostLimit.isFull(new IOException("Too many open files")));
    assertTrue(HostLimit.isFull(new IOException("No space left on device")));
  }

  @Test
  void hostLimit_foreignMessage_isOneInAnotherLanguage() {
    assertNull(HostLimit.foreign(null));
    assertNull(HostLimit.foreign("no space left on device"));
    assertEquals("kein speicherplatz", HostLimit.foreign("kein speicherplatz"));
  }
}
