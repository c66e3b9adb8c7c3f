package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authorize.AccessControlList;

/**
 * Who administers HyCache on a DataNode: the user that runs the DataNode (the whole name, not the
 * short one, which other principals may be mapped to), members of {@code
 * dfs.permissions.superusergroup}, whom {@code dfs.cluster.administrators} names, and everybody if
 * permissions are off. A caller that a block token authenticates is none: the token was given out
 * to read a block. Immutable.
 */
final class Administrators {
  private final String processUser;
  private final String superGroup;
  private final AccessControlList named;
  private final boolean permissions;

  Administrators(Configuration conf) throws IOException {
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

  boolean include(UserGroupInformation user) {
    if (!permissions) {
      return true;
    }
    return user.getAuthenticationMethod() != AuthenticationMethod.TOKEN
        && (user.getUserName().equals(processUser)
            || Arrays.asList(user.getGroupNames()).contains(superGroup)
            || named.isUserAllowed(user));
  }
}
