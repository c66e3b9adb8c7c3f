// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.directory.Member;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.RecentMove;
import io.hycache.core.stats.TrafficHistory;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.page.PageSource;
import io.hycache.hdfs.page.Pages;
import io.hycache.hdfs.page.VolumeStatus;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts HyCache's pages on the DataNode's web server, and answers them from its node. Failures
 * affect the pages only. Thread-safe.
 */
final class PagePart implements PageSource, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PagePart.class);

  /** Finds the DataNode's node. */
  interface Lookup {
    HyCacheNode node() throws IOException;
  }

  private final DataNode datanode;
  private final Lookup lookup;
  private final AtomicBoolean uncounted = new AtomicBoolean();
  private @Nullable Pages pages;

  private PagePart(DataNode datanode, Lookup lookup) {
    this.datanode = datanode;
    this.lookup = lookup;
  }

  /** Adds the pages, unless the settings turn them off. Never throws. */
  static PagePart start(DataNode datanode, Lookup lookup) {
    PagePart part = new PagePart(datanode, lookup);
    try {
      if (isWanted(new HyCacheConf(datanode.getConf()))) {
        part.add();
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      part.uncounted.set(true);
      LOG.warn(
          "HyCache has no page on this DataNode's web server; caching continues. Fix: {}=false"
              + " ends this message. cause={}",
          HyCacheKeys.PAGE,
          e.toString());
      LOG.debug("The stack trace", e);
    }
    return part;
  }

  private static boolean isWanted(HyCacheConf conf) {
    try {
      return conf.page();
    } catch (IllegalArgumentException e) {
      return false; // the node lists it with all invalid values
    }
  }

  /** Counts a failure of {@link #start} once there are counters. */
  void countFailure(HyCacheNode node) {
    if (uncounted.getAndSet(false)) {
      node.recent().countPageFailure();
    }
  }

  private synchronized void add() throws ReflectiveOperationException {
    Pages added = new Pages(datanode.getConf(), this);
    added.addTo(datanode);
    pages = added;
  }

  @Override
  public String name() {
    return datanode.getDatanodeHostname() + ":" + datanode.getXferPort();
  }

  @Override
  public String id() {
    String id = datanode.getDatanodeUuid();
    return id == null ? "" : id;
  }

  @Override
  public NodeStatus status() throws IOException {
    return lookup.node().status();
  }

  @Override
  public List<VolumeStatus> volumes() throws IOException {
    FsDatasetSpi<?> dataset = datanode.getFSDataset();
    List<VolumeStatus> volumes = new ArrayList<>();
    if (dataset == null) {
      return volumes;
    }
    dataset
        .getVolumeInfoMap()
        .forEach(
            (directory, info) -> {
              Map<?, ?> figures = (Map<?, ?>) info;
              volumes.add(
                  new VolumeStatus(
                      directory,
                      String.valueOf(figures.get("storageType")),
                      false,
                      number(figures.get("usedSpace")),
                      number(figures.get("freeSpace")),
                      number(figures.get("numBlocks"))));
            });
    String[] failed = dataset.getFailedStorageLocations();
    for (String text : failed == null ? new String[0] : failed) {
      StorageLocation location = StorageLocation.parse(text);
      volumes.add(
          new VolumeStatus(
              location.getUri().getPath(), location.getStorageType().name(), true, 0, 0, 0));
    }
    return volumes;
  }

  private static long number(@Nullable Object figure) {
    return figure instanceof Number ? ((Number) figure).longValue() : 0;
  }

  @Override
  public List<WorkflowStatus> workflows() throws IOException {
    return lookup.node().workflows(any -> true);
  }

  @Override
  public List<RecentMove> moves() throws IOException {
    return lookup.node().recent().moves.moves();
  }

  @Override
  public List<BlockStatus> locate(List<BlockKey> blocks) throws IOException {
    return lookup.node().locate(blocks);
  }

  @Override
  public List<BlockStatus> mostRead(int most) throws IOException {
    return lookup.node().mostRead(most);
  }

  @Override
  public TrafficHistory.Snapshot history() throws IOException {
    return lookup.node().recent().traffic.snapshot();
  }

  @Override
  public @Nullable DirectoryStatus directory() {
    try {
      return lookup.node().directoryStatus();
    } catch (IOException e) {
      return null; // still starting
    }
  }

  @Override
  public List<Member> members() {
    try {
      return lookup.node().directoryMembers();
    } catch (IOException e) {
      return List.of(); // still starting
    }
  }

  @Override
  public void failed(Throwable why) {
    try {
      lookup.node().recent().pageFailed(why);
    } catch (IOException e) {
      LOG.debug("no counters yet", why);
    }
  }

  @Override
  public synchronized void close() {
    if (pages != null) {
      pages.close();
    }
  }
}
