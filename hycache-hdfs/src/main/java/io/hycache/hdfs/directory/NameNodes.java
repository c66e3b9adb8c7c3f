// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/*
 * A standby NameNode answers, too: all DataNodes report to it. But one that can't reach a NameNode is dead to that one only,
 * for days. If members that ask different NameNodes drew different conclusions, the DataNode would leave and join for ever, and
 * each time all DataNodes publish all their blocks again. So while a member is not listed, the other NameNodes are asked as
 * well: whom one of them lists is alive.
 */
/**
 * Asks NameNodes of each name service of a configuration for their live DataNodes: the one that
 * answered last, and the others only if it does not answer, or a known DataNode is not listed. One
 * thread at a time.
 */
final class NameNodes {
  private static final int MAX_CAUSE_CHARS = 1000;

  /** Asks one NameNode. */
  @FunctionalInterface
  interface Question<T> {
    /** Returns the DataNodes by what distinguishes them. */
    Map<String, T> ask(InetSocketAddress nameNode) throws IOException;
  }

  private final Configuration conf;

  /** By name service, the NameNode that answered last. */
  private final Map<String, InetSocketAddress> answering = new ConcurrentHashMap<>();

  private String doubt = "";

  NameNodes(Configuration conf) {
    this.conf = conf;
  }

  /**
   * The DataNodes that are alive to a NameNode of each name service that answers.
   *
   * @param known what distinguishes the DataNodes that are known so far
   * @throws AccessControlException if a NameNode refuses
   * @throws IOException if no NameNode of any name service answers
   */
  <T> Map<String, T> live(Set<String> known, Question<T> question) throws IOException {
    Map<String, T> out = new LinkedHashMap<>();
    Map<String, IOException> silent = new LinkedHashMap<>();
    int services = 0;
    for (Map.Entry<String, Map<String, InetSocketAddress>> entry :
        DFSUtil.getNNServiceRpcAddressesForCluster(conf).entrySet()) {
      String service = String.valueOf(entry.getKey()); // null without name services
      services++;
      IOException failure = ask(service, entry.getValue().values(), known, question, out);
      if (failure != null) {
        silent.put(service, failure);
      }
    }
    if (silent.size() == services) {
      throw silent.isEmpty()
          ? new IOException("no NameNode is configured")
          : silent.values().iterator().next();
    }
    doubt = silent.isEmpty() ? "" : doubt(silent);
    return out;
  }

  private static String doubt(Map<String, IOException> silent) {
    String cause = ErrorText.of(silent.values().iterator().next());
    return "no NameNode answers of the name services "
        + silent.keySet()
        + ": cause="
        + cause.substring(0, Math.min(cause.length(), MAX_CAUSE_CHARS));
  }

  /** Why the last answer may lack DataNodes; empty if there is no doubt. */
  String doubt() {
    return doubt;
  }

  /** Returns null if a NameNode answered. */
  private <T> @Nullable IOException ask(
      String service,
      Collection<InetSocketAddress> nameNodes,
      Set<String> known,
      Question<T> question,
      Map<String, T> out)
      throws AccessControlException {
    List<InetSocketAddress> order = new ArrayList<>(nameNodes);
    InetSocketAddress last = answering.get(service);
    if (order.remove(last)) {
      order.add(0, last);
    }
    boolean answered = false;
    IOException failure = null;
    for (InetSocketAddress nameNode : order) {
      if (answered && out.keySet().containsAll(known)) {
        break;
      }
      try {
        question.ask(nameNode).forEach(out::putIfAbsent);
        if (!answered) {
          answering.put(service, nameNode);
        }
        answered = true;
      } catch (AccessControlException e) {
        throw e;
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (answered) {
      return null;
    }
    return failure == null ? new IOException("no NameNode is configured") : failure;
  }
}
