// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static io.hycache.hdfs.rpc.Thrown.message;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HintLimits;
import io.hycache.core.directory.Operation;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.ReferenceSequences;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Attempts of one user to exhaust what all users share, over a Hadoop RPC server. */
class AttackTest {
  private final Configuration conf = new Configuration();
  private final FakeNode node = new FakeNode();
  private final List<AutoCloseable> toClose = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (int i = toClose.size() - 1; i >= 0; i--) {
      toClose.get(i).close();
    }
  }

  private InetSocketAddress serve() throws Exception {
    return serve(node, BlockAccess.unchecked(), 100);
  }

  private InetSocketAddress serve(NodeService service, BlockAccess access, int maxReferences)
      throws Exception {
    RPC.Server server = BareServer.start(conf);
    toClose.add(server::stop);
    NodeServer.register(server, conf, service, () -> null, access, maxReferences);
    return NetUtils.getConnectAddress(server);
  }

  /** The hints of a real engine, with the default limits. */
  private static final class OwnHints extends FakeNode {
    static final int MAX_REFERENCES = 1_000_000;
    private final ReferenceSequences references =
        new ReferenceSequences(MAX_REFERENCES, HintLimits.DEFAULT, (block, left) -> {});

    @Override
    public synchronized HintReceipt submitHints(Hints batch, String user, boolean exempt) {
      return references.submit(batch, user, exempt, 0);
    }
  }

  private static UserGroupInformation user(String name) {
    return UserGroupInformation.createRemoteUser(name);
  }

  private NodeClient client(UserGroupInformation user, InetSocketAddress address) throws Exception {
    return client(user, address, 1);
  }

  private NodeClient client(
      UserGroupInformation user, InetSocketAddress address, int chunkReferences) throws Exception {
    NodeClient client =
        user.doAs(
            (PrivilegedExceptionAction<NodeClient>)
                () -> new NodeClient(address, conf, Duration.ofSeconds(10), chunkReferences));
    toClose.add(client);
    return client;
  }

  private NodeConnection<HyCacheClientProtocolPB> connection(String user, InetSocketAddress address)
      throws Exception {
    NodeConnection<HyCacheClientProtocolPB> connection =
        user(user)
            .doAs(
                (PrivilegedExceptionAction<NodeConnection<HyCacheClientProtocolPB>>)
                    () ->
                        new NodeConnection<>(
                            HyCacheClientProtocolPB.class, address, conf, Duration.ofSeconds(10)));
    toClose.add(connection);
    return connection;
  }

  private static Hints batch(String workflow, int references) {
    List<Reference> all = new ArrayList<>();
    for (int i = 0; i < references; i++) {
      all.add(new Reference(new BlockKey("BP-1", i), 128, false));
    }
    return new Hints(workflow, 60_000, all);
  }

  private void stall(InetSocketAddress address) throws Exception {
    for (int i = 0; i < HintAssembly.MAX_SUBMISSIONS; i++) {
      NodeConnection<HyCacheClientProtocolPB> eve = connection("eve" + i / 8, address);
      BytesValue first =
          SubmitRequest.encode("s" + i, batch("w" + i, 2), BlockTokens.NONE, 0, 0, 1).bytes;
      BytesValue unused = eve.call(proxy -> proxy.submitHints(null, first));
    }
  }

  private static Hints references(String workflow, int count) {
    Reference reference = new Reference(new BlockKey("BP-1", 7), 1 << 20, false);
    return new Hints(workflow, SubmitRequest.MAX_TTL_MILLIS, Collections.nCopies(count, reference));
  }

  @Test
  void aMillionReferences_toOneBlockForAYear_leaveRoomForOthers() throws Exception {
    InetSocketAddress address =
        serve(new OwnHints(), BlockAccess.unchecked(), OwnHints.MAX_REFERENCES);
    HintReceipt eve = client(user("eve"), address, 20_000).submitHints(references("w", 1_000_000));
    assertEquals(250_000, eve.accepted());
    assertEquals(750_000, eve.refused());
    assertEquals(Duration.ofHours(24).toMillis(), eve.ttlMillis());
    assertEquals(Set.of(HintReceipt.Limit.USER_BLOCKS, HintReceipt.Limit.USER_TTL), eve.limits());
    assertTrue(client(user("bob"), address).submitHints(batch("b", 1)).isWhole());
    NodeClient root = client(UserGroupInformation.getCurrentUser(), address, 20_000);
    HintReceipt roots = root.submitHints(references("r", 300_000));
    assertTrue(roots.isWhole(), "superusers have no limits: " + roots);
    assertEquals(SubmitRequest.MAX_TTL_MILLIS, roots.ttlMillis());
  }

  @Test
  void aThousandNames_ofOneUser_keepNobodyOut() throws Exception {
    InetSocketAddress address =
        serve(new OwnHints(), BlockAccess.unchecked(), OwnHints.MAX_REFERENCES);
    NodeClient eve = client(user("eve"), address);
    int taken = 0;
    for (int i = 0; i < 1000; i++) {
      HintReceipt receipt = eve.submitHints(references("n" + i, 1));
      taken += receipt.accepted();
      assertEquals(i >= 200, receipt.limits().contains(HintReceipt.Limit.USER_WORKFLOWS));
    }
    assertEquals(200, taken);
    assertTrue(client(user("bob"), address).submitHints(batch("n0", 1)).isWhole());
    NodeClient root = client(UserGroupInformation.getCurrentUser(), address);
    for (int i = 0; i < 300; i++) {
      assertTrue(root.submitHints(batch("n" + i, 1)).isWhole());
    }
  }

  @Test
  void anotherPrincipalWithTheShortName_isNoAdministratorAndNoDataNode() throws Exception {
    InetSocketAddress address = serve();
    String own = UserGroupInformation.getCurrentUser().getShortUserName();
    UserGroupInformation impostor = user(own + "/evil.example.com");
    assertEquals(own, impostor.getShortUserName());
    NodeClient client = client(impostor, address);
    assertThrows(
        RefusedException.class, () -> client.settings(Map.of("hycache.demote.high", "0.6")));
    assertThrows(RefusedException.class, () -> client.list(""));
    assertEquals(List.of(), client.status().devices());
    PeerClient peer =
        impostor.doAs(
            (PrivilegedExceptionAction<PeerClient>)
                () -> new PeerClient(address, conf, Duration.ofSeconds(10)));
    toClose.add(peer);
    assertThrows(
        RefusedException.class,
        () -> peer.run("", 0, List.of(Operation.put("forged", new byte[1], 0))));
  }

  @Test
  void stalledSubmissions_ofManyNames_keepOutNoSubmissionOfOneChunk() throws Exception {
    InetSocketAddress address = serve();
    stall(address);
    assertEquals(1, client(user("bob"), address).submitHints(batch("w", 1)).accepted());
  }

  @Test
  void stalledSubmissions_ofManyNames_keepOutNoAdministrator() throws Exception {
    InetSocketAddress address = serve();
    stall(address);
    NodeClient root = client(UserGroupInformation.getCurrentUser(), address);
    assertEquals(20, root.submitHints(batch("w", 20)).accepted());
  }

  @Test
  void submissionsUnderWay_ofAnAdministrator_areNotLimitedAsAUsers() throws Exception {
    InetSocketAddress address = serve();
    String root = UserGroupInformation.getCurrentUser().getShortUserName();
    List<NodeConnection<HyCacheClientProtocolPB>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      NodeConnection<HyCacheClientProtocolPB> one = connection(root, address);
      BytesValue first =
          SubmitRequest.encode("s" + i, batch("w" + i, 60), BlockTokens.NONE, 0, 0, 59).bytes;
      BytesValue unused = one.call(proxy -> proxy.submitHints(null, first));
      all.add(one);
    }
    for (int i = 0; i < 20; i++) {
      BytesValue last =
          SubmitRequest.encode("s" + i, batch("w" + i, 60), BlockTokens.NONE, 1, 59, 1).bytes;
      NodeConnection<HyCacheClientProtocolPB> one = all.get(i);
      HintReceipt receipt = SubmitAnswer.decode(one.call(proxy -> proxy.submitHints(null, last)));
      assertNotNull(receipt);
      assertEquals(60, receipt.accepted());
    }
  }

  @Test
  void audit_hasALineForWhatCanNotBeRead_andSaysWhatOfAPart() throws Exception {
    InetSocketAddress address = serve();
    NodeConnection<HyCacheClientProtocolPB> raw = connection("eve x=y", address);
    BytesValue bad = BytesValue.of(ByteString.copyFromUtf8("{\"v\":1,\"workflow\":\"w\"}"));
    NodeClient alice = client(user("alice"), address);
    LogCapturer audit = LogCapturer.captureLogs(LoggerFactory.getLogger(AuditLog.LOGGER));
    try {
      assertThrows(RefusedException.class, () -> raw.call(p -> p.submitHints(null, bad)));
      assertThrows(RefusedException.class, () -> raw.call(p -> p.withdraw(null, bad)));
      assertThrows(RefusedException.class, () -> raw.call(p -> p.settings(null, bad)));
      assertEquals(0, alice.submitHints(batch("nothing", 0)).accepted());
      node.maxReferences = 2;
      assertEquals(2, alice.submitHints(batch("some", 5)).accepted());
      node.maxReferences = 0;
      assertEquals(0, alice.submitHints(batch("none", 5)).accepted());
    } finally {
      audit.stopCapturing();
    }
    List<String> lines =
        Arrays.stream(audit.getOutput().split("\n", -1))
            .filter(line -> line.contains("allowed="))
            .map(line -> line.substring(line.indexOf("allowed=")))
            .collect(toList());
    String eve = "allowed=false\tugi=\"eve x=y (auth:SIMPLE)\"\tip=127.0.0.1\tcmd=";
    String by = "\tugi=\"alice (auth:SIMPLE)\"\tip=127.0.0.1\tcmd=submit\tsubject=";
    assertEquals(
        List.of(
            eve
                + "submit\tsubject=\"\"\treason=\"malformed message: pools: expected a list, found"
                + " none\"",
            eve
                + "withdraw\tsubject=\"\"\treason=\"malformed message: user: expected a string, found"
                + " none\"",
            eve
                + "settings\tsubject=\"\"\treason=\"malformed message: settings: expected an object"
                + " of at most 100 keys, found none\"",
            "allowed=true" + by + "\"nothing\"\treason=\"\"",
            "allowed=true" + by + "\"some\"\treason=\"refused 3 of 5: NODE_BLOCKS\"",
            "allowed=false" + by + "\"none\"\treason=\"refused 5 of 5: NODE_BLOCKS\""),
        lines);
  }

  @Test
  void explanations_ofALargeWorkflow_areBounded_andKeepNobodyOut() throws Exception {
    int blocks = ExplainAnswer.PAGE_BLOCKS * 5 / 2;
    InetSocketAddress address = serve(node, BlockAccess.unchecked(), blocks);
    NodeClient root = client(UserGroupInformation.getCurrentUser(), address);
    for (String name : List.of("eve", "bob")) {
      NodeClient user = client(user(name), address, blocks);
      assertTrue(user.submitHints(batch("w", blocks)).isWhole());
      assertEquals(blocks, user.explain("w", "").size(), "all pages");
    }
    NodeConnection<HyCacheClientProtocolPB> eve = connection("eve", address);
    BytesValue request = new ExplainRequest("w", "", 0).encode();
    long limit = (AnswerBudget.BURST_MB + 2L * AnswerBudget.MB_PER_MINUTE) << 20;
    long bytes = 0;
    long most = 0;
    RefusedException refused = null;
    while (refused == null && bytes < limit) {
      try {
        int size = eve.call(proxy -> proxy.explain(null, request)).getSerializedSize();
        bytes += size;
        most = Math.max(most, size);
      } catch (RefusedException e) {
        refused = e;
      }
    }
    assertTrue(most < 100 << 10, "an answer to " + request.getSerializedSize() + ": " + most);
    String why = message(requireNonNull(refused, "not refused: bytes=" + bytes));
    assertTrue(why.contains(" 8 MB a minute"), why);
    assertEquals("active", client(user("bob"), address).status().mode());
    assertEquals(blocks, root.explain("w", "eve").size());
  }

  /** Looks at all blocks of a workflow for an answer of some hundred bytes. */
  @Test
  void questionsOnALargeWorkflow_areBounded_andRefusedBeforeThePlannerIsAsked() throws Exception {
    AtomicInteger answered = new AtomicInteger();
    FakeNode counting =
        new FakeNode() {
          @Override
          public List<WorkflowStatus> workflows(Predicate<WorkflowId> which) {
            answered.incrementAndGet();
            return super.workflows(which);
          }
        };
    InetSocketAddress address = serve(counting, BlockAccess.unchecked(), OwnHints.MAX_REFERENCES);
    NodeClient eve = client(user("eve"), address, 20_000);
    assertTrue(eve.submitHints(references("w", OwnHints.MAX_REFERENCES)).isWhole());
    int most = 20 * AnswerBudget.BURST_MB; // 100,000 blocks count for each
    RefusedException refused = null;
    for (int asked = 0; asked < most && refused == null; asked++) {
      try {
        assertEquals(1, eve.workflows().size());
        assertEquals(asked + 1, answered.get());
      } catch (RefusedException e) {
        refused = e;
        assertEquals(asked, answered.get());
      }
    }
    String why = message(requireNonNull(refused, "not refused"));
    assertTrue(why.contains("ask less often"), why);
    assertEquals(List.of(), client(user("bob"), address).workflows());
    assertEquals(1, client(UserGroupInformation.getCurrentUser(), address).workflows().size());
  }

  @Test
  void locate_aBlockManyTimes_isLookedAtOnce() throws Exception {
    List<BlockKey> lookedAt = new ArrayList<>();
    FakeNode counting =
        new FakeNode() {
          @Override
          public List<BlockStatus> locate(List<BlockKey> blocks) {
            lookedAt.addAll(blocks);
            return super.locate(blocks);
          }
        };
    InetSocketAddress address = serve(counting, BlockAccess.unchecked(), 100);
    BlockKey one = new BlockKey("BP-1", 1);
    BlockKey two = new BlockKey("BP-1", 2);
    NodeClient eve = client(user("eve"), address, 100);
    assertTrue(eve.submitHints(batch("w", 2)).isWhole(), "hints for one");
    List<BlockStatus> found = eve.locate(List.of(two, one, two, two), BlockTokens.NONE);
    assertEquals(
        List.of(0L, 1L, 0L, 0L),
        found.stream().map(status -> status.referencesLeft).collect(toList()));
    assertEquals(List.of(two, one), lookedAt);
  }
}
