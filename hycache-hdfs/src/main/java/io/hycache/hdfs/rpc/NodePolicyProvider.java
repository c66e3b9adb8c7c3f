// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.util.Arrays;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/**
 * The services of HDFS and HyCache; service authorization refuses protocols that are not listed.
 */
final class NodePolicyProvider extends PolicyProvider {
  static final String CLIENT_ACL_KEY = "security.hycache.client.protocol.acl";
  static final String DATANODE_ACL_KEY = "security.hycache.datanode.protocol.acl";

  @Override
  public Service[] getServices() {
    Service[] hdfs = new HDFSPolicyProvider().getServices();
    Service[] all = Arrays.copyOf(hdfs, hdfs.length + 2);
    all[hdfs.length] = new Service(CLIENT_ACL_KEY, HyCacheClientProtocolPB.class);
    all[hdfs.length + 1] = new Service(DATANODE_ACL_KEY, HyCacheDatanodeProtocolPB.class);
    return all;
  }
}
