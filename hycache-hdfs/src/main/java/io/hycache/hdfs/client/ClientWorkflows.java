// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Manifest;
import io.hycache.core.model.LatestEntries;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Each call makes file systems of its own, and closes them. In Hadoop's cache they would stay for good where a session of
 * their user has ended meanwhile. And the cache is locked while it closes all its file systems, which wait for the calls.
 */
/**
 * The workflows of a process that hints what its jobs read, submitted as the user that they were
 * made for. Paths that are missing or may not be read are left out. Each call connects; what stays
 * is what is needed to withdraw the workflows. Not thread-safe.
 */
final class ClientWorkflows implements AutomaticHints.Workflows {
  private static final Logger LOG = LoggerFactory.getLogger(ClientWorkflows.class);

  /** A job that takes longer does without hints after that; it renews nothing. */
  private static final Duration TTL = Duration.ofHours(2);

  /**
   * Workflows that can be withdrawn, the latest ones; the hints of the others end with their TTL.
   */
  static final int MAX_WORKFLOWS = 1000;

  /** Attempts to find the active NameNode; by default 15, with pauses of up to 15 s. */
  private static final int MAX_FAILOVERS = 5;

  private final Configuration conf;
  private final UserGroupInformation user;
  private final String by;

  /** What is needed to withdraw a workflow. Immutable. */
  private static final class Sent {
    static final Sent NOTHING = new Sent(List.of(), null);

    /** The DataNodes that may have hints. */
    final List<DataNode> nodes;

    /**
     * Authenticates a user without a Kerberos ticket. Block tokens live 10 hours by default, longer
     * than the hints. Null if the cluster uses none.
     */
    final @Nullable Token<BlockTokenIdentifier> token;

    Sent(List<DataNode> nodes, @Nullable Token<BlockTokenIdentifier> token) {
      this.nodes = nodes;
      this.token = token;
    }
  }

  /** By workflow. */
  private final Map<String, Sent> sent = LatestEntries.map(MAX_WORKFLOWS);

  /**
   * @param conf as {@link #configuration} makes it; may be shared
   * @param by what submits them, see {@link HyCacheClient#submit(ResolvedManifest, String)}
   */
  ClientWorkflows(Configuration conf, UserGroupInformation user, String by) {
    this.conf = conf;
    this.user = user;
    this.by = by;
  }

  /**
   * Returns a configuration for the workflows on a file system: with that as the default, which is
   * plain HDFS and not in Hadoop's cache.
   */
  static Configuration configuration(Configuration conf, URI fileSystem) {
    Configuration out = new Configuration(conf);
    out.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, fileSystem.toString());
    out.setBoolean(FileLocator.disableCacheKey(fileSystem.getScheme()), true);
    out.set(HyCacheKeys.CLIENT_HINTS, "off");
    out.set(HyCacheKeys.CLIENT_LOCALITY, "off");
    // By default a NameNode whose host is gone holds the thread of all workflows for a quarter of
    // an hour.
    out.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    out.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    out.setInt(HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, MAX_FAILOVERS);
    return out;
  }

  private interface Call<T> {
    T run(HyCacheClient client) throws IOException;
  }

  private <T> T asUser(Call<T> call) throws IOException {
    PrivilegedExceptionAction<T> action =
        () -> {
          try (HyCacheClient client = new HyCacheClient(conf, (what, done, total) -> {})) {
            return call.run(client);
          }
        };
    try {
      return user.doAs(action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /**
   * As {@link AutomaticHints.Workflows#submit}.
   *
   * @throws IOException also if there are blocks to hint, and no DataNode accepted a hint
   */
  @Override
  public void submit(String name, List<String> paths, boolean random) throws IOException {
    submit(name, paths, random, () -> true);
  }

  /**
   * As {@link #submit(String, List, boolean)}, for a run that may end meanwhile.
   *
   * @param isNeeded asked between files; nothing is sent if it is false
   */
  void submit(String name, List<String> paths, boolean random, BooleanSupplier isNeeded)
      throws IOException {
    Manifest manifest = Manifest.ofFiles(name, TTL, paths, random);
    FileWorkflows.Outcome unused = asUser(client -> submit(client, manifest, isNeeded));
  }

  /**
   * Submits these reads, in this order, under a name. An earlier submission of the same name is
   * replaced.
   *
   * @param isNeeded asked between files; nothing is sent if it is false
   * @return what became of them
   * @throws IOException also if there are blocks to hint, and no DataNode accepted a hint
   */
  FileWorkflows.Outcome submitReads(
      String name, List<Manifest.Read> reads, BooleanSupplier isNeeded) throws IOException {
    return asUser(client -> submit(client, Manifest.ofReads(name, TTL, reads), isNeeded));
  }

  private FileWorkflows.Outcome submit(
      HyCacheClient client, Manifest manifest, BooleanSupplier isNeeded) throws IOException {
    String name = manifest.workflow();
    Sent before = sent.getOrDefault(name, Sent.NOTHING);
    client.authenticateBy(before.token);
    ResolvedManifest resolved;
    try {
      resolved =
          client.resolveJob(
              ManifestPlaces.of("workflow " + name), manifest, TTL, before.nodes, isNeeded);
    } catch (CancellationException e) {
      LOG.debug("ended while its paths were looked up: workflow={}", name, e);
      return FileWorkflows.Outcome.NOTHING;
    }
    if (!isNeeded.getAsBoolean()) {
      return FileWorkflows.Outcome.NOTHING;
    }
    // A DataNode that has not answered this time may have hints of the submission before.
    Set<DataNode> all = new TreeSet<>(before.nodes);
    all.addAll(resolved.dataNodes());
    sent.put(name, new Sent(List.copyOf(all), client.token()));
    resolved.notes().forEach(note -> LOG.debug("{}", note));
    List<NodeAnswer<Optional<HintReceipt>>> answers = client.submitJob(resolved, by);
    long taken = 0;
    for (NodeAnswer<Optional<HintReceipt>> answer : answers) {
      if (answer.isAnswered()) {
        taken += answer.value().map(HintReceipt::accepted).orElse(0);
      } else {
        LOG.debug("no hints: DataNode={} cause={}", answer.node(), answer.failureText());
      }
    }
    if (taken == 0 && resolved.references() > 0) {
      throw nothingTaken(resolved, answers);
    }
    LOG.info(
        "Hinted workflow {}: {} files, {} blocks, {} of {} block reads taken",
        name,
        resolved.files(),
        resolved.blocks(),
        taken,
        resolved.references());
    return taken > 0 ? FileWorkflows.Outcome.TAKEN : FileWorkflows.Outcome.NOTHING;
  }

  /**
   * Names one cause: the first failure, else a limit, else that a DataNode is without the plugin.
   */
  private static IOException nothingTaken(
      ResolvedManifest resolved, List<NodeAnswer<Optional<HintReceipt>>> answers) {
    List<NodeAnswer<?>> failed = new ArrayList<>(resolved.unavailable());
    List<String> limited = new ArrayList<>();
    for (NodeAnswer<Optional<HintReceipt>> answer : answers) {
      if (!answer.isAnswered()) {
        failed.add(answer);
      } else if (answer.value().isPresent()) {
        limited.add("DataNode=" + answer.node() + " limits=" + answer.value().get().limits());
      }
    }
    failed.sort(Comparator.comparing(HyCacheClient::isNotActive)); // stable
    String what = "no DataNode accepted a hint: ";
    if (!failed.isEmpty() && (limited.isEmpty() || !HyCacheClient.isNotActive(failed.get(0)))) {
      NodeAnswer<?> first = failed.get(0);
      return new IOException(
          what + "DataNode=" + first.node() + " cause=" + first.failureText(), first.failure());
    }
    return new IOException(
        what + (limited.isEmpty() ? "no DataNode has a replica of the blocks" : limited.get(0)));
  }

  /** Asks all DataNodes that may have hints, and fails if one of them does not answer. */
  @Override
  public void withdraw(String name) throws IOException {
    Sent from = sent.remove(name);
    if (from == null) {
      return;
    }
    List<NodeAnswer<OptionalInt>> answers =
        asUser(
            client -> {
              client.authenticateBy(from.token);
              return client.withdraw(name, "", from.nodes);
            });
    for (NodeAnswer<OptionalInt> answer : answers) {
      if (!answer.isAnswered() && !HyCacheClient.isNotActive(answer)) {
        throw new IOException(
            "not withdrawn: DataNode=" + answer.node() + " cause=" + answer.failureText(),
            answer.failure());
      }
    }
  }
}
