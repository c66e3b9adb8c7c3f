// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.StartAdvice;
import io.hycache.hdfs.rpc.NotActiveException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a DataNode answered, judged by itself. Stateless. */
final class NodeChecks {
  private NodeChecks() {}

  /** The findings of one DataNode, named after it. */
  static List<Finding> of(NodeFacts node) {
    List<Finding> all = new ArrayList<>();
    NodeFacts.Web web = node.web.value();
    if (web != null) {
      all.addAll(web(web, node.status.failedWith(NotActiveException.class)));
    } else {
      all.add(
          Finding.notChecked(
              Check.CLASS_PATH,
              "Java, Hadoop, class path and configuration are read from the DataNode's web server,"
                  + " which "
                  + (node.web.isAnswered()
                      ? "refuses: "
                          + node.web.failureText()
                          + ". Fix: run doctor with a ticket (kinit) as one of"
                          + " dfs.cluster.administrators"
                      : "does not answer")));
    }
    all.addAll(ports(node));
    hyCache(node, all);
    List<Finding> named = new ArrayList<>();
    all.forEach(finding -> named.add(finding.on(node.address.name)));
    return named;
  }

  private static List<Finding> web(NodeFacts.Web web, boolean notActive) {
    List<Finding> all = new ArrayList<>();
    try {
      all.add(VersionChecks.java(VersionChecks.feature(web.javaVersion), web.hadoopVersion));
    } catch (NumberFormatException e) {
      all.add(Finding.notChecked(Check.JAVA, "unknown version: " + web.javaVersion));
    }
    all.add(VersionChecks.hadoop(web.hadoopVersion));
    if (!web.jars.isEmpty()) {
      all.add(ClassPathChecks.of(web.jars));
    } else if (notActive) {
      all.add(ClassPathChecks.missing());
    } else {
      all.add(
          Finding.notChecked(
              Check.CLASS_PATH, "HyCache answers, but no JAR is named hycache*.jar"));
    }
    all.addAll(ConfigurationChecks.of(web.conf));
    if (web.failedVolumes > 0) {
      all.add(failedVolumes(web.failedVolumes));
    }
    return all;
  }

  /** Of one DataNode; alike from whom the number is, so that it is reported once. */
  static Finding failedVolumes(int failed) {
    return Finding.error(
        Check.VOLUMES,
        "expected no failed volume, found " + failed + ". " + StartAdvice.REPLACE_VOLUME);
  }

  private static List<Finding> ports(NodeFacts node) {
    List<Finding> all = new ArrayList<>();
    port(all, node.transfer, "data transfer " + node.address.transfer);
    port(all, node.web, "web server " + node.address.web);
    port(all, node.status, "IPC " + node.address.ipc);
    return all.isEmpty()
        ? List.of(Finding.ok(Check.PORTS, "data transfer, IPC and web server answer"))
        : all;
  }

  private static void port(List<Finding> all, Outcome<?> outcome, String what) {
    if (!outcome.isAnswered()) {
      all.add(
          Finding.error(
              Check.PORTS,
              "expected an answer of "
                  + what
                  + ", found none: "
                  + outcome.failureText()
                  + ". Fix: see the DataNode's log, and the firewall between here and there"));
    }
  }

  /** Warnings of the DataNode that the checks of its configuration gave already are left out. */
  private static void hyCache(NodeFacts node, List<Finding> all) {
    NodeStatus status = node.status.value();
    if (status == null) {
      all.add(noStatus(node.status));
      return;
    }
    Set<String> known = new HashSet<>();
    all.forEach(finding -> known.add(finding.text()));
    List<Finding> found = new ArrayList<>();
    for (String warning : status.warnings()) {
      Finding finding = Finding.warning(Check.HYCACHE, warning);
      if (!known.contains(finding.text())) {
        found.add(finding);
      }
    }
    state(status, found);
    if (found.isEmpty()) {
      found.add(
          Finding.ok(
              Check.HYCACHE, "mode " + status.mode() + ", warnings: " + status.warnings().size()));
    }
    all.addAll(found);
  }

  private static Finding noStatus(Outcome<NodeStatus> status) {
    if (status.failedWith(NotActiveException.class)) {
      return Finding.error(
          Check.HYCACHE,
          "expected HyCache to answer, found a DataNode without it. Fix: see class path and plug-in"
              + " here; if both are right, the DataNode's log says why its plugin did not start");
    }
    return status.isAnswered()
        ? Finding.error(
            Check.HYCACHE, "expected its status, found an error: " + status.failureText())
        : Finding.notChecked(Check.HYCACHE, "IPC does not answer");
  }

  private static void state(NodeStatus status, List<Finding> found) {
    if (status.passThrough()) {
      found.add(
          Finding.error(
              Check.HYCACHE,
              "expected HyCache to work, found pass-through: the DataNode is plain HDFS. Fix:"
                  + " correct the keys if some are invalid; the DataNode's log has the last failure;"
                  + " restart it"));
    }
    for (DeviceStatus device : status.devices()) {
      if (!device.isUsable()) {
        found.add(
            Finding.error(
                Check.HYCACHE,
                device.device()
                    + ": expected to be used, found out of use: sick, failed, not answering or"
                    + " refused. Fix: the DataNode's log says why"));
      }
    }
    if (status.plannerStalledSeconds() > 0) {
      found.add(
          Finding.error(
              Check.HYCACHE,
              "expected the planner to go round, found it stalled for "
                  + status.plannerStalledSeconds()
                  + " s. Fix: see the log; take a thread dump of HyCachePlanner"));
    }
    if (!status.directoryTrouble().isEmpty()) {
      found.add(Finding.warning(Check.HYCACHE, "directory: " + status.directoryTrouble()));
    }
  }
}
