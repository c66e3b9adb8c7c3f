// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, submission, part, last, workflow, ttlMillis, pools: [pool...],
 *  blocks: [[pool index, id, length, token identifier, token password]...],
 *  steps: [2 * block index + (1 if random)...]}
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

  /** Names the submission among those of its user. */
  final String submission;

  /** Number of the chunk, from 0. */
  final int number;

  /** Whether the submission is complete with this chunk. */
  final boolean last;

  final String workflow;
  final long ttlMillis;

  /** Distinct blocks of the references, with their tokens. */
  final List<TokenBlock> blocks;

  final List<Reference> references;

  SubmitRequest(
      String submission,
      int number,
      boolean last,
      String workflow,
      long ttlMillis,
      List<TokenBlock> blocks,
      List<Reference> references) {
    this.submission = submission;
    this.number = number;
    this.last = last;
    this.workflow = workflow;
    this.ttlMillis = ttlMillis;
    this.blocks = blocks;
    this.references = references;
  }

  /** An encoded chunk. Immutable. */
  static final class EncodedChunk {
    final BytesValue bytes;

    /** First of the references that is not in this chunk or one before. */
    final int nextReference;

    private EncodedChunk(BytesValue bytes, int nextReference) {
      this.bytes = bytes;
      this.nextReference = nextReference;
    }
  }

  /**
   * Encodes one chunk of the hints.
   *
   * @param number number of the chunk, from 0
   * @param firstReference index of the chunk's first reference
   * @param maxReferences references in the chunk, 1 to {@link JsonFields#MAX_ITEMS}; large tokens
   *     make it end before
   */
  static EncodedChunk encode(
      String submission,
      Hints hints,
      BlockTokens tokens,
      int number,
      int firstReference,
      int maxReferences) {
    List<Reference> references = hints.references();
    BlockPools pools = new BlockPools();
    Map<BlockKey, Integer> indexes = new HashMap<>();
    ArrayNode blockRows = JsonMessage.array();
    ArrayNode referenceCodes = JsonMessage.array();
    long tokenBytes = 0;
    int at = firstReference;
    while (at < references.size()
        && at - firstReference < maxReferences
        && tokenBytes < CHUNK_TOKEN_BYTES) {
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
    root.put("submission", submission);
    root.put("part", number);
    root.put("last", at >= references.size());
    root.put("workflow", hints.workflow());
    root.put("ttlMillis", hints.ttlMillis());
    pools.put(root);
    root.set("blocks", blockRows);
    root.set("steps", referenceCodes);
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
    return new SubmitRequest(
        JsonFields.name(root.get("submission"), "submission"),
        (int) JsonFields.number(root.get("part"), "part", 0, MAX_CHUNKS),
        JsonFields.flag(root.get("last"), "last"),
        JsonFields.name(root.get("workflow"), "workflow"),
        JsonFields.number(root.get("ttlMillis"), "ttlMillis", 1, MAX_TTL_MILLIS),
        blocks,
        references);
  }
}
