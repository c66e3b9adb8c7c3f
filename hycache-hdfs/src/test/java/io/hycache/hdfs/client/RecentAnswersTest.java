// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.hycache.core.model.BlockKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentAnswersTest {
  private final AtomicLong now = new AtomicLong();
  private final RecentAnswers answers = new RecentAnswers(now::get);

  private static BlockKey block(long id) {
    return new BlockKey("pool", id);
  }

  @Test
  void answers_areKeptForFiveSeconds() {
    answers.put(block(1), Set.of("a"));
    now.addAndGet(TimeUnit.SECONDS.toNanos(4));
    answers.put(block(2), Set.of());
    assertEquals(
        Map.of(block(1), Set.of("a"), block(2), Set.of()),
        answers.of(List.of(block(1), block(2), block(3))));
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertEquals(Map.of(block(2), Set.of()), answers.of(List.of(block(1), block(2))));
    answers.put(block(2), Set.of("b"));
    now.addAndGet(TimeUnit.SECONDS.toNanos(4));
    assertEquals(Set.of("b"), answers.get(block(2)), "its time begins anew");
  }

  @Test
  void oldAnswers_leaveWithTheNextOne() {
    for (int i = 0; i < 1000; i++) {
      answers.put(block(i), Set.of("a"));
    }
    now.addAndGet(TimeUnit.SECONDS.toNanos(5));
    answers.put(block(1000), Set.of("a"));
    assertEquals(1, answers.size());
  }

  @Test
  void tooMany_theOldestLeave() {
    for (int i = 0; i <= 100_000; i++) {
      answers.put(block(i), Set.of());
      answers.put(block(0), Set.of("put again"));
    }
    assertEquals(100_000, answers.size());
    assertNull(answers.get(block(1)));
    assertEquals(Set.of(), answers.get(block(2)));
    assertEquals(Set.of("put again"), answers.get(block(0)));
  }
}
