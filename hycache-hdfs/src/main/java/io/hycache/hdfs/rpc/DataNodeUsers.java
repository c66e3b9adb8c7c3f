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
  /** What stands for the name of the caller's host in a configured principal. */
  private static final String HOST = SecurityUtil.HOSTNAME_PATTERN;

  /** Puts a host's name into a configured principal; it may ask DNS for the name. */
  @FunctionalInterface
  interface Principals {
    String of(String principal, InetAddress host) throws IOException;
  }

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
    boolean isDataNode;
    if (UserGroupInformation.isSecurityEnabled() && principal != null && address != null) {
      isDataNode = isOf(user.getUserName(), principal, address, SecurityUtil::getServerPrincipal);
    } else {
      isDataNode = administrators.include(user);
    }
    if (!isDataNode) {
      throw new RefusedException(
          "only DataNodes may use the directory: user=" + user.getUserName());
    }
  }

  /**
   * Whether a name is a configured principal with a host. A name that is that principal with no
   * host is refused before DNS is asked: users on hosts without a name would hold the DataNode's
   * handlers meanwhile.
   */
  static boolean isOf(String name, String principal, InetAddress host, Principals principals)
      throws IOException {
    int at = principal.indexOf(HOST);
    boolean possible =
        at < 0
            || (name.startsWith(principal.substring(0, at))
                && name.endsWith(principal.substring(at + HOST.length())));
    return possible && name.equals(principals.of(principal, host));
  }
}
