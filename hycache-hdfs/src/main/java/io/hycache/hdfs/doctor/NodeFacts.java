// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.core.stats.NodeStatus;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** What a DataNode answered on each of its ports. Immutable. */
final class NodeFacts {
  /** What its web server shows. Immutable. */
  static final class Web {
    final String javaVersion;
    final String hadoopVersion;
    final List<String> jars;

    /** How far its clock is ahead of the one of the machine that asked. */
    final long aheadMillis;

    final int failedVolumes;
    final Configuration conf;

    /**
     * @param javaVersion {@code java.specification.version}
     * @param jars of HyCache on its class path
     */
    Web(
        String javaVersion,
        String hadoopVersion,
        List<String> jars,
        long aheadMillis,
        int failedVolumes,
        Configuration conf) {
      this.javaVersion = javaVersion;
      this.hadoopVersion = hadoopVersion;
      this.jars = List.copyOf(jars);
      this.aheadMillis = aheadMillis;
      this.failedVolumes = failedVolumes;
      this.conf = conf;
    }
  }

  /** How to reach a DataNode; addresses are host:port. Immutable. */
  static final class Address {
    final String name;
    final String transfer;
    final String ipc;
    final String web;

    /**
     * @param name as HDFS's own tools show it
     * @param web host:port of its web server
     */
    Address(String name, String transfer, String ipc, String web) {
      this.name = name;
      this.transfer = transfer;
      this.ipc = ipc;
      this.web = web;
    }
  }

  final Address address;

  /** Whether data can be read from it: the port is connected to, nothing is sent. */
  final Outcome<Boolean> transfer;

  final Outcome<Web> web;
  final Outcome<NodeStatus> status;

  NodeFacts(
      Address address, Outcome<Boolean> transfer, Outcome<Web> web, Outcome<NodeStatus> status) {
    this.address = address;
    this.transfer = transfer;
    this.web = web;
    this.status = status;
  }
}
