// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.RecentMove;
import io.hycache.core.stats.TrafficHistory;
import io.hycache.hdfs.conf.BuildVersion;
import io.hycache.hdfs.rpc.ReadableJson;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * node.json     {version, dataNode, administrator, user, status: see ReadableJson,
 *                warningCount, volumes: [{directory, storageType, failed, usedBytes, freeBytes, blocks}...],
 *                workflows: [see ReadableJson...] the last submitted, workflowCount: of all,
 *                moves: [{kind, bytes, state, begunAgoMillis, endedAgoMillis or null, reason, reasonText,
 *                         trigger, pool, block, blockName}...],
 *                mostRead: [{pool, block, blockName, storage, dirty, cleanData, reads, referencesLeft, reason,
 *                            reasonText}...],
 *                directory: {members, viewAgeMillis, primaryShards, pullingShards, records, bytes} or null}
 * history.json  {endMillis, stepMillis, key of a TrafficHistory.Series: [number...]...}
 * cluster.json  {dataNode, members, dataNodes: [{dataNode, self, ageMillis, error or status...}...]}
 *
 * workflows, mostRead, and reason and reasonText of moves are null while the planner does not answer.
 *
 * Who is no administrator gets devices and volumes without their directories, the number of warnings, moves
 * without blocks and triggers, their own workflows, and no mostRead.
 *
 * block is the id of a block. JavaScript rounds numbers beyond 2^53, such as the ids of erasure-coded files' blocks:
 * blockName has it as text.
 */
/** Makes the JSON that the pages are drawn from. Thread-safe. */
final class PageJson {
  /** Blocks of {@code mostRead}. */
  static final int MOST_READ = 20;

  /** Workflows of {@code node.json}: users may submit as many as there may be hinted blocks. */
  static final int MAX_WORKFLOWS = 100;

  private static final long STATE_MAX_AGE_MILLIS = 2_000;
  private static final long MOST_READ_MAX_AGE_MILLIS = 30_000;

  private static final Logger LOG = LoggerFactory.getLogger(PageJson.class);

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What is asked of the node at once. What only the planner knows is null while it does not
   * answer: the page shows that, and all the rest. Immutable.
   */
  private static final class State {
    final NodeStatus status;
    final List<VolumeStatus> volumes;
    final @Nullable List<WorkflowStatus> workflows;
    final List<RecentMove> moves;

    /** One for each of the moves, in order. */
    final @Nullable List<BlockStatus> moved;

    State(PageSource source) throws IOException {
      this.status = source.status();
      this.volumes = source.volumes();
      this.moves = source.moves();
      List<BlockKey> blocks = new ArrayList<>();
      moves.forEach(move -> blocks.add(move.block));
      this.workflows = orNull(source::workflows);
      this.moved = workflows == null ? null : orNull(() -> source.locate(blocks));
    }
  }

  private final PageSource source;
  private final Kept<State> state;
  private final Kept<List<BlockStatus>> mostRead;
  private final LongSupplier nanoTime;

  PageJson(PageSource source, LongSupplier nanoTime) {
    this.source = source;
    this.nanoTime = nanoTime;
    this.state = new Kept<>(() -> new State(source), STATE_MAX_AGE_MILLIS, nanoTime);
    this.mostRead =
        new Kept<>(() -> source.mostRead(MOST_READ), MOST_READ_MAX_AGE_MILLIS, nanoTime);
  }

  /** The planner's answer, or null. */
  private static <T> @Nullable T orNull(Kept.Question<T> question) {
    try {
      return question.ask();
    } catch (IOException e) {
      LOG.debug("the page goes without what the planner knows", e);
      return null;
    }
  }

  static byte[] bytes(ObjectNode root) {
    try {
      return JSON.writeValueAsBytes(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write JSON", e);
    }
  }

  static ObjectNode error(String message) {
    return JSON.createObjectNode().put("error", message);
  }

  /**
   * What the page of this DataNode shows.
   *
   * @param user who asks; null if that is not known
   */
  ObjectNode node(@Nullable String user, boolean administrator) throws IOException {
    State now = state.get();
    ObjectNode root = JSON.createObjectNode();
    root.put("version", BuildVersion.text());
    root.put("dataNode", source.name());
    root.put("administrator", administrator);
    root.put("user", user == null ? "" : user);
    ObjectNode status = root.putObject("status");
    ReadableJson.put(status, now.status);
    root.put("warningCount", now.status.warnings().size());
    putVolumes(root.putArray("volumes"), now.volumes);
    putWorkflows(root, now.workflows, user, administrator);
    putMoves(root.putArray("moves"), now, administrator);
    if (administrator) {
      putMostRead(root, now.workflows == null ? null : orNull(mostRead::get));
    } else {
      withoutNames(status, "device");
      withoutNames(root, "directory");
    }
    putDirectory(root, source.directory());
    return root;
  }

  /** As {@link NodeStatus#withoutDevices}, but with devices and volumes, numbered. */
  private static void withoutNames(ObjectNode root, String key) {
    for (String texts : List.of(NodeFigure.WARNINGS.key(), NodeFigure.DIRECTORY_TROUBLE.key())) {
      root.remove(texts);
    }
    int number = 0;
    for (JsonNode named : root.path(key.equals("device") ? "devices" : "volumes")) {
      number++;
      String type = named.path("storageType").asText();
      ((ObjectNode) named).put(key, (type.isEmpty() ? key : type) + " " + number);
    }
  }

  private static void putVolumes(ArrayNode to, List<VolumeStatus> volumes) {
    for (VolumeStatus v : volumes) {
      to.addObject()
          .put("directory", v.directory)
          .put("storageType", v.storageType)
          .put("failed", v.failed)
          .put("usedBytes", v.usedBytes)
          .put("freeBytes", v.freeBytes)
          .put("blocks", v.blocks);
    }
  }

  private static void putWorkflows(
      ObjectNode root,
      @Nullable List<WorkflowStatus> all,
      @Nullable String user,
      boolean administrator) {
    if (all == null) {
      root.putNull("workflows");
      return;
    }
    ArrayDeque<WorkflowStatus> youngest = new ArrayDeque<>();
    int count = 0;
    for (WorkflowStatus workflow : all) {
      if (administrator || workflow.id().user().equals(user)) {
        count++;
        youngest.add(workflow);
        if (count > MAX_WORKFLOWS) {
          youngest.remove();
        }
      }
    }
    ArrayNode workflows = root.putArray("workflows");
    youngest.forEach(workflow -> ReadableJson.put(workflows.addObject(), workflow));
    root.put("workflowCount", count);
  }

  private static void putMoves(ArrayNode to, State now, boolean administrator) {
    for (int i = 0; i < now.moves.size(); i++) {
      RecentMove move = now.moves.get(i);
      BlockStatus block = now.moved == null ? null : now.moved.get(i);
      ObjectNode row =
          to.addObject()
              .put("kind", move.kind.name())
              .put("bytes", move.bytes)
              .put("state", move.state.name())
              .put("begunAgoMillis", move.begunAgoMillis)
              .put("endedAgoMillis", move.isEnded() ? move.endedAgoMillis : null)
              .put("reason", block == null ? null : block.reason.name())
              .put("reasonText", block == null ? null : block.reason.text());
      if (administrator) {
        row.put("trigger", block == null || block.decision == null ? "" : block.decision.trigger);
        putBlock(row, move.block);
      }
    }
  }

  private static void putMostRead(ObjectNode root, @Nullable List<BlockStatus> blocks) {
    if (blocks == null) {
      root.putNull("mostRead");
      return;
    }
    ArrayNode to = root.putArray("mostRead");
    for (BlockStatus b : blocks) {
      putBlock(to.addObject(), b.block)
          .put("storage", b.storage)
          .put("dirty", b.dirty)
          .put("cleanData", b.cleanData)
          .put("reads", b.reads)
          .put("referencesLeft", b.referencesLeft)
          .put("reason", b.reason.name())
          .put("reasonText", b.reason.text());
    }
  }

  private static ObjectNode putBlock(ObjectNode to, BlockKey block) {
    return to.put("pool", block.pool())
        .put("block", block.id())
        .put("blockName", "blk_" + block.id());
  }

  private static void putDirectory(ObjectNode root, @Nullable DirectoryStatus directory) {
    if (directory == null) {
      root.putNull("directory");
      return;
    }
    root.putObject("directory")
        .put("members", directory.members)
        .put("viewAgeMillis", directory.viewAgeMillis)
        .put("primaryShards", directory.primaryShards)
        .put("pullingShards", directory.pullingShards)
        .put("records", directory.records)
        .put("bytes", directory.bytes);
  }

  /** What the charts show. */
  ObjectNode history(long nowMillis) throws IOException {
    TrafficHistory.Snapshot history = source.history();
    ObjectNode root = JSON.createObjectNode();
    long stepMillis = TimeUnit.MINUTES.toMillis(1);
    long sinceSample = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - history.endNanos());
    root.put("endMillis", nowMillis - sinceSample).put("stepMillis", stepMillis);
    for (TrafficHistory.Series series : TrafficHistory.Series.values()) {
      ArrayNode values = root.putArray(series.key());
      for (long value : history.values(series)) {
        values.add(value);
      }
    }
    return root;
  }

  /** What the page of the cluster shows. */
  ObjectNode cluster(List<ClusterView.Answer> others, boolean administrator) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("dataNode", source.name());
    root.put("members", Math.max(1, source.members().size()));
    ArrayNode nodes = root.putArray("dataNodes");
    ObjectNode self = nodes.addObject().put("dataNode", source.name());
    self.put("self", true).put("ageMillis", 0);
    putSummary(self, state.get().status.withoutDevices());
    for (ClusterView.Answer answer : others) {
      ObjectNode node = nodes.addObject().put("dataNode", answer.member.address());
      node.put("self", false);
      node.put(
          "ageMillis",
          TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanoTime.getAsLong() - answer.nanos)));
      if (answer.status != null) {
        putSummary(node, answer.status);
      } else {
        node.put("error", administrator ? answer.failure : "no answer");
      }
    }
    return root;
  }

  private static void putSummary(ObjectNode node, NodeStatus status) {
    ObjectNode summary = node.putObject("status");
    ReadableJson.put(summary, status);
    summary.remove("devices");
  }
}
