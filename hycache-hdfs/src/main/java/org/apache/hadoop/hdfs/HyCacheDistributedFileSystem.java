// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import io.hycache.hdfs.client.AutomaticHints;
import io.hycache.hdfs.client.SsdHolders;
import io.hycache.hdfs.client.SsdHolders.Locality;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.HdfsBlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS with a client that knows which replicas are on SSD. If this class and Hadoop's come from
 * different class loaders, or a setting has a value that it can't have, it is plain HDFS.
 */
@NullMarked
public abstract class HyCacheDistributedFileSystem extends DistributedFileSystem {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheDistributedFileSystem.class);

  private @Nullable HyCacheDfsClient client;
  private @Nullable AutomaticHints hints;
  private boolean alone;

  protected HyCacheDistributedFileSystem() {}

  @Override
  void initDFSClient(URI uri, Configuration conf) throws IOException {
    SsdHolders holders = null;
    long staleMillis = 0;
    try {
      SsdHolders wanted = SsdHolders.from(conf);
      if (wanted != null) {
        alone = SsdHolders.locality(conf) == Locality.ONLY;
        staleMillis = HyCacheDfsClient.staleMillis(conf);
      }
      holders = wanted;
    } catch (RuntimeException | LinkageError e) {
      LOG.warn(
          "HyCacheFileSystem does not prefer replicas on SSD in this process: {}", e.toString());
    }
    if (holders == null) {
      super.initDFSClient(uri, conf);
    } else {
      client = new HyCacheDfsClient(uri, conf, statistics, holders, alone, staleMillis);
      dfs = client;
    }
    try {
      hints =
          AutomaticHints.from(
              uri, conf, dfs.getClientName(), path -> dfs.getFileInfo(path) != null);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.warn("HyCacheFileSystem submits no hints by itself in this process: {}", e.toString());
    }
  }

  private String pathOf(Path path) {
    return fixRelativePart(path).toUri().getPath();
  }

  private void located(Path path) {
    AutomaticHints known = hints;
    if (known != null) {
      known.located(pathOf(path));
    }
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      @Nullable Progressable progress,
      @Nullable ChecksumOpt checksum)
      throws IOException {
    AutomaticHints known = hints;
    if (known != null) {
      known.created(pathOf(path));
    }
    return super.create(
        path, permission, flags, bufferSize, replication, blockSize, progress, checksum);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    opened(path, false);
    return super.open(path, bufferSize);
  }

  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    String policy =
        parameters.getOptions().get(Options.OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY, "");
    opened(path, isRandom(policy));
    return super.openFileWithOptions(path, parameters);
  }

  /** The first policy of a list that says how a file is read decides. */
  private static boolean isRandom(String policies) {
    for (String policy : StringUtils.getTrimmedStrings(policies)) {
      switch (policy.toLowerCase(Locale.ROOT)) {
        case "sequential":
        case "whole-file":
        case "csv":
        case "json":
        case "avro":
          return false;
        case "random":
        case "vector":
        case "vectored":
        case "columnar":
        case "parquet":
        case "orc":
        case "hbase":
          return true;
        default: // adaptive, default, or not known
      }
    }
    return false;
  }

  private void opened(Path path, boolean random) {
    AutomaticHints known = hints;
    if (known != null) {
      known.opened(pathOf(path), random);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      AutomaticHints known = hints;
      if (known != null) {
        known.close();
      }
    } finally {
      super.close();
    }
  }

  @Override
  public BlockLocation[] getFileBlockLocations(Path path, long start, long length)
      throws IOException {
    BlockLocation[] locations = super.getFileBlockLocations(path, start, length);
    located(path);
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
          if (status.isFile()) {
            located(status.getPath());
          }
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
