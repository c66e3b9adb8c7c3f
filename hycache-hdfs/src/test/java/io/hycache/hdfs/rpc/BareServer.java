// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;

/** A Hadoop RPC server with another protocol only, like a DataNode without the plugin. */
public final class BareServer {
  @ProtocolInfo(protocolName = "test.Other", protocolVersion = 1)
  interface OtherPB {}

  private static final class Other implements BlockingService {
    @Override
    public ServiceDescriptor getDescriptorForType() {
      return Protocols.client();
    }

    @Override
    public Message callBlockingMethod(
        MethodDescriptor method, RpcController controller, Message request) {
      return request;
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
      return BytesValue.getDefaultInstance();
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
      return BytesValue.getDefaultInstance();
    }
  }

  private BareServer() {}

  /** Starts a server on a free port of the loopback interface. */
  static RPC.Server start(Configuration conf) throws IOException {
    RPC.setProtocolEngine(conf, OtherPB.class, ProtobufRpcEngine2.class);
    RPC.Server server =
        new RPC.Builder(conf)
            .setProtocol(OtherPB.class)
            .setInstance(new Other())
            .setBindAddress("127.0.0.1")
            .setPort(0)
            .setNumHandlers(2)
            .build();
    server.start();
    return server;
  }

  /** Starts a server with the protocols of a DataNode, whose part in the directory this is. */
  public static RPC.Server withDirectory(Configuration conf, BlockDirectory directory)
      throws IOException {
    RPC.Server server = start(conf);
    NodeServer.register(
        server, conf, new FakeNode(), () -> directory, BlockAccess.unchecked(), 100);
    return server;
  }
}
