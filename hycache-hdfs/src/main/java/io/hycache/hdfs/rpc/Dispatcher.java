package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the calls of one protocol on, as what protobuf would have generated. */
final class Dispatcher implements BlockingService {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  /** Answers the calls of a protocol. */
  @FunctionalInterface
  interface Handler {
    BytesValue answer(String method, BytesValue request) throws IOException;
  }

  private final ServiceDescriptor descriptor;
  private final Handler handler;

  Dispatcher(ServiceDescriptor descriptor, Handler handler) {
    this.descriptor = descriptor;
    this.handler = handler;
  }

  /** A DataNode's part in the directory, which it may not have (yet). */
  static <T> T partOf(Supplier<@Nullable T> directory) throws RefusedException {
    T part = directory.get();
    if (part == null) {
      throw new RefusedException("this node has no part in the directory (hycache.directory)");
    }
    return part;
  }

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return descriptor;
  }

  @Override
  public Message callBlockingMethod(
      MethodDescriptor method, RpcController controller, Message request) throws ServiceException {
    try {
      return handler.answer(method.getName(), (BytesValue) request);
    } catch (IOException e) {
      throw new ServiceException(e);
    } catch (RuntimeException e) {
      LOG.warn("Request failed: method={} user={}", method.getName(), Server.getRemoteUser(), e);
      throw new ServiceException(new IOException("request failed: " + e, e));
    }
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
