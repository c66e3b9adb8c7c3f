// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSelector;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * The client protocol as Hadoop's RPC engine requires it. A client without a Kerberos ticket, such
 * as a task in a YARN container, is authenticated by a block access token, as in {@code
 * ClientDatanodeProtocol}. The bytes are a {@link JsonMessage}.
 */
@KerberosInfo(serverPrincipal = HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
@TokenInfo(BlockTokenSelector.class)
@ProtocolInfo(protocolName = Protocols.CLIENT, protocolVersion = Protocols.VERSION)
interface HyCacheClientProtocolPB {

  BytesValue submitHints(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue withdraw(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue workflows(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue status(@Nullable RpcController controller, BytesValue request) throws ServiceException;

  BytesValue locate(@Nullable RpcController controller, BytesValue request) throws ServiceException;

  BytesValue settings(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue holders(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue explain(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue list(@Nullable RpcController controller, BytesValue request) throws ServiceException;
}
