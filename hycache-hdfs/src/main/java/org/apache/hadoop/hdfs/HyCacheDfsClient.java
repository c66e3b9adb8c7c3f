// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.client.SsdHolders;
import io.hycache.hdfs.conf.PropertyReader;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the replicas that are on SSD first, in what the NameNode answers, for reads and for callers
 * that ask where blocks are. Otherwise the NameNode's order stays. One batched look-up for a file,
 * or for a page of a listing, in a bounded time; what fails leaves the answer as it was. The
 * NameNode lists blocks without their tokens: where those are needed, listings stay as they are,
 * unless only the holders are to be named. To get tokens is to open a file, for the NameNode: it
 * sets the access time and writes a line into its audit log. Blocks of erasure-coded files are left
 * alone: there each place has another part. Thread-safe.
 */
@NullMarked
final class HyCacheDfsClient extends DFSClient {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheDfsClient.class);

  private final SsdHolders holders;
  private final boolean alone;
  private final boolean useHostname;
  private final long staleMillis;

  /**
   * @param alone whether callers that ask where blocks are get the replicas on SSD only
   * @param staleMillis see {@link #staleMillis(Configuration)}
   */
  HyCacheDfsClient(
      URI nameNode,
      Configuration conf,
      FileSystem.Statistics statistics,
      SsdHolders holders,
      boolean alone,
      long staleMillis)
      throws IOException {
    super(nameNode, conf, statistics);
    this.holders = holders;
    this.alone = alone;
    this.useHostname =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    this.staleMillis = staleMillis;
  }

  /**
   * Age of its last heartbeat at which a DataNode is stale: a setting of the NameNode, which other
   * clients do not read.
   *
   * @throws IllegalArgumentException if it is no number
   */
  static long staleMillis(Configuration conf) {
    String key = DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY;
    try {
      return conf.getLong(key, DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
    } catch (NumberFormatException e) {
      throw PropertyReader.unexpected(
          key, "a number of milliseconds", PropertyReader.quoted(conf.get(key)), e);
    }
  }

  @Override
  public LocatedBlocks getLocatedBlocks(String src, long start, long length) throws IOException {
    LocatedBlocks found = super.getLocatedBlocks(src, start, length);
    if (found != null) {
      order(found.getLocatedBlocks(), Map::of);
    }
    return found;
  }

  @Override
  public DirectoryListing listPaths(String src, byte[] startAfter, boolean needLocation)
      throws IOException {
    DirectoryListing page = super.listPaths(src, startAfter, needLocation);
    if (page != null && needLocation) {
      List<LocatedBlock> blocks = new ArrayList<>();
      for (HdfsFileStatus status : page.getPartialListing()) {
        blocks.addAll(located(status));
      }
      order(blocks, () -> alone && holders.isWithTokens() ? tokens(src, page) : Map.of());
    }
    return page;
  }

  private static List<LocatedBlock> located(HdfsFileStatus status) {
    LocatedBlocks of =
        status instanceof HdfsLocatedFileStatus
            ? ((HdfsLocatedFileStatus) status).getLocatedBlocks()
            : null;
    return of == null ? List.of() : of.getLocatedBlocks();
  }

  /**
   * Tokens of a listing's blocks, asked for file by file, for as long as one question to the
   * directory may take. Ends with the first file that the user may not read.
   */
  private Map<BlockKey, Token<BlockTokenIdentifier>> tokens(String src, DirectoryListing page) {
    Map<BlockKey, Token<BlockTokenIdentifier>> out = new HashMap<>();
    long end = System.nanoTime() + holders.timeout().toNanos();
    CallerContext before = CallerContext.getCurrent();
    CallerContext.setCurrent(SsdHolders.LOOK_UP);
    try {
      for (HdfsFileStatus status : page.getPartialListing()) {
        if (holders.isResting() || System.nanoTime() - end >= 0) {
          break;
        }
        if (located(status).stream().anyMatch(b -> isOrdered(b) && holders.known(key(b)) == null)) {
          LocatedBlocks file = super.getLocatedBlocks(status.getFullName(src), 0, status.getLen());
          if (file != null) {
            for (LocatedBlock block : file.getLocatedBlocks()) {
              Token<BlockTokenIdentifier> token = SsdHolders.token(block);
              if (token != null) {
                out.put(key(block), token);
              }
            }
          }
        }
      }
    } catch (IOException e) {
      LOG.debug("no more tokens of the blocks in a listing: {}", src, e);
    } finally {
      CallerContext.setCurrent(before);
    }
    return out;
  }

  /**
   * @param tokens supplies those of blocks that have none themselves
   */
  private void order(
      List<LocatedBlock> blocks, Supplier<Map<BlockKey, Token<BlockTokenIdentifier>>> tokens) {
    try {
      Map<BlockKey, Token<BlockTokenIdentifier>> known = tokens.get();
      Map<BlockKey, LocatedBlock> asked = new LinkedHashMap<>();
      Set<String> seeds = new HashSet<>();
      for (LocatedBlock block : blocks) {
        if (isOrdered(block)) {
          asked.put(key(block), block);
          for (DatanodeInfo node : block.getLocations()) {
            seeds.add(node.getIpcAddr(useHostname));
          }
        }
      }
      if (asked.isEmpty()) {
        return;
      }
      Map<BlockKey, Set<String>> onSsd =
          holders.of(
              asked.keySet(),
              key -> {
                LocatedBlock block = asked.get(key);
                Token<BlockTokenIdentifier> own = block == null ? null : SsdHolders.token(block);
                return own == null ? known.get(key) : own;
              },
              seeds);
      for (LocatedBlock block : blocks) {
        if (isOrdered(block)) {
          order(block, onSsd.getOrDefault(key(block), Set.of()), staleMillis);
        }
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Could not look up replicas on SSD; reading as plain HDFS", e);
    }
  }

  /**
   * Puts the replicas of these DataNodes first.
   *
   * @param staleMillis age of its last heartbeat at which a DataNode is stale
   */
  static void order(LocatedBlock block, Set<String> onSsd, long staleMillis) {
    if (!onSsd.isEmpty()) {
      long notBefore = notBefore(block, staleMillis);
      Arrays.sort(
          block.getLocations(),
          Comparator.comparing((DatanodeInfo node) -> !comesFirst(node, onSsd, notBefore)));
      block.updateCachedStorageInfo();
    }
  }

  /**
   * Returns when the last heartbeat of a DataNode must have been, by the NameNode's clock, so that
   * the DataNode is not stale. The answer does not say when it was made: the most recent heartbeat
   * of a replica's DataNode stands for that.
   */
  private static long notBefore(LocatedBlock block, long staleMillis) {
    long last = Long.MIN_VALUE;
    for (DatanodeInfo node : block.getLocations()) {
      last = Math.max(last, node.getLastUpdateMonotonic());
    }
    return last - staleMillis;
  }

  /**
   * A DataNode that leaves, is in maintenance or is stale stays where the NameNode put it, which
   * may be at the end.
   */
  private static boolean comesFirst(DatanodeInfo node, Set<String> onSsd, long notBefore) {
    return onSsd.contains(node.getDatanodeUuid())
        && node.isInService()
        && node.getLastUpdateMonotonic() >= notBefore;
  }

  private static boolean isOrdered(LocatedBlock block) {
    return !(block instanceof LocatedStripedBlock) && block.getLocations().length > 1;
  }

  /** How many of the first replicas are on SSD, as far as is known without asking. */
  int onSsd(LocatedBlock block) {
    Set<String> first = holders.known(key(block));
    return first == null || block instanceof LocatedStripedBlock
        ? 0
        : first(block, first, staleMillis);
  }

  /** How many replicas {@link #order} puts first. */
  static int first(LocatedBlock block, Set<String> onSsd, long staleMillis) {
    long notBefore = notBefore(block, staleMillis);
    int count = 0;
    for (DatanodeInfo node : block.getLocations()) {
      count += comesFirst(node, onSsd, notBefore) ? 1 : 0;
    }
    return count;
  }

  private static BlockKey key(LocatedBlock block) {
    ExtendedBlock of = block.getBlock();
    return new BlockKey(of.getBlockPoolId(), of.getBlockId());
  }

  @Override
  public synchronized void close() throws IOException {
    holders.close();
    super.close();
  }
}
