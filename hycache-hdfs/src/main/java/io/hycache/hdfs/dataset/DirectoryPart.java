// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static java.util.stream.Collectors.toList;

import io.hycache.hdfs.conf.ConfCheck;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.conf.DataDirMode.TooWideException;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.conf.StartAdvice;
import io.hycache.hdfs.directory.DirectoryHost;
import io.hycache.hdfs.rpc.BlockDirectory;
import io.hycache.hdfs.rpc.NoPartException;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the DataNode's share of the directory. It is started off the start path, when the DataNode
 * has its UUID and its dataset. Failures affect the directory only. Thread-safe.
 */
final class DirectoryPart implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryPart.class);
  private static final long POLL_PERIOD_MILLIS = 500;

  /** File names of LevelDB and of {@link OwnedDirectory}. */
  private static final Pattern LEVELDB =
      Pattern.compile(
          "CURRENT|LOCK|LOG|LOG\\.old|MANIFEST-[0-9]+|[0-9]+\\.(log|ldb|sst|dbtmp)"
              + "|owner|owner\\.tmp|in_use\\.lock");

  private @Nullable ScheduledExecutorService starter;

  /** Ends the share; null before it was started. Guarded by this. */
  private @Nullable Runnable end;

  // Written under the monitor.
  private volatile @Nullable BlockDirectory directory;
  private volatile boolean closed;

  /** Whether there is no share, and none will come before the DataNode's next start. */
  private volatile boolean none;

  /**
   * Returns the share, or null before it was started. Waits for nothing.
   *
   * @throws NoPartException if it is off or could not be started
   */
  @Nullable BlockDirectory directory() throws NoPartException {
    if (none) {
      throw new NoPartException();
    }
    return directory;
  }

  synchronized void start(DataNode datanode) {
    HyCacheConf conf = new HyCacheConf(datanode.getConf());
    if (closed || starter != null) {
      return;
    }
    none = true;
    if (!ConfCheck.isInDirectory(conf)) {
      return;
    }
    ScheduledExecutorService looker =
        Executors.newSingleThreadScheduledExecutor(Daemons.named("HyCacheDirectoryStarter"));
    starter = looker;
    ScheduledFuture<?> unused =
        looker.scheduleWithFixedDelay(
            () -> look(datanode, conf), 0, POLL_PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    none = false;
  }

  /**
   * Starts the share if the DataNode is ready. Makes no further attempt after that, whether it
   * succeeded or failed. LevelDB may take long to open and load: the monitor is not held meanwhile.
   */
  private void look(DataNode datanode, HyCacheConf conf) {
    FsDatasetSpi<?> dataset = datanode.getFSDataset();
    String id = datanode.getDatanodeUuid();
    if (closed || id == null || dataset == null) {
      return;
    }
    try {
      if (dataset instanceof WithHyCache) {
        begin(datanode, conf, id, ((WithHyCache) dataset).hyCache());
      }
    } catch (IOException e) {
      LOG.error("HyCache could not join the directory; caching continues: {}", e.toString());
      LOG.debug("The stack trace", e);
    } catch (RuntimeException | Error e) {
      LOG.error("HyCache could not join the directory; caching continues", e);
    }
    stopLooking();
  }

  private synchronized void stopLooking() {
    none |= starter != null && directory == null && !closed;
    if (starter != null) {
      starter.shutdown();
    }
  }

  private void begin(DataNode datanode, HyCacheConf conf, String id, HyCacheNode node)
      throws IOException {
    OwnedDirectory owned =
        conf.directoryStore() == HyCacheConf.DirectoryStore.LEVELDB
            ? claim(datanode, conf, id)
            : null;
    boolean https = DFSUtil.getHttpClientScheme(datanode.getConf()).equals("https");
    DirectoryHost host;
    try {
      host =
          DirectoryHost.start(
              datanode.getConf(),
              conf,
              id,
              owned == null ? null : owned.directory(),
              datanode.getIpcPort(),
              https ? datanode.getInfoSecurePort() : datanode.getInfoPort());
    } catch (IOException | RuntimeException | Error e) {
      close(owned);
      throw e;
    }
    Runnable closing =
        () -> {
          host.close();
          close(owned);
        };
    if (install(host, closing)) {
      node.join(host);
    }
  }

  private static void close(@Nullable OwnedDirectory owned) {
    if (owned != null) {
      owned.close();
    }
  }

  /**
   * Makes a share the current one.
   *
   * @param closing ends it; called at once if this was closed while the share was started
   * @return false if this was closed
   */
  boolean install(BlockDirectory started, Runnable closing) {
    synchronized (this) {
      if (!closed) {
        directory = started;
        end = closing;
        return true;
      }
    }
    closing.run();
    return false;
  }

  /**
   * Claims the LevelDB directory, and removes directories that this DataNode used under an earlier
   * UUID.
   *
   * @return the directory; null if it is accessible to other users and therefore not used
   */
  private static @Nullable OwnedDirectory claim(DataNode datanode, HyCacheConf conf, String id)
      throws IOException {
    List<String> dataDirs =
        StartAdvice.dataDirs(datanode.getConf()).stream().map(File::getPath).collect(toList());
    Path parent = conf.directoryDir().getAbsoluteFile().toPath();
    DataDirMode mode = conf.dataDirMode();
    if (parent.getParent() != null) {
      Files.createDirectories(parent.getParent());
    }
    mode.makeDirectory(parent);
    OwnedDirectory claimed = new OwnedDirectory(parent.resolve(id).toFile(), dataDirs, mode);
    try {
      claimed.claim();
    } catch (TooWideException e) {
      LOG.warn(
          "{} is not used, the DataNode's share of the directory is in memory: directory={}: {}",
          HyCacheKeys.DIRECTORY_DIR,
          parent,
          e.getReason());
      return null;
    }
    long unused = claimed.removeEarlierLives(DirectoryPart::isLevelDb);
    return claimed;
  }

  private static boolean isLevelDb(File directory) {
    String[] names = directory.list();
    return names != null
        && Arrays.asList(names).contains("CURRENT")
        && Arrays.stream(names).allMatch(name -> LEVELDB.matcher(name).matches());
  }

  /** Does not wait for a share that is being started: that is closed as soon as it is. */
  @Override
  public void close() {
    Runnable closing;
    synchronized (this) {
      closed = true;
      stopLooking();
      closing = end;
      end = null;
      directory = null;
    }
    if (closing != null) {
      closing.run();
    }
  }
}
