// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import io.hycache.core.directory.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;

/** A real NameNode with an empty namespace; it needs no DataNode for empty files. */
final class NameNodePart implements Part {
  private final NameNode nameNode;

  /**
   * Formats and starts one.
   *
   * @param dir of its image and its edit log
   */
  NameNodePart(Path dir) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, dir.toUri().toString());
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, "127.0.0.1:0");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY, 0);
    NameNode.format(conf);
    this.nameNode = new NameNode(conf);
  }

  @Override
  public String address() {
    return NetUtils.getHostPortString(nameNode.getNameNodeAddress());
  }

  @Override
  public void join(List<Member> members) {}

  @Override
  public List<Workload> workloads(Phase phase) {
    return List.of();
  }

  @Override
  public AppendedNames appended(String phase) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    nameNode.stop();
  }
}
