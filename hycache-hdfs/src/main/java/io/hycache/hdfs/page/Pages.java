// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import io.hycache.core.directory.Member;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.rpc.Administrators;
import io.hycache.hdfs.rpc.NodeClient;
import java.io.Closeable;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.HyCacheWeb;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The pages of one DataNode: its own and that of the cluster. Before the first request it is this
 * object and the servlet's class. Thread-safe.
 */
public final class Pages implements Closeable {
  /** Where the DataNode's web server has them. */
  static final String ROOT = "/hycache";

  private static final String NODE = "/node.json";
  private static final String HISTORY = "/history.json";
  private static final String CLUSTER = "/cluster.json";

  /** Below {@link #ROOT}, of {@link #json}. */
  static final Set<String> PATHS = Set.of(NODE, HISTORY, CLUSTER);

  /** A user that is not known; no list of users can have a name with a blank. */
  private static final String NOBODY = "unknown user";

  private static final int MAX_KNOWN_USERS = 100;
  private static final Duration KNOWN_USER_AGE = Duration.ofMinutes(5);
  private static final Duration PEER_TIMEOUT = Duration.ofSeconds(3);

  private final Configuration conf;
  private final PageSource source;
  private @Nullable PageJson json;
  private @Nullable ClusterView cluster;
  private @Nullable LoadingCache<String, Boolean> known;

  /**
   * @param conf the DataNode's
   */
  public Pages(Configuration conf, PageSource source) {
    this.conf = conf;
    this.source = source;
  }

  /**
   * Adds the pages to the DataNode's web server.
   *
   * @throws ReflectiveOperationException if this Hadoop keeps its web server elsewhere
   */
  public void addTo(DataNode datanode) throws ReflectiveOperationException {
    HyCacheWeb.addServlet(datanode, ROOT + "/*", PageServlet.class, PageServlet.PAGES, this);
  }

  /**
   * The JSON at a path.
   *
   * @param user as the site's filters authenticated; null if they authenticate nobody
   * @throws IOException if there is no answer at present; its message says why
   */
  byte[] json(String path, @Nullable String user) throws IOException {
    boolean administrator = isAdministrator(user);
    ObjectNode root;
    switch (path) {
      case NODE:
        root = json().node(user, administrator);
        break;
      case HISTORY:
        root = json().history(System.currentTimeMillis());
        break;
      case CLUSTER:
        root = json().cluster(cluster().look(), administrator);
        break;
      default:
        throw new IllegalArgumentException("path=" + path);
    }
    return PageJson.bytes(root);
  }

  void failed(Throwable why) {
    source.failed(why);
  }

  private synchronized PageJson json() {
    if (json == null) {
      json = new PageJson(source, System::nanoTime);
    }
    return json;
  }

  private synchronized ClusterView cluster() {
    if (cluster == null) {
      cluster =
          new ClusterView(this::others, this::ask, ClusterView.PAUSE_MILLIS, System::nanoTime);
    }
    return cluster;
  }

  /**
   * As in the client protocol. The answer is kept for as long as Hadoop keeps groups: of a user
   * without any, such as the one that all are on a site without authentication, every look-up is
   * logged.
   */
  private boolean isAdministrator(@Nullable String user) throws IOException {
    return known().getUnchecked(user == null ? NOBODY : user);
  }

  private synchronized LoadingCache<String, Boolean> known() throws IOException {
    if (known == null) {
      Administrators administrators = new Administrators(conf);
      known =
          CacheBuilder.newBuilder()
              .maximumSize(MAX_KNOWN_USERS)
              .expireAfterWrite(KNOWN_USER_AGE)
              .build(
                  CacheLoader.from(
                      user -> administrators.include(UserGroupInformation.createRemoteUser(user))));
    }
    return known;
  }

  private List<Member> others() {
    String own = source.id();
    return source.members().stream()
        .filter(member -> !member.id().equals(own))
        .collect(Collectors.toList());
  }

  private NodeStatus ask(Member member) throws IOException {
    try {
      return UserGroupInformation.getLoginUser()
          .doAs(
              (PrivilegedExceptionAction<NodeStatus>)
                  () -> {
                    try (NodeClient client =
                        new NodeClient(
                            NetUtils.createSocketAddr(member.address()),
                            conf,
                            PEER_TIMEOUT,
                            NodeClient.DEFAULT_CHUNK_REFERENCES)) {
                      return client.status();
                    }
                  });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    ClusterView open;
    synchronized (this) {
      open = cluster;
    }
    if (open != null) {
      open.close();
    }
  }
}
