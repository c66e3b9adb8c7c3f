// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.Hints.Watched;
import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.ManifestResolver.ResolvedJob;
import io.hycache.hdfs.client.ManifestResolver.ResolvedRead;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * Resolves a manifest to hints for every DataNode, and sends them.
 *
 * <p>First everything is looked up as the calling user: files, blocks, and which DataNodes answer.
 * Unless {@link ManifestResolver.Reads} say otherwise, one path that is missing or may not be read
 * ends it with a {@link HintException}, and nothing has been submitted. Then every block is given
 * to {@code hycache.hints.replicas} of the holders that answer, as {@link BlockBalancer} chooses;
 * the others watch it. All DataNodes get their hints at the same time; one that fails doesn't hold
 * up the others. A DataNode that gets nothing is asked to withdraw an earlier submission of the
 * same name.
 */
final class HintSubmitter {
  private final Configuration conf;
  private final DataNodes nodes;
  private final ClientSettings settings;
  private final Progress progress;

  HintSubmitter(Configuration conf, DataNodes nodes, ClientSettings settings, Progress progress) {
    this.conf = conf;
    this.nodes = nodes;
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Looks everything up and sends nothing.
   *
   * @param resolver of this manifest
   * @param live the DataNodes to consider
   * @param atReaders the DataNodes on the host of the readers
   * @param atMostBytes only the first blocks, of so many bytes together
   * @throws HintException if the manifest cannot be submitted as it is
   */
  ResolvedManifest resolve(
      ManifestResolver resolver,
      Manifest manifest,
      Duration ttl,
      List<DataNode> live,
      Predicate<DataNode> atReaders,
      long atMostBytes)
      throws IOException {
    checkName(resolver.source(), manifest.workflow());
    List<ResolvedJob> jobs = resolver.first(atMostBytes, resolver.resolve(manifest));
    Builder builder = new Builder(askStatus(live, jobs), onSsd(jobs), atReaders);
    jobs.forEach(builder::add);
    return builder.build(manifest.workflow(), ttl, resolver);
  }

  private static void checkName(String source, String workflow) throws HintException {
    if (!WorkflowId.isName(workflow)) {
      throw new HintException(
          source
              + ": workflow: expected "
              + WorkflowId.EXPECTED_NAME
              + ", found one of "
              + workflow.length()
              + " characters. Fix: choose another name.");
    }
  }

  /**
   * Sends every DataNode its hints. One answer for each: the receipt; empty if the DataNode gets
   * none.
   *
   * @param as adds what the manifest does not say of its hints, such as what submits them
   */
  List<NodeAnswer<Optional<HintReceipt>>> submit(ResolvedManifest resolved, UnaryOperator<Hints> as)
      throws IOException {
    Map<DataNode, ResolvedManifest.NodeHints> hintsByNode = new LinkedHashMap<>();
    resolved.nodes().forEach(hints -> hintsByNode.put(hints.node(), hints));
    long total =
        hintsByNode.values().stream().mapToLong(ResolvedManifest.NodeHints::references).sum();
    AtomicLong done = new AtomicLong();
    return nodes.ask(
        hintsByNode.keySet(),
        (node, client) -> {
          ResolvedManifest.NodeHints hints = hintsByNode.get(node);
          if (hints == null || hints.isEmpty()) {
            OptionalInt unused = client.withdraw(resolved.workflow(), "");
            return Optional.empty();
          }
          int[] before = {0};
          return Optional.of(
              client.submitHints(
                  as.apply(hints.hints(resolved.workflow(), resolved.ttl())),
                  resolved.tokens(),
                  sent -> {
                    progress.at("block reads sent", done.addAndGet(sent - before[0]), total);
                    before[0] = sent;
                  }));
        });
  }

  /** The DataNodes that have a block on SSD; empty if the directory doesn't answer. */
  private Map<BlockKey, Set<String>> onSsd(List<ResolvedJob> jobs) throws IOException {
    Map<BlockKey, BlockReplicas> blocks = new LinkedHashMap<>();
    for (ResolvedJob job : jobs) {
      job.reads.forEach(r -> r.blocks.forEach(b -> blocks.put(b.block, b)));
    }
    try (SsdHolders holders = new SsdHolders(conf, settings.timeout)) {
      return holders.of(blocks.values());
    }
  }

  private List<NodeAnswer<NodeStatus>> askStatus(List<DataNode> live, List<ResolvedJob> jobs)
      throws IOException {
    TreeSet<DataNode> asked = new TreeSet<>(live);
    for (ResolvedJob job : jobs) {
      job.reads.forEach(r -> r.blocks.forEach(b -> asked.addAll(b.holders)));
    }
    return nodes.ask(asked, (node, client) -> client.status());
  }

  /** A DataNode's hints while they grow. */
  private static final class Share {
    final NodeStatus status;
    final List<Reference> references = new ArrayList<>();
    final List<Watch> watched = new ArrayList<>();
    int blocks;
    long bytes;

    Share(NodeStatus status) {
      this.status = status;
    }
  }

  /** A block as one of its holders watches it for others. */
  private static final class Watch {
    final Placed placed;
    final List<String> hinted;

    Watch(Placed placed, List<String> hinted) {
      this.placed = placed;
      this.hinted = hinted;
    }

    Watched watched() {
      return new Watched(placed.plain.block(), placed.reads, hinted);
    }
  }

  /** A distinct block: its two possible references, and who is asked. */
  private static final class Placed {
    final Reference plain;
    final Reference random;
    final List<Share> shares = new ArrayList<>();

    /** Expected reads. */
    int reads;

    Placed(BlockReplicas block) {
      this.plain = new Reference(block.block, block.lengthBytes, false);
      this.random = new Reference(block.block, block.lengthBytes, true);
    }
  }

  /** Deals the reference sequence out to the DataNodes. */
  private final class Builder {
    private final TreeMap<DataNode, Share> shares = new TreeMap<>();
    private final List<NodeAnswer<NodeStatus>> unavailable = new ArrayList<>();
    private final Map<BlockKey, Placed> placed = new HashMap<>();
    private final Map<BlockKey, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    private final BlockBalancer balancer;
    private long bytes;
    private long references;
    private int unreachable;

    Builder(
        List<NodeAnswer<NodeStatus>> answers,
        Map<BlockKey, Set<String>> onSsd,
        Predicate<DataNode> atReaders) {
      this.balancer = new BlockBalancer(settings.replicas, shares::containsKey, onSsd, atReaders);
      for (NodeAnswer<NodeStatus> answer : answers) {
        if (answer.isAnswered()) {
          shares.put(answer.node(), new Share(answer.value()));
        } else {
          unavailable.add(answer);
        }
      }
    }

    void add(ResolvedJob job) {
      for (int run = 0; run < job.repeat; run++) {
        for (ResolvedRead read : job.reads) {
          for (int time = 0; time < read.times; time++) {
            read.blocks.forEach(block -> add(block, read.random));
          }
        }
      }
    }

    private void add(BlockReplicas block, boolean random) {
      Placed at = placed.get(block.block);
      if (at == null) {
        at = place(block);
      }
      references++;
      at.reads++;
      for (Share share : at.shares) {
        share.references.add(random ? at.random : at.plain);
      }
    }

    private Placed place(BlockReplicas block) {
      Placed at = new Placed(block);
      List<DataNode> chosen = balancer.choose(block);
      for (DataNode node : chosen) {
        Share share = shares.get(node);
        if (share != null) {
          share.blocks++;
          share.bytes += block.lengthBytes;
          at.shares.add(share);
        }
      }
      placed.put(block.block, at);
      watch(block, at, chosen);
      bytes += block.lengthBytes;
      unreachable += at.shares.isEmpty() ? 1 : 0;
      if (block.token != null) {
        tokens.put(block.block, block.token);
      }
      return at;
    }

    /** Each holder watches the block for those others that get its hints. */
    private void watch(BlockReplicas block, Placed at, List<DataNode> chosen) {
      for (DataNode holder : block.holders) {
        Share share = shares.get(holder);
        List<String> others =
            chosen.stream()
                .filter(node -> !node.equals(holder))
                .map(DataNode::uuid)
                .collect(Collectors.toList());
        if (share != null && !others.isEmpty()) {
          share.watched.add(new Watch(at, others));
        }
      }
    }

    ResolvedManifest build(String workflow, Duration ttl, ManifestResolver resolver) {
      List<ResolvedManifest.NodeHints> hints = new ArrayList<>();
      shares.forEach(
          (node, share) ->
              hints.add(
                  new ResolvedManifest.NodeHints(
                      node,
                      share.blocks,
                      share.bytes,
                      share.references,
                      share.watched.stream().map(Watch::watched).collect(Collectors.toList()),
                      share.status)));
      return new ResolvedManifest(
          workflow,
          ttl,
          resolver.files(),
          placed.size(),
          bytes,
          references,
          unreachable,
          hints,
          unavailable,
          resolver.notes(),
          resolver.later(),
          tokens::get);
    }
  }
}
