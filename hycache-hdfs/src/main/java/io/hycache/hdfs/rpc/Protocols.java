// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.MethodDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.ServiceDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.WrappersProto;

/**
 * Service descriptors of the two protocols, built without generated code: every message is a {@link
 * BytesValue}, a well-known type in each release of protobuf, so that the JAR is not tied to the
 * protobuf of one Hadoop line.
 */
final class Protocols {
  /** Also the name of the interface, which service authorization loads to look up its ACL. */
  static final String CLIENT = "io.hycache.hdfs.rpc.HyCacheClientProtocolPB";

  /** As {@link #CLIENT}. */
  static final String DATANODE = "io.hycache.hdfs.rpc.HyCacheDatanodeProtocolPB";

  /** Version of both protocols. */
  static final long VERSION = 1;

  /** Largest payload of a message. */
  static final int MAX_PAYLOAD_BYTES = 16 << 20;

  static final String SUBMIT_HINTS = "submitHints";
  static final String WITHDRAW = "withdraw";
  static final String WORKFLOWS = "workflows";
  static final String STATUS = "status";
  static final String LOCATE = "locate";
  static final String SETTINGS = "settings";
  static final String HOLDERS = "holders";
  static final String LIST = "list";
  static final String EXPLAIN = "explain";

  static final String RUN = "run";
  static final String REPLICATE = "replicate";
  static final String PULL = "pull";
  static final String VIEW = "view";
  static final String READS = "reads";

  private Protocols() {}

  static ServiceDescriptor client() {
    return descriptor(
        "HyCacheClientProtocol",
        List.of(
            SUBMIT_HINTS, WITHDRAW, WORKFLOWS, STATUS, LOCATE, SETTINGS, HOLDERS, LIST, EXPLAIN));
  }

  static ServiceDescriptor datanode() {
    return descriptor("HyCacheDatanodeProtocol", List.of(RUN, REPLICATE, PULL, VIEW, READS));
  }

  private static ServiceDescriptor descriptor(String name, List<String> methods) {
    ServiceDescriptorProto.Builder service = ServiceDescriptorProto.newBuilder().setName(name);
    String bytesValue = "." + BytesValue.getDescriptor().getFullName();
    for (String method : methods) {
      service.addMethod(
          MethodDescriptorProto.newBuilder()
              .setName(method)
              .setInputType(bytesValue)
              .setOutputType(bytesValue));
    }
    FileDescriptor wrappers = WrappersProto.getDescriptor();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("io/hycache/hdfs/" + name + ".proto")
            .setPackage("io.hycache.hdfs")
            .setSyntax("proto3")
            .addDependency(wrappers.getName())
            .addService(service)
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[] {wrappers}).getServices().get(0);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("protocol descriptor is invalid", e);
    }
  }
}
