// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.util.Daemon;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether the current thread serves a client, and whether the client has closed its
 * connection.
 *
 * <p>A client that has read all requested bytes sends a status and keeps the connection for its
 * next request for some seconds. A client that finds a wrong checksum, or has no further request,
 * closes the connection, and the DataXceiver then closes its side at once. That happens after the
 * block's streams are closed, so that the streams can't detect it. Stateless, thread-safe, no I/O;
 * O(1).
 */
public final class HyCacheClients {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheClients.class);
  private static final @Nullable MethodHandle PEER = peerOfXceiver();

  /** In the DataXceiver's thread name while it sends a replica to another DataNode: balancing. */
  private static final String COPYING = "[Copying block ";

  /** In its name while it passes the descriptors of a block's files to a client. */
  private static final String PASSING = "[Passing file descriptors for block ";

  /** Prefix of its name from its first request on; a client's name and its address follow. */
  private static final String SERVING = "DataXceiver for client ";

  private static final String ADDRESS = " at ";

  /**
   * Prefix of that name if the client has an empty name, which HDFS uses between DataNodes: one
   * that reconstructs an erasure-coded block reads the others so.
   */
  private static final String SERVING_DATANODE = SERVING + ADDRESS;

  private HyCacheClients() {}

  private static @Nullable MethodHandle peerOfXceiver() {
    try {
      Field peer = DataXceiver.class.getDeclaredField("peer");
      peer.setAccessible(true);
      return MethodHandles.lookup().unreflectGetter(peer);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.warn("this Hadoop does not show when a client closes its connection", e);
      return null;
    }
  }

  private static @Nullable DataXceiver served() {
    Thread thread = Thread.currentThread();
    Runnable served = thread instanceof Daemon ? ((Daemon) thread).getRunnable() : null;
    return served instanceof DataXceiver ? (DataXceiver) served : null;
  }

  /**
   * Returns true if the current thread serves a client, WebHDFS and short-circuit reads included.
   * Otherwise a DataNode reads a block to scan it, to send it to another DataNode, or to lock it in
   * memory, or another DataNode reads it to reconstruct an erasure-coded block.
   */
  public static boolean isServed() {
    String thread = Thread.currentThread().getName();
    return served() != null && !thread.startsWith(SERVING_DATANODE) && !thread.contains(COPYING);
  }

  /**
   * Returns true if the current thread opens a block's files to pass their descriptors to a client,
   * the data first and then the checksums, for short-circuit reads.
   */
  public static boolean isPassedDescriptors() {
    return served() != null && Thread.currentThread().getName().contains(PASSING);
  }

  /**
   * Returns the name by which this thread's client calls itself, such as {@code
   * DFSClient_NONMAPREDUCE_-12_1}; null if it is not known. Clients choose their names freely.
   */
  public static @Nullable String name() {
    String thread = Thread.currentThread().getName();
    int end = thread.startsWith(SERVING) ? thread.indexOf(ADDRESS, SERVING.length()) : -1;
    return end < 0 || served() == null ? null : thread.substring(SERVING.length(), end);
  }

  /** Returns the connection of this thread's client; null if it serves none. */
  public static @Nullable Peer peer() {
    MethodHandle peer = PEER;
    DataXceiver served = peer == null ? null : served();
    if (peer == null || served == null) {
      return null;
    }
    try {
      return (Peer) peer.invoke(served);
    } catch (Throwable e) {
      LOG.debug("can't look up the client", e);
      return null;
    }
  }
}
