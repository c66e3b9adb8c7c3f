// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

/** What is looked at. */
public enum Check {
  JAVA("java", "Java 11 or later; with Hadoop 3.5, 17 or later"),
  HADOOP("hadoop", "a version that HyCache was tested with, the same everywhere"),
  CLASS_PATH("class path", "one HyCache JAR on each DataNode, of the same version everywhere"),
  PLUG_IN("plug-in", "the three properties by which DataNodes call HyCache"),
  KEYS("keys", "names and values of the hycache.* properties"),
  VOLUMES("volumes", "an SSD and a DISK on each DataNode; dfs.datanode.failed.volumes.tolerated"),
  DEVICES(
      "devices",
      "each directory: is it there, a mount of its own, an SSD (the kernel's flag and\n"
          + "measured reads), with room, inodes, extended attributes, rights"),
  PORTS("ports", "data transfer, IPC and web server of each DataNode"),
  CLOCKS("clocks", "of each DataNode against the NameNode's"),
  NAMENODE("namenode", "is it there, out of safe mode; which DataNodes it takes for dead"),
  POLICIES("policies", "storage policies of / and of what is directly in it"),
  KERBEROS("kerberos", "principals, block tokens, hadoop.security.auth_to_local"),
  HYCACHE("hycache", "what HyCache on each DataNode reports: mode, SSDs out of use, warnings");

  private final String label;
  private final String help;

  Check(String label, String help) {
    this.label = label;
    this.help = help;
  }

  /** Its name in tables and in JSON; never renamed. */
  public String label() {
    return label;
  }

  /** What has to hold, for people; may have several lines. */
  public String help() {
    return help;
  }
}
