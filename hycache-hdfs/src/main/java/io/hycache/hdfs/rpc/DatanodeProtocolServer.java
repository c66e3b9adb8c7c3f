// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/**
 * Serves the protocol between DataNodes, which maintains the directory and passes on reads. With
 * Kerberos, a caller is a DataNode by its full principal, {@code dfs.datanode.kerberos.principal}
 * with the caller's host; without, it must be this DataNode's user or an administrator.
 * Thread-safe.
 */
final class DatanodeProtocolServer implements Dispatcher.Handler {
  private final PartSupplier<DirectoryNode> directory;
  private final NodeService service;
  private final DataNodeUsers users;

  /**
   * @param directory the node that holds this DataNode's records; null while there is none yet
   */
  DatanodeProtocolServer(
      PartSupplier<DirectoryNode> directory, NodeService service, DataNodeUsers users) {
    this.directory = directory;
    this.service = service;
    this.users = users;
  }

  @Override
  public BytesValue answer(String method, BytesValue request) throws IOException {
    users.check(Callers.user(), Callers.address());
    switch (method) {
      case Protocols.RUN:
        return run(RunRequest.decode(request));
      case Protocols.REPLICATE:
        ReplicateRequest sent = ReplicateRequest.decode(request);
        return ReplicateAnswer.encode(directory().replicate(sent.from, sent.missed, sent.changes));
      case Protocols.PULL:
        return pull(PullRequest.decode(request));
      case Protocols.VIEW:
        DirectoryNode node = directory();
        return new ViewAnswer(node.id(), node.view()).encode();
      case Protocols.READS:
        service.readElsewhere(ReadsRequest.decode(request));
        return BytesValue.getDefaultInstance();
      default:
        throw new RefusedException("method: expected one of this protocol, found " + method);
    }
  }

  private DirectoryNode directory() throws RefusedException, NoPartException {
    return Dispatcher.partOf(directory);
  }

  private BytesValue run(RunRequest run) throws IOException {
    CompletableFuture<List<Outcome>> outcomes =
        directory().run(run.publisher, run.epoch, run.operations);
    return Deferred.answer(outcomes, RunAnswer::encode);
  }

  private BytesValue pull(PullRequest pull) throws IOException {
    Peers.Pulled pulled;
    try {
      pulled = directory().pull(pull.view, pull.takeOver, pull.shards, pull.at);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    }
    if (pulled == null) {
      throw new RefusedException("this node knows later members of the directory");
    }
    return PullAnswer.encode(pulled);
  }
}
