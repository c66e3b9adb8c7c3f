// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.NodeStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the client protocol. Thread-safe. Permissions:
 *
 * <ul>
 *   <li>Every caller: {@code status}, without the names of devices; as {@code workflows} and {@code
 *       explain}, within an {@link AnswerBudget}.
 *   <li>Holders of a block's READ token: hints for the block, {@code locate} and {@code holders} of
 *       it. A submission is accepted or refused as a whole.
 *   <li>The user that submitted a workflow: to replace, list, explain and withdraw it. Another
 *       user's workflow of the same name is another workflow.
 *   <li>{@link Administrators}: all of the above for all users, {@code settings}, {@code list}, the
 *       names of devices, and the decisions of the policy. The limits on one user's hints and
 *       answers don't apply to them.
 * </ul>
 */
final class ClientProtocolServer implements Dispatcher.Handler {
  /** Blocks of one user's workflows of which a DataNode records what became of the hints, about. */
  private static final int MAX_RECORDED_BLOCKS = 100_000;

  private static final Logger LOG = LoggerFactory.getLogger(ClientProtocolServer.class);

  private final NodeService service;
  private final PartSupplier<BlockDirectory> directory;
  private final BlockAccess access;
  private final Administrators administrators;
  private final HintAssembly assembly;
  private final AnswerBudget budget = new AnswerBudget(System::nanoTime);

  /**
   * @param directory this node's share of the directory; null while it has none yet
   */
  ClientProtocolServer(
      NodeService service,
      PartSupplier<BlockDirectory> directory,
      BlockAccess access,
      Administrators administrators,
      HintAssembly assembly) {
    this.service = service;
    this.directory = directory;
    this.access = access;
    this.administrators = administrators;
    this.assembly = assembly;
  }

  @Override
  public BytesValue answer(String method, BytesValue request) throws IOException {
    UserGroupInformation user = Callers.user();
    switch (method) {
      case Protocols.SUBMIT_HINTS:
        return SubmitAnswer.encode(
            submit(user, read(user, "submit", request, SubmitRequest::decode)));
      case Protocols.WITHDRAW:
        return WithdrawAnswer.encode(
            withdraw(user, read(user, "withdraw", request, WithdrawRequest::decode)));
      case Protocols.WORKFLOWS:
        JsonMessage.checkEmpty(request);
        checkBudget(user);
        List<WorkflowStatus> workflows = workflows(user);
        return spent(user, WorkflowsAnswer.encode(workflows), lookedAt(workflows));
      case Protocols.STATUS:
        JsonMessage.checkEmpty(request);
        checkBudget(user);
        NodeStatus status = service.status();
        return spent(
            user,
            StatusAnswer.encode(administrators.include(user) ? status : status.withoutDevices()),
            0);
      case Protocols.LOCATE:
        return LocateAnswer.encode(locate(user, readable(BlocksRequest.decode(request))));
      case Protocols.SETTINGS:
        return SettingsMessage.encode(
            settings(user, read(user, "settings", request, SettingsMessage::decode)));
      case Protocols.HOLDERS:
        List<BlockKey> blocks = readable(HoldersRequest.decode(request));
        return Deferred.answer(
            Dispatcher.partOf(directory).holders(user.getShortUserName(), blocks),
            HoldersAnswer::encode);
      case Protocols.LIST:
        String at = ListRequest.decode(request);
        checkAdministrator(user, "list the blocks on SSD");
        return Deferred.answer(Dispatcher.partOf(directory).list(at), ListAnswer::encode);
      case Protocols.EXPLAIN:
        ExplainRequest what = ExplainRequest.decode(request);
        checkBudget(user);
        return spent(user, ExplainAnswer.encode(explain(user, what)), what.from);
      default:
        throw new RefusedException("method: expected one of this protocol, found " + method);
    }
  }

  /** Called before a question whose answer's size or cost the request does not bound. */
  private void checkBudget(UserGroupInformation user) throws RefusedException {
    if (!administrators.include(user)) {
      budget.check(user.getShortUserName());
    }
  }

  /**
   * Counts the answer to such a question.
   *
   * @param blocks that were looked at for it, about
   */
  private BytesValue spent(UserGroupInformation user, BytesValue answer, long blocks) {
    if (!administrators.include(user)) {
      budget.spend(user.getShortUserName(), answer.getSerializedSize() + blocks);
    }
    return answer;
  }

  @FunctionalInterface
  private interface Reader<T> {
    T read(BytesValue request) throws RefusedException;
  }

  /** Decodes an audited command; a malformed one is audited as refused. */
  private static <T> T read(
      UserGroupInformation user, String command, BytesValue request, Reader<T> reader)
      throws RefusedException {
    try {
      return reader.read(request);
    } catch (RefusedException e) {
      AuditLog.refused(user, command, "", e);
      throw e;
    }
  }

  /** Returns the receipt with the last chunk, null before. */
  private @Nullable HintReceipt submit(UserGroupInformation user, SubmitRequest chunk)
      throws IOException {
    String name = user.getShortUserName();
    boolean exempt = administrators.include(user);
    try {
      WorkflowId unused = workflow(name, chunk.workflow);
      readable(chunk.blocks);
      Hints hints = assembly.add(name, exempt, chunk);
      if (hints == null) {
        return null;
      }
      HintReceipt receipt = service.submitHints(hints, name, exempt);
      boolean allowed = receipt.accepted() > 0 || receipt.refused() == 0;
      AuditLog.log(user, "submit", chunk.workflow, allowed, whyNotAll(receipt));
      LOG.info("Hints: {}", receipt);
      return receipt;
    } catch (IOException | RuntimeException e) {
      assembly.discard(name, chunk.submission);
      AuditLog.refused(user, "submit", chunk.workflow, e);
      throw e;
    }
  }

  private static String whyNotAll(HintReceipt receipt) {
    if (receipt.isWhole()) {
      return "";
    }
    String limits = receipt.limits().stream().map(Enum::name).collect(joining(","));
    return receipt.refused() == 0
        ? "shortened to " + receipt.ttlMillis() + " ms: " + limits
        : "refused "
            + receipt.refused()
            + " of "
            + ((long) receipt.accepted() + receipt.refused())
            + ": "
            + limits;
  }

  /** Returns the references that were left; empty if there was no such workflow. */
  private OptionalInt withdraw(UserGroupInformation user, WithdrawRequest what) throws IOException {
    String own = user.getShortUserName();
    String owner = what.user.isEmpty() ? own : what.user;
    try {
      if (!owner.equals(own)) {
        checkAdministrator(user, "withdraw workflows of other users");
      }
      OptionalInt left = service.withdraw(workflow(owner, what.workflow));
      AuditLog.log(user, "withdraw", owner + "/" + what.workflow, true, "");
      return left;
    } catch (IOException | RuntimeException e) {
      AuditLog.refused(user, "withdraw", owner + "/" + what.workflow, e);
      throw e;
    }
  }

  private List<HintedBlock> explain(UserGroupInformation user, ExplainRequest what)
      throws IOException {
    String own = user.getShortUserName();
    String owner = what.user.isEmpty() ? own : what.user;
    if (!owner.equals(own)) {
      checkAdministrator(user, "explain workflows of other users");
    }
    return service.explain(workflow(owner, what.workflow), what.from, ExplainAnswer.PAGE_BLOCKS);
  }

  /** The user's workflows, those that ended last; for an administrator, those of all users. */
  private List<WorkflowStatus> workflows(UserGroupInformation user) throws IOException {
    String own = user.getShortUserName();
    Predicate<WorkflowId> which =
        administrators.include(user) ? id -> true : id -> id.user().equals(own);
    List<WorkflowStatus> all = new ArrayList<>(service.workflows(which));
    all.addAll(service.endedWorkflows(which));
    return all;
  }

  /** Blocks that were looked at, about: references may be several of a block. */
  private static long lookedAt(List<WorkflowStatus> workflows) {
    long references = workflows.stream().mapToLong(workflow -> workflow.receipt.accepted()).sum();
    return Math.min(references, MAX_RECORDED_BLOCKS);
  }

  private static WorkflowId workflow(String user, String name) throws RefusedException {
    try {
      return new WorkflowId(user, name);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    }
  }

  private Map<String, String> settings(UserGroupInformation user, Map<String, String> changes)
      throws IOException {
    try {
      checkAdministrator(user, "read and change settings");
      Map<String, String> now = service.settings(changes);
      if (!changes.isEmpty()) {
        AuditLog.log(user, "settings", changes.toString(), true, "");
      }
      return now;
    } catch (IOException | RuntimeException e) {
      AuditLog.refused(user, "settings", changes.toString(), e);
      throw e;
    }
  }

  /** One status for each block; a block that comes twice is looked at once. */
  private List<BlockStatus> locate(UserGroupInformation user, List<BlockKey> blocks)
      throws IOException {
    boolean all = administrators.include(user);
    Map<BlockKey, BlockStatus> found = new HashMap<>();
    for (BlockStatus status : service.locate(List.copyOf(new LinkedHashSet<>(blocks)))) {
      found.put(status.block, all ? status : status.withoutDecision());
    }
    return blocks.stream()
        .map(block -> Objects.requireNonNull(found.get(block), "the status of a block"))
        .collect(toList());
  }

  /** Returns the blocks; throws unless the caller may read each of them. */
  private List<BlockKey> readable(List<TokenBlock> blocks) throws IOException {
    List<BlockKey> out = new ArrayList<>(blocks.size());
    for (TokenBlock block : blocks) {
      access.check(block.block, block.identifier, block.password);
      out.add(block.block);
    }
    return out;
  }

  private void checkAdministrator(UserGroupInformation user, String what) throws RefusedException {
    if (!administrators.include(user)) {
      throw new RefusedException(
          "only an HDFS superuser or administrator may "
              + what
              + ": user="
              + user.getShortUserName());
    }
  }
}
