// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authorize.AccessControlList;

/**
 * The administrators of HyCache on a DataNode: the user that runs the DataNode (by its full name;
 * other principals may map to the same short name), members of {@code
 * dfs.permissions.superusergroup}, those that {@code dfs.cluster.administrators} lists, and every
 * user if permissions are off. A caller authenticated by a block token is no administrator: the
 * token was issued to read a block. Immutable.
 */
public final class Administrators {
  private final String processUser;
  private final String superGroup;
  private final AccessControlList named;
  private final boolean permissions;

  /** Reads the settings; the current user is the one that runs the DataNode. */
  public Administrators(Configuration conf) throws IOException {
    this.processUser = UserGroupInformation.getCurrentUser().getUserName();
    this.superGroup =
        conf.get(
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
    this.named = new AccessControlList(conf.get(DFSConfigKeys.DFS_ADMIN, " "));
    this.permissions =
        conf.getBoolean(
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT);
  }

  /** Whether a user is one of them. */
  public boolean include(UserGroupInformation user) {
    if (!permissions) {
      return true;
    }
    return user.getAuthenticationMethod() != AuthenticationMethod.TOKEN
        && (user.getUserName().equals(processUser)
            || Arrays.asList(user.getGroupNames()).contains(superGroup)
            || named.isUserAllowed(user));
  }
}
