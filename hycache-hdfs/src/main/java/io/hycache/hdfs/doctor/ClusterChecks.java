// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.util.StringUtils;
import org.jspecify.annotations.Nullable;

/** What must be alike on all DataNodes, and their clocks. Stateless. */
final class ClusterChecks {
  /** A difference that HDFS's leases and tokens, and people who compare logs, do not mind. */
  private static final long MAX_CLOCK_MILLIS = 5_000;

  /** Kerberos refuses tickets beyond it. */
  private static final long MAX_KERBEROS_MILLIS = 300_000;

  private static final int MAX_NAMES = 5;

  /** Properties that mean something else if one DataNode differs. */
  private static final List<String> ALIKE =
      List.of(HyCacheKeys.TIERS, HyCacheKeys.DIRECTORY, HyCacheKeys.DIRECTORY_REPLICAS);

  private ClusterChecks() {}

  /**
   * @param nameNodeAhead how far the clock of each NameNode is ahead of this machine's, in ms
   * @param kerberos whether security is on
   */
  static List<Finding> of(
      List<NodeFacts> nodes, Map<String, Outcome<Long>> nameNodeAhead, boolean kerberos) {
    List<Finding> all = new ArrayList<>();
    alike(
        all,
        nodes,
        Check.HADOOP,
        "Hadoop",
        web -> web.hadoopVersion,
        "complete the rolling upgrade");
    alike(
        all,
        nodes,
        Check.CLASS_PATH,
        "HyCache",
        web -> web.jars.isEmpty() ? null : ClassPathChecks.version(web.jars.get(0)),
        "install the same JAR everywhere and restart the DataNodes one by one");
    HyCacheConf defaults = new HyCacheConf(new Configuration(false));
    for (String key : ALIKE) {
      alike(
          all,
          nodes,
          Check.KEYS,
          key,
          web -> value(web.conf, key, defaults.text(key)),
          "set it alike on all DataNodes and restart them");
    }
    if (kerberos) {
      String rules = CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTH_TO_LOCAL;
      alike(
          all,
          nodes,
          Check.KERBEROS,
          rules,
          web -> value(web.conf, rules, "its default"),
          "set it alike on all machines");
    }
    all.addAll(clocks(nodes, nameNodeAhead, kerberos));
    return all;
  }

  /** The value that is in force; of a list, without blanks between its elements. */
  private static String value(Configuration conf, String key, String otherwise) {
    String text = conf.getTrimmed(key, otherwise);
    return ALIKE.contains(key) ? String.join(",", StringUtils.getTrimmedStrings(text)) : text;
  }

  /** One warning if there are several values, with the DataNodes that have each. */
  private static void alike(
      List<Finding> all,
      List<NodeFacts> nodes,
      Check check,
      String what,
      Function<NodeFacts.Web, @Nullable String> valueOf,
      String fix) {
    Map<String, TreeSet<String>> byValue = new TreeMap<>();
    for (NodeFacts node : nodes) {
      NodeFacts.Web web = node.web.value();
      String value = web == null ? null : valueOf.apply(web);
      if (value != null) {
        byValue.computeIfAbsent(value, v -> new TreeSet<>()).add(node.address.name);
      }
    }
    if (byValue.size() > 1) {
      List<String> found = new ArrayList<>();
      byValue.forEach((value, names) -> found.add(value + " on " + some(names)));
      all.add(
          Finding.warning(
              check,
              what
                  + ": expected the same on all DataNodes, found "
                  + String.join("; ", found)
                  + ". Fix: "
                  + fix));
    }
  }

  /** The first names, and how many follow. */
  static String some(Iterable<String> names) {
    List<String> all = new ArrayList<>();
    names.forEach(all::add);
    int more = all.size() - MAX_NAMES;
    return more <= 0
        ? String.join(", ", all)
        : String.join(", ", all.subList(0, MAX_NAMES)) + " and " + more + " more";
  }

  private static List<Finding> clocks(
      List<NodeFacts> nodes, Map<String, Outcome<Long>> nameNodeAhead, boolean kerberos) {
    Long reference = null;
    List<Finding> all = new ArrayList<>();
    for (Map.Entry<String, Outcome<Long>> nameNode : nameNodeAhead.entrySet()) {
      Long ahead = nameNode.getValue().value();
      if (ahead == null) {
        all.add(
            Finding.notChecked(
                Check.CLOCKS,
                "the web server of NameNode "
                    + nameNode.getKey()
                    + (nameNode.getValue().isAnswered() ? " refuses: " : " does not answer: ")
                    + nameNode.getValue().failureText()));
      } else if (reference == null) {
        reference = ahead;
        clock(all, "of this machine", -ahead, kerberos, "");
      } else {
        clock(all, "of NameNode " + nameNode.getKey(), ahead - reference, kerberos, "");
      }
    }
    if (reference == null) {
      return all;
    }
    int asked = 0;
    for (NodeFacts node : nodes) {
      NodeFacts.Web web = node.web.value();
      if (web != null) {
        asked++;
        clock(all, "", web.aheadMillis - reference, kerberos, node.address.name);
      }
    }
    return all.isEmpty()
        ? List.of(
            Finding.ok(
                Check.CLOCKS,
                "within "
                    + MAX_CLOCK_MILLIS / 1000
                    + " s of the NameNode's, here and on "
                    + (asked == nodes.size() ? "all" : asked + " of " + nodes.size())
                    + " DataNodes"))
        : all;
  }

  private static void clock(
      List<Finding> all, String whose, long aheadMillis, boolean kerberos, String node) {
    long off = Math.abs(aheadMillis);
    if (off <= MAX_CLOCK_MILLIS) {
      return;
    }
    String message =
        "the clock "
            + (whose.isEmpty() ? "" : whose + " ")
            + "is "
            + off / 1000
            + " s "
            + (aheadMillis > 0 ? "ahead of" : "behind")
            + " the NameNode's"
            + (kerberos && off >= MAX_KERBEROS_MILLIS ? ": Kerberos refuses its tickets" : "")
            + ". Fix: start chrony or ntpd there";
    all.add(
        (kerberos && off >= MAX_KERBEROS_MILLIS
                ? Finding.error(Check.CLOCKS, message)
                : Finding.warning(Check.CLOCKS, message))
            .on(node));
  }
}
