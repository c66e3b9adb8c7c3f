package io.hycache.hdfs.rpc;

import java.util.Arrays;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/** The services of HDFS and ours: with service authorization on, unknown protocols are refused. */
final class NodePolicyProvider extends PolicyProvider {
  static final String ACL_KEY = "security.hycache.protocol.acl";

  @Override
  public Service[] getServices() {
    Service[] hdfs = new HDFSPolicyProvider().getServices();
    Service[] all = Arrays.copyOf(hdfs, hdfs.length + 1);
    all[hdfs.length] = new Service(ACL_KEY, NodeProtocolPB.class);
    return all;
  }
}
