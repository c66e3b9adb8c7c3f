// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.rpc.SubmitRequest.EncodedChunk;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.jspecify.annotations.Nullable;

/**
 * A client of one DataNode, as the current user. Calls throw {@link RefusedException} if the
 * DataNode refuses, {@link NotActiveException} if it does not run the plugin, and another {@link
 * IOException} if the call fails. Calls about a block require the block's READ token in clusters
 * with block tokens. Thread-safe.
 */
public final class NodeClient implements Closeable {
  /** References sent in one call by default, which is also the maximum. */
  public static final int DEFAULT_CHUNK_REFERENCES = JsonFields.MAX_ITEMS;

  /** Longest name of a workflow, in characters. */
  public static final int MAX_WORKFLOW_CHARS = JsonFields.MAX_NAME_CHARS;

  /** Timeout of a connect and of an answer. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  private final NodeConnection<HyCacheClientProtocolPB> connection;
  private final int chunkReferences;

  /**
   * What clients of many DataNodes share, because it holds a copy of the Hadoop configuration,
   * which is large. Immutable.
   */
  public static final class Settings {
    private final NodeConnection.Settings<HyCacheClientProtocolPB> connection;
    private final int chunkReferences;

    /**
     * @param timeout of a connect and of an answer, &gt; 0
     * @param chunkReferences references in one call, 1 to {@link #DEFAULT_CHUNK_REFERENCES}; other
     *     values are clamped
     */
    public Settings(Configuration conf, Duration timeout, int chunkReferences) {
      this.connection = new NodeConnection.Settings<>(HyCacheClientProtocolPB.class, conf, timeout);
      this.chunkReferences = Math.max(1, Math.min(chunkReferences, JsonFields.MAX_ITEMS));
    }
  }

  /**
   * Makes a client with settings of its own; the first call connects.
   *
   * @param address a DataNode's IPC address
   * @param timeout of a connect and of an answer, &gt; 0
   * @param chunkReferences references in one call, 1 to {@link #DEFAULT_CHUNK_REFERENCES}; other
   *     values are clamped
   */
  public NodeClient(
      InetSocketAddress address, Configuration conf, Duration timeout, int chunkReferences)
      throws IOException {
    this(address, new Settings(conf, timeout, chunkReferences));
  }

  /**
   * Makes a client; the first call connects.
   *
   * @param address a DataNode's IPC address
   * @param settings may be those of other clients
   */
  public NodeClient(InetSocketAddress address, Settings settings) throws IOException {
    this.connection = new NodeConnection<>(address, settings.connection);
    this.chunkReferences = settings.chunkReferences;
  }

  /**
   * The user to make a client as: the user itself if it has a Kerberos ticket or security is off;
   * otherwise, as in a YARN container or for a proxy user, a user authenticated by a block token.
   * The DataNode takes the latter for the user to whom the NameNode issued the token, and needs no
   * {@code hadoop.proxyuser} settings for it.
   *
   * @param token of any block that the user may read; null if there is none
   */
  public static UserGroupInformation caller(
      UserGroupInformation user, @Nullable Token<BlockTokenIdentifier> token) {
    if (token == null
        || !UserGroupInformation.isSecurityEnabled()
        || user.hasKerberosCredentials()) { // of its own: a proxy user has none
      return user;
    }
    UserGroupInformation caller = UserGroupInformation.createRemoteUser(user.getUserName());
    caller.addToken(token);
    return caller;
  }

  /** Sends hints to a DataNode of a cluster without block access tokens. */
  public HintReceipt submitHints(Hints hints) throws IOException {
    return submitHints(hints, BlockTokens.NONE, sent -> {});
  }

  /**
   * Sends hints in as many calls as needed. They become active with the last call.
   *
   * @param progress called after each call, with the number of references sent so far
   * @return the receipt of the hints
   */
  public HintReceipt submitHints(Hints hints, BlockTokens tokens, IntConsumer progress)
      throws IOException {
    String submission = UUID.randomUUID().toString();
    HintReceipt receipt = null;
    int sent = 0;
    for (int number = 0; number == 0 || sent < SubmitRequest.items(hints); number++) {
      EncodedChunk chunk =
          SubmitRequest.encode(submission, hints, tokens, number, sent, chunkReferences);
      receipt = SubmitAnswer.decode(connection.call(proxy -> proxy.submitHints(null, chunk.bytes)));
      sent = chunk.nextItem;
      progress.accept(Math.min(sent, hints.references().size()));
    }
    if (receipt == null) {
      throw new RefusedException("the DataNode sent no receipt");
    }
    return receipt;
  }

  /**
   * Withdraws a workflow.
   *
   * @param user owner of the workflow; empty: the caller. Other owners require an administrator
   * @return the references that were left; empty if there was no such workflow
   */
  public OptionalInt withdraw(String workflow, String user) throws IOException {
    BytesValue request = new WithdrawRequest(workflow, user).encode();
    return WithdrawAnswer.decode(connection.call(proxy -> proxy.withdraw(null, request)));
  }

  /**
   * The user's workflows that have hints left, then those that have ended in the last hour; for an
   * administrator, those of all users.
   */
  public List<WorkflowStatus> workflows() throws IOException {
    return WorkflowsAnswer.decode(
        connection.call(proxy -> proxy.workflows(null, JsonMessage.encodeEmpty())));
  }

  /**
   * What became of a workflow's hints, block by block.
   *
   * @param user owner of the workflow; empty: the caller. Other owners require an administrator
   */
  public List<HintedBlock> explain(String workflow, String user) throws IOException {
    List<HintedBlock> out = new ArrayList<>();
    List<HintedBlock> page;
    do {
      BytesValue request = new ExplainRequest(workflow, user, out.size()).encode();
      page = ExplainAnswer.decode(connection.call(proxy -> proxy.explain(null, request)));
      out.addAll(page);
    } while (!page.isEmpty());
    return out;
  }

  /** State of the DataNode; without its devices if the user is no administrator. */
  public NodeStatus status() throws IOException {
    return StatusAnswer.decode(
        connection.call(proxy -> proxy.status(null, JsonMessage.encodeEmpty())));
  }

  /** Status of blocks on this DataNode; one for each block, in order. */
  public List<BlockStatus> locate(List<BlockKey> blocks, BlockTokens tokens) throws IOException {
    return inChunks(
        blocks,
        chunk -> {
          BytesValue request = BlocksRequest.encode(chunk, tokens);
          return LocateAnswer.decode(connection.call(proxy -> proxy.locate(null, request)), chunk);
        });
  }

  /**
   * The DataNodes that have blocks on SSD, according to the directory.
   *
   * @return for each block, in order, the UUIDs of DataNodes; empty if the directory has no answer
   */
  public List<Optional<Set<String>>> holders(List<BlockKey> blocks, BlockTokens tokens)
      throws IOException {
    return inChunks(
        blocks,
        chunk -> {
          BytesValue request = HoldersRequest.encode(chunk, tokens);
          return HoldersAnswer.decode(
              connection.call(proxy -> proxy.holders(null, request)), chunk.size());
        });
  }

  @FunctionalInterface
  private interface Question<T> {
    List<T> ask(List<BlockKey> chunk) throws IOException;
  }

  private static <T> List<T> inChunks(List<BlockKey> blocks, Question<T> question)
      throws IOException {
    List<T> out = new ArrayList<>(blocks.size());
    for (int from = 0; from < blocks.size(); from += JsonFields.MAX_ITEMS) {
      out.addAll(
          question.ask(blocks.subList(from, Math.min(blocks.size(), from + JsonFields.MAX_ITEMS))));
    }
    return out;
  }

  /**
   * One page of the directory's records of blocks. For administrators.
   *
   * @param at position of the page; empty for the first page
   */
  public BlockDirectory.Page list(String at) throws IOException {
    return ListAnswer.decode(connection.call(proxy -> proxy.list(null, ListRequest.encode(at))));
  }

  /** See {@link NodeService#settings}. For administrators. */
  public Map<String, String> settings(Map<String, String> changes) throws IOException {
    return SettingsMessage.decode(
        connection.call(proxy -> proxy.settings(null, SettingsMessage.encode(changes))));
  }

  @Override
  public void close() {
    connection.close();
  }

  @Override
  public String toString() {
    return "NodeClient " + connection;
  }
}
