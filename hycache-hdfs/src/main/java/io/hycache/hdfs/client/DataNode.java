// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.net.InetSocketAddress;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.net.NetUtils;

/** A DataNode as a client knows it. Immutable; ordered by name. */
public final class DataNode implements Comparable<DataNode> {
  private final String uuid;
  private final String name;
  private final String ipcAddress;

  DataNode(String uuid, String name, String ipcAddress) {
    this.uuid = uuid;
    this.name = name;
    this.ipcAddress = ipcAddress;
  }

  static DataNode of(DatanodeInfo info, boolean useHostname) {
    return new DataNode(
        info.getDatanodeUuid(),
        info.getHostName() + ":" + info.getXferPort(),
        info.getIpcAddr(useHostname));
  }

  /** True if another DataNode of the same UUID is at the same addresses. */
  boolean isAtSameAddresses(DataNode other) {
    return name.equals(other.name) && ipcAddress.equals(other.ipcAddress);
  }

  /** Host name and data transfer port, as HDFS's own tools show it. */
  public String name() {
    return name;
  }

  /** Host and port of the IPC server. */
  public String ipcAddress() {
    return ipcAddress;
  }

  InetSocketAddress socketAddress() {
    return NetUtils.createSocketAddr(ipcAddress);
  }

  /** The DataNode's UUID. */
  public String uuid() {
    return uuid;
  }

  @Override
  public int compareTo(DataNode other) {
    int byName = name.compareTo(other.name);
    return byName != 0 ? byName : uuid.compareTo(other.uuid);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DataNode && uuid.equals(((DataNode) other).uuid);
  }

  @Override
  public int hashCode() {
    return uuid.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
