// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.View;
import io.hycache.core.stats.QuietLog;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * The NameNode's live DataNodes that have the plugin are the members. So as not to have every
 * DataNode ask it for a list of all, a DataNode whose list is old asks the NameNode only with a chance
 * of a few in the number of members, and otherwise any other member for its list: a few DataNodes ask
 * in each round, and the news reaches the others in a number of rounds that grows with the logarithm
 * of their number.
 *
 * A DataNode that no NameNode lists any more stays a member for a while: a NameNode that was just
 * started lists those first that reported first. Who missed it asks the NameNodes again.
 */
/**
 * Keeps a node's view of the members up to date. Rounds are one at a time; {@link #isDue} and
 * {@link #trouble} are for any thread.
 */
final class MemberWatch {
  /** Between two rounds. */
  static final long ROUND_INTERVAL_MILLIS = 3000;

  /** A view older than this is asked for again. */
  private static final long MAX_VIEW_AGE_MILLIS = 6000;

  /** The same of members that have not changed for {@link #CALM_MILLIS}. */
  static final long MAX_CALM_VIEW_AGE_MILLIS = 30_000;

  static final long CALM_MILLIS = 300_000;

  /** Members that ask the NameNode in a round, on average; the others ask a member. */
  private static final int NAMENODE_ASKERS_PER_ROUND = 3;

  /** A member stays in the view for this long after the NameNode left it out for the first time. */
  private static final long MISSING_MEMBER_GRACE_MILLIS = 20_000;

  /** A NameNode that does not answer or refuses is asked half as often each time, down to this. */
  static final long MAX_PAUSE_MILLIS = 60_000;

  private static final int MAX_DOUBLINGS = 10;
  private static final int MAX_TROUBLE_CHARS = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(MemberWatch.class);

  /** What lists the live DataNodes. */
  @FunctionalInterface
  interface NameNode {
    /**
     * The live DataNodes that have the plugin.
     *
     * @param members those known so far
     */
    List<Member> live(Collection<Member> members) throws IOException;
  }

  private final DirectoryNode node;
  private final String id;
  private final NameNode nameNode;
  private final Peers peers;
  private final LongSupplier wall;
  private final LongSupplier steady;
  private final Random random;

  /** Members that the NameNode has just left out, by id. */
  private final Map<String, Long> missingSince = new ConcurrentHashMap<>();

  private int failures;
  private long restUntilMillis = Long.MIN_VALUE;
  private final QuietLog failureLog;
  private volatile @Nullable String trouble;

  /** The members when they changed last, and when that was. */
  private volatile View changed = View.NONE;

  private volatile long changedMillis;

  /**
   * @param wallMillis for times of reports, which members compare
   * @param steadyMillis for how long something lasts
   */
  MemberWatch(
      DirectoryNode node,
      String id,
      NameNode nameNode,
      Peers peers,
      LongSupplier wallMillis,
      LongSupplier steadyMillis,
      Random random) {
    this.node = node;
    this.id = id;
    this.nameNode = nameNode;
    this.peers = peers;
    this.wall = wallMillis;
    this.steady = steadyMillis;
    this.failureLog =
        new QuietLog(LOG, () -> TimeUnit.MILLISECONDS.toNanos(steadyMillis.getAsLong()));
    this.random = random;
  }

  /** Whether the view is so old that a round would ask for another. */
  boolean isDue() {
    return trouble != null || isOld(node.view());
  }

  private boolean isOld(View view) {
    if (!view.sameMembers(changed)) {
      changed = view;
      changedMillis = steady.getAsLong();
    }
    boolean calm = missingSince.isEmpty() && steady.getAsLong() - changedMillis >= CALM_MILLIS;
    long now = wall.getAsLong();
    long most = calm ? MAX_CALM_VIEW_AGE_MILLIS : MAX_VIEW_AGE_MILLIS;
    return now - view.reportedMillis() >= most || view.isAhead(now);
  }

  /** One round; may wait for the NameNode. While that is left in peace, another member is asked. */
  void round() {
    View view = node.view();
    if (!isOld(view)) {
      trouble = null;
      return;
    }
    List<Member> others = new ArrayList<>(view.members());
    others.removeIf(member -> member.id().equals(id));
    boolean rests = steady.getAsLong() < restUntilMillis;
    if (!rests
        && (!missingSince.isEmpty()
            || others.size() < NAMENODE_ASKERS_PER_ROUND
            || random.nextInt(others.size() + 1) < NAMENODE_ASKERS_PER_ROUND)) {
      askNameNode(view);
    } else if (!others.isEmpty()) {
      var unused =
          peers
              .view(others.get(random.nextInt(others.size())))
              .whenComplete(
                  (theirs, failure) -> {
                    // By a clock that is ahead, older news than the own ones look later.
                    if (failure == null && !theirs.isAhead(wall.getAsLong())) {
                      node.learn(theirs);
                    }
                  });
    }
  }

  /** Why the members are old; null if they are not. Any thread may ask. */
  @Nullable String trouble() {
    return trouble;
  }

  private void askNameNode(View before) {
    long asked = steady.getAsLong();
    List<Member> live;
    try {
      live = nameNode.live(before.members());
    } catch (IOException | RuntimeException e) {
      failures++;
      restUntilMillis =
          asked
              + Math.min(
                  MAX_PAUSE_MILLIS, ROUND_INTERVAL_MILLIS << Math.min(failures, MAX_DOUBLINGS));
      String cause = ErrorText.of(e);
      cause = cause.substring(0, Math.min(cause.length(), MAX_TROUBLE_CHARS));
      failureLog.warn(
          e,
          "The members of the directory can't be looked up, it goes on with those known:"
              + " members={}",
          before.members().size());
      trouble = cause;
      return;
    }
    failures = 0;
    trouble = null;
    long answered = steady.getAsLong();
    Map<String, Member> members = new TreeMap<>();
    live.forEach(member -> members.put(member.id(), member));
    missingSince.keySet().removeAll(members.keySet());
    View known = node.view(); // with members that joined meanwhile
    for (Member member : known.members()) {
      if (!members.containsKey(member.id())
          && answered - missingSince.computeIfAbsent(member.id(), unused -> answered)
              < MISSING_MEMBER_GRACE_MILLIS) {
        members.put(member.id(), member);
      }
    }
    missingSince.keySet().retainAll(members.keySet()); // one that is dropped may join again
    long now = wall.getAsLong();
    // Later than news that came meanwhile from a node whose clock is a little ahead.
    long reported = known.isAhead(now) ? now : Math.max(now, known.reportedMillis() + 1);
    node.learn(new View(reported, members.values()));
  }
}
