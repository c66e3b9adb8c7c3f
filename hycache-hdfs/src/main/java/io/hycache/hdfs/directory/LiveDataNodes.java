// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.directory.Member;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
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
 * for example because it has no plugin, is no member.
 */
/** Finds the live DataNodes, whatever user this DataNode is to HDFS. One thread at a time. */
final class LiveDataNodes implements MemberWatch.NameNode, Closeable {
  /** A refusal is asked for again so seldom: each one is a line in the NameNode's audit log. */
  static final long REFUSAL_PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final Logger LOG = LoggerFactory.getLogger(LiveDataNodes.class);

  /** Lists DataNodes. */
  interface Report<T> extends Closeable {
    List<T> get() throws IOException;
  }

  /** Asks the DataNode at an address, host:port, who it is. Ends in a bounded time. */
  @FunctionalInterface
  interface Identities {
    CompletableFuture<Member> of(String address);
  }

  private final List<String> configured;
  private final Report<Member> report;
  private final Supplier<? extends Report<String>> pages;
  private volatile @Nullable Report<String> openPages;
  private final Identities identities;
  private final LongSupplier nanoTime;
  private @Nullable AccessControlException refusal;
  private long refusedNanos;

  /**
   * @param configured IPC addresses, host:port; empty if the NameNode is to be asked
   * @param report the NameNode's report of its DataNodes; throws {@link AccessControlException} if
   *     it is refused
   * @param pages IPC addresses of the live DataNodes as the NameNode's web server shows them; not
   *     opened unless needed
   */
  LiveDataNodes(
      List<String> configured,
      Report<Member> report,
      Supplier<? extends Report<String>> pages,
      Identities identities,
      LongSupplier nanoTime) {
    this.configured = List.copyOf(configured);
    this.report = report;
    this.pages = pages;
    this.identities = identities;
    this.nanoTime = nanoTime;
  }

  @Override
  public List<Member> live() throws IOException {
    if (!configured.isEmpty()) {
      return identified(configured);
    }
    if (refusal == null || nanoTime.getAsLong() - refusedNanos >= REFUSAL_PAUSE_NANOS) {
      try {
        List<Member> live = report.get();
        refusal = null;
        return live;
      } catch (AccessControlException e) {
        if (refusal == null) {
          LOG.info(
              "The NameNode lists its DataNodes to HDFS superusers only, and this DataNode is none."
                  + " Its web server is asked instead: cause={}",
              ErrorText.of(e));
        }
        refusal = e;
        refusedNanos = nanoTime.getAsLong();
      }
    }
    try {
      return identified(pages().get());
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

  private Report<String> pages() {
    Report<String> open = openPages;
    if (open == null) {
      open = pages.get();
      openPages = open;
    }
    return open;
  }

  private List<Member> identified(List<String> addresses) throws IOException {
    List<CompletableFuture<Member>> asked = new ArrayList<>();
    addresses.forEach(address -> asked.add(identities.of(address)));
    Set<Member> out = new LinkedHashSet<>();
    @Nullable Throwable failure = null;
    for (int i = 0; i < asked.size(); i++) {
      try {
        out.add(asked.get(i).join());
      } catch (CompletionException e) {
        failure = e.getCause();
        LOG.debug("A DataNode does not identify itself: address={}", addresses.get(i), failure);
      }
    }
    if (out.isEmpty()) {
      throw new IOException("no DataNode says who it is: asked=" + addresses, failure);
    }
    return List.copyOf(out);
  }

  @Override
  public void close() {
    IOUtils.closeStream(report);
    IOUtils.closeStream(openPages);
  }
}
