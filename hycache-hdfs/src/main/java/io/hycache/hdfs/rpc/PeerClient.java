// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.View;
import io.hycache.core.model.BlockKey;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/** A client of the directory on one DataNode, see {@link Peers}. Thread-safe. */
final class PeerClient implements Closeable {
  private final NodeConnection<HyCacheDatanodeProtocolPB> connection;

  /**
   * Makes a client; the first call connects.
   *
   * @param address a DataNode's IPC address
   * @param timeout of a connect and of an answer, &gt; 0
   */
  PeerClient(InetSocketAddress address, Configuration conf, Duration timeout) throws IOException {
    this(address, new NodeConnection.Settings<>(HyCacheDatanodeProtocolPB.class, conf, timeout));
  }

  /**
   * Makes a client; the first call connects.
   *
   * @param address a DataNode's IPC address
   * @param settings may be those of other clients
   */
  PeerClient(InetSocketAddress address, NodeConnection.Settings<HyCacheDatanodeProtocolPB> settings)
      throws IOException {
    this.connection = new NodeConnection<>(address, settings);
  }

  List<Outcome> run(String publisher, long epoch, List<Operation> operations) throws IOException {
    BytesValue request = new RunRequest(publisher, epoch, operations).encode();
    return RunAnswer.decode(connection.call(proxy -> proxy.run(null, request)));
  }

  List<String> replicate(String from, boolean missed, List<Change> changes) throws IOException {
    BytesValue request = new ReplicateRequest(from, missed, changes).encode();
    return ReplicateAnswer.decode(connection.call(proxy -> proxy.replicate(null, request)));
  }

  Peers.Pulled pull(View view, BitSet takeOver, BitSet shards, String at) throws IOException {
    BytesValue request = new PullRequest(view, takeOver, shards, at).encode();
    return PullAnswer.decode(connection.call(proxy -> proxy.pull(null, request)));
  }

  ViewAnswer view() throws IOException {
    return ViewAnswer.decode(
        connection.call(proxy -> proxy.view(null, BytesValue.getDefaultInstance())));
  }

  /**
   * Reports full reads.
   *
   * @throws NotActiveException if the DataNode has no plugin, or one that does not take reports
   */
  boolean reads(List<BlockKey> blocks) throws IOException {
    BytesValue request = ReadsRequest.encode(blocks);
    try {
      BytesValue unused = connection.call(proxy -> proxy.reads(null, request));
      return true;
    } catch (IOException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RemoteException
          && ((RemoteException) cause).getClassName().endsWith(".RpcNoSuchMethodException")) {
        throw new NotActiveException((RemoteException) cause);
      }
      throw e;
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
