// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.hycache.core.directory.Member;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live DataNodes as the web servers of {@link NameNodes} list them, which every user may read.
 * The list has no IPC ports: a DataNode whose web server has the port of this one's is taken to be
 * configured as this one is, any other is asked on its own web server, once an hour, or a minute
 * after it did not answer; until it does, it has the port that it had. One thread at a time.
 */
public final class NameNodePages implements LiveDataNodes.Report<String> {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodePages.class);
  private static final String LIST = "Hadoop:service=NameNode,name=NameNodeInfo";
  private static final String DATANODE = "Hadoop:service=DataNode,name=DataNodeInfo";
  static final Duration MAX_PORT_AGE = Duration.ofHours(1);
  private static final Duration MAX_UNUSED = Duration.ofDays(1);
  private static final Duration FAILURE_PAUSE = Duration.ofMinutes(1);
  private static final Duration DATANODE_TIMEOUT = Duration.ofSeconds(3);

  private final Configuration conf;
  private final NameNodes nameNodes;
  private final JmxPages pages;
  private final JmxPages dataNodes;
  private final int ipcPort;
  private final int infoPort;
  private final boolean useHostname;

  /** By address of the web server, as it answered last. */
  private final Cache<String, Integer> ipcPorts;

  /** Those of {@link #ipcPorts} that need not be asked for again yet. */
  private final Cache<String, Integer> freshPorts;

  /** Web servers that did not answer, and why. */
  private final Cache<String, String> failures;

  /** Of the last list. */
  private final List<String> leftOut = new ArrayList<>();

  /**
   * @param ipcPort of this DataNode
   * @param infoPort of this DataNode's web server
   * @param useHostname whether addresses have host names instead of IP addresses
   */
  public NameNodePages(Configuration conf, int ipcPort, int infoPort, boolean useHostname) {
    this(conf, ipcPort, infoPort, useHostname, Ticker.systemTicker());
  }

  NameNodePages(Configuration conf, int ipcPort, int infoPort, boolean useHostname, Ticker ticker) {
    this.conf = conf;
    this.nameNodes = new NameNodes(conf);
    this.pages = new JmxPages(conf);
    this.dataNodes = new JmxPages(conf, DATANODE_TIMEOUT);
    this.ipcPort = ipcPort;
    this.infoPort = infoPort;
    this.useHostname = useHostname;
    this.ipcPorts = CacheBuilder.newBuilder().ticker(ticker).expireAfterAccess(MAX_UNUSED).build();
    this.freshPorts =
        CacheBuilder.newBuilder().ticker(ticker).expireAfterWrite(MAX_PORT_AGE).build();
    this.failures =
        CacheBuilder.newBuilder().ticker(ticker).expireAfterWrite(FAILURE_PAUSE).build();
  }

  /**
   * IPC addresses, host:port, of the DataNodes that are alive to the NameNodes.
   *
   * @param members as of {@link LiveDataNodes.Report#get}, by address
   * @throws IOException if no NameNode of any name service shows its list
   */
  @Override
  public List<String> get(Collection<Member> members) throws IOException {
    leftOut.clear();
    Set<String> known = members.stream().map(Member::address).collect(Collectors.toSet());
    return List.copyOf(nameNodes.live(known, this::addresses).keySet());
  }

  @Override
  public String doubt() {
    return nameNodes.doubt();
  }

  /** Addresses of the web servers that did not show their IPC port in the last {@link #get}. */
  public List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  private Map<String, String> addresses(InetSocketAddress nameNode) throws IOException {
    String scheme = DFSUtil.getHttpClientScheme(conf);
    URI server = DFSUtil.getInfoServer(nameNode, conf, scheme);
    Map<String, String> out = new LinkedHashMap<>();
    for (String address :
        addresses(scheme, JmxPages.nested(pages.bean(server, LIST), "LiveNodes"))) {
      out.put(address, address);
    }
    return out;
  }

  private List<String> addresses(String scheme, JsonNode live) {
    String attribute = scheme.equals("https") ? "infoSecureAddr" : "infoAddr";
    List<String> out = new ArrayList<>();
    for (Iterator<String> names = live.fieldNames(); names.hasNext(); ) {
      String name = names.next(); // of the host, with the port for data
      String shown = live.path(name).path(attribute).asText();
      try {
        InetSocketAddress web = NetUtils.createSocketAddrUnresolved(shown);
        if (useHostname) {
          web =
              InetSocketAddress.createUnresolved(
                  name.substring(0, name.lastIndexOf(':')), web.getPort());
        }
        out.add(web.getHostString() + ":" + ipcPort(scheme, web));
      } catch (IOException | RuntimeException e) {
        leftOut.add(shown);
        LOG.debug("no IPC port of a DataNode: web={}", shown, e);
      }
    }
    return out;
  }

  private int ipcPort(String scheme, InetSocketAddress web) throws IOException {
    if (web.getPort() == infoPort) {
      return ipcPort;
    }
    String address = web.getHostString() + ":" + web.getPort();
    Integer fresh = freshPorts.getIfPresent(address);
    if (fresh != null) {
      return fresh;
    }
    try {
      return askForIpcPort(scheme, address);
    } catch (IOException | RuntimeException e) {
      Integer last = ipcPorts.getIfPresent(address);
      if (last == null) {
        throw e;
      }
      return last;
    }
  }

  private int askForIpcPort(String scheme, String address) throws IOException {
    String failure = failures.getIfPresent(address);
    if (failure != null) {
      throw new IOException("not asked again yet: cause=" + failure);
    }
    try {
      URI server = URI.create(scheme + "://" + address);
      int port = dataNodes.bean(server, DATANODE).path("RpcPort").asInt();
      if (port == 0) {
        throw new IOException("DataNode does not show the port of its IPC server");
      }
      ipcPorts.put(address, port);
      freshPorts.put(address, port);
      return port;
    } catch (IOException | RuntimeException e) {
      failures.put(address, ErrorText.of(e));
      throw e;
    }
  }

  @Override
  public void close() {
    pages.close();
    dataNodes.close();
  }
}
