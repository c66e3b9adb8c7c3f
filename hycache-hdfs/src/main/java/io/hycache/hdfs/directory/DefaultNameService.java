// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * The name service of the default file system. Hadoop's look-ups of NameNodes go by the name
 * services of the configuration instead, whatever {@code -fs} says. Stateless.
 */
public final class DefaultNameService {
  private DefaultNameService() {}

  /**
   * Returns a configuration in which the NameNodes of the cluster are those of the default file
   * system; the same one if that is not HDFS, or if it is the one of the configuration's files and
   * none of the name services listed there, as with a router, or a NameNode of several addresses.
   */
  public static Configuration only(Configuration conf) {
    URI uri = FileSystem.getDefaultUri(conf);
    if (!HdfsConstants.HDFS_URI_SCHEME.equals(uri.getScheme()) || uri.getAuthority() == null) {
      return conf;
    }
    String service = service(conf, uri);
    Collection<String> internal =
        conf.getTrimmedStringCollection(DFSConfigKeys.DFS_INTERNAL_NAMESERVICES_KEY);
    boolean isListed = service != null && (internal.isEmpty() || internal.contains(service));
    if (!isListed && isOfFiles(conf)) {
      return conf;
    }
    Configuration out = new Configuration(conf);
    if (service != null) {
      out.set(DFSConfigKeys.DFS_INTERNAL_NAMESERVICES_KEY, service);
      return out;
    }
    out.unset(DFSConfigKeys.DFS_NAMESERVICES);
    out.unset(DFSConfigKeys.DFS_INTERNAL_NAMESERVICES_KEY);
    out.unset(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY);
    out.unset(DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY);
    InetAddress host = DFSUtilClient.getNNAddress(uri).getAddress();
    for (String key :
        List.of(
            DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY,
            DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY)) {
      String web = out.getTrimmed(key, "");
      if (!web.isEmpty() && !isAt(web, host)) {
        out.unset(key);
      }
    }
    return out;
  }

  /** True if no option names another file system. */
  private static boolean isOfFiles(Configuration conf) {
    String[] sources = conf.getPropertySources(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY);
    return sources != null && sources.length > 0 && sources[sources.length - 1].endsWith(".xml");
  }

  /** Null if no name service is configured that has this name or a NameNode at this address. */
  private static @Nullable String service(Configuration conf, URI uri) {
    String authority = uri.getAuthority();
    if (conf.getTrimmedStringCollection(DFSConfigKeys.DFS_NAMESERVICES).contains(authority)) {
      return authority;
    }
    InetSocketAddress nameNode = DFSUtilClient.getNNAddress(uri);
    return DFSUtil.getNameServiceIdFromAddress(
        conf, nameNode, DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY);
  }

  /** The web server of another cluster's NameNode is on another host. */
  private static boolean isAt(String web, @Nullable InetAddress host) {
    InetAddress at = NetUtils.createSocketAddr(web).getAddress();
    return at != null && (at.isAnyLocalAddress() || at.equals(host));
  }
}
