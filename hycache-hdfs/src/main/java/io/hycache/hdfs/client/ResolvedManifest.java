// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.Hints.Watched;
import io.hycache.core.hint.Manifest;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.rpc.BlockTokens;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** A manifest resolved to hints for every DataNode, before anything is sent. Immutable. */
public final class ResolvedManifest {

  /** The hints of one DataNode. */
  public static final class NodeHints {
    private final DataNode node;
    private final int blocks;
    private final long bytes;
    private final List<Reference> references;
    private final List<Watched> watched;
    private final NodeStatus status;

    NodeHints(
        DataNode node,
        int blocks,
        long bytes,
        List<Reference> references,
        List<Watched> watched,
        NodeStatus status) {
      this.node = node;
      this.blocks = blocks;
      this.bytes = bytes;
      this.references = List.copyOf(references);
      this.watched = List.copyOf(watched);
      this.status = status;
    }

    public DataNode node() {
      return node;
    }

    /** Distinct blocks that this DataNode is asked to keep ready. */
    public int blocks() {
      return blocks;
    }

    /** Sum of the lengths of those blocks. */
    public long bytes() {
      return bytes;
    }

    /** Expected reads of those blocks. */
    public int references() {
      return references.size();
    }

    /**
     * Room for hinted blocks: what {@code status} shows as free, and what may make way for them,
     * which is clean copies and dirty replicas that no cache directive pins. Empty if the DataNode
     * does not know these now, as while its replicas are being scanned after a start.
     */
    public OptionalLong roomBytes() {
      return status.isCounted()
          ? OptionalLong.of(
              Math.max(
                  0,
                  status.freeBytes()
                      + status.cleanBytes()
                      + status.dirtyBytes()
                      - status.figure(NodeFigure.PINNED_BYTES)))
          : OptionalLong.empty();
    }

    /** How many of {@link #bytes} find room at one time; empty if the room is not known. */
    public OptionalLong fittingBytes() {
      OptionalLong room = roomBytes();
      return room.isPresent() ? OptionalLong.of(Math.min(bytes, room.getAsLong())) : room;
    }

    /** The distinct blocks, in the order of their first expected read. */
    List<BlockKey> hintedBlocks() {
      return references.stream()
          .map(Reference::block)
          .distinct()
          .collect(Collectors.toUnmodifiableList());
    }

    /** True if there is nothing to send. */
    boolean isEmpty() {
      return references.isEmpty() && watched.isEmpty();
    }

    Hints hints(String workflow, Duration ttl) {
      return new Hints(workflow, ttl.toMillis(), references, watched);
    }
  }

  private final String workflow;
  private final Duration ttl;
  private final int files;
  private final int blocks;
  private final long bytes;
  private final long references;
  private final int unreachableBlocks;
  private final List<NodeHints> nodes;
  private final List<NodeAnswer<NodeStatus>> unavailable;
  private final List<String> notes;
  private final Set<Manifest.Read> later;
  private final BlockTokens tokens;

  ResolvedManifest(
      String workflow,
      Duration ttl,
      int files,
      int blocks,
      long bytes,
      long references,
      int unreachableBlocks,
      List<NodeHints> nodes,
      List<NodeAnswer<NodeStatus>> unavailable,
      List<String> notes,
      Set<Manifest.Read> later,
      BlockTokens tokens) {
    this.workflow = workflow;
    this.ttl = ttl;
    this.files = files;
    this.blocks = blocks;
    this.bytes = bytes;
    this.references = references;
    this.unreachableBlocks = unreachableBlocks;
    this.nodes = List.copyOf(nodes);
    this.unavailable = List.copyOf(unavailable);
    this.notes = List.copyOf(notes);
    this.later = Set.copyOf(later);
    this.tokens = tokens;
  }

  public String workflow() {
    return workflow;
  }

  public Duration ttl() {
    return ttl;
  }

  /** Distinct files. */
  public int files() {
    return files;
  }

  /** Distinct blocks. */
  public int blocks() {
    return blocks;
  }

  /** Sum of the lengths of the distinct blocks, one replica each. */
  public long bytes() {
    return bytes;
  }

  /** Expected reads of blocks, repetitions counted. */
  public long references() {
    return references;
  }

  /** Blocks none of whose holders can be asked; no hints name them. */
  public int unreachableBlocks() {
    return unreachableBlocks;
  }

  /** One for each live DataNode that answered, by name; some may have no blocks. */
  public List<NodeHints> nodes() {
    return nodes;
  }

  /** The DataNodes of {@link #nodes}, in the same order. */
  public List<DataNode> dataNodes() {
    return nodes.stream().map(NodeHints::node).collect(Collectors.toList());
  }

  /** The DataNodes that did not answer, with the reason. */
  public List<NodeAnswer<NodeStatus>> unavailable() {
    return unavailable;
  }

  /** What was left out, and why; one line each. */
  public List<String> notes() {
    return notes;
  }

  /**
   * The reads of the manifest, these objects, that were left out because an earlier job of it has
   * yet to write the files.
   */
  public Set<Manifest.Read> later() {
    return later;
  }

  /** False if DataNodes were asked and none of them answered as one with HyCache. */
  public boolean isHintable() {
    return !nodes.isEmpty() || unavailable.isEmpty();
  }

  /** Returns these hints with the block tokens of a later look-up of the same files. */
  public ResolvedManifest withTokensOf(ResolvedManifest fresh) {
    return new ResolvedManifest(
        workflow,
        ttl,
        files,
        blocks,
        bytes,
        references,
        unreachableBlocks,
        nodes,
        unavailable,
        notes,
        later,
        fresh.tokens);
  }

  BlockTokens tokens() {
    return tokens;
  }
}
