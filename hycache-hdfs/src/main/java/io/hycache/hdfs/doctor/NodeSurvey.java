// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.directory.DefaultNameService;
import io.hycache.hdfs.directory.JmxPages;
import io.hycache.hdfs.rpc.NodeClient;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Asks DataNodes and NameNodes what can be asked without changing anything: the web servers' {@code
 * /jmx} and {@code /conf}, HyCache's status, and whether a port answers. Thread-safe.
 */
final class NodeSurvey implements Closeable {
  private static final int MAX_THREADS = 32;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Configuration conf;
  private final JmxPages pages;
  private final String scheme;

  NodeSurvey(Configuration conf) {
    this.conf = conf;
    this.pages = new JmxPages(conf);
    this.scheme = DFSUtil.getHttpClientScheme(conf);
  }

  /** Asks all at once, a bounded number at a time. One answer for each, in order. */
  List<NodeFacts> ask(List<NodeFacts.Address> nodes) throws IOException, InterruptedException {
    if (nodes.isEmpty()) {
      return List.of();
    }
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            Math.min(MAX_THREADS, nodes.size()),
            new ThreadFactoryBuilder().setDaemon(true).setNameFormat("hycache-survey-%d").build());
    try {
      List<Future<NodeFacts>> asked = new ArrayList<>();
      for (NodeFacts.Address node : nodes) {
        PrivilegedExceptionAction<NodeFacts> question = () -> ask(node);
        asked.add(pool.submit((Callable<NodeFacts>) () -> user.doAs(question)));
      }
      List<NodeFacts> answers = new ArrayList<>();
      for (Future<NodeFacts> answer : asked) {
        answers.add(answer.get());
      }
      return answers;
    } catch (ExecutionException e) {
      throw new IOException("asking DataNodes failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private NodeFacts ask(NodeFacts.Address node) throws InterruptedException {
    return new NodeFacts(
        node,
        Outcome.ask(() -> connects(NetUtils.createSocketAddr(node.transfer))),
        Outcome.ask(() -> web(node.web)),
        Outcome.ask(() -> status(node.ipc)));
  }

  /**
   * Connects, and sends nothing.
   *
   * @throws IOException if nothing accepts
   */
  static boolean connects(InetSocketAddress address) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(address, (int) TIMEOUT.toMillis());
      return true;
    }
  }

  private NodeStatus status(String ipc) throws IOException {
    try (NodeClient client =
        new NodeClient(
            NetUtils.createSocketAddr(ipc), conf, TIMEOUT, NodeClient.DEFAULT_CHUNK_REFERENCES)) {
      return client.status();
    }
  }

  private NodeFacts.Web web(String address) throws IOException {
    URI server = URI.create(scheme + "://" + address);
    JmxPages.Page runtime = pages.page(server, "/jmx?qry=java.lang:type=Runtime");
    JmxPages.Page info = pages.page(server, "/jmx?qry=Hadoop:service=DataNode,name=DataNodeInfo");
    Configuration its = new Configuration(false);
    its.addResource(pages.page(server, "/conf").content(), "its /conf", true);
    int unused = its.size(); // reads it
    return new NodeFacts.Web(
        runtime.attribute("SpecVersion"),
        info.attribute("SoftwareVersion"),
        ClassPathChecks.jars(runtime.attribute("ClassPath")),
        ahead(server),
        failedVolumes(server),
        its);
  }

  /**
   * The DataNode's own count: the NameNode forgets a failed storage that has no blocks left. The
   * metrics source {@code FSDatasetState} has it, too, up to ten seconds old.
   */
  private int failedVolumes(URI server) throws IOException {
    String dataset = "/jmx?qry=Hadoop:service=DataNode,name=FSDatasetState-*";
    try {
      return Integer.parseInt(pages.page(server, dataset).attribute("NumFailedVolumes"));
    } catch (FileNotFoundException | NumberFormatException e) {
      return 0; // It has no volumes yet.
    }
  }

  /** The server says whole seconds: half a second is added, and half the time that it took. */
  private long ahead(URI server) throws IOException {
    long asked = System.currentTimeMillis();
    long date = pages.page(server, "/jmx?qry=java.lang:type=Runtime").dateMillis();
    long answered = System.currentTimeMillis();
    if (date == 0) {
      throw new IOException("the web server says no time");
    }
    return date + 500 - (asked + answered) / 2;
  }

  /**
   * How far the clocks of the default file system's NameNodes are ahead of this machine's, by
   * address.
   */
  Map<String, Outcome<Long>> nameNodesAhead() throws InterruptedException {
    Configuration cluster = DefaultNameService.only(conf);
    Map<String, Outcome<Long>> ahead = new TreeMap<>();
    try {
      for (Map<String, InetSocketAddress> service :
          DFSUtil.getNNServiceRpcAddressesForCluster(cluster).values()) {
        for (InetSocketAddress nameNode : service.values()) {
          URI server = DFSUtil.getInfoServer(nameNode, cluster, scheme);
          ahead.put(server.getAuthority(), Outcome.ask(() -> ahead(server)));
        }
      }
    } catch (IOException e) {
      ahead.put("of " + conf.get("fs.defaultFS"), Outcome.failed(e));
    }
    return ahead;
  }

  @Override
  public void close() {
    pages.close();
  }
}
