// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.hdfs.conf.StorageTiers;
import io.hycache.hdfs.doctor.NameNodeFacts.Storages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The NameNode's view of the cluster. Stateless. */
final class NameNodeChecks {
  /** Storage policies of Hadoop that put replicas on fast storage. */
  private static final Set<String> OF_SSD =
      Set.of("ALL_SSD", "ONE_SSD", "ALL_NVDIMM", "LAZY_PERSIST");

  private NameNodeChecks() {}

  /**
   * @param withoutSsdVolume names of the DataNodes that need no SSD volume
   * @param withPinned names of those with replicas on SSD that HyCache leaves there, as far as a
   *     storage policy of this NameNode is the only one that may want them there
   */
  static List<Finding> of(
      NameNodeFacts facts,
      StorageTiers tiers,
      Set<String> withoutSsdVolume,
      Set<String> withPinned) {
    List<Finding> all = new ArrayList<>();
    namenode(facts, all);
    facts.storages.forEach((node, its) -> storages(node, its, tiers, withoutSsdVolume, all));
    policies(facts, withPinned, all);
    return all;
  }

  private static void namenode(NameNodeFacts facts, List<Finding> all) {
    int before = all.size();
    if (facts.live.isEmpty()) {
      all.add(
          Finding.error(
              Check.NAMENODE,
              "expected live DataNodes, found none. Fix: start them; a DataNode's log says why it"
                  + " does not register"));
    }
    if (facts.safeMode) {
      all.add(
          Finding.error(
              Check.NAMENODE,
              "expected a NameNode out of safe mode, found it in safe mode: nothing is written or"
                  + " replicated. Fix: hdfs dfsadmin -safemode get; it ends by itself once the"
                  + " DataNodes have reported, unless it was entered by hand"));
    }
    if (!facts.dead.isEmpty()) {
      all.add(
          Finding.warning(
              Check.NAMENODE,
              "expected all DataNodes alive, found dead: "
                  + ClusterChecks.some(new TreeSet<>(facts.dead))
                  + ". Fix: start them, or decommission them"));
    }
    if (all.size() == before) {
      all.add(Finding.ok(Check.NAMENODE, "not in safe mode; live DataNodes: " + facts.live.size()));
    }
  }

  private static void storages(
      String node,
      Storages its,
      StorageTiers tiers,
      Set<String> withoutSsdVolume,
      List<Finding> all) {
    if (its.failed > 0) {
      all.add(NodeChecks.failedVolumes(its.failed).on(node));
    }
    if (its.types.stream().noneMatch(tiers::isFast) && !withoutSsdVolume.contains(node)) {
      all.add(unseen("SSD", its, node));
    }
    if (!its.types.contains(tiers.slow())) {
      all.add(unseen(tiers.slow().name(), its, node));
    }
  }

  private static Finding unseen(String type, Storages its, String node) {
    return Finding.warning(
            Check.VOLUMES,
            "the NameNode expects no "
                + type
                + " on this DataNode: its storages are of type "
                + new TreeSet<>(its.types)
                + ". Fix: tag the directories in dfs.datanode.data.dir and restart the DataNode")
        .on(node);
  }

  private static void policies(NameNodeFacts facts, Set<String> withPinned, List<Finding> all) {
    List<String> pinned = new ArrayList<>();
    for (Map.Entry<String, String> policy : facts.policies.entrySet()) {
      if (OF_SSD.contains(policy.getValue())) {
        pinned.add(policy.getKey() + " " + policy.getValue());
      }
    }
    boolean complete = facts.policies.size() <= NameNodeSurvey.MAX_DIRECTORIES;
    if (OF_SSD.contains(facts.policies.getOrDefault("/", ""))) {
      all.add(
          Finding.warning(
              Check.POLICIES,
              "/: expected a storage policy of DISK such as HOT, found "
                  + facts.policies.get("/")
                  + ": all new files are put on SSD for good, and HyCache moves none of them. Fix:"
                  + " hdfs storagepolicies -setStoragePolicy -path / -policy HOT"));
    } else if (pinned.isEmpty() && !withPinned.isEmpty() && complete) {
      all.add(
          Finding.warning(
              Check.POLICIES,
              "expected nothing that stays on SSD for good, as neither / nor a directory in it is"
                  + " put on SSD by a storage policy, found such replicas (PINNED of status"
                  + " --devices --wide) on "
                  + ClusterChecks.some(new TreeSet<>(withPinned))
                  + ": HDFS's balancer moved them there, or a directory further down has such a"
                  + " policy. Fix: hdfs mover -p / moves to DISK what no policy wants on SSD"));
    } else {
      all.add(
          Finding.ok(
              Check.POLICIES,
              !pinned.isEmpty()
                  ? "put on SSD for good, and left alone: " + ClusterChecks.some(pinned)
                  : complete
                      ? "no directory in / is put on SSD by a storage policy"
                      : "none of the first "
                          + NameNodeSurvey.MAX_DIRECTORIES
                          + " directories in / is put on SSD by a storage policy"));
    }
  }
}
