package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.View;
import io.hycache.core.hint.HintBatch;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntConsumer;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * One DataNode's {@link NodeService}, from far away. A connection is made with the first call; a
 * DataNode that does not answer costs one timeout, not Hadoop's usual minutes of retries. Calls
 * throw {@link RefusedException} when the DataNode said no, and another {@link IOException} when it
 * could not be asked. Thread-safe.
 */
public final class NodeClient implements NodeService, Closeable {
  /** Steps sent in one call unless told otherwise. */
  public static final int DEFAULT_BATCH_STEPS = Wire.MAX_ITEMS;

  /** Longest name of a workflow. */
  public static final int MAX_WORKFLOW_CHARS = Wire.MAX_NAME_CHARS;

  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  private final InetSocketAddress address;
  private final NodeProtocolPB proxy;
  private final int batchSteps;

  /**
   * @param address a DataNode's IPC address
   * @param timeout of a connect and of an answer, &gt; 0
   * @param batchSteps steps in one call, 1 to {@link #DEFAULT_BATCH_STEPS}; others are clamped
   */
  public NodeClient(InetSocketAddress address, Configuration conf, Duration timeout, int batchSteps)
      throws IOException {
    this.address = address;
    this.batchSteps = Math.max(1, Math.min(batchSteps, Wire.MAX_ITEMS));
    int timeoutMillis = (int) Math.max(1, Math.min(timeout.toMillis(), Integer.MAX_VALUE));
    Configuration own = new Configuration(conf);
    own.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_TIMEOUT_KEY, timeoutMillis);
    own.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    own.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_RETRY_INTERVAL_KEY, 200);
    own.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    RPC.setProtocolEngine(own, NodeProtocolPB.class, ProtobufRpcEngine2.class);
    this.proxy =
        RPC.getProxy(
            NodeProtocolPB.class,
            NodeProtocol.VERSION,
            address,
            UserGroupInformation.getCurrentUser(),
            own,
            new OwnSockets(NetUtils.getDefaultSocketFactory(own)),
            timeoutMillis);
  }

  /** For clusters without block access tokens. */
  @Override
  public int submitHints(HintBatch batch) throws IOException {
    return submitHints(batch, block -> null, sent -> {});
  }

  /**
   * Sends a batch in as many calls as it needs. It becomes active with the last of them.
   *
   * @param progress told the number of steps sent after each call
   * @return steps accepted
   */
  public int submitHints(HintBatch batch, BlockTokens tokens, IntConsumer progress)
      throws IOException {
    String submission = UUID.randomUUID().toString();
    int accepted = 0;
    int sent = 0;
    for (int number = 0; number == 0 || sent < batch.steps().size(); number++) {
      Wire.EncodedPart part = Wire.submitPart(submission, batch, tokens, number, sent, batchSteps);
      accepted = Wire.readAccepted(call(() -> proxy.submitHints(null, part.bytes)));
      sent = part.nextStep;
      progress.accept(sent);
    }
    return accepted;
  }

  @Override
  public int withdraw(String workflow) throws IOException {
    return Wire.readLeft(call(() -> proxy.withdraw(null, Wire.withdraw(workflow))));
  }

  @Override
  public NodeStatus status() throws IOException {
    return Wire.readStatusAnswer(call(() -> proxy.status(null, Wire.status())));
  }

  @Override
  public List<BlockStatus> locate(List<BlockKey> blocks) throws IOException {
    List<BlockStatus> out = new ArrayList<>(blocks.size());
    for (int from = 0; from < blocks.size(); from += Wire.MAX_ITEMS) {
      List<BlockKey> part = blocks.subList(from, Math.min(blocks.size(), from + Wire.MAX_ITEMS));
      out.addAll(Wire.readLocated(call(() -> proxy.locate(null, Wire.locate(part))), part));
    }
    return out;
  }

  @Override
  public Map<String, String> settings(Map<String, String> changes) throws IOException {
    return Wire.readSettings(call(() -> proxy.settings(null, Wire.settings(changes))));
  }

  // ---- the directory ----------------------------------------------------------------------------

  List<Outcome> run(String publisher, long epoch, List<Operation> operations) throws IOException {
    BytesValue request = DirectoryWire.run(publisher, epoch, operations);
    return DirectoryWire.readRan(call(() -> proxy.directoryRun(null, request)));
  }

  List<String> replicate(String from, boolean missed, List<Change> changes) throws IOException {
    BytesValue request = DirectoryWire.replicate(from, missed, changes);
    return DirectoryWire.readWanted(call(() -> proxy.directoryReplicate(null, request)));
  }

  Peers.Pulled pull(View view, BitSet takeOver, BitSet shards, String at) throws IOException {
    BytesValue request = DirectoryWire.pull(view, takeOver, shards, at);
    return DirectoryWire.readPulled(call(() -> proxy.directoryPull(null, request)));
  }

  View view() throws IOException {
    return DirectoryWire.readView(
        call(() -> proxy.directoryView(null, BytesValue.getDefaultInstance())));
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }

  @Override
  public String toString() {
    return "NodeClient address=" + address;
  }

  @FunctionalInterface
  private interface Call {
    BytesValue run() throws ServiceException;
  }

  private static BytesValue call(Call call) throws IOException {
    try {
      return call.run();
    } catch (ServiceException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RemoteException) {
        RemoteException remote = (RemoteException) cause;
        String message = firstLine(remote.getMessage());
        if (RefusedException.class.getName().equals(remote.getClassName())) {
          throw new RefusedException(message);
        }
        if (remote.getClassName().endsWith(".RpcNoSuchProtocolException")) {
          throw new NotActiveException(remote);
        }
        throw new IOException(message, remote);
      }
      throw new IOException(cause == null ? e.toString() : firstLine(cause.toString()), e);
    }
  }

  /** A server's error text carries its stack trace, a client's a link to a wiki. */
  private static String firstLine(@Nullable String message) {
    return message == null ? "" : message.split("\n|; For more details see:", 2)[0];
  }

  /**
   * Hadoop shares one RPC client among all that use an equal socket factory, with the connect
   * timeout of whoever came first. Being unequal to everyone else's buys us our own.
   */
  private static final class OwnSockets extends SocketFactory {
    private final SocketFactory sockets;

    OwnSockets(SocketFactory sockets) {
      this.sockets = sockets;
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
      return other instanceof OwnSockets && sockets.equals(((OwnSockets) other).sockets);
    }

    @Override
    public int hashCode() {
      return 31 * sockets.hashCode() + 1;
    }
  }
}
