// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.rpc.BareServer;
import io.hycache.hdfs.rpc.BlockDirectory;
import io.hycache.hdfs.rpc.BlockTokens;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.junit.jupiter.api.Test;

class SsdHoldersTest {
  /** Each costs the time of a call; one that was away is not asked again at once. */
  @Test
  void of_dataNodesAreAway_threeAreAsked_andEachOnce() throws Exception {
    List<String> closed = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        closed.add("127.0.0.1:" + socket.getLocalPort());
      }
    }
    Duration limit = Duration.ofSeconds(20);
    try (SsdHolders holders =
        new SsdHolders(new Configuration(false), limit, limit, DataNodes::daemon)) {
      List<BlockKey> blocks = List.of(new BlockKey("BP-1", 1));
      assertEquals(Map.of(), holders.of(blocks, BlockTokens.NONE, closed));
      assertEquals(3, holders.away(), "of five");
    }
  }

  /** As those that refuse the user. */
  @Test
  void of_dataNodesFailTheCall_threeAreAsked() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    List<ServerSocket> open = new ArrayList<>();
    List<String> seeds = new ArrayList<>();
    Duration limit = Duration.ofSeconds(20);
    try (SsdHolders holders =
        new SsdHolders(new Configuration(false), limit, limit, DataNodes::daemon)) {
      for (int i = 0; i < 5; i++) {
        ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        open.add(socket);
        seeds.add("127.0.0.1:" + socket.getLocalPort());
        DataNodes.daemon(() -> hangUp(socket, asked)).start();
      }
      List<BlockKey> blocks = List.of(new BlockKey("BP-1", 1));
      assertEquals(Map.of(), holders.of(blocks, BlockTokens.NONE, seeds));
      assertEquals(3, asked.get(), "of five");
      assertEquals(0, holders.away());
    } finally {
      for (ServerSocket socket : open) {
        socket.close();
      }
    }
  }

  /** Closes each connection as soon as it is made, until the test closes the socket. */
  private static void hangUp(ServerSocket socket, AtomicInteger asked) {
    while (!socket.isClosed()) {
      try {
        Socket caller = socket.accept();
        asked.incrementAndGet();
        caller.close();
      } catch (IOException e) {
        return;
      }
    }
  }

  @Test
  void of_noThreadCanBeStarted_answersNothingAndRests() throws Exception {
    Duration second = Duration.ofSeconds(1);
    try (SsdHolders holders =
        new SsdHolders(new Configuration(false), second, second, task -> new NoThread())) {
      assertFalse(holders.isResting());
      assertEquals(
          Map.of(),
          holders.of(List.of(new BlockKey("BP-1", 1)), BlockTokens.NONE, List.of("localhost:1")));
      assertTrue(holders.isResting());
    }
  }

  /** A part in the directory that answers after a time. */
  private static final class SlowDirectory implements BlockDirectory {
    volatile long delayMillis;

    @Override
    public DirectoryNode node() {
      throw new UnsupportedOperationException("no DataNode asks another");
    }

    @Override
    public CompletableFuture<List<Optional<Set<String>>>> holders(
        String user, List<BlockKey> blocks) {
      return CompletableFuture.supplyAsync(
          () -> Collections.nCopies(blocks.size(), Optional.of(Set.of("uuid"))),
          CompletableFuture.delayedExecutor(delayMillis, TimeUnit.MILLISECONDS));
    }

    @Override
    public CompletableFuture<Page> list(String at) {
      throw new UnsupportedOperationException("nobody lists");
    }
  }

  private static final Duration SHORT = Duration.ofMillis(300);

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 500 && !condition.getAsBoolean(); i++) {
      Thread.sleep(10);
    }
    assertTrue(condition.getAsBoolean());
  }

  /** Each question would wait in vain. */
  @Test
  void of_answerComesLate_restsAllTheSame_andKeepsTheAnswer() throws Exception {
    SlowDirectory directory = new SlowDirectory();
    Configuration conf = new Configuration(false);
    RPC.Server server = BareServer.withDirectory(conf, directory);
    List<String> seeds = List.of("127.0.0.1:" + server.getListenerAddress().getPort());
    try (SsdHolders holders =
        new SsdHolders(conf, SHORT, Duration.ofSeconds(20), DataNodes::daemon)) {
      BlockKey first = new BlockKey("BP-1", 1);
      BlockKey late = new BlockKey("BP-1", 2);
      assertEquals(
          Map.of(first, Set.of("uuid")), holders.of(List.of(first), BlockTokens.NONE, seeds));
      directory.delayMillis = 2 * SHORT.toMillis();
      assertEquals(Map.of(), holders.of(List.of(late), BlockTokens.NONE, seeds));
      assertTrue(holders.isResting());
      await(() -> holders.known(late) != null);
      assertTrue(holders.isResting());
    } finally {
      server.stop();
    }
  }

  @Test
  void of_answerThatNeededAConnectionComesLate_restsNoLonger() throws Exception {
    SlowDirectory directory = new SlowDirectory();
    directory.delayMillis = 2 * SHORT.toMillis();
    Configuration conf = new Configuration(false);
    RPC.Server server = BareServer.withDirectory(conf, directory);
    List<String> seeds = List.of("127.0.0.1:" + server.getListenerAddress().getPort());
    try (SsdHolders holders = new SsdHolders(conf, SHORT, SHORT, DataNodes::daemon)) {
      BlockKey block = new BlockKey("BP-1", 1);
      assertEquals(Map.of(), holders.of(List.of(block), BlockTokens.NONE, seeds));
      assertTrue(holders.isResting());
      await(() -> !holders.isResting());
      assertEquals(Set.of("uuid"), holders.known(block));
    } finally {
      server.stop();
    }
  }
}
