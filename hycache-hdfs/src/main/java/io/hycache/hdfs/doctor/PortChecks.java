// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.hdfs.conf.PropertyReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.net.NetUtils;

/** The ports of the DataNode of this machine. Stateless. */
final class PortChecks {
  /** Tells whether something accepts connections. */
  @FunctionalInterface
  interface Connector {
    /**
     * Connects and closes; nothing is sent.
     *
     * @throws IOException if nothing accepts
     */
    boolean connects(InetSocketAddress address) throws IOException;
  }

  private PortChecks() {}

  /**
   * The configured addresses by what they are for; those of wildcard addresses are local.
   *
   * @throws IllegalArgumentException naming the key, what was expected and what was found
   */
  static Map<String, InetSocketAddress> addresses(Configuration conf) {
    boolean https = DFSUtil.getHttpClientScheme(conf).equals("https");
    Map<String, InetSocketAddress> all = new LinkedHashMap<>();
    all.put(
        "data transfer",
        address(
            conf,
            DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_ADDRESS_DEFAULT));
    all.put(
        "IPC",
        address(
            conf,
            DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY,
            DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_DEFAULT));
    all.put(
        "web server",
        https
            ? address(
                conf,
                DFSConfigKeys.DFS_DATANODE_HTTPS_ADDRESS_KEY,
                DFSConfigKeys.DFS_DATANODE_HTTPS_ADDRESS_DEFAULT)
            : address(
                conf,
                DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY,
                DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_DEFAULT));
    return all;
  }

  private static InetSocketAddress address(Configuration conf, String key, String otherwise) {
    String address = conf.getTrimmed(key, otherwise);
    try {
      return NetUtils.getConnectAddress(NetUtils.createSocketAddr(address));
    } catch (IllegalArgumentException e) {
      throw PropertyReader.unexpected(key, "host:port", PropertyReader.quoted(address), e);
    }
  }

  static Finding of(Configuration conf, Connector connector) {
    Map<String, InetSocketAddress> addresses;
    try {
      addresses = addresses(conf);
    } catch (IllegalArgumentException e) {
      return Finding.error(
          Check.PORTS, e.getMessage() + ": the DataNode does not start. Fix: correct it");
    }
    List<String> answer = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (Map.Entry<String, InetSocketAddress> port : addresses.entrySet()) {
      if (port.getValue().getPort() == 0) {
        return Finding.notChecked(Check.PORTS, port.getKey() + ": any free port is configured");
      }
      String name = port.getKey() + " " + NetUtils.getHostPortString(port.getValue());
      try {
        boolean unused = connector.connects(port.getValue());
        answer.add(name);
      } catch (IOException e) {
        silent.add(name);
      }
    }
    if (silent.isEmpty()) {
      return Finding.ok(Check.PORTS, "here: data transfer, IPC and web server answer");
    }
    return answer.isEmpty()
        ? Finding.warning(
            Check.PORTS,
            "expected a DataNode here, found none of its ports open: "
                + String.join(", ", silent)
                + ". Fix: start the DataNode")
        : Finding.error(
            Check.PORTS,
            "expected all ports of the DataNode open, found closed: "
                + String.join(", ", silent)
                + "; open: "
                + String.join(", ", answer)
                + ". Fix: if these are another program's, change one of the two; else see the"
                + " DataNode's log");
  }
}
