// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * A NameNode and a DataNode, each a process as in production: configuration files, a class path,
 * ports. With the plugin, the class path has the shaded JAR and the DataNode's configuration its
 * properties; without it neither.
 */
final class ProcessCluster implements AutoCloseable {
  private static final String DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";
  private static final String COMMAND_LINE = "io.hycache.hdfs.cli.HyCache";
  private static final long WAIT_NANOS = Duration.ofMinutes(2).toNanos();
  private static final int MIN_PORT = 16_384;

  final Configuration clientConf = new Configuration();

  private final Path directory;
  private final List<String> hadoop = new ArrayList<>();
  private final List<String> testClasses = new ArrayList<>();
  private final String pluginJar;
  private final Map<String, String> common;
  private final Map<String, String> plugin;
  private final List<JavaProcess> all = new ArrayList<>();
  private final Thread hook = new Thread(this::killAll);

  /**
   * Writes nothing but folders; starts nothing.
   *
   * @param plugin the properties that a DataNode with the plugin has
   */
  ProcessCluster(Path directory, Map<String, String> plugin) throws IOException {
    this.directory = directory;
    this.plugin = plugin;
    this.pluginJar = new File(System.getProperty("hycache.jar", "")).getCanonicalPath();
    // Outside a Hadoop distribution there are no web pages, which the daemons insist on.
    for (String app : List.of("hdfs", "datanode", "static")) {
      Files.createDirectories(directory.resolve("web/webapps").resolve(app).resolve("WEB-INF"));
    }
    boolean found = false;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (new File(entry).getCanonicalPath().equals(pluginJar)) {
        found = true;
      } else if (entry.endsWith(".jar")) {
        hadoop.add(entry);
      } else if (entry.endsWith("test-classes")) {
        testClasses.add(entry);
      }
    }
    if (!found) {
      throw new IllegalStateException("not on the test's class path: hycache.jar=" + pluginJar);
    }
    String nameNode = "127.0.0.1:" + freePort();
    String web = "127.0.0.1:" + freePort();
    common =
        Map.ofEntries(
            Map.entry("fs.defaultFS", "hdfs://" + nameNode),
            Map.entry("hadoop.tmp.dir", directory.resolve("tmp").toString()),
            Map.entry("dfs.namenode.rpc-address", nameNode),
            Map.entry("dfs.namenode.http-address", web),
            Map.entry("dfs.namenode.name.dir", directory.resolve("name").toUri().toString()),
            Map.entry("dfs.namenode.safemode.extension", "0"),
            Map.entry("dfs.namenode.fs-limits.min-block-size", "1024"),
            Map.entry("dfs.datanode.address", "127.0.0.1:0"),
            Map.entry("dfs.datanode.ipc.address", "127.0.0.1:0"),
            Map.entry("dfs.datanode.http.address", "127.0.0.1:0"),
            Map.entry("dfs.datanode.data.dir", "[SSD]" + data("ssd") + ",[DISK]" + data("disk")),
            Map.entry("dfs.blocksize", Integer.toString(1 << 20)),
            Map.entry("dfs.replication", "1"),
            Map.entry("dfs.heartbeat.interval", "1"));
    common.forEach(clientConf::set);
    clientConf.set("ipc.client.connect.max.retries", "0"); // the conditions poll
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private String data(String name) {
    return directory.resolve(name).toUri().toString();
  }

  /**
   * Returns a port that nothing listens on. It is none of those that the system gives to outgoing
   * connections, one of which could have it before the server starts.
   */
  static int freePort() throws IOException {
    int end = firstPortOfConnections();
    while (true) {
      int port = end > MIN_PORT ? ThreadLocalRandom.current().nextInt(MIN_PORT, end) : 0;
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // It is taken: another one.
      }
    }
  }

  private static int firstPortOfConnections() throws IOException {
    String range = Files.readString(Path.of("/proc/sys/net/ipv4/ip_local_port_range"));
    return Integer.parseInt(range.strip().split("\\s+", -1)[0]);
  }

  void format() throws Exception {
    JavaProcess format =
        start(
            "format",
            false,
            "org.apache.hadoop.hdfs.server.namenode.NameNode",
            "-format",
            "-nonInteractive");
    if (format.await() != 0) {
      throw new AssertionError("format failed");
    }
  }

  JavaProcess startNameNode() throws IOException {
    return start("namenode", false, "org.apache.hadoop.hdfs.server.namenode.NameNode");
  }

  JavaProcess startPlainDataNode() throws IOException {
    return start("datanode", false, DATA_NODE);
  }

  /**
   * Starts a DataNode without the plugin.
   *
   * @param settings beside those that all processes have
   */
  JavaProcess startPlainDataNode(Map<String, String> settings) throws IOException {
    return start("datanode", false, List.of(), settings, DATA_NODE);
  }

  JavaProcess startDataNode() throws IOException {
    return start("datanode", true, DATA_NODE);
  }

  /**
   * Starts a DataNode with the plugin and this module's test classes.
   *
   * @param settings beside those of the plugin, or instead of them
   */
  JavaProcess startDataNode(Map<String, String> settings) throws IOException {
    return start("datanode", true, testClasses, settings, DATA_NODE);
  }

  /** Starts a DataNode with the plugin that is this user to HDFS. */
  JavaProcess startDataNodeAs(String user, Map<String, String> settings) throws IOException {
    return start("datanode", true, List.of(), settings, "-DHADOOP_USER_NAME=" + user, DATA_NODE);
  }

  void awaitUp(JavaProcess nameNode, JavaProcess dataNode) throws Exception {
    await(
        "NameNode answers",
        nameNode,
        () -> {
          try (DistributedFileSystem fs = connect()) {
            fs.getStatus();
            return true;
          }
        });
    await(
        "DataNode is live",
        dataNode,
        () -> {
          try (DistributedFileSystem fs = connect()) {
            DatanodeInfo[] live = fs.getDataNodeStats(DatanodeReportType.LIVE);
            // It is live from its registration on; what room it has comes with its first heartbeat.
            return live.length == 1
                && live[0].getRemaining() > 0
                && !fs.isInSafeMode()
                && fs.getClient().getMissingBlocksCount() == 0;
          }
        });
  }

  HyCacheClient client() throws IOException {
    return new HyCacheClient(clientConf, (what, done, total) -> {});
  }

  /** The DataNode's status; an IOException while it does not answer. */
  NodeStatus status() throws IOException {
    HyCacheClient client = client();
    List<NodeAnswer<NodeStatus>> answers = client.status(client.liveNodes());
    if (answers.size() != 1) {
      throw new IOException("live DataNodes: " + answers.size());
    }
    return answer(answers.get(0));
  }

  static <T> T answer(NodeAnswer<T> answer) throws IOException {
    IOException failure = answer.failure();
    if (failure != null) {
      throw failure;
    }
    return answer.value();
  }

  /** Runs the command line to its end. Returns what it printed. */
  String hycache(String... args) throws Exception {
    return tool(true, COMMAND_LINE, args);
  }

  /** Runs the command line to its end, however that is. */
  void hycacheMayFail(String... args) throws Exception {
    startTool(true, COMMAND_LINE, args).await();
  }

  /** Runs fsck to its end. Returns what it printed. */
  String fsck() throws Exception {
    return tool(false, "org.apache.hadoop.hdfs.tools.DFSck", "/");
  }

  /** Asks the NameNode for its report of the cluster. Returns what was printed. */
  String dfsadminReport() throws Exception {
    return tool(false, "org.apache.hadoop.hdfs.tools.DFSAdmin", "-report");
  }

  private JavaProcess startTool(boolean withPlugin, String main, String... args)
      throws IOException {
    List<String> mainAndArgs = new ArrayList<>(List.of(main));
    mainAndArgs.addAll(List.of(args));
    return start(String.join(" ", mainAndArgs), withPlugin, mainAndArgs.toArray(new String[0]));
  }

  private String tool(boolean withPlugin, String main, String... args) throws Exception {
    JavaProcess tool = startTool(withPlugin, main, args);
    int code = tool.await();
    if (code != 0) {
      throw new AssertionError(tool.name + ": exit code " + code + "\n" + tool.output());
    }
    return tool.output();
  }

  private JavaProcess start(String name, boolean withPlugin, String... mainAndArgs)
      throws IOException {
    return start(name, withPlugin, List.of(), Map.of(), mainAndArgs);
  }

  private JavaProcess start(
      String name,
      boolean withPlugin,
      List<String> first,
      Map<String, String> settings,
      String... mainAndArgs)
      throws IOException {
    Path home = Files.createDirectories(directory.resolve("process-" + (all.size() + 1)));
    Configuration site = new Configuration(false);
    common.forEach(site::set);
    if (withPlugin) {
      plugin.forEach(site::set);
    }
    settings.forEach(site::set);
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      try (OutputStream out = Files.newOutputStream(home.resolve(file))) {
        site.writeXml(out);
      }
    }
    Files.writeString(
        home.resolve("log4j.properties"),
        "log4j.rootLogger=INFO,out\n"
            + "log4j.appender.out=org.apache.log4j.ConsoleAppender\n"
            + "log4j.appender.out.target=System.err\n"
            + "log4j.appender.out.layout=org.apache.log4j.PatternLayout\n"
            + "log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n\n");
    List<String> classPath = new ArrayList<>();
    classPath.add(home.toString());
    classPath.add(directory.resolve("web").toString());
    classPath.addAll(first);
    classPath.addAll(hadoop);
    if (withPlugin) {
      classPath.add(pluginJar);
    }
    JavaProcess process = JavaProcess.start(name, home.resolve("log"), classPath, mainAndArgs);
    synchronized (all) {
      all.add(process);
    }
    return process;
  }

  /** A client of its own, not shared: the caller closes it. */
  DistributedFileSystem connect() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(clientConf);
  }

  /** Polls until the condition holds; not answering, by an IOException, counts as not yet. */
  void await(String what, JavaProcess needed, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + WAIT_NANOS;
    Exception last = null;
    while (true) {
      try {
        if (condition.call()) {
          return;
        }
        last = null;
      } catch (IOException e) {
        last = e;
      }
      if (!needed.isAlive()) {
        throw new AssertionError(needed.name + " died while waiting: " + what, last);
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("never happened: " + what, last);
      }
      Thread.sleep(50);
    }
  }

  /** What all processes wrote, in order of their start. */
  String logs() throws IOException {
    StringBuilder out = new StringBuilder();
    synchronized (all) {
      for (JavaProcess process : all) {
        out.append("==== ").append(process.name).append('\n').append(process.output()).append('\n');
      }
    }
    return out.toString();
  }

  private void killAll() {
    synchronized (all) {
      all.forEach(JavaProcess::close);
    }
  }

  @Override
  public void close() {
    killAll();
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
