package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** Who makes the call that this thread answers. */
final class Callers {
  private Callers() {}

  /** The user as authenticated; of a proxy user, the one acted for. */
  static UserGroupInformation user() throws IOException {
    UserGroupInformation remote = Server.getRemoteUser();
    return remote != null ? remote : UserGroupInformation.getCurrentUser();
  }

  /** Null if the call comes from this process. */
  static @Nullable InetAddress address() {
    return Server.getRemoteIp();
  }
}
