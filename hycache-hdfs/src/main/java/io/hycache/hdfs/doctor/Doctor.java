// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.StartAdvice;
import io.hycache.hdfs.conf.StorageTiers;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The command's two examinations: of a cluster, and of the machine that it runs on. Everything is
 * asked as the current user. Thread-safe.
 */
public final class Doctor {
  /** What is examined. */
  public enum Scope {
    CLUSTER,
    NODE,
    /** The cluster, and this machine if it is one of its DataNodes. */
    BOTH
  }

  private final Configuration conf;
  private final DirectoryProbe probe;
  private final PortChecks.Connector connector;

  /**
   * @param conf of the cluster, and of this machine's DataNode; not changed
   */
  public Doctor(Configuration conf) {
    this(conf, new LocalDirectories(), NodeSurvey::connects);
  }

  Doctor(Configuration conf, DirectoryProbe probe, PortChecks.Connector connector) {
    this.conf = NameNodeSurvey.impatient(conf);
    this.probe = probe;
    this.connector = connector;
  }

  /** Takes seconds: ten and more for a machine that does not answer, all at the same time. */
  public List<Finding> examine(Scope scope) throws IOException, InterruptedException {
    Set<Finding> all = new LinkedHashSet<>();
    try (NodeSurvey survey = new NodeSurvey(conf)) {
      boolean here = scope == Scope.NODE;
      if (scope == Scope.NODE) {
        all.addAll(thisDataNode(survey));
      } else {
        Boolean member = cluster(survey, all);
        here = scope == Scope.BOTH && (member == null ? hasDirectory() : member);
        all.addAll(KerberosChecks.of(conf, KerberosChecks.OF_THIS_PROCESS));
      }
      all.addAll(
          here
              ? DoctorChecks.local(conf, probe, true)
              : List.of(
                  Finding.notChecked(
                      Check.DEVICES,
                      "they are looked at on the DataNode that has them. Fix: run doctor --node"
                          + " there, as the DataNode's user")));
    }
    return List.copyOf(all);
  }

  /** Whether one of the configured directories is on this machine. */
  private boolean hasDirectory() {
    try {
      return StartAdvice.dataDirs(conf).stream().anyMatch(dir -> probe.isDirectory(dir.toPath()));
    } catch (IllegalArgumentException e) {
      return true; // one of the mistakes
    }
  }

  /** What the DataNode of this machine answers, if there is one. */
  private List<Finding> thisDataNode(NodeSurvey survey) throws IOException, InterruptedException {
    Finding ports = PortChecks.of(conf, connector);
    if (ports.result() != Finding.Result.OK) {
      return List.of(ports);
    }
    Map<String, InetSocketAddress> addresses = PortChecks.addresses(conf);
    List<String> texts = new ArrayList<>();
    addresses.values().forEach(address -> texts.add(NetUtils.getHostPortString(address)));
    NodeFacts.Address address =
        new NodeFacts.Address("this DataNode", texts.get(0), texts.get(1), texts.get(2));
    return NodeChecks.of(survey.ask(List.of(address)).get(0));
  }

  /** Examines the cluster; returns whether this machine is one of its DataNodes; null: unknown. */
  private @Nullable Boolean cluster(NodeSurvey survey, Set<Finding> all)
      throws IOException, InterruptedException {
    NameNodeFacts facts;
    try {
      facts = NameNodeSurvey.ask(conf);
    } catch (AccessControlException e) {
      all.add(
          Finding.notChecked(
              Check.NAMENODE,
              "it lists its DataNodes to HDFS superusers only. Fix: run doctor as one, or --node on"
                  + " each DataNode"));
      return null;
    } catch (IOException | IllegalArgumentException e) {
      all.add(
          Finding.error(
              Check.NAMENODE,
              "expected an answer, found none: "
                  + ErrorText.of(e)
                  + ". Fix: start it, or correct fs.defaultFS; --node does without it"));
      return null;
    }
    List<NodeFacts> nodes = survey.ask(facts.live);
    all.addAll(
        NameNodeChecks.of(
            facts, StorageTiers.of(conf), withoutSsdVolume(nodes), withPinned(nodes, conf)));
    nodes.forEach(node -> all.addAll(NodeChecks.of(node)));
    all.addAll(
        ClusterChecks.of(nodes, survey.nameNodesAhead(), UserGroupInformation.isSecurityEnabled()));
    return isHere(facts);
  }

  /** Whether a DataNode of this machine is one of the cluster's, be it dead. */
  static boolean isHere(NameNodeFacts facts) {
    return Stream.concat(facts.live.stream().map(node -> node.transfer), facts.dead.stream())
        .anyMatch(Doctor::isHere);
  }

  /**
   * The DataNodes that need no SSD volume: their HyCache has an SSD, be it a volume or not, or
   * their mode does without.
   */
  static Set<String> withoutSsdVolume(List<NodeFacts> nodes) {
    Set<String> names = new HashSet<>();
    for (NodeFacts node : nodes) {
      NodeStatus status = node.status.value();
      if (status != null
          && (status.capacityBytes() > 0 || !status.mode().equals(Mode.ACTIVE.toString()))) {
        names.add(node.address.name);
      }
    }
    return names;
  }

  /**
   * The DataNodes with replicas on SSD that are not HyCache's to move; none if there are several
   * name services, as the storage policies of the others are not known.
   */
  static Set<String> withPinned(List<NodeFacts> nodes, Configuration conf) {
    Set<String> names = new HashSet<>();
    if (conf.getTrimmedStringCollection(DFSConfigKeys.DFS_NAMESERVICES).size() > 1) {
      return names;
    }
    for (NodeFacts node : nodes) {
      NodeStatus status = node.status.value();
      if (status != null && status.ownerBytes() > 0) {
        names.add(node.address.name);
      }
    }
    return names;
  }

  private static boolean isHere(String address) {
    InetAddress host = NetUtils.createSocketAddr(address).getAddress();
    return host != null && NetUtils.isLocalAddress(host);
  }
}
