// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Checks that callers are DataNodes. With service authorization on, Hadoop makes the same check
 * before it dispatches a call. Immutable.
 */
final class DataNodeUsers {
  private final @Nullable String principal;
  private final Administrators administrators;

  DataNodeUsers(Configuration conf, Administrators administrators) {
    this.principal = conf.get(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY);
    this.administrators = administrators;
  }

  /**
   * Checks a caller.
   *
   * @param address of the caller; null if the call comes from this process
   * @throws RefusedException if the caller is no DataNode
   */
  void check(UserGroupInformation user, @Nullable InetAddress address) throws IOException {
    boolean byPrincipal =
        UserGroupInformation.isSecurityEnabled() && principal != null && address != null;
    boolean isDataNode =
        byPrincipal
            ? user.getUserName().equals(SecurityUtil.getServerPrincipal(principal, address))
            : administrators.include(user);
    if (!isDataNode) {
      throw new RefusedException(
          "only DataNodes may use the directory: user=" + user.getUserName());
    }
  }
}
