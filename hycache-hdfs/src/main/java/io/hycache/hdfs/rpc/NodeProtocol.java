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

/** Names of the protocol and its service descriptor, built by hand instead of generated. */
final class NodeProtocol {
  /** With service authorization on, Hadoop loads the class of this name and looks its ACL up. */
  static final String NAME = "io.hycache.hdfs.rpc.NodeProtocolPB";

  static final long VERSION = 1;

  static final String SUBMIT_HINTS = "submitHints";
  static final String WITHDRAW = "withdraw";
  static final String STATUS = "status";
  static final String LOCATE = "locate";
  static final String SETTINGS = "settings";
  static final String DIRECTORY_RUN = "directoryRun";
  static final String DIRECTORY_REPLICATE = "directoryReplicate";
  static final String DIRECTORY_PULL = "directoryPull";
  static final String DIRECTORY_VIEW = "directoryView";

  private static final List<String> METHODS =
      List.of(
          SUBMIT_HINTS,
          WITHDRAW,
          STATUS,
          LOCATE,
          SETTINGS,
          DIRECTORY_RUN,
          DIRECTORY_REPLICATE,
          DIRECTORY_PULL,
          DIRECTORY_VIEW);

  private NodeProtocol() {}

  /** A service whose methods take and return {@code google.protobuf.BytesValue}. */
  static ServiceDescriptor newDescriptor() {
    ServiceDescriptorProto.Builder service =
        ServiceDescriptorProto.newBuilder().setName("NodeProtocolService");
    String bytesValue = "." + BytesValue.getDescriptor().getFullName();
    for (String method : METHODS) {
      service.addMethod(
          MethodDescriptorProto.newBuilder()
              .setName(method)
              .setInputType(bytesValue)
              .setOutputType(bytesValue));
    }
    FileDescriptor wrappers = WrappersProto.getDescriptor();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("io/hycache/hdfs/node_protocol.proto")
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
