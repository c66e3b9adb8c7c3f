// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * The protocol between DataNodes as Hadoop's RPC engine requires it. The bytes are the fields that
 * {@link FieldWriter} writes and {@link FieldReader} reads.
 */
@KerberosInfo(
    serverPrincipal = HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY,
    clientPrincipal = HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
@ProtocolInfo(protocolName = Protocols.DATANODE, protocolVersion = Protocols.VERSION)
interface HyCacheDatanodeProtocolPB {

  BytesValue run(@Nullable RpcController controller, BytesValue request) throws ServiceException;

  BytesValue replicate(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue pull(@Nullable RpcController controller, BytesValue request) throws ServiceException;

  BytesValue view(@Nullable RpcController controller, BytesValue request) throws ServiceException;

  BytesValue reads(@Nullable RpcController controller, BytesValue request) throws ServiceException;
}
