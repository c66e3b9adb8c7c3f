// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.dataset.FuzzServer;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hostile messages to a DataNode in its own process with 1 GB, which exits on the first {@code
 * OutOfMemoryError}. A long run: {@code -Dhycache.fuzz.socket-messages=500000
 * -Dhycache.fuzz.seed=2}.
 */
@Timeout(7200)
class ProtocolFuzzIT {
  private static final int MESSAGES = Integer.getInteger("hycache.fuzz.socket-messages", 3_000);
  private static final long SEED = Long.getLong("hycache.fuzz.seed", 1);
  private static final int LONG = 50_000;
  private static final int USERS = 24;
  private static final int PIPELINED = 16;
  private static final int CALLS_OF_A_CONNECTION = 400;
  private static final long MAX_LEFT_BYTES = 40L << 20;
  private static final int MAX_LEFT_THREADS = 8;

  @TempDir private Path directory = Path.of("");

  /** Memory and threads of a server, as it reports them. */
  private static final class Look {
    final long heapBytes;
    final int threads;
    final String text;

    Look(String line) {
      String[] words = line.split(" ", -1);
      heapBytes = Long.parseLong(words[1]);
      threads = Integer.parseInt(words[2]);
      text = line;
    }
  }

  private static final class Server implements Closeable {
    private final Process process;
    private final BufferedReader from;
    private final OutputStream to;
    final File log;
    final int port;
    final BlockKey firstBlock;
    final String principal;
    final String keytab;
    final String krb5Conf;

    Server(String kind, Path directory) throws IOException {
      Path log4j = directory.resolve("log4j.properties");
      Files.writeString(
          log4j,
          "log4j.rootLogger=WARN, A\nlog4j.appender.A=org.apache.log4j.ConsoleAppender\n"
              + "log4j.appender.A.target=System.err\n"
              + "log4j.appender.A.layout=org.apache.log4j.PatternLayout\n"
              + "log4j.appender.A.layout.ConversionPattern=%d %p %c{1} %m%n\n");
      String classPath =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      log = directory.resolve("server.log").toFile();
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx1g",
                  "-XX:+ExitOnOutOfMemoryError",
                  "--add-opens=java.base/java.lang=ALL-UNNAMED",
                  "-Dlog4j.configuration=" + log4j.toUri(),
                  "-cp",
                  classPath,
                  FuzzServer.class.getName(),
                  kind,
                  directory.toString())
              .redirectError(log)
              .start();
      to = process.getOutputStream();
      from =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String[] words = line("ready ").split(" ", -1);
      port = Integer.parseInt(words[1]);
      firstBlock = new BlockKey(words[2], Long.parseLong(words[3]));
      principal = words[4];
      keytab = words[5];
      krb5Conf = words[6];
    }

    private String line(String start) throws IOException {
      while (true) {
        String line = from.readLine();
        if (line == null) {
          throw new AssertionError(
              "the server has ended; its log: " + Files.readString(log.toPath()));
        }
        if (line.startsWith(start)) {
          return line;
        }
      }
    }

    Look look() throws IOException {
      to.write("look\n".getBytes(StandardCharsets.UTF_8));
      to.flush();
      return new Look(line("look "));
    }

    /** After hints have expired, and in a long run incomplete submissions, too. */
    Look lookLater() throws Exception {
      if (MESSAGES > LONG) {
        TimeUnit.NANOSECONDS.sleep(HintAssembly.STALE_NANOS + 5_000_000_000L);
      }
      Look last = look();
      for (int tries = 0; tries < 40 && !last.text.contains(" 0 0 "); tries++) {
        TimeUnit.SECONDS.sleep(1);
        last = look();
      }
      return last;
    }

    void checkLog() throws IOException {
      try (var lines = Files.lines(log.toPath(), StandardCharsets.UTF_8)) {
        lines
            .filter(line -> line.contains("Request failed") || line.contains("OutOfMemoryError"))
            .findAny()
            .ifPresent(
                line -> {
                  throw new AssertionError("in the server's log: " + line);
                });
      }
    }

    @Override
    public void close() throws IOException {
      to.close();
      try {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static String name(int user) {
    return user == USERS - 1 ? System.getProperty("user.name", "root") : "u" + user;
  }

  /** Calls of users and DataNodes, with as many in progress as a client would have. */
  private static final class Callers implements Closeable {
    private final int port;
    private final Map<String, HostileConnection> open = new HashMap<>();
    private final Map<String, Integer> calls = new HashMap<>();
    final Map<String, Long> answers = new TreeMap<>();

    Callers(int port) {
      this.port = port;
    }

    void send(HostileMessages.Message message) throws IOException {
      int user = message.ofDatanodes && message.user % 8 != 0 ? USERS - 1 : message.user;
      String key = user + (message.ofDatanodes ? " datanode" : " client");
      HostileConnection to = open.get(key);
      if (to == null) {
        to = new HostileConnection(port, 0);
        to.out.write(
            HostileConnection.context(
                name(user), message.ofDatanodes ? Protocols.DATANODE : Protocols.CLIENT));
        open.put(key, to);
      }
      to.out.write(to.call(message));
      if (to.waiting() >= PIPELINED) {
        to.out.flush();
        to.read(answers);
      }
      if (calls.merge(key, 1, Integer::sum) % CALLS_OF_A_CONNECTION == 0) {
        open.remove(key);
        drain(to);
        to.close();
      }
    }

    private void drain(HostileConnection from) throws IOException {
      from.out.flush();
      while (from.waiting() > 0) {
        from.read(answers);
      }
    }

    @Override
    public void close() throws IOException {
      for (HostileConnection one : open.values()) {
        drain(one);
        one.close();
      }
    }
  }

  private static Map<String, Long> call(Server server, HostileMessages messages, int count)
      throws IOException {
    try (Callers callers = new Callers(server.port)) {
      for (int i = 0; i < count; i++) {
        callers.send(messages.next(i % 3 == 0));
      }
      return callers.answers;
    }
  }

  /** Bytes that are no valid calls, from connections without a user. */
  private static long strange(Server server, HostileMessages messages, int count, boolean sasl)
      throws IOException {
    Random random = new Random(SEED);
    long answered = 0;
    for (int i = 0; i < count; ) {
      try (HostileConnection to =
          new HostileConnection(server.port, sasl ? -33 : random.nextInt(9) == 0 ? 77 : 0)) {
        to.socket.setSoTimeout(300);
        if (random.nextInt(8) != 0) {
          to.out.write(
              HostileConnection.context(
                  "u1", random.nextBoolean() ? Protocols.DATANODE : Protocols.CLIENT));
        }
        for (int call = random.nextInt(6); call >= 0 && i < count; call--, i++) {
          byte[] frame = to.call(messages.next(random.nextBoolean()));
          to.out.write(random.nextInt(4) == 0 ? frame : messages.mutatedFrame(frame));
        }
        to.out.flush();
        to.socket.shutdownOutput();
        while (true) {
          to.read(new TreeMap<>());
          answered++;
        }
      } catch (IOException e) {
        // The server has closed the connection, or waits for the rest of the frame.
      }
    }
    return answered;
  }

  private static void check(Server server, Look before, Look after, String what)
      throws IOException {
    System.out.println(
        what
            + "\n  before: "
            + before.text
            + "\n  after:  "
            + after.text
            + "\n  heapLeft="
            + (after.heapBytes - before.heapBytes));
    server.checkLog();
    assertTrue(after.heapBytes - before.heapBytes < MAX_LEFT_BYTES, what + ": memory is left");
    assertTrue(after.threads <= before.threads + MAX_LEFT_THREADS, what + ": threads are left");
    assertTrue(after.text.contains(" 0 0 "), what + ": hints are left: " + after.text);
  }

  @Test
  void dataNode_withoutKerberos_outlivesHostileMessages() throws Exception {
    try (Server server = new Server("simple", directory)) {
      HostileMessages messages =
          new HostileMessages(SEED, USERS, BlockTokens.NONE, server.firstBlock, 5000);
      // Bounded structures, such as the ids of the latest writes, are full from here on.
      int warmUp = MESSAGES > LONG ? MESSAGES / 2 : Math.min(4000, MESSAGES / 2);
      Map<String, Long> warm = call(server, messages, warmUp);
      assertTrue(warm.getOrDefault("ok", 0L) > 0, warm.toString());
      withdrawLongLived(server);
      Look before = server.lookLater();
      int strange = MESSAGES / 5;
      Map<String, Long> answers = call(server, messages, MESSAGES - strange);
      long answered = strange(server, messages, strange, false);
      withdrawLongLived(server);
      Look after = server.lookLater();
      check(
          server,
          before,
          after,
          "simple seed="
              + SEED
              + " warmUp="
              + warmUp
              + " calls="
              + (MESSAGES - strange)
              + " "
              + answers
              + " strange="
              + strange
              + " answered="
              + answered);
    }
  }

  /**
   * Hints of administrators may live for a year, and so may those of all users after an
   * administrator changed the limit, as some of the messages do.
   */
  private static void withdrawLongLived(Server server) throws IOException {
    try (NodeClient client =
        new NodeClient(
            new InetSocketAddress("localhost", server.port),
            new Configuration(),
            Duration.ofSeconds(30),
            10)) {
      assertEquals("active", client.status().mode());
      int withdrawn = 0;
      for (WorkflowStatus one : client.workflows()) {
        if (one.receipt.ttlMillis() > FuzzServer.MOST_TTL_MILLIS) {
          withdrawn += client.withdraw(one.id().name(), one.id().user()).isPresent() ? 1 : 0;
        }
      }
      System.out.println("withdrawn=" + withdrawn + " settings=" + client.settings(Map.of()));
    }
  }

  @Test
  void dataNode_withKerberos_outlivesHostileMessages() throws Exception {
    String before = System.getProperty("java.security.krb5.conf");
    try (Server server = new Server("kerberos", directory)) {
      System.setProperty("java.security.krb5.conf", server.krb5Conf);
      Configuration conf = new Configuration();
      conf.set("hadoop.security.authentication", "kerberos");
      conf.set(
          HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY,
          server.principal.replace("alice@", "hdfs/localhost@"));
      UserGroupInformation.setConfiguration(conf);
      UserGroupInformation alice =
          UserGroupInformation.loginUserFromKeytabAndReturnUGI(server.principal, server.keytab);
      HostileMessages messages =
          new HostileMessages(SEED, USERS, BlockTokens.NONE, server.firstBlock, 5000);
      Map<String, Long> unused = callAs(alice, server, conf, messages, 500);
      Look first = server.lookLater();
      int strange = MESSAGES / 4;
      long answered = strange(server, messages, strange, true);
      answered += strange(server, messages, strange, false);
      Map<String, Long> answers = callAs(alice, server, conf, messages, MESSAGES / 4);
      Look last = server.lookLater();
      check(
          server,
          first,
          last,
          "kerberos seed="
              + SEED
              + " calls="
              + MESSAGES / 4
              + " "
              + answers
              + " strange="
              + 2 * strange
              + " answered="
              + answered);
      assertEquals(0, answers.getOrDefault("datanode ok", 0L), "alice is no DataNode");
    } finally {
      if (before == null) {
        System.clearProperty("java.security.krb5.conf");
      } else {
        System.setProperty("java.security.krb5.conf", before);
      }
      UserGroupInformation.reset();
      UserGroupInformation.setConfiguration(new Configuration());
    }
  }

  private static Map<String, Long> callAs(
      UserGroupInformation user,
      Server server,
      Configuration conf,
      HostileMessages messages,
      int count)
      throws Exception {
    Map<String, Long> answers = new TreeMap<>();
    InetSocketAddress address = new InetSocketAddress("localhost", server.port);
    Duration timeout = Duration.ofSeconds(60);
    user.doAs(
        (PrivilegedExceptionAction<@Nullable Void>)
            () -> {
              try (NodeConnection<HyCacheClientProtocolPB> client =
                      new NodeConnection<>(HyCacheClientProtocolPB.class, address, conf, timeout);
                  NodeConnection<HyCacheDatanodeProtocolPB> datanode =
                      new NodeConnection<>(
                          HyCacheDatanodeProtocolPB.class, address, conf, timeout)) {
                for (int i = 0; i < count; i++) {
                  HostileMessages.Message message = messages.next(i % 4 == 0);
                  String kind = message.ofDatanodes ? "datanode " : "client ";
                  try {
                    BytesValue unused =
                        message.ofDatanodes
                            ? datanode.call(proxy -> invoke(proxy, message))
                            : client.call(proxy -> invoke(proxy, message));
                    answers.merge(kind + "ok", 1L, Long::sum);
                  } catch (IOException e) {
                    HostileConnection.check(e.getClass().getName(), String.valueOf(e.getMessage()));
                    answers.merge(kind + e.getClass().getSimpleName(), 1L, Long::sum);
                  }
                }
              }
              return null;
            });
    return answers;
  }

  private static BytesValue invoke(HyCacheClientProtocolPB proxy, HostileMessages.Message message)
      throws ServiceException {
    switch (message.method) {
      case Protocols.SUBMIT_HINTS:
        return proxy.submitHints(null, message.request);
      case Protocols.WITHDRAW:
        return proxy.withdraw(null, message.request);
      case Protocols.WORKFLOWS:
        return proxy.workflows(null, message.request);
      case Protocols.STATUS:
        return proxy.status(null, message.request);
      case Protocols.LOCATE:
        return proxy.locate(null, message.request);
      case Protocols.SETTINGS:
        return proxy.settings(null, message.request);
      case Protocols.HOLDERS:
        return proxy.holders(null, message.request);
      default:
        return proxy.list(null, message.request);
    }
  }

  private static BytesValue invoke(HyCacheDatanodeProtocolPB proxy, HostileMessages.Message message)
      throws ServiceException {
    switch (message.method) {
      case Protocols.RUN:
        return proxy.run(null, message.request);
      case Protocols.REPLICATE:
        return proxy.replicate(null, message.request);
      case Protocols.PULL:
        return proxy.pull(null, message.request);
      default:
        return proxy.view(null, message.request);
    }
  }
}
