package io.hycache.hdfs.smoke;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A NameNode and a DataNode, each a process as in production: configuration files, a class path,
 * ports. With the plugin, the class path has the shaded JAR and the DataNode's configuration its
 * properties; without it neither.
 */
final class ProcessCluster implements AutoCloseable {
  private static final long WAIT_NANOS = Duration.ofMinutes(2).toNanos();

  final Configuration clientConf = new Configuration();

  private final Path directory;
  private final List<String> hadoop = new ArrayList<>();
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

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
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

  JavaProcess startDataNode(boolean withPlugin) throws IOException {
    return start("datanode", withPlugin, "org.apache.hadoop.hdfs.server.datanode.DataNode");
  }

  /** Runs the command line to its end. Returns what it printed. */
  String hycache(String... args) throws Exception {
    return tool(true, "io.hycache.hdfs.cli.HyCache", args);
  }

  /** Runs fsck to its end. Returns what it printed. */
  String fsck() throws Exception {
    return tool(false, "org.apache.hadoop.hdfs.tools.DFSck", "/");
  }

  private String tool(boolean withPlugin, String main, String... args) throws Exception {
    List<String> mainAndArgs = new ArrayList<>(List.of(main));
    mainAndArgs.addAll(List.of(args));
    JavaProcess tool =
        start(String.join(" ", mainAndArgs), withPlugin, mainAndArgs.toArray(new String[0]));
    int code = tool.await();
    if (code != 0) {
      throw new AssertionError(tool.name + ": exit code " + code + "\n" + tool.output());
    }
    return tool.output();
  }

  private JavaProcess start(String name, boolean withPlugin, String... mainAndArgs)
      throws IOException {
    Path home = Files.createDirectories(directory.resolve("process-" + (all.size() + 1)));
    Configuration site = new Configuration(false);
    common.forEach(site::set);
    if (withPlugin) {
      plugin.forEach(site::set);
    }
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
