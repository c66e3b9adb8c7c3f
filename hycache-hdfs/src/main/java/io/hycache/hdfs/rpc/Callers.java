// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** The caller of the RPC that this thread serves. */
final class Callers {
  private Callers() {}

  /** The authenticated user; behind a proxy user, the user it acts for. */
  static UserGroupInformation user() throws IOException {
    UserGroupInformation remote = Server.getRemoteUser();
    return remote != null ? remote : UserGroupInformation.getCurrentUser();
  }

  /** The caller's address; null if the call comes from this process. */
  static @Nullable InetAddress address() {
    return Server.getRemoteIp();
  }
}
