// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;

/*
 * Lines on standard output: "ready <IPC port> <block pool> <first block> <principal> <keytab>
 * <krb5.conf>", and for each
 * line "look" on standard input "look <heap after collection> <threads> <workflows> <hints left> <bytes and
 * records of the directory>". Ends with its standard input.
 */
/** A DataNode, with all that belongs to one, in a process of its own, to be attacked. */
public final class FuzzServer {
  /** Of users' hints. */
  public static final long MOST_TTL_MILLIS = 5000;

  private static final int BLOCKS = 64;

  private FuzzServer() {}

  /** Arguments: {@code simple} or {@code kerberos}, and a directory. */
  public static void main(String[] args) throws Exception {
    File directory = new File(args[1]);
    Configuration conf = EmbeddedCluster.conf();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, new File(directory, "dfs").getPath());
    conf.set(HyCacheKeys.HINTS_MAX_BLOCKS, "20000");
    conf.set(HyCacheKeys.HINTS_USER_MAX_BLOCKS, "5000");
    conf.set(HyCacheKeys.HINTS_USER_MAX_WORKFLOWS, "20");
    conf.set(HyCacheKeys.HINTS_USER_MAX_TTL, MOST_TTL_MILLIS + "ms");
    conf.set("hycache.directory.max-size", "4m");
    // What Hadoop allocates for a message of this announced length.
    conf.setInt(CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH, 32 << 20);
    String identity = args[0].equals("kerberos") ? kerberos(conf, directory) : "- - -";
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      c.fs.setPermission(new Path("/"), new FsPermission("777"));
      try (OutputStream out = c.fs.create(new Path("/file"))) {
        out.write(EmbeddedCluster.content(1, BLOCKS * EmbeddedCluster.BLOCK));
      }
      ExtendedBlock first =
          c.fs.getClient().getLocatedBlocks("/file", 0, EmbeddedCluster.BLOCK).get(0).getBlock();
      System.out.println(
          "ready "
              + c.dataNode(0).getIpcPort()
              + " "
              + first.getBlockPoolId()
              + " "
              + first.getBlockId()
              + " "
              + identity);
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while ("look".equals(in.readLine())) {
        System.out.println(look(c));
      }
    }
    System.exit(0);
  }

  private static String look(EmbeddedCluster c) throws Exception {
    for (int i = 0; i < 3; i++) {
      System.gc();
      System.runFinalization();
    }
    var directory = c.node(0).directory();
    return "look "
        + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
        + " "
        + ManagementFactory.getThreadMXBean().getThreadCount()
        + " "
        + c.node(0).workflows(any -> true).size()
        + " "
        + c.node(0).status().hintsLeft()
        + " "
        + (directory == null ? "-" : directory.status().bytes + "/" + directory.status().records);
  }

  private static String kerberos(Configuration conf, File directory) throws Exception {
    Properties kdcConf = MiniKdc.createConf();
    MiniKdc kdc = new MiniKdc(kdcConf, Files.createDirectories(directory.toPath()).toFile());
    kdc.start();
    File keytab = new File(directory, "all.keytab");
    kdc.createPrincipal(keytab, "hdfs/localhost", "HTTP/localhost", "alice");
    String hdfs = "hdfs/localhost@" + kdc.getRealm();
    conf.set(CommonConfigurationKeys.HADOOP_SECURITY_AUTHENTICATION, "kerberos");
    conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, hdfs);
    conf.set(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, hdfs);
    conf.set(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY, keytab.getPath());
    conf.set(DFSConfigKeys.DFS_DATANODE_KEYTAB_FILE_KEY, keytab.getPath());
    conf.set(
        DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_PRINCIPAL_KEY,
        "HTTP/localhost@" + kdc.getRealm());
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.set(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "authentication");
    conf.setBoolean(DFSConfigKeys.IGNORE_SECURE_PORTS_FOR_TESTING_KEY, true);
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab(hdfs, keytab.getPath());
    return "alice@"
        + kdc.getRealm()
        + " "
        + keytab.getPath()
        + " "
        + System.getProperty("java.security.krb5.conf");
  }
}
