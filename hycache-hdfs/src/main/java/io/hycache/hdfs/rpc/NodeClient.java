package io.hycache.hdfs.rpc;

import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.rpc.SubmitRequest.EncodedPart;
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
 * What a user asks of one DataNode, as the current user. Calls throw {@link RefusedException} when
 * the DataNode said no, {@link NotActiveException} when it has no plugin, and another {@link
 * IOException} when it could not be asked. What concerns a block needs the block's READ token,
 * where the cluster has block tokens. Thread-safe.
 */
public final class NodeClient implements Closeable {
  /** Steps sent in one call unless told otherwise. */
  public static final int DEFAULT_BATCH_STEPS = JsonFields.MAX_ITEMS;

  /** Longest name of a workflow. */
  public static final int MAX_WORKFLOW_CHARS = JsonFields.MAX_NAME_CHARS;

  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  private final NodeConnection<HyCacheClientProtocolPB> connection;
  private final int batchSteps;

  /**
   * @param address a DataNode's IPC address
   * @param timeout of a connect and of an answer, &gt; 0
   * @param batchSteps steps in one call, 1 to {@link #DEFAULT_BATCH_STEPS}; others are clamped
   */
  public NodeClient(InetSocketAddress address, Configuration conf, Duration timeout, int batchSteps)
      throws IOException {
    this.connection = new NodeConnection<>(HyCacheClientProtocolPB.class, address, conf, timeout);
    this.batchSteps = Math.max(1, Math.min(batchSteps, JsonFields.MAX_ITEMS));
  }

  /**
   * Whom a client is to be made as: the user itself if it has a Kerberos ticket or the cluster has
   * no security; else, as in a YARN container, a user that a block token authenticates. To the
   * DataNode that is the user to whom the NameNode gave the token.
   *
   * @param token of any block that the user may read; null if there is none
   */
  public static UserGroupInformation caller(
      UserGroupInformation user, @Nullable Token<BlockTokenIdentifier> token) {
    UserGroupInformation real = user.getRealUser() == null ? user : user.getRealUser();
    if (token == null
        || !UserGroupInformation.isSecurityEnabled()
        || real.hasKerberosCredentials()) {
      return user;
    }
    UserGroupInformation caller = UserGroupInformation.createRemoteUser(user.getUserName());
    caller.addToken(token);
    return caller;
  }

  /** Sends a batch to a DataNode of a cluster without block access tokens. */
  public HintReceipt submitHints(HintBatch batch) throws IOException {
    return submitHints(batch, BlockTokens.NONE, sent -> {});
  }

  /**
   * Sends a batch in as many calls as it needs. It becomes active with the last of them.
   *
   * @param progress told the number of steps sent after each call
   * @return what was taken and what was refused
   */
  public HintReceipt submitHints(HintBatch batch, BlockTokens tokens, IntConsumer progress)
      throws IOException {
    String submission = UUID.randomUUID().toString();
    HintReceipt receipt = null;
    int sent = 0;
    for (int number = 0; number == 0 || sent < batch.steps().size(); number++) {
      EncodedPart part = SubmitRequest.encode(submission, batch, tokens, number, sent, batchSteps);
      receipt = SubmitAnswer.decode(connection.call(proxy -> proxy.submitHints(null, part.bytes)));
      sent = part.nextStep;
      progress.accept(sent);
    }
    if (receipt == null) {
      throw new RefusedException("the DataNode did not say what it took");
    }
    return receipt;
  }

  /**
   * Forgets a workflow.
   *
   * @param user whose it is; empty: the caller's. Those of others are for administrators
   * @return the steps that were left; empty if there was no such workflow
   */
  public OptionalInt withdraw(String workflow, String user) throws IOException {
    BytesValue request = new WithdrawRequest(workflow, user).encode();
    return WithdrawAnswer.decode(connection.call(proxy -> proxy.withdraw(null, request)));
  }

  /** The user's workflows that have hints left; of an administrator, everybody's. */
  public List<WorkflowStatus> workflows() throws IOException {
    return WorkflowsAnswer.decode(
        connection.call(proxy -> proxy.workflows(null, JsonMessage.encodeEmpty())));
  }

  /**
   * How the DataNode is doing; without the names of its devices if the user is no administrator.
   */
  public NodeStatus status() throws IOException {
    return StatusAnswer.decode(
        connection.call(proxy -> proxy.status(null, JsonMessage.encodeEmpty())));
  }

  /** Where blocks are on this DataNode; one answer for each, in order. */
  public List<BlockStatus> locate(List<BlockKey> blocks, BlockTokens tokens) throws IOException {
    return inParts(
        blocks,
        part -> {
          BytesValue request = BlocksRequest.encode(part, tokens);
          return LocateAnswer.decode(connection.call(proxy -> proxy.locate(null, request)), part);
        });
  }

  /**
   * Which DataNodes have blocks on SSD, as far as the directory knows.
   *
   * @return for each block, in order, UUIDs of DataNodes; empty if nothing is known of it
   */
  public List<Optional<Set<String>>> holders(List<BlockKey> blocks, BlockTokens tokens)
      throws IOException {
    return inParts(
        blocks,
        part -> {
          BytesValue request = BlocksRequest.encode(part, tokens);
          return HoldersAnswer.decode(
              connection.call(proxy -> proxy.holders(null, request)), part.size());
        });
  }

  @FunctionalInterface
  private interface Question<T> {
    List<T> ask(List<BlockKey> part) throws IOException;
  }

  private static <T> List<T> inParts(List<BlockKey> blocks, Question<T> question)
      throws IOException {
    List<T> out = new ArrayList<>(blocks.size());
    for (int from = 0; from < blocks.size(); from += JsonFields.MAX_ITEMS) {
      out.addAll(
          question.ask(blocks.subList(from, Math.min(blocks.size(), from + JsonFields.MAX_ITEMS))));
    }
    return out;
  }

  /**
   * A part of all that the directory knows of blocks. For administrators.
   *
   * @param at where to go on; empty: at the first
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
