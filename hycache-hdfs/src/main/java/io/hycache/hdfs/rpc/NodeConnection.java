// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Calls of one protocol to one server, a DataNode in most cases, as the current user. The first
 * call connects. A server that does not answer costs one timeout, not Hadoop's usual minutes of
 * retries. Thread-safe.
 *
 * @param <P> the protocol
 */
final class NodeConnection<P> implements Closeable {
  /**
   * One attempt to connect. Without a reason for giving up, Hadoop logs nothing about it; its own
   * policies log each attempt, some with a stack trace.
   */
  private static final RetryPolicy ONCE =
      (failure, retries, failovers, isIdempotent) -> RetryPolicy.RetryAction.FAIL;

  private final InetSocketAddress address;
  private final P proxy;

  /**
   * Makes a connection object without connecting.
   *
   * @param address a DataNode's IPC address
   * @param timeout of a connect and of an answer, &gt; 0
   */
  NodeConnection(Class<P> protocol, InetSocketAddress address, Configuration conf, Duration timeout)
      throws IOException {
    this(address, new Settings<>(protocol, conf, timeout));
  }

  /**
   * Makes a connection object without connecting.
   *
   * @param address a DataNode's IPC address
   */
  NodeConnection(InetSocketAddress address, Settings<P> settings) throws IOException {
    this.address = address;
    this.proxy =
        RPC.getProtocolProxy(
                settings.protocol,
                Protocols.VERSION,
                address,
                UserGroupInformation.getCurrentUser(),
                settings.conf,
                new OwnSockets(
                    NetUtils.getDefaultSocketFactory(settings.conf), settings.timeoutMillis),
                settings.timeoutMillis,
                ONCE)
            .getProxy();
  }

  /**
   * What connections of one protocol share: each holds its Hadoop configuration, which is large.
   *
   * @param <P> the protocol
   */
  static final class Settings<P> {
    private final Class<P> protocol;
    private final Configuration conf;
    private final int timeoutMillis;

    /**
     * @param timeout of a connect and of an answer, &gt; 0
     */
    Settings(Class<P> protocol, Configuration conf, Duration timeout) {
      this.protocol = protocol;
      this.timeoutMillis = (int) Math.max(1, Math.min(timeout.toMillis(), Integer.MAX_VALUE));
      this.conf = new Configuration(conf);
      this.conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_TIMEOUT_KEY, timeoutMillis);
      this.conf.setInt(
          CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
      RPC.setProtocolEngine(this.conf, protocol, ProtobufRpcEngine2.class);
    }

    /**
     * @param timeout of a connect and of an answer, &gt; 0
     * @param idle connections close so long after their last call, in place of Hadoop's setting
     */
    Settings(Class<P> protocol, Configuration conf, Duration timeout, Duration idle) {
      this(protocol, conf, timeout);
      this.conf.setInt(
          CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY,
          (int) idle.toMillis());
    }
  }

  @FunctionalInterface
  interface Call<P, T> {
    T run(P proxy) throws ServiceException;
  }

  /**
   * Makes a call.
   *
   * @throws RefusedException if the DataNode refuses the request
   * @throws NotActiveException if the DataNode does not serve the protocol, or has no part in the
   *     directory that was called
   * @throws AwayException if no connection to the DataNode can be made, or it does not answer
   * @throws IOException if the call fails
   */
  <T> T call(Call<P, T> call) throws IOException {
    try {
      return call.run(proxy);
    } catch (ServiceException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RemoteException) {
        RemoteException remote = (RemoteException) cause;
        String message = ErrorText.firstLine(remote.getMessage());
        if (RefusedException.class.getName().equals(remote.getClassName())) {
          throw new RefusedException(message);
        }
        if (isProtocolUnknown(remote.getClassName(), message)) {
          throw new NotActiveException(remote);
        }
        if (NoPartException.class.getName().equals(remote.getClassName())) {
          throw new NotActiveException(message, remote);
        }
        throw new IOException(message, remote);
      }
      String message = cause == null ? e.toString() : ErrorText.firstLine(cause.toString());
      throw AwayException.isCause(cause)
          ? new AwayException(message, e)
          : new IOException(message, e);
    }
  }

  /**
   * Whether a server does not have the protocol. With service authorization it refuses it as the
   * connection is made: it does not have the class, or no ACL for it.
   */
  private static boolean isProtocolUnknown(String className, String message) {
    return className.endsWith(".RpcNoSuchProtocolException")
        || (className.equals(AuthorizationException.class.getName())
            && (message.startsWith("Unknown protocol: ")
                || (message.startsWith("Protocol ") && message.endsWith(" is not known."))));
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }

  @Override
  public String toString() {
    return "address=" + address;
  }

  /**
   * Hadoop shares one RPC client, with the connect timeout of its first user, among all users of an
   * equal socket factory. A factory that equals only those of this class with the same timeout
   * gives HyCache clients of its own, one for each timeout.
   */
  private static final class OwnSockets extends SocketFactory {
    private final SocketFactory sockets;
    private final int timeoutMillis;

    OwnSockets(SocketFactory sockets, int timeoutMillis) {
      this.sockets = sockets;
      this.timeoutMillis = timeoutMillis;
    }

    @Override
    public Socket createSocket() throws IOException {
      return sockets.createSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return sockets.createSocket(host, port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort)
        throws IOException {
      return sockets.createSocket(host, port, local, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      return sockets.createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
        throws IOException {
      return sockets.createSocket(host, port, local, localPort);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OwnSockets
          && sockets.equals(((OwnSockets) other).sockets)
          && timeoutMillis == ((OwnSockets) other).timeoutMillis;
    }

    @Override
    public int hashCode() {
      return 31 * sockets.hashCode() + timeoutMillis;
    }
  }
}
