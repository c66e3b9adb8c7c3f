// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CallBackoffTest {
  private final AtomicLong nanos = new AtomicLong();
  private final CallBackoff backoff = new CallBackoff(nanos::get);
  private final IOException down = new IOException("down");

  @Test
  void away_whenAnotherIsAdded_pausesOfLongAgoAreForgotten() {
    backoff.away("a:1", "a", down);
    nanos.addAndGet(CallBackoff.MIN_BACKOFF_NANOS + CallBackoff.FORGET_NANOS);
    backoff.away("b:1", "", down);
    assertEquals(2, backoff.size());
    nanos.incrementAndGet();
    backoff.notActive("c:1", "c", SampleErrors.notActive());
    assertEquals(2, backoff.size(), "b and c");
    assertTrue(backoff.isResting("b:1") && backoff.isResting("c:1"));
    backoff.called("a");
    assertEquals(2, backoff.size());
  }

  @Test
  void called_endsThePauseOfThatDataNodeAlone() {
    backoff.away("a:1", "a", down);
    backoff.away("b:1", "b", down);
    backoff.notActive("c:1", "c", SampleErrors.notActive());
    backoff.called("unknown");
    backoff.calledIfAway("c");
    assertEquals(3, backoff.size());
    backoff.calledIfAway("a");
    assertFalse(backoff.isResting("a:1"));
    backoff.called("c");
    assertFalse(backoff.hadNoPlugin("c:1"));
    assertTrue(backoff.isResting("b:1"));
    assertEquals(1, backoff.size());
  }

  @Test
  void called_addressIsAnothersNow_itsPauseStays() {
    backoff.away("x:1", "a", down);
    nanos.addAndGet(CallBackoff.MIN_BACKOFF_NANOS);
    backoff.away("x:1", "b", down);
    backoff.called("a");
    assertTrue(backoff.isResting("x:1"));
    backoff.called("b");
    assertFalse(backoff.isResting("x:1"));
  }
}
