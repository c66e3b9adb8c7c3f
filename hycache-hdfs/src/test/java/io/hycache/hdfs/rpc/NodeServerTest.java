// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static io.hycache.hdfs.rpc.Thrown.message;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.View;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.HyCacheConf;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.slf4j.LoggerFactory;

/** The client protocol on a plain Hadoop RPC server, like that of a DataNode. */
class NodeServerTest {
  private static final BlockKey BLOCK = new BlockKey("BP-1", 7);

  private final Configuration conf = new Configuration();
  private final FakeNode node = new FakeNode();
  private final List<AutoCloseable> toClose = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (int i = toClose.size() - 1; i >= 0; i--) {
      toClose.get(i).close();
    }
  }

  @Test
  void client_allCalls_reachTheService() throws Exception {
    NodeClient client = client(serve(BlockAccess.unchecked(), 100), 10);
    assertEquals(25, client.submitHints(batch("w", 25)).accepted());
    assertEquals(25, node.references("w").size());
    assertEquals(25, client.status().hintsLeft());
    assertEquals(25, client.locate(List.of(BLOCK), BlockTokens.NONE).get(0).referencesLeft);
    assertEquals(OptionalInt.of(25), client.withdraw("w", ""));
    assertEquals(OptionalInt.empty(), client.withdraw("w", ""));
  }

  @Test
  void submit_moreThanTheServerKeeps_reportsTheReferencesAccepted() throws Exception {
    NodeClient client = client(serve(BlockAccess.unchecked(), 100), 60);
    assertEquals(100, client.submitHints(batch("w", 250)).accepted());
  }

  @Test
  void submit_emptyBatch_replacesTheOneBefore() throws Exception {
    NodeClient client = client(serve(BlockAccess.unchecked(), 100), 10);
    client.submitHints(batch("w", 3));
    assertEquals(0, client.submitHints(batch("w", 0)).accepted());
    assertEquals(0, client.status().hintsLeft());
  }

  @Test
  void submit_oneBlockRefused_takesNothing() throws Exception {
    BlockAccess access =
        (block, identifier, password) -> {
          if (block.id() == 9) {
            throw new RefusedException("block access token refused: block=" + block);
          }
        };
    NodeClient client = client(serve(access, 100), 2);
    List<Reference> references = new ArrayList<>();
    for (int i = 5; i < 12; i++) {
      references.add(new Reference(new BlockKey("BP-1", i), 1, false));
    }
    RefusedException e =
        assertThrows(
            RefusedException.class, () -> client.submitHints(new Hints("w", 1000, references)));
    assertEquals("block access token refused: block=BP-1:blk_9", message(e));
    assertTrue(node.batches.isEmpty());
  }

  @Test
  void workflow_sameNameOfTwoUsers_areTwoWorkflows() throws Exception {
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    NodeClient alice = clientAs("alice", address);
    NodeClient bob = clientAs("bob", address);
    alice.submitHints(batch("w", 3));
    assertEquals(OptionalInt.empty(), bob.withdraw("w", ""));
    assertEquals(5, bob.submitHints(batch("w", 5)).accepted());
    assertEquals(8, bob.status().hintsLeft());
    assertEquals(OptionalInt.of(5), bob.withdraw("w", ""));
    assertEquals(3, bob.status().hintsLeft());
    assertEquals(OptionalInt.of(3), alice.withdraw("w", ""));
  }

  @Test
  void workflows_areTheOwnOnes_andAllForAdministrators() throws Exception {
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    NodeClient alice = clientAs("alice", address);
    NodeClient bob = clientAs("bob", address);
    NodeClient root = client(address, 10);
    alice.submitHints(batch("a", 3));
    bob.submitHints(batch("b", 5));
    List<WorkflowStatus> alices = alice.workflows();
    assertEquals(1, alices.size());
    assertEquals(new WorkflowId("alice", "a"), alices.get(0).id());
    assertEquals(3, alices.get(0).left);
    assertEquals(60_000, alices.get(0).receipt.ttlMillis());
    assertEquals(2, root.workflows().size());
    RefusedException e = assertThrows(RefusedException.class, () -> bob.withdraw("a", "alice"));
    assertEquals(
        "only an HDFS superuser or administrator may withdraw workflows of other users: user=bob",
        message(e));
    assertEquals(OptionalInt.of(3), root.withdraw("a", "alice"));
  }

  @Test
  void workflow_nameThatIsNone_isRefused() throws Exception {
    NodeClient client = client(serve(BlockAccess.unchecked(), 100), 10);
    RefusedException e =
        assertThrows(RefusedException.class, () -> client.withdraw("w".repeat(257), ""));
    assertTrue(message(e).contains("workflow"), message(e));
    assertTrue(node.batches.isEmpty());
  }

  @Test
  void settings_ofASuperuser_changeAllOrNothing() throws Exception {
    NodeClient client = client(serve(BlockAccess.unchecked(), 100), 10);
    Map<String, String> before = client.settings(Map.of());
    assertEquals(HyCacheConf.CHANGEABLE, List.copyOf(before.keySet()));
    assertEquals("0.5", before.get("hycache.demote.high"));
    assertEquals(
        "0.6", client.settings(Map.of("hycache.demote.high", "0.6")).get("hycache.demote.high"));
    RefusedException e =
        assertThrows(
            RefusedException.class,
            () ->
                client.settings(Map.of("hycache.demote.high", "0.7", "hycache.demote.low", "0.8")));
    assertEquals(
        "hycache.demote.low: expected at most hycache.demote.high=0.7, found 0.8", message(e));
    assertEquals("0.6", client.settings(Map.of()).get("hycache.demote.high"));
  }

  @Test
  void settings_thatCannotChange_areRefused() throws Exception {
    NodeClient client = client(serve(BlockAccess.unchecked(), 100), 10);
    RefusedException e =
        assertThrows(RefusedException.class, () -> client.settings(Map.of("hycache.mode", "off")));
    assertTrue(
        message(e)
            .startsWith(
                "hycache.mode: expected a setting that can change while a DataNode runs, found one"
                    + " that holds from the DataNode's start on. Fix: "),
        message(e));
  }

  @Test
  void settings_unknown_areRefusedWithTheNearest() throws Exception {
    NodeClient client = client(serve(BlockAccess.unchecked(), 100), 10);
    RefusedException e =
        assertThrows(RefusedException.class, () -> client.settings(Map.of("hycache.polcy", "lru")));
    assertEquals(
        "hycache.polcy: expected a setting that can change while a DataNode runs, found an unknown"
            + " name. Fix: the nearest is hycache.policy; the command settings lists all",
        message(e));
  }

  @Test
  void settings_ofAnyoneElse_areRefused() throws Exception {
    NodeClient alice = clientAs("alice", serve(BlockAccess.unchecked(), 100));
    for (Map<String, String> changes :
        List.of(Map.<String, String>of(), Map.of("hycache.write.share", "0"))) {
      RefusedException e = assertThrows(RefusedException.class, () -> alice.settings(changes));
      assertEquals(
          "only an HDFS superuser or administrator may read and change settings: user=alice",
          message(e));
    }
    assertEquals("0.9", node.settings(Map.of()).get("hycache.write.share"));
  }

  @Test
  void settings_ofAClusterAdministrator_change() throws Exception {
    conf.set("dfs.cluster.administrators", "alice");
    NodeClient alice = clientAs("alice", serve(BlockAccess.unchecked(), 100));
    assertEquals(
        "0", alice.settings(Map.of("hycache.write.share", "0")).get("hycache.write.share"));
  }

  @Test
  void status_ofAnyoneElse_namesNoDevice() throws Exception {
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    assertEquals("/ssd0", client(address, 10).status().devices().get(0).device());
    NodeStatus alices = clientAs("alice", address).status();
    assertEquals(List.of(), alices.devices());
    assertEquals(8L << 30, alices.capacityBytes());
  }

  @Test
  void locate_ofAnyoneElse_tellsNoDecision() throws Exception {
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    NodeClient root = client(address, 10);
    root.submitHints(batch("w", 1));
    assertNotNull(root.locate(List.of(BLOCK), BlockTokens.NONE).get(0).decision);
    BlockStatus alices = clientAs("alice", address).locate(List.of(BLOCK), BlockTokens.NONE).get(0);
    assertNull(alices.decision);
    assertEquals(1, alices.referencesLeft);
  }

  @Test
  void locate_blockOfSomeoneElse_isRefused() throws Exception {
    BlockAccess refusing =
        (block, identifier, password) -> {
          throw new RefusedException("block access token refused: block=" + block);
        };
    NodeClient alice = clientAs("alice", serve(refusing, 100));
    for (Executable call :
        List.<Executable>of(
            () -> alice.locate(List.of(BLOCK), BlockTokens.NONE),
            () -> alice.holders(List.of(BLOCK), BlockTokens.NONE))) {
      RefusedException e = assertThrows(RefusedException.class, call);
      assertEquals("block access token refused: block=BP-1:blk_7", message(e));
    }
  }

  @Test
  void list_ofAnyoneElse_isRefused() throws Exception {
    NodeClient alice = clientAs("alice", serve(BlockAccess.unchecked(), 100));
    RefusedException e = assertThrows(RefusedException.class, () -> alice.list(""));
    assertEquals(
        "only an HDFS superuser or administrator may list the blocks on SSD: user=alice",
        message(e));
  }

  @Test
  void directory_ofAnyoneElse_isRefused() throws Exception {
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    PeerClient alice =
        UserGroupInformation.createRemoteUser("alice")
            .doAs(
                (PrivilegedExceptionAction<PeerClient>)
                    () -> new PeerClient(address, conf, Duration.ofSeconds(10)));
    toClose.add(alice);
    for (Executable call :
        List.<Executable>of(
            alice::view,
            () -> alice.run("", 0, List.of(Operation.list("b/", ""))),
            () -> alice.replicate("dn1", false, List.of()),
            () -> alice.pull(View.NONE, new BitSet(), new BitSet(), ""))) {
      RefusedException e = assertThrows(RefusedException.class, call);
      assertEquals("only DataNodes may use the directory: user=alice", message(e));
    }
  }

  @Test
  void commands_areAudited() throws Exception {
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    NodeClient alice = clientAs("alice", address);
    LogCapturer audit = LogCapturer.captureLogs(LoggerFactory.getLogger(AuditLog.LOGGER));
    try {
      alice.submitHints(batch("my work", 30));
      assertThrows(
          RefusedException.class, () -> clientAs("bob", address).withdraw("my work", "alice"));
      alice.withdraw("my work", "");
      assertThrows(
          RefusedException.class, () -> alice.settings(Map.of("hycache.write.share", "0")));
      alice.status();
    } finally {
      audit.stopCapturing();
    }
    String by = "\tugi=\"alice (auth:SIMPLE)\"\tip=127.0.0.1\t";
    List<String> lines =
        Arrays.stream(audit.getOutput().split("\n", -1))
            .filter(line -> line.contains("allowed="))
            .map(line -> line.substring(line.indexOf("allowed=")))
            .collect(toList());
    assertEquals(
        List.of(
            "allowed=true" + by + "cmd=submit\tsubject=\"my work\"\treason=\"\"",
            "allowed=false\tugi=\"bob (auth:SIMPLE)\"\tip=127.0.0.1\tcmd=withdraw"
                + "\tsubject=\"alice/my work\"\treason=\"only an HDFS superuser or administrator"
                + " may withdraw workflows of other users: user=bob\"",
            "allowed=true" + by + "cmd=withdraw\tsubject=\"alice/my work\"\treason=\"\"",
            "allowed=false"
                + by
                + "cmd=settings\tsubject=\"{hycache.write.share=0}\"\treason=\"only an HDFS"
                + " superuser or administrator may read and change settings: user=alice\""),
        lines);
  }

  @Test
  void call_malformed_isRefusedAndTheNextOneServed() throws Exception {
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    NodeClient client = client(address, 10);
    Hints bad = new Hints("w", -5, List.of());
    RefusedException e = assertThrows(RefusedException.class, () -> client.submitHints(bad));
    assertTrue(
        message(e).startsWith("malformed message: ttlMillis: expected 1 to 31622400000, found -5"),
        message(e));
    assertFalse(message(e).contains("\n"));
    assertEquals("active", client.status().mode());
  }

  @Test
  void call_serviceAuthorizationOn_passesOnlyWhoTheAclAllows() throws Exception {
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set("security.hycache.client.protocol.acl", "alice");
    conf.set("security.hycache.datanode.protocol.acl", "dn");
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    assertEquals("active", clientAs("alice", address).status().mode());
    IOException e = assertThrows(IOException.class, () -> clientAs("bob", address).status());
    assertTrue(message(e).contains("User bob (auth:SIMPLE) is not authorized"), message(e));
    PeerClient peer =
        UserGroupInformation.createRemoteUser("alice")
            .doAs(
                (PrivilegedExceptionAction<PeerClient>)
                    () -> new PeerClient(address, conf, Duration.ofSeconds(10)));
    toClose.add(peer);
    IOException other = assertThrows(IOException.class, peer::view);
    assertTrue(
        message(other).contains("User alice (auth:SIMPLE) is not authorized"), message(other));
  }

  @Test
  void call_serverWithoutThePlugin_saysSo() throws Exception {
    RPC.Server server = bareServer();
    NodeClient client = client(NetUtils.getConnectAddress(server), 10);
    IOException e = assertThrows(IOException.class, client::status);
    assertEquals(
        "HyCache does not answer on this DataNode: it is not installed there, or"
            + " dfs.datanode.plugins does not name io.hycache.hdfs.dataset.HyCachePlugin, or the"
            + " plugin's start failed (see the DataNode's log)",
        message(e));
  }

  /** A protocol whose class the server does not have, as without the JAR. */
  @ProtocolInfo(protocolName = "test.Missing", protocolVersion = 1)
  interface MissingPB {
    BytesValue status(@Nullable RpcController controller, BytesValue request)
        throws ServiceException;
  }

  @Test
  void call_serverWithoutThePlugin_serviceAuthorizationOn_isNotActive() throws Exception {
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    InetSocketAddress address = NetUtils.getConnectAddress(bareServer());
    NodeClient client = client(address, 10);
    assertThrows(NotActiveException.class, client::status);
    NodeConnection<MissingPB> missing =
        new NodeConnection<>(MissingPB.class, address, conf, Duration.ofSeconds(10));
    toClose.add(missing);
    BytesValue request = BytesValue.getDefaultInstance();
    assertThrows(
        NotActiveException.class, () -> missing.call(proxy -> proxy.status(null, request)));
  }

  @Test
  void call_noServerListens_failsSoon() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    NodeClient client = client(NetUtils.createSocketAddrForHost("127.0.0.1", port), 10);
    long start = System.nanoTime();
    IOException e = assertThrows(IOException.class, client::status);
    assertTrue(message(e).contains("Connection refused"), message(e));
    assertTrue(System.nanoTime() - start < Duration.ofSeconds(9).toNanos());
  }

  @Test
  void call_noAnswer_timesOut() throws Exception {
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    CountDownLatch gate = new CountDownLatch(1);
    node.statusGate = gate;
    NodeClient client = new NodeClient(address, conf, Duration.ofMillis(300), 10);
    toClose.add(client);
    IOException e = assertThrows(IOException.class, client::status);
    gate.countDown();
    assertTrue(message(e).contains("SocketTimeoutException"), message(e));
  }

  @Test
  void connect_thatIsNotAnswered_endsAfterTheTimeoutOfItsOwnClient() throws Exception {
    NodeClient slow = client(serve(BlockAccess.unchecked(), 100), 10); // 10 seconds
    assertEquals("active", slow.status().mode());
    ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    toClose.add(full);
    fill(full);
    NodeClient client =
        new NodeClient(
            NetUtils.createSocketAddrForHost("127.0.0.1", full.getLocalPort()),
            conf,
            Duration.ofMillis(300),
            10);
    toClose.add(client);
    long began = System.nanoTime();
    assertThrows(AwayException.class, client::status);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    assertTrue(millis < 5000, "millis=" + millis);
  }

  /** Connects until a further connection is not answered any more. */
  private void fill(ServerSocket server) throws IOException {
    for (int i = 0; i < 100; i++) {
      Socket socket = new Socket();
      toClose.add(socket);
      try {
        socket.connect(server.getLocalSocketAddress(), 300);
      } catch (SocketTimeoutException e) {
        return;
      }
    }
    throw new IOException("a server that accepts nothing answers each connection");
  }

  /** A future whose answer can't be awaited for lack of memory. */
  private static final class NoMemory<T> extends CompletableFuture<T> {
    @Override
    public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> next) {
      throw new OutOfMemoryError("of a test");
    }
  }

  @Test
  void call_thatCannotBeDeferred_fails_andTheNextOnesAreAnswered() throws Exception {
    BlockDirectory directory =
        new BlockDirectory() {
          @Override
          public DirectoryNode node() {
            throw new UnsupportedOperationException();
          }

          @Override
          public CompletableFuture<List<Optional<Set<String>>>> holders(
              String user, List<BlockKey> blocks) {
            return new NoMemory<>();
          }

          @Override
          public CompletableFuture<Page> list(String at) {
            return new NoMemory<>();
          }
        };
    RPC.Server server = bareServer();
    NodeServer.register(server, conf, node, () -> directory, BlockAccess.unchecked(), 100);
    NodeClient client = client(NetUtils.getConnectAddress(server), 10);
    IOException e = assertThrows(IOException.class, () -> client.list(""));
    assertTrue(message(e).contains("of a test"), message(e));
    for (int i = 0; i < 4; i++) { // more than there are handlers
      assertEquals("active", client.status().mode());
    }
  }

  // ---- helpers

  private RPC.Server bareServer() throws IOException {
    RPC.Server server = BareServer.start(conf);
    toClose.add(server::stop);
    return server;
  }

  private InetSocketAddress serve(BlockAccess access, int maxReferences) throws IOException {
    RPC.Server server = bareServer();
    NodeServer.register(server, conf, node, () -> null, access, maxReferences);
    return NetUtils.getConnectAddress(server);
  }

  private NodeClient client(InetSocketAddress address, int chunkReferences) throws IOException {
    NodeClient client = new NodeClient(address, conf, Duration.ofSeconds(10), chunkReferences);
    toClose.add(client);
    return client;
  }

  private NodeClient clientAs(String user, InetSocketAddress address) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs((PrivilegedExceptionAction<NodeClient>) () -> client(address, 10));
  }

  private static Hints batch(String workflow, int references) {
    List<Reference> all = new ArrayList<>();
    for (int i = 0; i < references; i++) {
      all.add(new Reference(BLOCK, 128, false));
    }
    return new Hints(workflow, 60_000, all);
  }
}
