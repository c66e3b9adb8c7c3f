// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.directory.Member;
import io.hycache.core.directory.View;
import io.hycache.core.stats.QuietLog;
import io.hycache.hdfs.rpc.ErrorText;
import io.hycache.hdfs.rpc.PluginProbe;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Ways to the live DataNodes, best first:
 *
 *   hycache.directory.members   if the operator lists them, no other way is tried
 *   getDatanodeReport           has UUIDs and ports of all, but is for HDFS superusers: where DataNodes are
 *                               mapped to a user of their own it is refused, and audited
 *   /jmx of the NameNode        for everybody, or whom SPNEGO lets in
 *
 * The first and the last know addresses only: each DataNode is asked who it is. One that does not answer,
 * for example because it has no plugin, is no member, except that a member that the NameNode lists stays
 * while it is silent: if members that can't reach each other drew different conclusions, it would leave and
 * join for ever.
 *
 * The report lists DataNodes without the plugin, too, which must not get shards. Usually nothing is to be
 * asked: who is a member already has the plugin. A DataNode that is not is asked for its members, all of
 * which have the plugin, so that a DataNode that has just started asks a few instead of all. What is asked
 * at a time, and how long the answers are awaited, are bounded; answers that come later count the next
 * time. Only an answer that there is no plugin makes a member none: one that is silent stays.
 */
/** Finds the live DataNodes, whatever user this DataNode is to HDFS. One thread at a time. */
final class LiveDataNodes implements MemberWatch.NameNode, Closeable {
  /** A refusal is asked for again so seldom: each one is a line in the NameNode's audit log. */
  static final long REFUSAL_PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

  /** DataNodes of a report that are asked for their members first; their answers may be enough. */
  static final int FIRST_ASKED = 8;

  /** DataNodes of a report that are asked afterwards, at most. */
  static final int MOST_ASKED = 64;

  private static final long ANSWER_WAIT_MILLIS = 3000;

  /** Time for which a DataNode on which the plugin was found is not asked again. */
  private static final long FOUND_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final Logger LOG = LoggerFactory.getLogger(LiveDataNodes.class);

  /** Lists DataNodes. */
  interface Report<T> extends Closeable {
    /**
     * The live DataNodes.
     *
     * @param members known so far; further NameNodes are asked while one of them is not listed
     */
    List<T> get(Collection<Member> members) throws IOException;

    /** Why the last list may lack DataNodes; empty if there is no doubt. */
    String doubt();
  }

  private final String self;
  private final List<String> configured;
  private final Report<Member> report;
  private final Supplier<? extends Report<String>> pages;
  private volatile @Nullable Report<String> openPages;
  private final PluginProbe probe;
  private final LongSupplier nanoTime;

  /** DataNodes on which the plugin was found, by id, and when. */
  private final Map<String, Long> found = new ConcurrentHashMap<>();

  private final QuietLog doubtLog;
  private volatile String doubt = "";
  private @Nullable AccessControlException refusal;
  private long refusedNanos;

  /**
   * @param self id of this DataNode
   * @param configured IPC addresses, host:port; empty if the NameNode is to be asked
   * @param report the NameNode's report of its DataNodes; throws {@link AccessControlException} if
   *     it is refused
   * @param pages IPC addresses of the live DataNodes as the NameNode's web server shows them; not
   *     opened unless needed
   */
  LiveDataNodes(
      String self,
      List<String> configured,
      Report<Member> report,
      Supplier<? extends Report<String>> pages,
      PluginProbe probe,
      LongSupplier nanoTime) {
    this.self = self;
    this.configured = List.copyOf(configured);
    this.report = report;
    this.pages = pages;
    this.probe = probe;
    this.nanoTime = nanoTime;
    this.doubtLog = new QuietLog(LOG, nanoTime);
  }

  @Override
  public List<Member> live(Collection<Member> members) throws IOException {
    if (!configured.isEmpty()) {
      return identified(configured, List.of());
    }
    if (refusal == null || nanoTime.getAsLong() - refusedNanos >= REFUSAL_PAUSE_NANOS) {
      try {
        List<Member> live = report.get(members);
        refusal = null;
        return withPlugin(withUnlisted(live, report.doubt(), members), members);
      } catch (AccessControlException e) {
        if (refusal == null) {
          LOG.info(
              "The NameNode refuses this DataNode the list of DataNodes, as to all but HDFS superusers."
                  + " Its web server is asked instead: cause={}",
              ErrorText.of(e));
        }
        refusal = e;
        refusedNanos = nanoTime.getAsLong();
      }
    }
    try {
      Report<String> shown = pages();
      List<Member> live = identified(shown.get(members), members);
      return withUnlisted(live, shown.doubt(), members);
    } catch (IOException e) {
      IOException none =
          new IOException(
              "the NameNode refuses this DataNode the list of DataNodes ("
                  + ErrorText.of(refusal)
                  + "), and its web server does not show it ("
                  + ErrorText.of(e)
                  + "). Fix: list the DataNodes in hycache.directory.members",
              e);
      none.addSuppressed(refusal);
      throw none;
    }
  }

  /** Adds the known members if the list may lack them. */
  private List<Member> withUnlisted(List<Member> live, String reason, Collection<Member> members) {
    doubt = reason;
    if (reason.isEmpty()) {
      return live;
    }
    doubtLog.warn(
        null,
        "Not all DataNodes are listed; no member leaves the directory until they are: {}",
        reason);
    Map<String, Member> all = new LinkedHashMap<>();
    members.forEach(member -> all.put(member.id(), member));
    live.forEach(member -> all.put(member.id(), member));
    return List.copyOf(all.values());
  }

  /** Why the last list may lack DataNodes; empty if there is no doubt. Any thread may ask. */
  String doubt() {
    return doubt;
  }

  private Report<String> pages() {
    Report<String> open = openPages;
    if (open == null) {
      open = pages.get();
      openPages = open;
    }
    return open;
  }

  private List<Member> withPlugin(List<Member> live, Collection<Member> members)
      throws InterruptedIOException {
    long now = nanoTime.getAsLong();
    found.values().removeIf(since -> now - since >= FOUND_NANOS);
    Set<String> known = new HashSet<>();
    members.forEach(member -> known.add(member.id()));
    List<Member> unsure = new ArrayList<>(live);
    unsure.removeIf(node -> hasPlugin(node, known) || probe.isResting(node));
    Collections.shuffle(unsure, ThreadLocalRandom.current());
    int first = Math.min(FIRST_ASKED, unsure.size());
    ask(unsure.subList(0, first));
    List<Member> left = new ArrayList<>(unsure.subList(first, unsure.size()));
    left.removeIf(node -> hasPlugin(node, known));
    ask(left.subList(0, Math.min(MOST_ASKED, left.size())));
    List<Member> out = new ArrayList<>(live);
    out.removeIf(node -> !hasPlugin(node, known));
    return List.copyOf(out);
  }

  private boolean hasPlugin(Member node, Set<String> known) {
    String id = node.id();
    if (id.equals(self)) {
      return true;
    }
    return (known.contains(id) || found.containsKey(id)) && !probe.hadNoPlugin(node);
  }

  /** Asks DataNodes for their members, and waits for the answers for a while. */
  private void ask(List<Member> nodes) throws InterruptedIOException {
    List<CompletableFuture<View>> asked = new ArrayList<>();
    for (Member node : nodes) {
      asked.add(
          probe
              .membersOf(node)
              .whenComplete(
                  (theirs, failure) -> {
                    if (failure == null) {
                      long now = nanoTime.getAsLong();
                      found.put(node.id(), now);
                      theirs.members().forEach(member -> found.put(member.id(), now));
                    } else {
                      LOG.debug("No plugin is found on a DataNode: node={}", node, failure);
                    }
                  }));
    }
    try {
      CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
          .get(ANSWER_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("not all DataNodes answer: asked={}", nodes, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while looking for the plugin");
    }
  }

  /**
   * Asks who is at these addresses.
   *
   * @param known members that count as there while their address is silent, unless they have no
   *     plugin
   */
  private List<Member> identified(List<String> addresses, Collection<Member> known)
      throws IOException {
    List<CompletableFuture<Member>> asked = new ArrayList<>();
    addresses.forEach(address -> asked.add(probe.identity(address)));
    Set<Member> out = new LinkedHashSet<>();
    Set<String> silent = new HashSet<>();
    @Nullable Throwable failure = null;
    for (int i = 0; i < asked.size(); i++) {
      try {
        out.add(asked.get(i).join());
      } catch (CompletionException e) {
        failure = e.getCause();
        silent.add(addresses.get(i));
        LOG.debug("A DataNode does not identify itself: address={}", addresses.get(i), failure);
      }
    }
    if (out.isEmpty()) {
      throw new IOException("no DataNode says who it is: asked=" + addresses, failure);
    }
    for (Member member : known) {
      if (silent.contains(member.address()) && !probe.hadNoPlugin(member)) {
        out.add(member);
      }
    }
    return List.copyOf(out);
  }

  @Override
  public void close() {
    IOUtils.closeStream(report);
    IOUtils.closeStream(openPages);
  }
}
