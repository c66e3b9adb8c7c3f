// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Throwables;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.LogLines;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls to nodes without the plugin, and the id in the answer of a node. */
@Timeout(60)
class DirectoryPeersTest {
  private final Configuration conf = new Configuration();
  private final AtomicLong nanos = new AtomicLong();
  private final List<AutoCloseable> toClose = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private DirectoryPeers peers;

  @BeforeEach
  void open() throws Exception {
    peers = new DirectoryPeers(conf, Duration.ofSeconds(5), 2, nanos::get);
    toClose.add(peers);
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = toClose.size() - 1; i >= 0; i--) {
      toClose.get(i).close();
    }
  }

  /** Outcome of a call: the plugin is missing, or no server listens. */
  private Throwable failure(Member member) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> peers.view(member).get());
    List<Throwable> chain = Throwables.getCausalChain(failed);
    Throwable e =
        chain.stream()
            .filter(NotActiveException.class::isInstance)
            .findFirst()
            .orElse(chain.get(chain.size() - 1));
    return e;
  }

  /** A member whose server has no plugin and stops after the first call. */
  private Member gone() throws Exception {
    RPC.Server server = BareServer.start(conf);
    Member member =
        new Member("dn1", NetUtils.getHostPortString(NetUtils.getConnectAddress(server)));
    assertInstanceOf(NotActiveException.class, failure(member));
    server.stop();
    server.join();
    return member;
  }

  @Test
  void nodeWithoutThePlugin_isLeftAloneForAWhile() throws Exception {
    Member member = gone();
    nanos.addAndGet(CallBackoff.MIN_BACKOFF_NANOS - 1);
    // No server listens: the outcome is that of the first call.
    assertInstanceOf(NotActiveException.class, failure(member));
    nanos.incrementAndGet();
    // No server listens any more: the member was called.
    assertFalse(failure(member) instanceof NotActiveException);
  }

  @Test
  void nodeWithoutThePlugin_thatCalls_isCalledAgain() throws Exception {
    Member member = gone();
    peers.heard("another");
    assertInstanceOf(NotActiveException.class, failure(member));
    peers.heard(member.id());
    // No server listens any more: the member was called.
    assertFalse(failure(member) instanceof NotActiveException);
  }

  /** Where members are found by address, a node's id is known only once it has the plugin. */
  @Test
  void nodeWithoutThePlugin_whichWasCalledByAddress_isCalledAgainWhenItJoinsOrCalls()
      throws Exception {
    RPC.Server server = BareServer.start(conf);
    toClose.add(server::stop);
    Member node = new Member("dn1", NetUtils.getHostPortString(NetUtils.getConnectAddress(server)));
    assertTrue(isCalledForItsId(node));
    assertFalse(isCalledForItsId(node));
    assertTrue(peers.hadNoPlugin(node) && peers.isResting(node));
    peers.retainMembers(List.of(node));
    assertFalse(peers.hadNoPlugin(node) || peers.isResting(node));
    assertTrue(isCalledForItsId(node), "it joined");
    assertFalse(isCalledForItsId(node));
    peers.retainMembers(List.of(node, new Member("dn2", "127.0.0.1:1")));
    assertFalse(isCalledForItsId(node), "it was a member before");
    peers.heard(node.id());
    assertTrue(isCalledForItsId(node), "it called");
  }

  private boolean isCalledForItsId(Member node) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> peers.identity(node.address()).get());
    NotActiveException cause = assertInstanceOf(NotActiveException.class, failed.getCause());
    return cause.getCause() instanceof RemoteException;
  }

  @Test
  void nodeWithoutThePlugin_isCalledMoreAndMoreSeldom() throws Exception {
    RPC.Server server = BareServer.start(conf);
    toClose.add(server::stop);
    Member member =
        new Member("dn1", NetUtils.getHostPortString(NetUtils.getConnectAddress(server)));
    List<Integer> calledAt = new ArrayList<>();
    for (int second = 0; second < 12_000; second++) {
      // The backoff keeps the cause of the first failure.
      if (failure(member).getCause() instanceof RemoteException) {
        calledAt.add(second);
      }
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
    assertEquals(
        List.of(0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 7695, 11_295), calledAt);
  }

  /** Called every second for a day, as by reads and writes of others. */
  @Test
  void nodeThatIsAway_isAFewLinesADayAndFewCalls() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Member member = new Member("dn1", "127.0.0.1:" + port);
    LogLines log = new LogLines("io.hycache", "org.apache.hadoop.ipc");
    try {
      int calls = 0;
      for (int second = 0; second < 86_400; second++) {
        ExecutionException failed =
            assertThrows(ExecutionException.class, () -> peers.view(member).get());
        calls += failed.getCause() instanceof AwayException ? 1 : 0;
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      }
      assertTrue(calls > 86_400 / 31 && calls <= 86_400 / 30 + 5, "calls=" + calls);
      assertTrue(log.lines().size() <= 33, () -> String.join("\n", log.lines()));
      assertTrue(
          log.lines().get(0).startsWith("WARN A DataNode of the directory is away;"),
          () -> String.join("\n", log.lines()));
      assertEquals(
          0, log.lines().stream().filter(line -> line.startsWith("\tat ")).count(), "traces");
    } finally {
      log.close();
    }
  }

  @Test
  void nodeThatWasAway_andCalls_isAskedAgainAtOnce() throws Exception {
    RPC.Server server = BareServer.start(conf);
    Member member =
        new Member("dn1", NetUtils.getHostPortString(NetUtils.getConnectAddress(server)));
    server.stop();
    server.join();
    assertInstanceOf(AwayException.class, away(member));
    assertFalse(away(member) instanceof AwayException, "not asked again yet");
    peers.heard("another");
    assertFalse(away(member) instanceof AwayException, "not asked again yet");
    peers.heard(member.id());
    assertInstanceOf(AwayException.class, away(member), "asked again");
    nanos.addAndGet(CallBackoff.MIN_BACKOFF_NANOS);
    assertInstanceOf(AwayException.class, away(member), "asked again after the pause");
  }

  @Test
  void clients_ofAddressesThatAreNoMembersAnyMore_areClosed_andAllShareOneConfiguration()
      throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    List<Member> members = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      members.add(new Member("dn" + i, "127.0.0." + i + ":" + port));
    }
    Configuration marked = new Configuration(conf);
    marked.set("test.marked", "true");
    try (DirectoryPeers many = new DirectoryPeers(marked, Duration.ofSeconds(5), 2, nanos::get)) {
      for (Member member : members) {
        assertThrows(ExecutionException.class, () -> many.view(member).get());
      }
      assertEquals(40, many.clients());
      assertEquals(2, configurations("test.marked"), "that of the caller, and the shared one");
      many.retainMembers(members.subList(0, 10));
      assertEquals(10, many.clients());
      many.retainMembers(List.of(members.get(0), new Member("dn2", "127.0.0.1:1")));
      assertEquals(1, many.clients(), "the second moved to another address");
      nanos.addAndGet(CallBackoff.MIN_BACKOFF_NANOS);
      assertThrows(ExecutionException.class, () -> many.identity(members.get(20).address()).get());
      assertEquals(2, many.clients(), "called again");
    }
  }

  /** Configurations in use that have a property, as Hadoop's own register of them has it. */
  private static int configurations(String key) throws Exception {
    Field registry = Configuration.class.getDeclaredField("REGISTRY");
    registry.setAccessible(true);
    List<Configuration> all = new ArrayList<>();
    Class<?> lock = Configuration.class; // its methods that change the register hold it
    synchronized (lock) {
      ((Map<?, ?>) registry.get(null)).keySet().forEach(one -> all.add((Configuration) one));
    }
    int count = 0;
    for (Configuration one : all) {
      count += one != null && one.get(key) != null ? 1 : 0;
    }
    return count;
  }

  private @Nullable Throwable away(Member member) {
    return assertThrows(ExecutionException.class, () -> peers.view(member).get()).getCause();
  }

  @Test
  void nodeThatTakesNoReports_getsFewOfThem_andAllOtherCalls() throws Exception {
    RPC.Server server = BareServer.start(conf);
    toClose.add(server::stop);
    server.addProtocol(
        RPC.RpcKind.RPC_PROTOCOL_BUFFER,
        HyCacheDatanodeProtocolPB.class,
        // Another protocol's methods: neither reads nor view is among them.
        new Dispatcher(Protocols.client(), (method, request) -> BytesValue.of(request.getValue())));
    Member member =
        new Member("dn1", NetUtils.getHostPortString(NetUtils.getConnectAddress(server)));
    List<BlockKey> reads = List.of(new BlockKey("p", 1));
    int called = 0;
    for (int i = 0; i < 5; i++) {
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> peers.reads(member, reads).get());
      NotActiveException cause = assertInstanceOf(NotActiveException.class, failed.getCause());
      called += cause.getCause() instanceof RemoteException ? 1 : 0;
    }
    assertEquals(1, called, "the others failed without a call");
    assertFalse(failure(member) instanceof NotActiveException, "it was called");
    peers.heard(member.id());
    nanos.addAndGet(CallBackoff.MIN_BACKOFF_NANOS);
    ExecutionException later =
        assertThrows(ExecutionException.class, () -> peers.reads(member, reads).get());
    NotActiveException again = assertInstanceOf(NotActiveException.class, later.getCause());
    assertInstanceOf(RemoteException.class, again.getCause());
  }

  @Test
  void nodeWithoutAPart_isCalledRarely_oneThatIsStartingIsCalledAlways() throws Exception {
    Member none =
        served(
            () -> {
              throw new NoPartException();
            },
            new FakeNode());
    NotActiveException called = assertInstanceOf(NotActiveException.class, failure(none));
    assertEquals(new NoPartException().getMessage(), called.getMessage());
    assertInstanceOf(RemoteException.class, called.getCause());
    assertTrue(peers.hadNoPlugin(none) && peers.isResting(none));
    NotActiveException again = assertInstanceOf(NotActiveException.class, failure(none));
    assertEquals(called.getMessage(), again.getMessage());
    assertFalse(again.getCause() instanceof RemoteException, "it was not called");

    Member starting = served(() -> null, new FakeNode());
    for (int i = 0; i < 2; i++) {
      assertInstanceOf(RefusedException.class, failure(starting));
      assertFalse(peers.hadNoPlugin(starting) || peers.isResting(starting));
    }
  }

  /** A node that has the plugin. */
  private Member served(PartSupplier<DirectoryNode> part, FakeNode node) throws Exception {
    RPC.Server server = BareServer.start(conf);
    toClose.add(server::stop);
    server.addProtocol(
        RPC.RpcKind.RPC_PROTOCOL_BUFFER,
        HyCacheDatanodeProtocolPB.class,
        new Dispatcher(
            Protocols.datanode(),
            new DatanodeProtocolServer(
                part, node, new DataNodeUsers(conf, new Administrators(conf)))));
    return new Member("dn1", NetUtils.getHostPortString(NetUtils.getConnectAddress(server)));
  }

  @Test
  void reads_arriveAtTheNode() throws Exception {
    FakeNode node = new FakeNode();
    Member served = served(() -> null, node);
    List<BlockKey> reads =
        List.of(new BlockKey("p", 1), new BlockKey("q", -2), new BlockKey("p", 1));
    assertTrue(peers.reads(served, reads).get());
    assertEquals(3, node.readElsewhere.size());
    assertEquals(Set.copyOf(reads), Set.copyOf(node.readElsewhere));
    Configuration other = new Configuration(conf);
    other.set("dfs.permissions.superusergroup", "nobody");
    DatanodeProtocolServer strict =
        new DatanodeProtocolServer(
            () -> null, node, new DataNodeUsers(other, new Administrators(other)));
    UserGroupInformation eve =
        UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
    RefusedException refused =
        eve.doAs(
            (PrivilegedExceptionAction<RefusedException>)
                () ->
                    assertThrows(
                        RefusedException.class,
                        () -> strict.answer(Protocols.READS, ReadsRequest.encode(reads))));
    assertEquals("only DataNodes may use the directory: user=eve", refused.getMessage());
    assertEquals(3, node.readElsewhere.size());
  }

  @Test
  void identity_isTheNodesId() throws Exception {
    try (DirectoryNode node =
        new DirectoryNode("dn7", 1, 1 << 20, peers, RecordJournal.NONE, () -> 0)) {
      String address = served(() -> node, new FakeNode()).address();
      Member member = peers.identity(address).get();
      assertEquals("dn7@" + address, member.toString());
    }
  }
}
