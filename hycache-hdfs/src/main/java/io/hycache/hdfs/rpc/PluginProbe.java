// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Member;
import io.hycache.core.directory.View;
import java.util.concurrent.CompletableFuture;

/**
 * Finds out which DataNodes have the plugin, and which DataNode is at an address. No method waits;
 * calls end in a bounded time. Thread-safe.
 */
public interface PluginProbe {
  /** Asks the DataNode at an address, host:port, for its id. */
  CompletableFuture<Member> identity(String address);

  /** Asks a DataNode for its members, which only one that has the plugin can answer. */
  CompletableFuture<View> membersOf(Member node);

  /** Whether the last call to the DataNode found that it has no plugin. */
  boolean hadNoPlugin(Member node);

  /** Whether a call to the DataNode failed so recently that it is not to be called again yet. */
  boolean isResting(Member node);
}
