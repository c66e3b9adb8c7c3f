// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.Sets;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.Hints.Watched;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that a job after the present one is expected to read, too, though no hint says so.
 *
 * <p>Idea: hints that a job's client submits by itself say what that job reads, and nothing about
 * the next job ({@link Hints#isOneJobOnly}). Taken for all that is known, each block would be read
 * once, and none worth a place. But chains of jobs and queries read the same files again. So what
 * workflows have named lately is remembered:
 *
 * <ul>
 *   <li>a block that a second workflow names within {@link #MEMORY_MILLIS} <em>recurs</em>: it is
 *       expected to be named again;
 *   <li>a block that is named for the first time is expected to be named again while most blocks of
 *       its user's workflows have recurred lately. Nothing is known of a user's first workflow: it
 *       gets the benefit of the doubt.
 * </ul>
 *
 * <p>An expected read counts as one more reference. It ends when the next workflow names the block,
 * or {@value #PATIENCE} times as long after its last reference as the block took to be named again
 * before, at least {@link #MIN_WAIT_MILLIS} and at most {@link #MEMORY_MILLIS}.
 *
 * <p>Complexity: O(blocks) for a submission, O(remembered blocks) to {@link #expire} and for a
 * submission of a user of whom much is remembered, O(1) otherwise. Memory: about 150 bytes per
 * block, at most {@link #MAX_BLOCKS} blocks, of a user at most {@link #MAX_BLOCKS_OF_USER}, those
 * named last. Not thread-safe.
 *
 * <p>Source: ours.
 */
public final class ExpectedAgain {
  static final int MAX_BLOCKS = 100_000;
  static final int MAX_BLOCKS_OF_USER = MAX_BLOCKS / 4;
  static final int MAX_USERS = 1_000;
  static final long MEMORY_MILLIS = TimeUnit.HOURS.toMillis(2);
  static final long MIN_WAIT_MILLIS = TimeUnit.MINUTES.toMillis(5);

  /** Assumed time until a block is named again that has not been yet. */
  static final long INITIAL_GAP_MILLIS = TimeUnit.MINUTES.toMillis(5);

  static final int PATIENCE = 3;

  /** Each workflow weighs 1 in this many in its user's share of blocks that recur. */
  private static final double SHARE_SMOOTHING = 4;

  private static final double HALF = 0.5;

  private static final class Named {
    String user = "";
    String workflow = "";
    long namedMillis;
    long gapMillis = INITIAL_GAP_MILLIS;
    boolean recurs;

    /** When the expectation ends; 0 if the block is not expected. */
    long untilMillis;

    boolean isExpected() {
      return untilMillis > 0;
    }

    long waitMillis() {
      return Math.min(MEMORY_MILLIS, Math.max(MIN_WAIT_MILLIS, PATIENCE * gapMillis));
    }
  }

  private static final class User {
    String lastWorkflow = "";

    /** Smoothed share of blocks that recur. */
    double recurring = HALF;
  }

  /** In the order in which they were last named. */
  private final Map<BlockKey, Named> blocks = new LinkedHashMap<>();

  /** In the order of their last workflows. */
  private final Map<String, User> users = new LinkedHashMap<>();

  /**
   * Called when a workflow was submitted. Each block that it names loses its expectation and, if it
   * is expected to recur, gets a new one. Other blocks do not change. Of a submission of which no
   * reference was accepted, and of blocks beyond the first {@link #MAX_BLOCKS_OF_USER}, nothing is
   * remembered.
   *
   * @param hints may be a part of an earlier submission of the same name, or replace it
   * @param accepted how many of the references were accepted, from the first one on
   * @return the blocks that are expected now and were not before, or the reverse
   */
  public List<BlockKey> submitted(Hints hints, int accepted, String user, long nowMillis) {
    Set<BlockKey> hinted = new LinkedHashSet<>();
    for (Reference reference : hints.references().subList(0, accepted)) {
      hinted.add(reference.block());
    }
    Set<BlockKey> watched = new LinkedHashSet<>();
    for (Watched one : hints.watched()) {
      watched.add(one.block());
    }
    List<BlockKey> changed = new ArrayList<>();
    if (!hints.isOneJobOnly()) {
      // It says itself what is read again.
      forget(hinted, changed);
      forget(watched, changed);
      return changed;
    }
    if (accepted == 0 && !hints.references().isEmpty()) {
      return changed;
    }
    limit(hinted, MAX_BLOCKS_OF_USER);
    limit(watched, MAX_BLOCKS_OF_USER - hinted.size());
    boolean likely = learn(hints.workflow(), user, Sets.union(hinted, watched));
    for (BlockKey block : hinted) {
      Named named = named(block, hints.workflow(), user, nowMillis);
      set(block, named, likely || named.recurs ? nowMillis + named.waitMillis() : 0, changed);
    }
    for (BlockKey block : watched) {
      // Another DataNode is to have it on SSD.
      set(block, named(block, hints.workflow(), user, nowMillis), 0, changed);
    }
    bound(user, changed);
    return changed;
  }

  private static void limit(Set<BlockKey> blocks, int most) {
    if (blocks.size() > most) {
      List<BlockKey> first = ImmutableList.copyOf(Iterables.limit(blocks, most));
      blocks.clear();
      blocks.addAll(first);
    }
  }

  /** Returns whether blocks that this user's workflow is the first to name are likely to recur. */
  private boolean learn(String workflow, String name, Set<BlockKey> named) {
    User user = users.remove(name);
    if (user == null) {
      user = new User();
    } else if (!user.lastWorkflow.equals(workflow)) {
      long recurring =
          named.stream().filter(block -> isOfAnother(blocks.get(block), name, workflow)).count();
      double share = (double) recurring / Math.max(1, named.size());
      user.recurring += (share - user.recurring) / SHARE_SMOOTHING;
    }
    user.lastWorkflow = workflow;
    users.put(name, user);
    if (users.size() > MAX_USERS) {
      users.remove(users.keySet().iterator().next());
    }
    return user.recurring >= HALF;
  }

  private static boolean isOfAnother(@Nullable Named named, String user, String workflow) {
    return named != null && !(named.user.equals(user) && named.workflow.equals(workflow));
  }

  /** Remembers that a workflow names a block. */
  private Named named(BlockKey block, String workflow, String user, long nowMillis) {
    Named named = blocks.remove(block);
    if (named == null) {
      named = new Named();
    } else if (isOfAnother(named, user, workflow)) {
      named.gapMillis = Math.max(1, nowMillis - named.namedMillis);
      named.recurs = true;
    }
    named.user = user;
    named.workflow = workflow;
    named.namedMillis = nowMillis;
    blocks.put(block, named);
    return named;
  }

  private void set(BlockKey block, Named named, long untilMillis, List<BlockKey> changed) {
    if (named.isExpected() != untilMillis > 0) {
      changed.add(block);
    }
    named.untilMillis = untilMillis;
  }

  private void forget(Iterable<BlockKey> which, List<BlockKey> changed) {
    for (BlockKey block : which) {
      Named named = blocks.remove(block);
      if (named != null) {
        set(block, named, 0, changed);
      }
    }
  }

  /** Forgets the blocks that were named first, of this user and of all. */
  private void bound(String user, List<BlockKey> changed) {
    if (blocks.size() > MAX_BLOCKS_OF_USER) {
      List<BlockKey> own = new ArrayList<>();
      blocks.forEach(
          (block, named) -> {
            if (named.user.equals(user)) {
              own.add(block);
            }
          });
      forget(own.subList(0, Math.max(0, own.size() - MAX_BLOCKS_OF_USER)), changed);
    }
    if (blocks.size() > MAX_BLOCKS) {
      forget(
          ImmutableList.copyOf(Iterables.limit(blocks.keySet(), blocks.size() - MAX_BLOCKS)),
          changed);
    }
  }

  /**
   * Ends what was expected for long enough.
   *
   * @param hinted whether a block has references left; its expectation does not expire before they
   *     are used up
   * @return the blocks that are expected no longer
   */
  public List<BlockKey> expire(Predicate<BlockKey> hinted, long nowMillis) {
    List<BlockKey> changed = new ArrayList<>();
    Iterator<Map.Entry<BlockKey, Named>> all = blocks.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<BlockKey, Named> next = all.next();
      Named named = next.getValue();
      if (hinted.test(next.getKey())) {
        if (named.isExpected()) {
          named.untilMillis = nowMillis + named.waitMillis();
        }
        continue;
      }
      if (named.untilMillis <= nowMillis) {
        set(next.getKey(), named, 0, changed);
      }
      if (!named.isExpected() && named.namedMillis + MEMORY_MILLIS <= nowMillis) {
        all.remove();
      }
    }
    return changed;
  }

  /** Whether a workflow that is not known yet is expected to name the block. */
  public boolean isExpected(BlockKey block) {
    return expected(block) != null;
  }

  /** What is remembered of a block that is expected; null of any other. */
  private @Nullable Named expected(BlockKey block) {
    Named named = blocks.get(block);
    return named != null && named.isExpected() ? named : null;
  }

  /**
   * When the block is expected to be named again, if that is more than a guess: it was before. In
   * milliseconds of the clock that {@link #submitted} is given.
   */
  public OptionalLong recursAtMillis(BlockKey block) {
    Named named = expected(block);
    return named != null && named.recurs
        ? OptionalLong.of(named.untilMillis - named.waitMillis() + named.gapMillis)
        : OptionalLong.empty();
  }

  /** The user whose workflow named the block last; null if the block is not expected. */
  public @Nullable String user(BlockKey block) {
    Named named = expected(block);
    return named == null ? null : named.user;
  }

  /** Calls the action with each block that is expected. O(remembered blocks). */
  public void forEach(Consumer<BlockKey> action) {
    blocks.forEach(
        (block, named) -> {
          if (named.isExpected()) {
            action.accept(block);
          }
        });
  }

  /** Number of blocks that are expected. O(remembered blocks). */
  @VisibleForTesting
  int size() {
    return (int) blocks.values().stream().filter(Named::isExpected).count();
  }
}
