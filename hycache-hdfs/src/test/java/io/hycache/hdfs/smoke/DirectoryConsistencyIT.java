// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Outcome.Status;
import io.hycache.core.directory.Ring;
import io.hycache.hdfs.rpc.DirectoryPeers;
import io.hycache.hdfs.smoke.Histories.Call;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compare-and-swap and append on three DataNode processes, one after the other of which gets
 * SIGKILL and is started again: each key's history is linearizable, every append is there once.
 */
@Timeout(600)
class DirectoryConsistencyIT {
  private static final int DATANODES = 3;
  private static final int CLIENTS = 4;
  private static final int KEYS = 12;

  /** Calls of a client on one key: what a history of {@link #CLIENTS} clients can have. */
  private static final int CALLS = 60;

  private static final long PATIENCE_MILLIS = 90_000;
  private static final long SEED = 5;

  @TempDir Path directory;

  private final JavaProcess[] dataNodes = new JavaProcess[DATANODES];
  private final List<Map<String, String>> settings = new ArrayList<>();
  private final Map<String, ConcurrentLinkedQueue<Call>> histories = new ConcurrentHashMap<>();
  private final AtomicInteger kills = new AtomicInteger();

  @SuppressWarnings("NullAway.Init") // the test makes it
  private ProcessCluster cluster;

  @SuppressWarnings("NullAway.Init") // the test starts it
  private JavaProcess nameNode;

  @AfterEach
  void end() {
    cluster.close();
  }

  private static String port() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  private void start() throws Exception {
    cluster = new ProcessCluster(directory, ProcessSmokeIT.PLUGIN);
    cluster.format();
    nameNode = cluster.startNameNode();
    for (int i = 0; i < DATANODES; i++) {
      Map<String, String> own = new HashMap<>();
      own.put(
          "dfs.datanode.data.dir",
          "[SSD]" + directory.resolve("ssd" + i) + ",[DISK]" + directory.resolve("disk" + i));
      own.put("dfs.datanode.ipc.address", port());
      own.put("dfs.datanode.http.address", port());
      settings.add(own);
      dataNodes[i] = cluster.startDataNode(own);
    }
    cluster.await(
        "DataNodes are live",
        nameNode,
        () -> {
          try (DistributedFileSystem fs = cluster.connect()) {
            return fs.getDataNodeStats(DatanodeReportType.LIVE).length == DATANODES;
          }
        });
    awaitWhole();
  }

  /** Every DataNode knows all members and has all of its shards. */
  private boolean isWhole() throws IOException {
    for (Map<String, String> one : settings) {
      URI jmx =
          URI.create(
              "http://"
                  + one.get("dfs.datanode.http.address")
                  + "/jmx?qry=Hadoop:service=DataNode,name=HyCache-*");
      JsonNode bean;
      try (InputStream in = jmx.toURL().openStream()) {
        bean = new ObjectMapper().readTree(in).path("beans").path(0);
      }
      if (bean.path("DirectoryMembers").asInt() != DATANODES
          || bean.path("DirectoryShardsPulling").asInt(1) != 0) {
        return false;
      }
    }
    return true;
  }

  /** For some time: a replica is notified within two seconds that it missed a change. */
  private void awaitWhole() throws Exception {
    AtomicInteger times = new AtomicInteger();
    cluster.await(
        "the directory is whole",
        nameNode,
        () -> (isWhole() ? times.incrementAndGet() : resetAndGet(times)) >= 60);
  }

  private static int resetAndGet(AtomicInteger times) {
    times.set(0);
    return 0;
  }

  private Ring ring() throws IOException {
    List<Member> members = new ArrayList<>();
    try (DistributedFileSystem fs = cluster.connect()) {
      for (DatanodeInfo node : fs.getDataNodeStats(DatanodeReportType.LIVE)) {
        members.add(new Member(node.getDatanodeUuid(), node.getIpcAddr(false)));
      }
    }
    assertEquals(DATANODES, members.size());
    return new Ring(members, 2);
  }

  private static DirectoryClient client(Ring ring, DirectoryPeers peers) {
    return new DirectoryClient(
        () -> ring,
        () -> {},
        peers,
        (millis, action) ->
            CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(action),
        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
        () -> ThreadLocalRandom.current().nextLong() | 1);
  }

  @Test
  void casAndAppend_dataNodesAreKilled_linearizable() throws Exception {
    try {
      start();
      Ring ring = ring();
      ExecutorService pool = Executors.newCachedThreadPool();
      AtomicBoolean over = new AtomicBoolean();
      List<Future<?>> clients = new ArrayList<>();
      try (DirectoryPeers peers =
          new DirectoryPeers(cluster.clientConf, Duration.ofSeconds(3), 2 * CLIENTS)) {
        for (int i = 0; i < CLIENTS; i++) {
          int number = i;
          clients.add(
              pool.submit(
                  () -> {
                    work(number, client(ring, peers));
                    return null;
                  }));
        }
        Future<?> killer =
            pool.submit(
                () -> {
                  for (int i = 0; !over.get(); i++) {
                    restart(i % DATANODES);
                  }
                  return null;
                });
        for (Future<?> one : clients) {
          one.get();
        }
        over.set(true);
        killer.get();
        check(client(ring, peers));
      } finally {
        over.set(true);
        pool.shutdownNow();
      }
    } catch (Exception | AssertionError e) {
      String logs = cluster.logs();
      System.err.println(e + "\n" + logs.substring(Math.max(0, logs.length() - 20_000)));
      throw e;
    }
  }

  private void restart(int number) throws Exception {
    dataNodes[number].kill();
    dataNodes[number] = cluster.startDataNode(settings.get(number));
    kills.incrementAndGet();
    awaitWhole();
  }

  // ---- the clients ------------------------------------------------------------------------------

  /**
   * Goes over all keys until each has its calls, and at least two DataNodes were killed meanwhile.
   */
  private void work(int number, DirectoryClient client) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED * 1000 + number);
    int value = number;
    for (int round = 0; round < CALLS; round++) {
      for (int key = 0; key < KEYS; key++) {
        String name = (key % 2 == 0 ? "/register" : "/log") + key;
        value += CLIENTS;
        if (key % 2 == 0) {
          swap(number, client, name, value, random.nextInt(4) == 0);
        } else if (random.nextInt(3) > 0) {
          append(number, client, name, value);
        } else {
          get(number, client, name);
        }
      }
      if (round % (CALLS / 3) == CALLS / 3 - 1) {
        int before = kills.get();
        cluster.await("another DataNode was killed", nameNode, () -> kills.get() > before);
      }
    }
  }

  private static byte[] bytes(int value) {
    return Integer.toString(value).getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Outcome outcome) {
    List<Integer> values = new ArrayList<>();
    outcome
        .entries()
        .forEach(entry -> values.add(Integer.parseInt(new String(entry, StandardCharsets.UTF_8))));
    return outcome.version() + " " + values;
  }

  private static Outcome ask(DirectoryClient client, Operation operation) throws Exception {
    Outcome outcome = client.run(List.of(operation), PATIENCE_MILLIS).get().get(0);
    assertFalse(
        outcome.status() == Status.UNKNOWN || outcome.status() == Status.REFUSED,
        () -> operation + ": " + outcome);
    return outcome;
  }

  private void took(
      int thread, String key, long begun, String method, Object result, Object... arguments) {
    histories
        .computeIfAbsent(key, k -> new ConcurrentLinkedQueue<>())
        .add(new Call(thread, begun, System.nanoTime(), method, result, arguments));
  }

  private Outcome get(int thread, DirectoryClient client, String key) throws Exception {
    long begun = System.nanoTime();
    Outcome outcome = ask(client, Operation.get(key));
    took(thread, key, begun, "get", text(outcome));
    return outcome;
  }

  /** From the version that a look-up returned, or from an old one. */
  private void swap(int thread, DirectoryClient client, String key, int value, boolean old)
      throws Exception {
    long seen = get(thread, client, key).version();
    long expected = old ? Math.max(0, seen - 1) : seen;
    long begun = System.nanoTime();
    Outcome outcome = ask(client, Operation.cas(key, expected, bytes(value)));
    if (outcome.isOk()) {
      took(thread, key, begun, "cas", true, expected, outcome.version(), value);
    } else {
      took(thread, key, begun, "conflict", outcome.version(), expected);
    }
  }

  private void append(int thread, DirectoryClient client, String key, int value) throws Exception {
    long begun = System.nanoTime();
    Outcome outcome = ask(client, Operation.append(key, bytes(value)));
    took(thread, key, begun, "append", outcome.size(), outcome.version(), value);
  }

  // ---- what must hold ---------------------------------------------------------------------------

  private void check(DirectoryClient client) throws Exception {
    assertEquals(KEYS, histories.size());
    assertTrue(kills.get() >= 3, () -> "killed: " + kills.get());
    int won = 0;
    int lost = 0;
    for (Map.Entry<String, ConcurrentLinkedQueue<Call>> one : histories.entrySet()) {
      List<Call> calls = new ArrayList<>(one.getValue());
      assertTrue(
          Histories.isLinearizable(RecordSpecification.class, calls),
          () -> "seed " + SEED + ": not linearizable: " + one.getKey() + " " + calls);
      for (Call call : calls) {
        won += call.method.equals("cas") ? 1 : 0;
        lost += call.method.equals("conflict") ? 1 : 0;
      }
      List<Integer> appended = new ArrayList<>();
      calls.stream()
          .filter(call -> call.method.equals("append"))
          .forEach(call -> appended.add((Integer) call.arguments.get(1)));
      if (!appended.isEmpty()) {
        List<Integer> found = new ArrayList<>();
        ask(client, Operation.get(one.getKey()))
            .entries()
            .forEach(
                entry -> found.add(Integer.parseInt(new String(entry, StandardCharsets.UTF_8))));
        found.sort(null);
        appended.sort(null);
        assertEquals(appended, found, one.getKey());
      }
    }
    assertTrue(won > 0 && lost > 0, "won " + won + " lost " + lost);
  }

  @Test
  void check_historiesThatCannotBe_areRejected() throws Exception {
    cluster = new ProcessCluster(directory, ProcessSmokeIT.PLUGIN);
    List<Call> fine =
        List.of(
            new Call(0, 0, 10, "cas", true, 0L, 5L, 1),
            new Call(1, 2, 9, "conflict", 5L, 0L),
            new Call(1, 11, 12, "get", "5 [1]"));
    List<Call> twoWinners =
        List.of(
            new Call(0, 0, 10, "cas", true, 0L, 5L, 1), new Call(1, 0, 10, "cas", true, 0L, 6L, 2));
    List<Call> lostAppend =
        List.of(new Call(0, 0, 10, "append", 1, 5L, 1), new Call(1, 0, 10, "append", 1, 6L, 2));
    List<Call> old =
        List.of(new Call(0, 0, 10, "append", 1, 5L, 1), new Call(1, 11, 20, "get", "0 []"));

    assertTrue(Histories.isLinearizable(RecordSpecification.class, fine));
    assertFalse(Histories.isLinearizable(RecordSpecification.class, twoWinners));
    assertFalse(Histories.isLinearizable(RecordSpecification.class, lostAppend));
    assertFalse(Histories.isLinearizable(RecordSpecification.class, old));
  }
}
