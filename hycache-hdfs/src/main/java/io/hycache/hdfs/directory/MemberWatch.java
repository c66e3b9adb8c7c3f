package io.hycache.hdfs.directory;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * The NameNode's live DataNodes are the members. So as not to have every DataNode ask it for a list of
 * all, a DataNode whose list is old asks the NameNode only with a chance of a few in the number of
 * members, and otherwise any other member for its list: a few DataNodes ask in each round, and the
 * news reaches the others in a number of rounds that grows with the logarithm of their number.
 *
 * A DataNode that the NameNode no longer lists stays a member for a while: a NameNode that was just
 * started lists those first that reported first.
 */
/** Keeps a node's view of the members up to date. One thread calls it. */
final class MemberWatch {
  /** Between two rounds. */
  static final long ROUND_MILLIS = 3000;

  /** News older than this are asked for again. */
  private static final long OLD_MILLIS = 6000;

  private static final int ASK_NAMENODE = 3;
  private static final long STAYS_MILLIS = 20_000;

  /** News from clocks that are further ahead than this are not believed. */
  private static final long AHEAD_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(MemberWatch.class);

  /** The NameNode's word. */
  @FunctionalInterface
  interface NameNode {
    /** The live DataNodes. */
    List<Member> live() throws IOException;
  }

  private final DirectoryNode node;
  private final String id;
  private final NameNode nameNode;
  private final Peers peers;
  private final LongSupplier clock;
  private final Random random;
  private final Map<String, Long> missingSince = new HashMap<>();
  private boolean failed;

  MemberWatch(
      DirectoryNode node,
      String id,
      NameNode nameNode,
      Peers peers,
      LongSupplier clockMillis,
      Random random) {
    this.node = node;
    this.id = id;
    this.nameNode = nameNode;
    this.peers = peers;
    this.clock = clockMillis;
    this.random = random;
  }

  /** One round; may wait for the NameNode. */
  void round() {
    View view = node.view();
    long now = clock.getAsLong();
    if (now - view.toldMillis() < OLD_MILLIS) {
      return;
    }
    List<Member> others = new ArrayList<>(view.members());
    others.removeIf(member -> member.id().equals(id));
    if (others.size() < ASK_NAMENODE || random.nextInt(others.size() + 1) < ASK_NAMENODE) {
      askNameNode(view);
    } else {
      var unused =
          peers
              .view(others.get(random.nextInt(others.size())))
              .whenComplete(
                  (theirs, failure) -> {
                    if (failure == null && theirs.toldMillis() < now + AHEAD_MILLIS) {
                      node.learn(theirs);
                    }
                  });
    }
  }

  private void askNameNode(View before) {
    List<Member> live;
    try {
      live = nameNode.live();
    } catch (IOException | RuntimeException e) {
      if (!failed) {
        LOG.warn("The NameNode did not list its DataNodes; the directory goes on with those known");
        LOG.debug("The reason", e);
      }
      failed = true;
      return;
    }
    failed = false;
    long now = clock.getAsLong();
    Map<String, Member> members = new TreeMap<>();
    live.forEach(member -> members.put(member.id(), member));
    missingSince.keySet().removeAll(members.keySet());
    for (Member member : before.members()) {
      if (!members.containsKey(member.id())
          && now - missingSince.computeIfAbsent(member.id(), unused -> now) < STAYS_MILLIS) {
        members.put(member.id(), member);
      }
    }
    node.learn(new View(now, members.values()));
  }
}
