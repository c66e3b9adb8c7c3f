// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.config.HintLimits;
import io.hycache.core.directory.Change;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.directory.View;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.ReferenceSequences;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.NodeStatus;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.jspecify.annotations.Nullable;

/**
 * The servers of both protocols in this process, over real hints, a real node of the directory and
 * real block tokens, with a manual clock. An answer that is not allowed ends in an {@link
 * AssertionError}.
 */
final class FuzzTarget {
  static final String POOL = "BP-1";
  static final int USERS = 40;
  private static final int MAX_REFERENCES = 20_000;
  private static final int USER_REFERENCES = 5_000;
  private static final int USER_WORKFLOWS = 20;
  private static final long MAX_RECORD_BYTES = 2 << 20;
  private static final int MAX_REFUSAL_CHARS = 2_000;
  private static final int MESSAGES_PER_DIRECTORY = 50_000;

  /** The last one is an administrator. */
  final List<UserGroupInformation> users = new ArrayList<>();

  final Map<String, Long> answers = new TreeMap<>();
  private final HintTarget hints = new HintTarget();
  private final HintAssembly assembly = new HintAssembly(MAX_REFERENCES, this::nanos, later -> {});
  private final ClientProtocolServer client;
  private final DatanodeProtocolServer datanode;
  private final BlockTokenSecretManager secrets;
  private final Map<BlockKey, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
  private DirectoryNode directory;
  private long millis = 1_000_000;
  private long messages;
  long slowestNanos;
  String slowest = "";

  FuzzTarget() throws Exception {
    Configuration conf = new Configuration();
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    secrets = new BlockTokenSecretManager(600_000, 600_000_000, 0, 1, POOL, null, true);
    BlockPoolTokenSecretManager pools = new BlockPoolTokenSecretManager();
    pools.addBlockPool(POOL, secrets);
    Administrators administrators = new Administrators(conf);
    directory = newDirectory();
    client =
        new ClientProtocolServer(
            hints,
            () -> new Directory(directory),
            BlockAccess.tokens(conf, pools),
            administrators,
            assembly);
    datanode =
        new DatanodeProtocolServer(() -> directory, hints, new DataNodeUsers(conf, administrators));
    for (int i = 0; i < USERS; i++) {
      String name =
          i == 0
              ? "eve, allowed=true\n"
              : i == 1 ? "\u00e9ve/host@REALM" : i == 2 ? "x y" : "u" + i;
      String[] groups = {i == USERS - 1 ? "supergroup" : "people"};
      users.add(UserGroupInformation.createUserForTesting(name, groups));
    }
  }

  private long nanos() {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  HostileMessages messages(long seed, int hugeOneIn) {
    return new HostileMessages(seed, USERS, this::token, new BlockKey(POOL, 0), hugeOneIn);
  }

  private @Nullable Token<BlockTokenIdentifier> token(BlockKey block) {
    if (!block.pool().equals(POOL)) {
      return null;
    }
    return tokens.computeIfAbsent(
        block,
        b ->
            secrets.generateToken(
                "u5",
                new ExtendedBlock(b.pool(), b.id()),
                EnumSet.of(AccessMode.READ),
                new StorageType[] {StorageType.DISK},
                new String[] {"s"}));
  }

  // ---- services
  // ----------------------------------------------------------------------------------

  private final class HintTarget implements NodeService {
    private final FakeNode others = new FakeNode();
    final ReferenceSequences references =
        new ReferenceSequences(
            MAX_REFERENCES,
            new HintLimits(USER_REFERENCES, USER_WORKFLOWS, Duration.ofHours(1)),
            (block, left) -> {});

    @Override
    public HintReceipt submitHints(Hints batch, String user, boolean exempt) {
      return references.submit(batch, user, exempt, millis);
    }

    @Override
    public OptionalInt withdraw(WorkflowId workflow) {
      return references.withdraw(workflow);
    }

    @Override
    public void readElsewhere(List<BlockKey> blocks) {
      blocks.forEach(references::onReadElsewhere);
    }

    @Override
    public List<HintedBlock> explain(WorkflowId workflow, int from, int most) {
      return List.of();
    }

    @Override
    public List<WorkflowStatus> workflows(Predicate<WorkflowId> which) {
      List<WorkflowStatus> all = references.workflows(millis);
      all.removeIf(one -> !which.test(one.id()));
      return all;
    }

    @Override
    public NodeStatus status() {
      return others.status();
    }

    @Override
    public List<BlockStatus> locate(List<BlockKey> blocks) {
      return others.locate(blocks);
    }

    @Override
    public Map<String, String> settings(Map<String, String> changes) throws RefusedException {
      return others.settings(changes);
    }
  }

  private static final class Directory implements BlockDirectory {
    private final DirectoryNode node;

    Directory(DirectoryNode node) {
      this.node = node;
    }

    @Override
    public DirectoryNode node() {
      return node;
    }

    @Override
    public CompletableFuture<List<Optional<Set<String>>>> holders(
        String user, List<BlockKey> blocks) {
      return CompletableFuture.completedFuture(
          blocks.stream()
              .map(block -> Optional.of(Set.of("dn" + block.id() % 3)))
              .collect(Collectors.toList()));
    }

    @Override
    public CompletableFuture<Page> list(String at) {
      return CompletableFuture.completedFuture(new Page(List.of(), at));
    }
  }

  /** Other nodes acknowledge every call immediately. */
  private static final class Yes implements Peers {
    @Override
    public CompletableFuture<List<Outcome>> run(
        Member node, String publisher, long epoch, List<Operation> operations) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<List<String>> replicate(
        Member node, String from, boolean missed, List<Change> changes) {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<Pulled> pull(
        Member node, View view, BitSet takeOver, BitSet shards, String at) {
      return CompletableFuture.completedFuture(new Pulled(List.of(), List.of(), ""));
    }

    @Override
    public CompletableFuture<View> view(Member node) {
      return CompletableFuture.completedFuture(View.NONE);
    }
  }

  private DirectoryNode newDirectory() {
    DirectoryNode node =
        new DirectoryNode("dn0", 2, MAX_RECORD_BYTES, new Yes(), RecordJournal.NONE, () -> millis);
    node.learn(HostileMessages.VIEW);
    node.tick();
    return node;
  }

  // ---- messages ---------------------------------------------------------------------------------

  /** Sends one message; messages of DataNodes come from this process's user or from another one. */
  void send(HostileMessages.Message message) throws Exception {
    messages++;
    millis += 1 + messages % 3;
    boolean asDatanode = message.ofDatanodes && message.user != 0;
    Dispatcher.Handler handler = message.ofDatanodes ? datanode : client;
    String outcome;
    long start = System.nanoTime();
    try {
      BytesValue answer =
          asDatanode
              ? handler.answer(message.method, message.request)
              : users
                  .get(message.user)
                  .doAs(
                      (PrivilegedExceptionAction<BytesValue>)
                          () -> handler.answer(message.method, message.request));
      if (answer.getValue().size() > Protocols.MAX_PAYLOAD_BYTES) {
        throw new AssertionError("bytes=" + answer.getValue().size() + " answered to " + message);
      }
      outcome = "ok";
    } catch (RefusedException e) {
      String text = String.valueOf(e.getMessage());
      if (text.length() > MAX_REFUSAL_CHARS) {
        throw new AssertionError("refused with " + text.length() + " characters: " + message, e);
      }
      outcome = "refused";
    } catch (IOException | RuntimeException | Error e) {
      throw new AssertionError("message=" + messages + ": " + message, e);
    }
    long took = System.nanoTime() - start;
    if (took > slowestNanos) {
      slowestNanos = took;
      slowest = message.toString();
    }
    answers.merge(message.method + " " + outcome, 1L, Long::sum);
    after();
  }

  private void after() {
    if (messages % 64 == 0) {
      boolean unused = hints.references.onRead(new BlockKey(POOL, messages / 64 % 64), 1000, 1000);
    }
    if (messages % 1024 == 0) {
      directory.tick();
      int unused = hints.references.expire(millis);
      checkLimits();
    }
    if (messages % MESSAGES_PER_DIRECTORY == 0) {
      directory = newDirectory();
    }
  }

  /** Checks the limits of one user and of all users. */
  void checkLimits() {
    atMost("submissions under way", 2 * HintAssembly.MAX_SUBMISSIONS, assembly.size());
    atMost("steps", MAX_REFERENCES, hints.references.remaining());
    Map<String, Integer> workflows = new HashMap<>();
    Map<String, Integer> references = new HashMap<>();
    for (WorkflowStatus one : hints.workflows(any -> true)) {
      workflows.merge(one.id().user(), 1, Integer::sum);
      references.merge(one.id().user(), one.receipt.accepted(), Integer::sum);
      if (!one.id().user().equals("u" + (USERS - 1))) {
        atMost("time", Duration.ofHours(1).toMillis(), one.receipt.ttlMillis());
      }
    }
    workflows.remove("u" + (USERS - 1));
    references.remove("u" + (USERS - 1));
    workflows.values().forEach(count -> atMost("workflows", USER_WORKFLOWS, count));
    references.values().forEach(count -> atMost("steps of a user", USER_REFERENCES, count));
    atMost("bytes of the directory", 2 * MAX_RECORD_BYTES, directory.status().bytes);
  }

  private static void atMost(String what, long allowed, long found) {
    if (found > allowed) {
      throw new AssertionError(what + ": found " + found + ", allowed " + allowed);
    }
  }

  /** Expires everything that has a timeout; returns the counts of what is left. */
  String left() {
    millis += TimeUnit.DAYS.toMillis(400);
    assembly.discardStale();
    int unused = hints.references.expire(millis);
    directory = newDirectory();
    return "submissions="
        + assembly.size()
        + " steps="
        + hints.references.remaining()
        + " workflows="
        + hints.workflows(any -> true).size();
  }
}
