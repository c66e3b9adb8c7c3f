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
import org.apache.hadoop.util.functional.RemoteIterators;
import org.jspecify.annotations.Nullable;

/**
 * HDFS with a client that knows which replicas are on SSD. If this class and Hadoop's come from
 * different class loaders, or the settings can't be, it is plain HDFS.
 */
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
    return leaveAlone(super.getFileBlockLocations(path, start, length));
  }

  @Override
  protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path, PathFilter filter)
      throws IOException {
    return RemoteIterators.mappingRemoteIterator(
        super.listLocatedStatus(path, filter),
        status -> {
          leaveAlone(status.getBlockLocations());
          return status;
        });
  }

  /** Those on SSD without the others, where that is asked for and there are any. */
  private BlockLocation[] leaveAlone(BlockLocation[] locations) throws IOException {
    HyCacheDfsClient known = client;
    if (known == null || !alone || locations == null) {
      return locations;
    }
    for (BlockLocation location : locations) {
      int first =
          location instanceof HdfsBlockLocation
              ? known.onSsd(((HdfsBlockLocation) location).getLocatedBlock())
              : 0;
      if (first > 0 && first < location.getHosts().length) {
        location.setHosts(Arrays.copyOf(location.getHosts(), first));
        location.setNames(Arrays.copyOf(location.getNames(), first));
        location.setTopologyPaths(Arrays.copyOf(location.getTopologyPaths(), first));
      }
    }
    return locations;
  }
}
