// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import io.hycache.hdfs.client.SsdHolders;
import io.hycache.hdfs.client.SsdHolders.Locality;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.HdfsBlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * HDFS with a client that knows which replicas are on SSD. If this class and Hadoop's come from
 * different class loaders, or the settings can't be, it is plain HDFS.
 */
@NullMarked
public abstract class HyCacheDistributedFileSystem extends DistributedFileSystem {
  private @Nullable HyCacheDfsClient client;
  private boolean alone;

  protected HyCacheDistributedFileSystem() {}

  @Override
  void initDFSClient(URI uri, Configuration conf) throws IOException {
    SsdHolders holders = SsdHolders.from(conf);
    if (holders == null) {
      super.initDFSClient(uri, conf);
      return;
    }
    alone = SsdHolders.locality(conf) == Locality.ONLY;
    client = new HyCacheDfsClient(uri, conf, statistics, holders);
    dfs = client;
  }

  @Override
  public BlockLocation[] getFileBlockLocations(Path path, long start, long length)
      throws IOException {
    BlockLocation[] locations = super.getFileBlockLocations(path, start, length);
    HyCacheDfsClient known = client;
    if (known != null && alone && locations != null) {
      for (BlockLocation location : locations) {
        if (location instanceof HdfsBlockLocation) {
          leaveAlone(location, known.onSsd(((HdfsBlockLocation) location).getLocatedBlock()));
        }
      }
    }
    return locations;
  }

  @Override
  protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path, PathFilter filter)
      throws IOException {
    return RemoteIterators.mappingRemoteIterator(
        super.listLocatedStatus(path, filter),
        status -> {
          HyCacheDfsClient known = client;
          if (known != null && alone && status instanceof HdfsLocatedFileStatus) {
            leaveAlone(status.getBlockLocations(), (HdfsLocatedFileStatus) status, known);
          }
          return status;
        });
  }

  private static void leaveAlone(
      BlockLocation[] locations, HdfsLocatedFileStatus status, HyCacheDfsClient known)
      throws IOException {
    LocatedBlocks blocks = status.getLocatedBlocks();
    if (blocks != null && locations != null && blocks.locatedBlockCount() == locations.length) {
      for (int i = 0; i < locations.length; i++) {
        leaveAlone(locations[i], known.onSsd(blocks.get(i)));
      }
    }
  }

  /** The first hosts without the others, if there are any. */
  private static void leaveAlone(BlockLocation location, int first) throws IOException {
    if (first > 0 && first < location.getHosts().length) {
      location.setHosts(Arrays.copyOf(location.getHosts(), first));
      location.setNames(Arrays.copyOf(location.getNames(), first));
      location.setTopologyPaths(Arrays.copyOf(location.getTopologyPaths(), first));
    }
  }
}
