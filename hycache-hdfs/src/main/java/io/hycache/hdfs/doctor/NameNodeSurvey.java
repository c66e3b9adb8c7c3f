// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.hdfs.doctor.NameNodeFacts.Storages;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** Asks the NameNode of the default file system, by calls that read. Stateless. */
final class NameNodeSurvey {
  /** Directories in the root whose storage policies are looked at. */
  static final int MAX_DIRECTORIES = 100;

  private static final int TIMEOUT_MILLIS = 10_000;

  private NameNodeSurvey() {}

  /**
   * @throws AccessControlException if the user is no HDFS superuser
   * @throws IOException if the NameNode can't be asked, or the default file system is none of HDFS
   */
  static NameNodeFacts ask(Configuration conf) throws IOException {
    try (FileSystem defaultFs = FileSystem.newInstance(conf)) {
      if (!(defaultFs instanceof DistributedFileSystem)) {
        throw new IOException(
            "fs.defaultFS is no HDFS, but "
                + defaultFs.getUri()
                + ", so name the cluster with -fs hdfs://HOST:PORT");
      }
      return ask(conf, (DistributedFileSystem) defaultFs);
    }
  }

  private static NameNodeFacts ask(Configuration conf, DistributedFileSystem fs)
      throws IOException {
    boolean useHostname =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    boolean https = DFSUtil.getHttpClientScheme(conf).equals("https");
    Map<String, NodeFacts.Address> live = new TreeMap<>();
    Map<String, Storages> storages = new TreeMap<>();
    try {
      boolean safeMode = fs.isInSafeMode();
      for (DatanodeStorageReport report :
          fs.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE)) {
        DatanodeInfo info = report.getDatanodeInfo();
        live.put(
            name(info),
            new NodeFacts.Address(
                name(info),
                info.getXferAddr(useHostname),
                info.getIpcAddr(useHostname),
                https ? info.getInfoSecureAddr() : info.getInfoAddr()));
        storages.put(name(info), storages(report.getStorageReports()));
      }
      return new NameNodeFacts(
          safeMode,
          new ArrayList<>(live.values()),
          dead(fs.getClient().datanodeReport(DatanodeReportType.DEAD)),
          storages,
          policies(fs));
    } catch (RemoteException e) {
      throw e.unwrapRemoteException(AccessControlException.class);
    }
  }

  /** Those that were not taken out of service before they ended. */
  static List<String> dead(DatanodeInfo... all) {
    Set<String> dead = new TreeSet<>();
    for (DatanodeInfo info : all) {
      if (!info.isDecommissioned() && !info.isInMaintenance()) {
        dead.add(name(info));
      }
    }
    return List.copyOf(dead);
  }

  private static String name(DatanodeInfo info) {
    return info.getHostName() + ":" + info.getXferPort();
  }

  /** The NameNode says in a storage's state, not in its report, that it failed. */
  static Storages storages(StorageReport... reports) {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    int failed = 0;
    for (StorageReport storage : reports) {
      if (storage.isFailed() || storage.getStorage().getState() == DatanodeStorage.State.FAILED) {
        failed++;
      } else {
        types.add(storage.getStorage().getStorageType());
      }
    }
    return new Storages(types, failed);
  }

  /** Of the root and of directories in it; the root first. */
  static Map<String, String> policies(DistributedFileSystem fs) throws IOException {
    Path root = new Path("/");
    Map<String, String> policies = new LinkedHashMap<>();
    policies.put("/", fs.getStoragePolicy(root).getName());
    List<FileStatus> children = new ArrayList<>(List.of(fs.listStatus(root)));
    children.removeIf(child -> !child.isDirectory());
    for (FileStatus child : children.subList(0, Math.min(MAX_DIRECTORIES, children.size()))) {
      try {
        policies.put(
            child.getPath().toUri().getPath(), fs.getStoragePolicy(child.getPath()).getName());
      } catch (FileNotFoundException e) {
        // Removed since it was listed.
      }
    }
    return policies;
  }

  /** A copy by which a NameNode that is away is given up after seconds, not minutes. */
  static Configuration impatient(Configuration conf) {
    Configuration own = new Configuration(conf);
    own.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    own.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 1);
    own.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, TIMEOUT_MILLIS);
    own.setInt(HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, 4);
    return own;
  }
}
