// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.UserInformationProto;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** A connection of Hadoop's RPC that writes frames itself, so that calls can be pipelined. */
final class HostileConnection implements Closeable {
  private static final int CONTEXT_CALL = -3;
  private static final ByteString CLIENT = ByteString.copyFrom(new byte[16]);

  final Socket socket;
  final DataOutputStream out;
  private final DataInputStream in;
  private int calls;
  private int answered;

  /**
   * Connects.
   *
   * @param authentication 0 for none, -33 for SASL
   */
  HostileConnection(int port, int authentication) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(120_000);
    socket.setTcpNoDelay(true);
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
    out.write("hrpc".getBytes(StandardCharsets.US_ASCII));
    out.write(9);
    out.write(0);
    out.write(authentication);
  }

  static byte[] frame(Message... messages) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (Message message : messages) {
      message.writeDelimitedTo(body);
    }
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    new DataOutputStream(frame).writeInt(body.size());
    body.writeTo(frame);
    return frame.toByteArray();
  }

  private static RpcRequestHeaderProto header(int call) {
    return RpcRequestHeaderProto.newBuilder()
        .setRpcKind(RpcKindProto.RPC_PROTOCOL_BUFFER)
        .setRpcOp(RpcRequestHeaderProto.OperationProto.RPC_FINAL_PACKET)
        .setCallId(call)
        .setClientId(CLIENT)
        .setRetryCount(-1)
        .build();
  }

  /** Sends the header with the user and the protocol. */
  static byte[] context(String user, String protocol) throws IOException {
    return frame(
        header(CONTEXT_CALL),
        IpcConnectionContextProto.newBuilder()
            .setUserInfo(UserInformationProto.newBuilder().setEffectiveUser(user))
            .setProtocol(protocol)
            .build());
  }

  byte[] call(HostileMessages.Message message) throws IOException {
    return frame(
        header(calls++),
        RequestHeaderProto.newBuilder()
            .setMethodName(message.method)
            .setDeclaringClassProtocolName(
                message.ofDatanodes ? Protocols.DATANODE : Protocols.CLIENT)
            .setClientProtocolVersion(Protocols.VERSION)
            .build(),
        message.request);
  }

  int waiting() {
    return calls - answered;
  }

  /**
   * Reads an answer and counts it.
   *
   * @throws AssertionError if the answer shows an error of the server
   */
  void read(Map<String, Long> answers) throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    answered++;
    RpcResponseHeaderProto header =
        RpcResponseHeaderProto.parseDelimitedFrom(new java.io.ByteArrayInputStream(frame));
    if (header.getStatus() == RpcStatusProto.SUCCESS) {
      answers.merge("ok", 1L, Long::sum);
      return;
    }
    String type = header.getExceptionClassName();
    check(type, header.getErrorMsg());
    answers.merge(type.substring(type.lastIndexOf('.') + 1), 1L, Long::sum);
  }

  static void check(String type, String text) {
    for (String fault :
        new String[] {
          "NullPointer",
          "OutOfBounds",
          "NegativeArray",
          "ClassCast",
          "StackOverflow",
          "OutOfMemory",
          "IllegalState",
          "NumberFormat",
          "Arithmetic",
          "request failed"
        }) {
      if (type.contains(fault) || text.contains(fault)) {
        throw new AssertionError(type + ": " + text.substring(0, Math.min(2000, text.length())));
      }
    }
    if (text.length() > 20_000) {
      throw new AssertionError(type + " with " + text.length() + " characters");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
