package io.hycache.hdfs.rpc;

import static io.hycache.hdfs.rpc.Thrown.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintBatch.Step;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.conf.HyCacheConf;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The protocol over a bare Hadoop RPC server, as a DataNode has one. */
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
    assertEquals(25, client.submitHints(batch("w", 25)));
    assertEquals(25, node.steps("w"));
    assertEquals(25, client.status().hintsLeft);
    assertEquals(25, client.locate(List.of(BLOCK)).get(0).referencesLeft);
    assertEquals(25, client.withdraw("w"));
    assertEquals(0, client.withdraw("w"));
  }

  @Test
  void submit_moreThanTheServerKeeps_reportsTheStepsAccepted() throws Exception {
    NodeClient client = client(serve(BlockAccess.unchecked(), 100), 60);
    assertEquals(100, client.submitHints(batch("w", 250)));
  }

  @Test
  void submit_emptyBatch_replacesTheOneBefore() throws Exception {
    NodeClient client = client(serve(BlockAccess.unchecked(), 100), 10);
    client.submitHints(batch("w", 3));
    assertEquals(0, client.submitHints(batch("w", 0)));
    assertEquals(0, client.status().hintsLeft);
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
    List<Step> steps = new ArrayList<>();
    for (int i = 5; i < 12; i++) {
      steps.add(new Step(new BlockKey("BP-1", i), 1, false));
    }
    RefusedException e =
        assertThrows(
            RefusedException.class, () -> client.submitHints(new HintBatch("w", 1000, steps)));
    assertEquals("block access token refused: block=BP-1:blk_9", message(e));
    assertTrue(node.batches.isEmpty());
  }

  @Test
  void workflow_ofSomeoneElse_canBeNeitherReplacedNorWithdrawn() throws Exception {
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    NodeClient alice = clientAs("alice", address);
    NodeClient bob = clientAs("bob", address);
    NodeClient root = client(address, 10);
    alice.submitHints(batch("w", 3));
    RefusedException replace =
        assertThrows(RefusedException.class, () -> bob.submitHints(batch("w", 5)));
    assertEquals(
        "the workflow belongs to someone else: workflow=w owner=alice user=bob", message(replace));
    assertThrows(RefusedException.class, () -> bob.withdraw("w"));
    assertEquals(3, bob.status().hintsLeft);
    assertEquals(3, root.withdraw("w"));
    assertEquals(5, bob.submitHints(batch("w", 5)));
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
        "hycache.demote.low: found 0.8, allowed is at most hycache.demote.high=0.7", message(e));
    assertEquals("0.6", client.settings(Map.of()).get("hycache.demote.high"));
  }

  @Test
  void settings_thatCannotChange_areRefused() throws Exception {
    NodeClient client = client(serve(BlockAccess.unchecked(), 100), 10);
    RefusedException e =
        assertThrows(RefusedException.class, () -> client.settings(Map.of("hycache.mode", "off")));
    assertTrue(
        message(e).startsWith("hycache.mode: can't change while a DataNode runs; those that can:"),
        message(e));
  }

  @Test
  void settings_ofAnyoneElse_canOnlyBeRead() throws Exception {
    NodeClient alice = clientAs("alice", serve(BlockAccess.unchecked(), 100));
    assertEquals("0.9", alice.settings(Map.of()).get("hycache.write.share"));
    RefusedException e =
        assertThrows(
            RefusedException.class, () -> alice.settings(Map.of("hycache.write.share", "0")));
    assertEquals("only an HDFS superuser may change settings: user=alice", message(e));
    assertEquals("0.9", alice.settings(Map.of()).get("hycache.write.share"));
  }

  @Test
  void call_malformed_isRefusedAndTheNextOneServed() throws Exception {
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    NodeClient client = client(address, 10);
    HintBatch bad = new HintBatch("w", -5, List.of());
    RefusedException e = assertThrows(RefusedException.class, () -> client.submitHints(bad));
    assertTrue(message(e).startsWith("malformed message: ttlMillis: value=-5"), message(e));
    assertFalse(message(e).contains("\n"));
    assertEquals("active", client.status().mode);
  }

  @Test
  void call_serviceAuthorizationOn_passesOnlyWhoTheAclAllows() throws Exception {
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set("security.hycache.protocol.acl", "alice");
    InetSocketAddress address = serve(BlockAccess.unchecked(), 100);
    assertEquals("active", clientAs("alice", address).status().mode);
    IOException e = assertThrows(IOException.class, () -> clientAs("bob", address).status());
    assertTrue(message(e).contains("User bob (auth:SIMPLE) is not authorized"), message(e));
  }

  @Test
  void call_serverWithoutThePlugin_saysSo() throws Exception {
    RPC.Server server = bareServer();
    NodeClient client = client(NetUtils.getConnectAddress(server), 10);
    IOException e = assertThrows(IOException.class, client::status);
    assertEquals("HyCache is not active on this DataNode", message(e));
  }

  @Test
  void call_nobodyListens_failsSoon() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    NodeClient client = client(NetUtils.createSocketAddrForHost("127.0.0.1", port), 10);
    long start = System.nanoTime();
    IOException e = assertThrows(IOException.class, client::status);
    assertTrue(message(e).contains("Connection refused"), message(e));
    assertTrue(System.nanoTime() - start < Duration.ofSeconds(5).toNanos());
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

  // ---- helpers

  /** Some other protocol, so that the server can be built. */
  @ProtocolInfo(protocolName = "test.Other", protocolVersion = 1)
  interface OtherPB {}

  private static final class Other implements BlockingService {
    @Override
    public ServiceDescriptor getDescriptorForType() {
      return NodeProtocol.newDescriptor();
    }

    @Override
    public Message callBlockingMethod(
        MethodDescriptor method, RpcController controller, Message request) {
      return request;
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
      return BytesValue.getDefaultInstance();
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
      return BytesValue.getDefaultInstance();
    }
  }

  private RPC.Server bareServer() throws IOException {
    RPC.setProtocolEngine(conf, OtherPB.class, ProtobufRpcEngine2.class);
    RPC.Server server =
        new RPC.Builder(conf)
            .setProtocol(OtherPB.class)
            .setInstance(new Other())
            .setBindAddress("127.0.0.1")
            .setPort(0)
            .setNumHandlers(2)
            .build();
    server.start();
    toClose.add(server::stop);
    return server;
  }

  private InetSocketAddress serve(BlockAccess access, int maxSteps) throws IOException {
    RPC.Server server = bareServer();
    NodeServer.register(server, conf, node, () -> null, access, maxSteps);
    return NetUtils.getConnectAddress(server);
  }

  private NodeClient client(InetSocketAddress address, int batchSteps) throws IOException {
    NodeClient client = new NodeClient(address, conf, Duration.ofSeconds(10), batchSteps);
    toClose.add(client);
    return client;
  }

  private NodeClient clientAs(String user, InetSocketAddress address) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs((PrivilegedExceptionAction<NodeClient>) () -> client(address, 10));
  }

  private static HintBatch batch(String workflow, int steps) {
    List<Step> all = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      all.add(new Step(BLOCK, 128, false));
    }
    return new HintBatch(workflow, 60_000, all);
  }
}
