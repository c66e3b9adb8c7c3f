package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintBatch.Step;
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
 * A large submission is split into parts. Each part is complete in itself, with its own pools, blocks
 * and tokens; within a part a block's token is sent once, however often the block occurs.
 */
/** Request of {@code submitHints}: one part of a submission. Immutable. */
final class SubmitRequest {
  static final long MAX_TTL_MILLIS = 366L * 24 * 3600 * 1000;

  /** A part ends with the block whose token brings its tokens to this size. */
  private static final int PART_TOKEN_BYTES = 6 << 20;

  private static final int MAX_PARTS = 1_000_000;

  /** Names the submission among those of its user. */
  final String submission;

  /** Number of the part, from 0. */
  final int part;

  /** Whether the submission is complete with this part. */
  final boolean last;

  final String workflow;
  final long ttlMillis;

  /** Distinct blocks of the steps, with their tokens. */
  final List<TokenBlock> blocks;

  final List<Step> steps;

  SubmitRequest(
      String submission,
      int part,
      boolean last,
      String workflow,
      long ttlMillis,
      List<TokenBlock> blocks,
      List<Step> steps) {
    this.submission = submission;
    this.part = part;
    this.last = last;
    this.workflow = workflow;
    this.ttlMillis = ttlMillis;
    this.blocks = blocks;
    this.steps = steps;
  }

  /** An encoded part. Immutable. */
  static final class EncodedPart {
    final BytesValue bytes;

    /** First step of the batch that is not in this part or one before. */
    final int nextStep;

    private EncodedPart(BytesValue bytes, int nextStep) {
      this.bytes = bytes;
      this.nextStep = nextStep;
    }
  }

  /**
   * Encodes one part of a batch.
   *
   * @param part number of the part, from 0
   * @param firstStep index of the part's first step
   * @param maxSteps steps in the part, 1 to {@link JsonFields#MAX_ITEMS}; large tokens make it end
   *     before
   */
  static EncodedPart encode(
      String submission,
      HintBatch batch,
      BlockTokens tokens,
      int part,
      int firstStep,
      int maxSteps) {
    List<Step> steps = batch.steps();
    BlockPools pools = new BlockPools();
    Map<BlockKey, Integer> indexes = new HashMap<>();
    ArrayNode blockRows = JsonMessage.array();
    ArrayNode stepCodes = JsonMessage.array();
    long tokenBytes = 0;
    int at = firstStep;
    while (at < steps.size() && at - firstStep < maxSteps && tokenBytes < PART_TOKEN_BYTES) {
      Step step = steps.get(at++);
      Integer index = indexes.get(step.block());
      if (index == null) {
        index = indexes.size();
        indexes.put(step.block(), index);
        TokenBlock block = TokenBlock.of(step.block(), tokens);
        tokenBytes += block.tokenBytes();
        block.addToken(pools.addBlock(blockRows.addArray(), block.block).add(step.lengthBytes()));
      }
      stepCodes.add(2L * index + (step.random() ? 1 : 0));
    }
    ObjectNode root = JsonMessage.create();
    root.put("submission", submission);
    root.put("part", part);
    root.put("last", at >= steps.size());
    root.put("workflow", batch.workflow());
    root.put("ttlMillis", batch.ttlMillis());
    pools.put(root);
    root.set("blocks", blockRows);
    root.set("steps", stepCodes);
    return new EncodedPart(JsonMessage.encode(root), at);
  }

  static SubmitRequest decode(BytesValue request) throws RefusedException {
    JsonNode root = JsonMessage.decode(request);
    BlockPools pools = BlockPools.read(root);
    List<TokenBlock> blocks = new ArrayList<>();
    List<Step> sequential = new ArrayList<>();
    List<Step> random = new ArrayList<>();
    for (JsonNode row : JsonFields.rows(root, "blocks", 5)) {
      TokenBlock block = TokenBlock.read(pools, row, 3);
      long length = JsonFields.number(row.get(2), "length", 0, Long.MAX_VALUE);
      blocks.add(block);
      sequential.add(new Step(block.block, length, false));
      random.add(new Step(block.block, length, true));
    }
    List<Step> steps = new ArrayList<>();
    for (JsonNode code : JsonFields.list(root, "steps")) {
      long value = JsonFields.number(code, "steps", 0, 2L * blocks.size() - 1);
      steps.add(((value & 1) == 0 ? sequential : random).get((int) (value >> 1)));
    }
    return new SubmitRequest(
        JsonFields.name(root.get("submission"), "submission"),
        (int) JsonFields.number(root.get("part"), "part", 0, MAX_PARTS),
        JsonFields.flag(root.get("last"), "last"),
        JsonFields.name(root.get("workflow"), "workflow"),
        JsonFields.number(root.get("ttlMillis"), "ttlMillis", 1, MAX_TTL_MILLIS),
        blocks,
        steps);
  }
}
