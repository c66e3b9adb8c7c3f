// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.SecurityUtil;

/** What Kerberos needs so that DataNodes and users are recognised. Stateless. */
final class KerberosChecks {
  /** Maps a principal to a user. */
  @FunctionalInterface
  interface Mapping {
    /**
     * The name of the user.
     *
     * @throws IOException if no rule matches
     */
    String user(String principal) throws IOException;
  }

  /** By the rules of {@code hadoop.security.auth_to_local} that this process runs with. */
  static final Mapping OF_THIS_PROCESS =
      principal -> new HadoopKerberosName(principal).getShortName();

  private static final String PRIVACY = "privacy";

  private KerberosChecks() {}

  static List<Finding> of(Configuration conf, Mapping mapping) {
    if (!isOn(conf)) {
      return List.of(Finding.notChecked(Check.KERBEROS, "security is off"));
    }
    List<Finding> all = new ArrayList<>();
    if (!conf.getBoolean(
        DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
        DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT)) {
      all.add(
          Finding.error(
              Check.KERBEROS,
              DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY
                  + ": expected true, found false: no user can prove the right to read a block, so"
                  + " hints and places are refused. Fix: set it on the NameNode and all DataNodes"));
    }
    all.addAll(principals(conf, mapping));
    all.addAll(encryption(conf));
    return all.isEmpty()
        ? List.of(
            Finding.ok(
                Check.KERBEROS, "the DataNode's principal maps to the same user as the NameNode's"))
        : all;
  }

  /** Whether the DataNode's keytab is on this machine; empty if it is, or security is off. */
  static List<Finding> keytab(Configuration conf) {
    String keytab = conf.getTrimmed(DFSConfigKeys.DFS_DATANODE_KEYTAB_FILE_KEY, "");
    return !isOn(conf) || new File(keytab).isFile()
        ? List.of()
        : List.of(
            Finding.warning(
                Check.KERBEROS,
                DFSConfigKeys.DFS_DATANODE_KEYTAB_FILE_KEY
                    + ": expected a file, found none here: "
                    + (keytab.isEmpty() ? "not set" : keytab)
                    + ". Fix: put the DataNode's keytab there"));
  }

  private static boolean isOn(Configuration conf) {
    return conf.getTrimmed(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "simple")
        .equalsIgnoreCase("kerberos");
  }

  /**
   * HDFS sends tokens of blocks to DataNodes within the data transfer. HyCache's messages have
   * them, too, and are as safe as the other calls of the IPC servers.
   */
  private static List<Finding> encryption(Configuration conf) {
    boolean encrypts =
        conf.getBoolean(
                DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY,
                DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_DEFAULT)
            || conf
                .getTrimmedStringCollection(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY)
                .stream()
                .anyMatch(PRIVACY::equalsIgnoreCase);
    String key = CommonConfigurationKeysPublic.HADOOP_RPC_PROTECTION;
    String found = conf.getTrimmed(key, "authentication");
    return !encrypts || found.equalsIgnoreCase(PRIVACY)
        ? List.of()
        : List.of(
            Finding.warning(
                Check.KERBEROS,
                key
                    + ": expected privacy, because data transfer is encrypted, found "
                    + found
                    + ": hints and questions for places carry tokens of blocks, with which who"
                    + " listens can read these. Fix: set it to privacy for NameNodes, DataNodes and"
                    + " clients"));
  }

  private static List<Finding> principals(Configuration conf, Mapping mapping) {
    String key = DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY;
    String datanode = conf.getTrimmed(key, "");
    String namenode = conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, "");
    if (datanode.isEmpty() || namenode.isEmpty()) {
      return List.of(
          Finding.error(
              Check.KERBEROS,
              (datanode.isEmpty() ? key : DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
                  + ": expected a principal, found none. Fix: set it"));
    }
    try {
      String ofDatanode = mapping.user(withHost(datanode));
      String ofNamenode = mapping.user(withHost(namenode));
      return ofDatanode.equals(ofNamenode)
          ? List.of()
          : List.of(
              Finding.warning(
                  Check.KERBEROS,
                  CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTH_TO_LOCAL
                      + ": expected one user for DataNode and NameNode, found "
                      + ofDatanode
                      + " for "
                      + datanode
                      + " and "
                      + ofNamenode
                      + ": unless "
                      + ofDatanode
                      + " is an HDFS superuser, the NameNode refuses DataNodes its list, and they"
                      + " find each other by its web server. Fix: map both to one user, or set "
                      + HyCacheKeys.DIRECTORY_MEMBERS));
    } catch (IOException | IllegalArgumentException e) {
      return List.of(
          Finding.error(
              Check.KERBEROS,
              CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTH_TO_LOCAL
                  + ": expected a rule for "
                  + datanode
                  + " and "
                  + namenode
                  + ", found none: "
                  + e.getMessage()
                  + ". Fix: add one, on all machines"));
    }
  }

  /** Rules match the host, too, but never one of them alone. */
  private static String withHost(String principal) throws IOException {
    return SecurityUtil.getServerPrincipal(
        principal, InetAddress.getLoopbackAddress().getHostName());
  }
}
