// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.Hints.Watched;
import io.hycache.core.hint.WatchedReads;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, submission, part, last, workflow, ttlMillis, by, pools: [pool...],
 *  blocks: [[pool index, id, length, token identifier, token password]...],
 *  steps: [2 * block index + (1 if random)...],
 *  nodes: [id of a DataNode...],
 *  watched: [[pool index, id, token identifier, token password, expected reads, [node index...]]...]}
 *
 * nodes and watched are left out where nothing is watched, and by where it is empty; a DataNode of an older version
 * passes over them.
 *
 * A large submission is split into chunks. Each chunk is complete in itself, with its own pools, blocks
 * and tokens; within a chunk a block's token is sent once, however often the block occurs.
 */
/** Request of {@code submitHints}: one chunk of a submission. Immutable. */
final class SubmitRequest {
  static final long MAX_TTL_MILLIS = 366L * 24 * 3600 * 1000;

  /** A chunk ends with the block whose token brings its tokens to this size. */
  private static final int CHUNK_TOKEN_BYTES = 6 << 20;

  private static final int MAX_CHUNKS = 1_000_000;

  /** DataNodes with hints for one block; as many replicas as a block may have. */
  private static final int MAX_HINTED = 512;

  /**
   * Id of a DataNode: a UUID, or one from before there were UUIDs, {@code DS-} with a number, an
   * IPv4 address, a port and a time: 50 characters.
   */
  private static final int MAX_NODE_ID_CHARS = 64;

  /** Names the submission among those of its user. */
  final String submission;

  /** Number of the chunk, from 0. */
  final int number;

  /** Whether the submission is complete with this chunk. */
  final boolean last;

  final String workflow;
  final long ttlMillis;

  /** What submits, see {@link Hints#by}. */
  final String by;

  /** See {@link Hints#isOneJobOnly}. */
  final boolean oneJobOnly;

  /** Distinct blocks of the references and the watched blocks, with their tokens. */
  final List<TokenBlock> blocks;

  final List<Reference> references;

  /** Blocks whose hints other DataNodes have. */
  final List<Watched> watched;

  SubmitRequest(
      String submission,
      int number,
      boolean last,
      String workflow,
      long ttlMillis,
      String by,
      boolean oneJobOnly,
      List<TokenBlock> blocks,
      List<Reference> references,
      List<Watched> watched) {
    this.submission = submission;
    this.number = number;
    this.last = last;
    this.workflow = workflow;
    this.ttlMillis = ttlMillis;
    this.by = by;
    this.oneJobOnly = oneJobOnly;
    this.blocks = blocks;
    this.references = references;
    this.watched = watched;
  }

  /** The hints that a submission consists of, which its last chunk, this one, completes. */
  Hints hints(List<Reference> allReferences, List<Watched> allWatched) {
    Hints hints = new Hints(workflow, ttlMillis, allReferences, allWatched).by(by);
    return oneJobOnly ? hints.ofOneJob() : hints;
  }

  /** References and watched blocks of a submission: what its chunks divide. */
  static int items(Hints hints) {
    return hints.references().size() + hints.watched().size();
  }

  /** An encoded chunk. Immutable. */
  static final class EncodedChunk {
    final BytesValue bytes;

    /** First of the {@link #items} that is not in this chunk or one before. */
    final int nextItem;

    private EncodedChunk(BytesValue bytes, int nextItem) {
      this.bytes = bytes;
      this.nextItem = nextItem;
    }
  }

  /**
   * Encodes one chunk of the hints.
   *
   * @param number number of the chunk, from 0
   * @param firstItem index of the chunk's first item: references come ahead of watched blocks
   * @param maxItems items in the chunk, 1 to {@link JsonFields#MAX_ITEMS}; large tokens make it end
   *     before
   */
  static EncodedChunk encode(
      String submission, Hints hints, BlockTokens tokens, int number, int firstItem, int maxItems) {
    List<Reference> references = hints.references();
    BlockPools pools = new BlockPools();
    Map<BlockKey, Integer> indexes = new HashMap<>();
    ArrayNode blockRows = JsonMessage.array();
    ArrayNode referenceCodes = JsonMessage.array();
    long tokenBytes = 0;
    int at = firstItem;
    while (at < references.size() && at - firstItem < maxItems && tokenBytes < CHUNK_TOKEN_BYTES) {
      Reference reference = references.get(at++);
      Integer index = indexes.get(reference.block());
      if (index == null) {
        index = indexes.size();
        indexes.put(reference.block(), index);
        TokenBlock block = TokenBlock.of(reference.block(), tokens);
        tokenBytes += block.tokenBytes();
        block.addToken(
            pools.addBlock(blockRows.addArray(), block.block).add(reference.lengthBytes()));
      }
      referenceCodes.add(2L * index + (reference.random() ? 1 : 0));
    }
    ObjectNode root = JsonMessage.create();
    Map<String, Integer> nodes = new LinkedHashMap<>();
    ArrayNode watchedRows = JsonMessage.array();
    while (at >= references.size()
        && at < items(hints)
        && at - firstItem < maxItems
        && tokenBytes < CHUNK_TOKEN_BYTES) {
      Watched watched = hints.watched().get(at++ - references.size());
      TokenBlock block = TokenBlock.of(watched.block(), tokens);
      tokenBytes += block.tokenBytes();
      ArrayNode row = pools.addBlock(watchedRows.addArray(), block.block);
      block.addToken(row);
      ArrayNode hinted = row.add(watched.reads()).addArray();
      for (String node : watched.hinted()) {
        Integer known = nodes.putIfAbsent(node, nodes.size());
        hinted.add(known == null ? nodes.size() - 1 : known);
      }
    }
    root.put("submission", submission);
    root.put("part", number);
    root.put("last", at >= items(hints));
    root.put("workflow", hints.workflow());
    root.put("ttlMillis", hints.ttlMillis());
    if (!hints.by().isEmpty()) {
      root.put("by", hints.by());
    }
    if (hints.isOneJobOnly()) {
      root.put("oneJob", true);
    }
    pools.put(root);
    root.set("blocks", blockRows);
    root.set("steps", referenceCodes);
    if (!watchedRows.isEmpty()) {
      nodes.keySet().forEach(root.putArray("nodes")::add);
      root.set("watched", watchedRows);
    }
    return new EncodedChunk(JsonMessage.encode(root), at);
  }

  static SubmitRequest decode(BytesValue request) throws RefusedException {
    JsonNode root = JsonMessage.decode(request);
    BlockPools pools = BlockPools.read(root);
    List<TokenBlock> blocks = new ArrayList<>();
    List<Reference> sequential = new ArrayList<>();
    List<Reference> random = new ArrayList<>();
    for (JsonNode row : JsonFields.rows(root, "blocks", 5)) {
      TokenBlock block = TokenBlock.read(pools, row, 3);
      long length = JsonFields.number(row.get(2), "length", 0, Long.MAX_VALUE);
      blocks.add(block);
      sequential.add(new Reference(block.block, length, false));
      random.add(new Reference(block.block, length, true));
    }
    List<Reference> references = new ArrayList<>();
    for (JsonNode code : JsonFields.list(root, "steps")) {
      long value = JsonFields.number(code, "steps", 0, 2L * blocks.size() - 1);
      references.add(((value & 1) == 0 ? sequential : random).get((int) (value >> 1)));
    }
    List<Watched> watched = root.has("watched") ? watched(root, pools, blocks) : List.of();
    return new SubmitRequest(
        JsonFields.name(root.get("submission"), "submission"),
        (int) JsonFields.number(root.get("part"), "part", 0, MAX_CHUNKS),
        JsonFields.flag(root.get("last"), "last"),
        JsonFields.name(root.get("workflow"), "workflow"),
        JsonFields.number(root.get("ttlMillis"), "ttlMillis", 1, MAX_TTL_MILLIS),
        root.has("by") ? JsonFields.name(root.get("by"), "by", Hints.MAX_BY_CHARS) : "",
        root.has("oneJob") && JsonFields.flag(root.get("oneJob"), "oneJob"),
        blocks,
        references,
        watched);
  }

  /**
   * Reads the watched blocks, and adds their tokens to those of the others. Of each row as many ids
   * are kept as are used, since a user's message chooses how many it names and how often.
   */
  private static List<Watched> watched(JsonNode root, BlockPools pools, List<TokenBlock> blocks)
      throws RefusedException {
    List<String> nodes = new ArrayList<>();
    for (JsonNode node : JsonFields.list(root, "nodes")) {
      nodes.add(JsonFields.name(node, "nodes", MAX_NODE_ID_CHARS));
    }
    // Few lists of holders are distinct, and there is one in each row.
    Map<List<String>, List<String>> shared = new HashMap<>();
    List<Watched> out = new ArrayList<>();
    for (JsonNode row : JsonFields.rows(root, "watched", 6)) {
      TokenBlock block = TokenBlock.read(pools, row, 2);
      long reads = JsonFields.number(row.get(4), "reads", 1, Integer.MAX_VALUE);
      JsonNode indexes = row.get(5);
      if (!indexes.isArray() || indexes.isEmpty() || indexes.size() > MAX_HINTED) {
        throw JsonFields.malformed(
            "watched", "1 to " + MAX_HINTED + " DataNodes", indexes.size() + " values");
      }
      Set<String> distinct = new LinkedHashSet<>();
      for (JsonNode index : indexes) {
        int at = (int) JsonFields.number(index, "node index", 0, nodes.size() - 1L);
        if (distinct.size() < WatchedReads.MAX_REPORTS) {
          distinct.add(nodes.get(at));
        }
      }
      List<String> hinted = List.copyOf(distinct);
      blocks.add(block);
      out.add(new Watched(block.block, (int) reads, shared.computeIfAbsent(hinted, same -> same)));
    }
    return out;
  }
}
