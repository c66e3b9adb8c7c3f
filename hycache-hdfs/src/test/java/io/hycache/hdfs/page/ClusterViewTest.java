// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Member;
import io.hycache.hdfs.SampleStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClusterViewTest {
  private static final long PAUSE_MILLIS = 10;

  private final AtomicLong nanos = new AtomicLong();
  private final List<Member> members = new ArrayList<>();
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

  private ClusterView view() {
    return new ClusterView(
        () -> List.copyOf(members),
        member -> {
          asked.add(member.id());
          if (member.id().startsWith("dead")) {
            throw new IOException("away\nwith details");
          }
          return SampleStatus.active();
        },
        PAUSE_MILLIS,
        nanos::get);
  }

  @Test
  void round_asksAll_andTheDeadAgainAfterAPause() throws Exception {
    for (int i = 0; i < 20; i++) {
      members.add(new Member((i % 4 == 0 ? "dead" : "node") + i, "host" + (10 + i) + ":1"));
    }
    ClusterView view = view();
    view.round();
    assertEquals(20, asked.size());
    view.round();
    assertEquals(20 + 15, asked.size());
    nanos.addAndGet(ClusterView.RETRY_NANOS);
    view.round();
    assertEquals(20 + 15 + 20, asked.size());
    members.remove(19);
    view.close();
    List<ClusterView.Answer> answers = view.look();
    assertEquals(19, answers.size());
    assertEquals("away", answers.get(0).failure);
    assertNotNull(answers.get(1).status);
    assertEquals(List.of(), answers.get(1).status.devices());
    assertEquals("host11:1", answers.get(1).member.address());
  }

  @Test
  void roundThatFails_isFollowedByOthers() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    CountDownLatch answered = new CountDownLatch(1);
    members.add(new Member("b", "host2:1"));
    ClusterView view =
        new ClusterView(
            () -> {
              if (Thread.currentThread().getName().equals("HyCachePage")
                  && rounds.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return List.copyOf(members);
            },
            member -> {
              answered.countDown();
              return SampleStatus.active();
            },
            PAUSE_MILLIS,
            nanos::get);
    view.look();
    assertTrue(answered.await(30, TimeUnit.SECONDS));
    assertTrue(view.isRunning());
    assertTrue(rounds.get() >= 2, "rounds=" + rounds);
    view.close();
  }

  @Test
  void look_neverWaits_andTheThreadEndsUnseen() throws Exception {
    CountDownLatch hold = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    members.add(new Member("b", "host2:1"));
    ClusterView view =
        new ClusterView(
            () -> List.copyOf(members),
            member -> {
              begun.countDown();
              try {
                hold.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              return SampleStatus.active();
            },
            PAUSE_MILLIS,
            nanos::get);
    assertFalse(view.isRunning());
    assertEquals(List.of(), view.look());
    begun.await();
    assertEquals(List.of(), view.look());
    assertTrue(view.isRunning());
    hold.countDown();
    nanos.addAndGet(ClusterView.UNSEEN_NANOS + 1);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (view.isRunning() && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    assertFalse(view.isRunning());
  }
}
