// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import io.hycache.core.directory.Member;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NameNodePagesTest {
  private final List<AutoCloseable> toClose = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : toClose) {
      one.close();
    }
  }

  /** A web server with one page, or one that accepts connections and is silent. */
  private final class Web {
    final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    final AtomicInteger connections = new AtomicInteger();
    final List<Socket> open = new ArrayList<>();
    volatile String page = "";

    Web() throws IOException {
      toClose.add(socket);
      Thread thread = new Thread(this::serve, "web");
      thread.setDaemon(true);
      thread.start();
    }

    int port() {
      return socket.getLocalPort();
    }

    private void serve() {
      while (!socket.isClosed()) {
        try {
          Socket one = socket.accept();
          connections.incrementAndGet();
          if (page.isEmpty()) {
            open.add(one);
          } else {
            answer(one);
          }
        } catch (IOException e) {
          if (!socket.isClosed()) {
            throw new UncheckedIOException(e);
          }
        }
      }
    }

    private void answer(Socket one) throws IOException {
      try (one;
          InputStream in = one.getInputStream();
          OutputStream out = one.getOutputStream()) {
        String request = "";
        while (!request.endsWith("\r\n\r\n")) {
          int next = in.read();
          if (next < 0) {
            return;
          }
          request += (char) next;
        }
        byte[] body = page.getBytes(StandardCharsets.UTF_8);
        String head =
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
      }
    }
  }

  @Test
  void webServerOfADataNode_thatIsSilent_orIsNotShown_theOthersAreListed() throws Exception {
    Web nameNode = new Web();
    Web silent = new Web();
    Web good = new Web();
    good.page = "{\"beans\": [{\"RpcPort\": \"1234\"}]}";
    nameNode.page =
        "{\"beans\": [{\"LiveNodes\": \"{"
            + "\\\"first\\\": {},"
            + ("\\\"second\\\": {\\\"infoAddr\\\": \\\"127.0.0.1:" + silent.port() + "\\\"},")
            + ("\\\"third\\\": {\\\"infoAddr\\\": \\\"127.0.0.1:" + good.port() + "\\\"},")
            + "\\\"fourth\\\": {\\\"infoAddr\\\": \\\"host4:9864\\\"}"
            + "}\"}]}";
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + nameNode.port());
    try (NameNodePages pages = new NameNodePages(conf, 9867, 9864, false)) {
      long began = System.nanoTime();
      assertEquals(List.of("127.0.0.1:1234", "host4:9867"), pages.get(List.of()));
      assertEquals(List.of("127.0.0.1:1234", "host4:9867"), pages.get(List.of()));
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
      assertTrue(seconds < 30, "seconds=" + seconds);
      assertEquals(1, silent.connections.get(), "it is not asked again yet");
      assertEquals(1, good.connections.get(), "its port is known");
    }
  }

  @Test
  void webServerOfADataNode_thatIsSilentLater_itsPortCountsUntilItAnswers() throws Exception {
    Web nameNode = new Web();
    Web dataNode = new Web();
    dataNode.page = "{\"beans\": [{\"RpcPort\": \"1234\"}]}";
    nameNode.page = list("127.0.0.1:" + dataNode.port());
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + nameNode.port());
    FakeTicker ticker = new FakeTicker();
    try (NameNodePages pages = new NameNodePages(conf, 9867, 9864, false, ticker)) {
      assertEquals(List.of("127.0.0.1:1234"), pages.get(List.of()));
      dataNode.page = "";
      ticker.nanos += NameNodePages.MAX_PORT_AGE.toNanos();
      assertEquals(List.of("127.0.0.1:1234"), pages.get(List.of()));
      assertEquals(List.of("127.0.0.1:1234"), pages.get(List.of()));
      assertEquals(List.of(), pages.leftOut());
      assertEquals(2, dataNode.connections.get(), "it is not asked again yet");
      dataNode.page = "{\"beans\": [{\"RpcPort\": \"1235\"}]}";
      ticker.nanos += TimeUnit.MINUTES.toNanos(1);
      assertEquals(List.of("127.0.0.1:1235"), pages.get(List.of()));
    }
  }

  private static final class FakeTicker extends Ticker {
    long nanos;

    @Override
    public long read() {
      return nanos;
    }
  }

  @Test
  void dataNodes_areListedByHostName_ifThatIsToBeUsed() throws Exception {
    Web nameNode = new Web();
    nameNode.page =
        "{\"beans\": [{\"LiveNodes\": \"{"
            + "\\\"h1:9866\\\": {\\\"infoAddr\\\": \\\"10.0.0.1:9864\\\"}"
            + "}\"}]}";
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + nameNode.port());
    try (NameNodePages pages = new NameNodePages(conf, 9867, 9864, true)) {
      assertEquals(List.of("h1:9867"), pages.get(List.of()));
    }
  }

  @Test
  void memberThatOneNameNodeDoesNotList_isLookedForOnTheOther() throws Exception {
    Web first = new Web();
    Web second = new Web();
    first.page = list("host1:9864");
    second.page = list("host2:9864");
    Configuration conf = new Configuration();
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.ha.namenodes.ns", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.ns.nn1", "127.0.0.1:8020");
    conf.set("dfs.namenode.rpc-address.ns.nn2", "127.0.0.1:8021");
    conf.set("dfs.namenode.http-address.ns.nn1", "127.0.0.1:" + first.port());
    conf.set("dfs.namenode.http-address.ns.nn2", "127.0.0.1:" + second.port());
    try (NameNodePages pages = new NameNodePages(conf, 9867, 9864, false)) {
      assertEquals(List.of("host1:9867"), pages.get(List.of(new Member("1", "host1:9867"))));
      assertEquals(0, second.connections.get());
      assertEquals(
          List.of("host1:9867", "host2:9867"), pages.get(List.of(new Member("2", "host2:9867"))));
    }
  }

  private static String list(String dataNode) {
    return "{\"beans\": [{\"LiveNodes\": \"{\\\"node\\\": {\\\"infoAddr\\\": \\\""
        + dataNode
        + "\\\"}}\"}]}";
  }
}
