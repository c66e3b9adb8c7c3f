// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Processes that belong together: nodes of a directory, or a NameNode and its clients. */
final class Cluster implements AutoCloseable {
  private static final long ANSWER_TIMEOUT_SECONDS = 120;

  private final Launcher launcher;
  private final List<Child> all = new ArrayList<>();
  private final List<Child> nodes = new ArrayList<>();

  private Cluster(Launcher launcher) {
    this.launcher = launcher;
  }

  private Child start(int processes, String role, String name, String more) throws IOException {
    Child child = launcher.start(processes, role, name, more);
    all.add(child);
    return child;
  }

  /**
   * Starts a directory whose clients are in its nodes.
   *
   * @param replicas copies of each record, if there are as many nodes
   */
  static Cluster directory(Launcher launcher, int nodes, int replicas) throws IOException {
    return directory(launcher, nodes, 0, replicas);
  }

  /**
   * Starts a directory.
   *
   * @param clients processes that have no share; if there are some, only they have clients
   */
  static Cluster directory(Launcher launcher, int nodes, int clients, int replicas)
      throws IOException {
    Cluster cluster = new Cluster(launcher);
    try {
      for (int i = 0; i < nodes; i++) {
        String role = clients == 0 ? "member" : "server";
        cluster.start(nodes + clients, role, "n" + i, String.valueOf(replicas));
      }
      for (int i = 0; i < clients; i++) {
        cluster.start(nodes + clients, "client", "c" + i, String.valueOf(replicas));
      }
      ObjectNode join = Lines.object().put("do", "join");
      ArrayNode members = join.putArray("members");
      for (int i = 0; i < cluster.all.size(); i++) {
        String address = cluster.all.get(i).address();
        if (i < nodes) {
          members.addObject().put("id", "n" + i).put("address", address);
        }
      }
      cluster.nodes.addAll(cluster.all);
      cluster.askAll(join);
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** Starts a NameNode, and clients in as many processes as there are nodes. */
  static Cluster nameNode(Launcher launcher, int nodes) throws IOException {
    Cluster cluster = new Cluster(launcher);
    try {
      String dir = launcher.nameNodeDir().toString();
      String address = cluster.start(nodes + 1, "namenode", "namenode", dir).address();
      for (int i = 0; i < nodes; i++) {
        cluster.nodes.add(cluster.start(nodes + 1, "hdfs-client", "n" + i, address));
      }
      for (Child node : cluster.nodes) {
        node.address();
      }
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private List<JsonNode> askAll(JsonNode request) throws IOException {
    return askAll(request, ANSWER_TIMEOUT_SECONDS);
  }

  private List<JsonNode> askAll(JsonNode request, long timeoutSeconds) throws IOException {
    for (Child node : nodes) {
      node.ask(request);
    }
    List<JsonNode> answers = new ArrayList<>();
    for (Child node : nodes) {
      answers.add(node.answer(timeoutSeconds));
    }
    return answers;
  }

  /** Has all nodes do the same. Names that were appended and are not there once are errors. */
  PhaseResult run(Phase phase) throws IOException {
    PhaseResult sum = PhaseResult.sum(runEach(phase));
    return phase.operation == Phase.Operation.APPEND ? checked(sum, phase) : sum;
  }

  /** What came of it in each: the servers first. */
  List<PhaseResult> runEach(Phase phase) throws IOException {
    ObjectNode prepare = Lines.object().put("do", "prepare");
    prepare.set("phase", Lines.JSON.valueToTree(phase));
    askAll(prepare);
    List<PhaseResult> results = new ArrayList<>();
    for (JsonNode answer : askAll(Lines.object().put("do", "run"), timeoutSeconds(phase))) {
      results.add(Lines.JSON.treeToValue(answer, PhaseResult.class));
    }
    return results;
  }

  /** How long to wait for the answer to a run, which comes after the phase. */
  static long timeoutSeconds(Phase phase) {
    return ANSWER_TIMEOUT_SECONDS + (phase.warmupMillis + phase.millis) / 1000;
  }

  private PhaseResult checked(PhaseResult sum, Phase phase) throws IOException {
    Child one = nodes.get(0);
    one.ask(Lines.object().put("do", "appended").put("phase", phase.label));
    JsonNode there = one.answer(ANSWER_TIMEOUT_SECONDS);
    return checked(sum, there.path("appended").asLong(), there.path("again").asLong());
  }

  /**
   * The result of an append phase, with its names checked.
   *
   * @param there different names
   * @param again names that are there once more
   */
  static PhaseResult checked(PhaseResult sum, long there, long again) {
    long wrong = Math.abs(there - sum.acknowledged) + again;
    return wrong == 0
        ? sum
        : sum.withErrors(
            wrong,
            String.format(
                Locale.ROOT,
                "append: %d names were acknowledged, %d are there, %d once more",
                sum.acknowledged,
                there,
                again));
  }

  @Override
  public void close() {
    for (int i = all.size() - 1; i >= 0; i--) {
      all.get(i).close();
    }
  }
}
