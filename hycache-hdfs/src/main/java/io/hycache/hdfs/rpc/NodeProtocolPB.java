package io.hycache.hdfs.rpc;

import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * The protocol as Hadoop's RPC engine sees it. Every message is a {@link BytesValue}, a well-known
 * type of every protobuf release; what is in the bytes is {@link Wire}'s business. So no generated
 * code ties the JAR to one Hadoop line's protobuf.
 */
@KerberosInfo(serverPrincipal = HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
@ProtocolInfo(protocolName = NodeProtocol.NAME, protocolVersion = NodeProtocol.VERSION)
interface NodeProtocolPB {

  BytesValue submitHints(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue withdraw(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue status(@Nullable RpcController controller, BytesValue request) throws ServiceException;

  BytesValue locate(@Nullable RpcController controller, BytesValue request) throws ServiceException;

  BytesValue settings(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue directoryRun(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue directoryReplicate(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue directoryPull(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;

  BytesValue directoryView(@Nullable RpcController controller, BytesValue request)
      throws ServiceException;
}
