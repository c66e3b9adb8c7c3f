// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RereadsTest {
  private static final BlockKey BLOCK = new BlockKey("BP-1", 7);
  private static final String CLIENT =
      "DataXceiver for client DFSClient_1 at /127.0.0.1:5 [Sending block]";

  private long now = 1;
  private final Rereads rereads = new Rereads(() -> now);

  @Test
  void opened_withinWhatTheClientHasRead() {
    assertFalse(rereads.opened(BLOCK, CLIENT, 1_000));
    rereads.closed(BLOCK, CLIENT, 1_000, 500);
    assertTrue(rereads.opened(BLOCK, CLIENT, 1_499));
    rereads.closed(BLOCK, CLIENT, 1_499, 500);
    assertFalse(rereads.opened(BLOCK, CLIENT, 1_999), "it goes on where it was");
  }

  @Test
  void opened_byAnother_orLater_orElsewhere_isNoReread() {
    assertFalse(rereads.opened(BLOCK, CLIENT, 0));
    rereads.closed(BLOCK, CLIENT, 0, 500);
    assertFalse(rereads.opened(BLOCK, CLIENT.replace("Client_1", "Client_2"), 0));
    assertFalse(rereads.opened(new BlockKey("BP-1", 8), CLIENT, 0));
    now += TimeUnit.SECONDS.toNanos(11);
    assertFalse(rereads.opened(BLOCK, CLIENT, 0));
  }

  @Test
  void opened_whileTheEarlierStreamIsOpen_atTheSameOffset() {
    assertFalse(rereads.opened(BLOCK, CLIENT, 1_000));
    assertTrue(rereads.opened(BLOCK, CLIENT, 1_000), "a pread that is repeated");
    assertFalse(rereads.opened(BLOCK, CLIENT, 2_000), "another thread of the client");
  }

  /** Such as a server that reads small parts of its files by several threads. */
  @Test
  void opened_bySeveralThreadsAtRandom_isHardlyEverAReread() {
    Random random = new Random(1);
    int again = 0;
    for (int i = 0; i < 1_000; i++) {
      long first = 4_096L * random.nextInt(16_384);
      long second = 4_096L * random.nextInt(16_384);
      again += rereads.opened(BLOCK, CLIENT, first) ? 1 : 0;
      again += rereads.opened(BLOCK, CLIENT, second) ? 1 : 0;
      rereads.closed(BLOCK, CLIENT, first, 4_096);
      rereads.closed(BLOCK, CLIENT, second, 4_096);
    }
    assertTrue(again <= 2, again + " of 2000");
  }
}
