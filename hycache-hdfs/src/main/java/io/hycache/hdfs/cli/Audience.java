// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.security.AccessControlException;

/** Which DataNodes a command asks. */
final class Audience {
  private Audience() {}

  /**
   * The holders of what is at the paths; without paths all live DataNodes, which the NameNode lists
   * to superusers only: for others as its web server shows them.
   *
   * @param hint what others can do instead
   */
  static List<DataNode> of(HyCacheClient client, List<String> paths, String hint)
      throws IOException {
    if (!paths.isEmpty()) {
      return client.holders(paths);
    }
    try {
      return client.liveNodes();
    } catch (AccessControlException e) {
      try {
        return client.shownNodes();
      } catch (IOException pages) {
        throw new AccessControlException(
            "the NameNode lists its DataNodes to HDFS superusers only, and its web server does not"
                + " show them ("
                + ErrorText.of(pages)
                + "); "
                + hint);
      }
    }
  }
}
