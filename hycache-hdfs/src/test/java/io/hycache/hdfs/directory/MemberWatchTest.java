// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.directory.View;
import io.hycache.hdfs.LogLines;
import io.hycache.hdfs.dataset.Stubs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemberWatchTest {
  private static final Member SELF = new Member("a", "host1:9867");
  private static final Member OTHER = new Member("b", "host2:9867");

  private final AtomicLong clock = new AtomicLong(1_000_000);

  /** How far the wall clock has been set back. */
  private long setBackMillis;

  private final List<Member> viewAsked = new ArrayList<>();
  private View theirs = View.NONE;

  @SuppressWarnings("FutureReturnValueIgnored") // the stub returns it
  private final Peers peers =
      Stubs.noPeers(
          Map.of(
              "view",
              arguments -> {
                viewAsked.add((Member) arguments[0]);
                return CompletableFuture.completedFuture(theirs);
              }));

  private final DirectoryNode node =
      new DirectoryNode(SELF.id(), 1, 1 << 20, peers, RecordJournal.NONE, this::wall, clock::get);

  private long wall() {
    return clock.get() - setBackMillis;
  }

  /** A NameNode that fails as long as it has a reason to. */
  private final class FakeNameNode implements MemberWatch.NameNode {
    String failure = "the NameNode refuses";
    Runnable meanwhile = () -> {};
    final List<Long> askedAt = new ArrayList<>();

    @Override
    public List<Member> live(Collection<Member> members) throws IOException {
      askedAt.add(clock.get() - 1_000_000);
      if (!failure.isEmpty()) {
        throw new IOException(failure);
      }
      meanwhile.run();
      return List.of(SELF, OTHER);
    }
  }

  private final FakeNameNode nameNode = new FakeNameNode();
  private final MemberWatch watch =
      new MemberWatch(node, SELF.id(), nameNode, peers, this::wall, clock::get, new Random(1));

  private void rounds(int count) {
    for (int i = 0; i < count; i++) {
      if (watch.isDue()) {
        watch.round();
      }
      clock.addAndGet(MemberWatch.ROUND_INTERVAL_MILLIS);
    }
  }

  @Test
  void nameNode_thatFails_isAskedMoreAndMoreSeldom() {
    rounds(100);
    assertEquals(
        List.of(0L, 6_000L, 18_000L, 42_000L, 90_000L, 150_000L, 210_000L, 270_000L),
        nameNode.askedAt);
    assertEquals("the NameNode refuses", watch.trouble());
  }

  @Test
  void clockThatIsSetBack_whileTheNameNodeRests_itIsAskedAgainAsSoon() {
    rounds(100);
    setBackMillis = TimeUnit.HOURS.toMillis(1);
    nameNode.askedAt.clear();
    rounds(60);
    assertEquals(List.of(330_000L, 390_000L, 450_000L), nameNode.askedAt);
    nameNode.failure = "";
    rounds(20);
    assertEquals(List.of(SELF, OTHER), node.view().members());
  }

  /** It is away half of the day, in turns, and says so in different words. */
  @Test
  void nameNode_thatFailsForADay_isAFewLinesWithoutStackTraces() {
    LogLines log = new LogLines(MemberWatch.class.getName());
    try {
      long rounds = TimeUnit.DAYS.toMillis(1) / MemberWatch.ROUND_INTERVAL_MILLIS;
      for (long round = 0; round < rounds; round++) {
        boolean away = round * 24 / rounds % 2 == 0;
        nameNode.failure = away ? "cause " + round % 3 : "";
        rounds(1);
      }
      assertTrue(log.lines().size() <= 12 * 10, () -> String.join("\n", log.lines()));
      assertTrue(log.lines().size() >= 12, () -> String.join("\n", log.lines()));
      assertTrue(
          log.lines().stream().allMatch(line -> line.startsWith("WARN The members of")),
          () -> String.join("\n", log.lines()));
    } finally {
      log.close();
    }
  }

  /** A connection that is idle for ten seconds is closed. */
  @Test
  void membersThatStayTheSame_areAskedForLessOften_untilTheyChange() {
    nameNode.failure = "";
    long calm = MemberWatch.CALM_MILLIS;
    rounds((int) (calm / MemberWatch.ROUND_INTERVAL_MILLIS) + 1);
    List<Long> asked = List.copyOf(nameNode.askedAt);
    assertEquals(calm / 6_000 + 1, asked.stream().filter(at -> at <= calm).count());
    assertEquals(asked.size(), asked.stream().filter(at -> at <= calm).count());
    rounds(12);
    assertEquals(calm + MemberWatch.MAX_CALM_VIEW_AGE_MILLIS, nameNode.askedAt.get(asked.size()));
    node.learn(new View(clock.get(), List.of(SELF)));
    int before = nameNode.askedAt.size();
    rounds(5);
    assertEquals(2, nameNode.askedAt.size() - before);
  }

  /** It missed two reports a long time apart: each time it is kept for a while. */
  @Test
  void memberThatIsMissing_joinsAgainByOthersNews_isKeptAsLongTheNextTime() {
    Member third = new Member("c", "host3:9867");
    nameNode.failure = "";
    rounds(1);
    for (int time = 0; time < 2; time++) {
      node.learn(new View(clock.get(), List.of(SELF, OTHER, third)));
      clock.addAndGet(6000);
      rounds(6);
      assertEquals(List.of(SELF, OTHER, third), node.view().members(), "time " + time);
      rounds(4);
      assertEquals(List.of(SELF, OTHER), node.view().members(), "time " + time);
    }
  }

  @Test
  void memberThatJoinedWhileTheNameNodeWasAsked_stays() {
    Member third = new Member("c", "host3:9867");
    nameNode.failure = "";
    nameNode.meanwhile = () -> node.learn(new View(clock.get(), List.of(SELF, OTHER, third)));
    rounds(1);
    assertEquals(List.of(SELF, OTHER, third), node.view().members());
  }

  @Test
  void nameNode_thatAnswersAgain_isAskedAsBefore() {
    rounds(2);
    nameNode.failure = "";
    rounds(1);
    assertNull(watch.trouble());
    assertEquals(List.of(SELF, OTHER), node.view().members());
    rounds(3);
    assertEquals(List.of(0L, 6_000L, 12_000L), nameNode.askedAt);
  }

  @Test
  void nameNode_answers_isBelievedBeforeNewsOfAClockThatIsAheadALittle() {
    nameNode.failure = "";
    nameNode.meanwhile = () -> node.learn(new View(clock.get() + 50_000, List.of(SELF)));
    rounds(1);
    assertEquals(List.of(SELF, OTHER), node.view().members());
  }

  @Test
  void whileTheNameNodeRests_anotherMemberIsAsked_andItsNewsEndTheTrouble() {
    nameNode.failure = "";
    rounds(1);
    nameNode.failure = "the NameNode refuses";
    clock.addAndGet(10_000);
    rounds(1);
    assertEquals("the NameNode refuses", watch.trouble());
    assertTrue(viewAsked.isEmpty());
    theirs = new View(clock.get(), List.of(SELF, OTHER, new Member("c", "host3:9867")));
    rounds(1);
    assertEquals(List.of(OTHER), viewAsked);
    assertEquals(3, node.view().members().size());
    rounds(1);
    assertNull(watch.trouble());
  }
}
