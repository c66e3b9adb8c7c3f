package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.config.PartitionRule;
import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintBatch.Step;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Residency;
import io.hycache.core.model.Weighing;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.stats.NodeStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.jspecify.annotations.Nullable;

/*
 * The wire form, version 1: JSON objects with "v" = 1, unknown keys ignored, so that a later version
 * may add some.
 *
 *   submitHints  {v, submission, part, last, workflow, ttlMillis, pools: [pool...],
 *                 blocks: [[pool index, id, length, token identifier, token password]...],
 *                 steps: [2 * block index + (1 if random)...]}
 *                -> {v} before the last part, then {v, receipt: [user, name, accepted, refused,
 *                   ttlMillis, limit...]}
 *   withdraw     {v, workflow, user}, user empty for the own one           -> {v, found, left}
 *   workflows    {v}  -> {v, workflows: [[left, ageMillis, expiresInMillis, receipt]...]}
 *   status       {v}                                                       -> {v, status: {...}}
 *   locate       {v, pools, blocks: [[pool index, id, token identifier, token password]...]}
 *                -> {v, blocks: [[storage, dirty, cleanData, cleanChecksums, references, reads,
 *                                 reason]...], decisions: [[...] or null...]}
 *   holders      as locate        -> {v, holders: [[UUID of a DataNode...] or null...]}
 *   list         {v, at}          -> {v, pools, rows: [[pool index, id, UUID, residency, bytes]...],
 *                                     next}
 *   settings     {v, settings: {key: new value...}}  -> {v, settings: {key: value...}}
 *
 * A large submission is cut into parts, each complete in itself (its own pools, blocks, tokens); a
 * block's token travels once per part however often the block occurs.
 *
 * What comes in is looked at before it is built: size, depth, number of tokens and the length of
 * every string and number are bounded while scanning, so that no request costs a DataNode more than
 * a few times its own size in memory. The first thing wrong ends in a RefusedException with its name.
 */
/** Encodes and decodes the protocol's messages. */
final class Wire {
  static final int VERSION = 1;

  /** Steps, and as many blocks, in one call. */
  static final int MAX_ITEMS = 20_000;

  static final int MAX_PAYLOAD_BYTES = 16 << 20;

  /** A part is closed when its block tokens reach this size. */
  static final int PART_TOKEN_BYTES = 6 << 20;

  static final int MAX_NAME_CHARS = 256;

  /** Block pools in one call; a cluster has one for each of its name spaces. */
  private static final int MAX_POOLS = 1000;

  private static final int MAX_SETTINGS = 100;
  private static final int MAX_PATH_CHARS = 4096;
  static final int MAX_TOKEN_BYTES = 4096;
  static final long MAX_TTL_MILLIS = 366L * 24 * 3600 * 1000;
  private static final int MAX_STRING_CHARS = 8192;
  private static final int MAX_NUMBER_CHARS = 24;
  private static final int MAX_DEPTH = 6;

  /** An answer about {@link #MAX_ITEMS} blocks with their decisions has 440,000. */
  private static final int MAX_JSON_TOKENS = 500_000;

  /** A list of workflows ends with the first that reaches this. */
  private static final int MAX_WORKFLOWS_BYTES = 8 << 20;

  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
              .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
              // The bounds are those of scan().
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxNumberLength(MAX_PAYLOAD_BYTES).build())
              .build());

  private Wire() {}

  /** One part of a submission. Immutable but for the arrays, which nobody changes. */
  static final class SubmitPart {
    final String submission;
    final int part;
    final boolean last;
    final String workflow;
    final long ttlMillis;
    final List<TokenBlock> blocks;
    final List<Step> steps;

    SubmitPart(
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
  }

  /** A block and the token that came with it. */
  static final class TokenBlock {
    final BlockKey block;
    final byte[] identifier;
    final byte[] password;

    TokenBlock(BlockKey block, byte[] identifier, byte[] password) {
      this.block = block;
      this.identifier = identifier;
      this.password = password;
    }
  }

  /** Which workflow is to be forgotten. */
  static final class Withdraw {
    final String workflow;

    /** Empty: the caller. */
    final String user;

    private Withdraw(String workflow, String user) {
      this.workflow = workflow;
      this.user = user;
    }
  }

  // ---- requests, client side

  /** An encoded part, and the step after its last. */
  static final class EncodedPart {
    final BytesValue bytes;
    final int nextStep;

    EncodedPart(BytesValue bytes, int nextStep) {
      this.bytes = bytes;
      this.nextStep = nextStep;
    }
  }

  /**
   * Encodes the part of a batch that starts at a step.
   *
   * @param part number of the part, from 0
   * @param maxSteps steps in it, 1 to {@link #MAX_ITEMS}
   */
  static EncodedPart submitPart(
      String submission, HintBatch batch, BlockTokens tokens, int part, int from, int maxSteps) {
    List<Step> steps = batch.steps();
    Pools pools = new Pools();
    Map<BlockKey, Integer> seen = new HashMap<>();
    ArrayNode blockRows = JSON.createArrayNode();
    ArrayNode stepRow = JSON.createArrayNode();
    long tokenBytes = 0;
    int at = from;
    while (at < steps.size() && at - from < maxSteps && tokenBytes < PART_TOKEN_BYTES) {
      Step step = steps.get(at++);
      Integer index = seen.get(step.block());
      if (index == null) {
        index = seen.size();
        seen.put(step.block(), index);
        Token<BlockTokenIdentifier> token = tokens.of(step.block());
        byte[] identifier = token == null ? new byte[0] : token.getIdentifier();
        byte[] password = token == null ? new byte[0] : token.getPassword();
        tokenBytes += identifier.length + password.length;
        blockRows
            .addArray()
            .add(pools.indexOf(step.block().pool()))
            .add(step.block().id())
            .add(step.lengthBytes())
            .add(identifier)
            .add(password);
      }
      stepRow.add(2L * index + (step.random() ? 1 : 0));
    }
    ObjectNode root = message();
    root.put("submission", submission);
    root.put("part", part);
    root.put("last", at >= steps.size());
    root.put("workflow", batch.workflow());
    root.put("ttlMillis", batch.ttlMillis());
    root.set("pools", pools.toJson());
    root.set("blocks", blockRows);
    root.set("steps", stepRow);
    return new EncodedPart(encode(root), at);
  }

  static BytesValue withdraw(String workflow, String user) {
    return encode(message().put("workflow", workflow).put("user", user));
  }

  static BytesValue status() {
    return encode(message());
  }

  /** A question for settings, and an answer. */
  static BytesValue settings(Map<String, String> values) {
    ObjectNode root = message();
    values.forEach(root.putObject("settings")::put);
    return encode(root);
  }

  /** Blocks and the tokens that let the user read them. */
  static BytesValue blocks(List<BlockKey> blocks, BlockTokens tokens) {
    ObjectNode root = message();
    Pools pools = new Pools();
    ArrayNode rows = JSON.createArrayNode();
    for (BlockKey block : blocks) {
      Token<BlockTokenIdentifier> token = tokens.of(block);
      rows.addArray()
          .add(pools.indexOf(block.pool()))
          .add(block.id())
          .add(token == null ? new byte[0] : token.getIdentifier())
          .add(token == null ? new byte[0] : token.getPassword());
    }
    root.set("pools", pools.toJson());
    root.set("blocks", rows);
    return encode(root);
  }

  static BytesValue list(String at) {
    return encode(message().put("at", at));
  }

  // ---- requests, server side

  static SubmitPart readSubmit(BytesValue request) throws RefusedException {
    JsonNode root = decode(request);
    List<String> pools = pools(root);
    List<TokenBlock> blocks = new ArrayList<>();
    List<Step> plain = new ArrayList<>();
    List<Step> random = new ArrayList<>();
    for (JsonNode row : rows(root, "blocks", 5)) {
      BlockKey key = block(pools, row);
      long length = number(row.get(2), "length", 0, Long.MAX_VALUE);
      blocks.add(new TokenBlock(key, bytes(row.get(3)), bytes(row.get(4))));
      plain.add(new Step(key, length, false));
      random.add(new Step(key, length, true));
    }
    List<Step> steps = new ArrayList<>();
    for (JsonNode code : list(root, "steps")) {
      long value = number(code, "steps", 0, 2L * blocks.size() - 1);
      steps.add(((value & 1) == 0 ? plain : random).get((int) (value >> 1)));
    }
    return new SubmitPart(
        name(root, "submission"),
        (int) number(root.get("part"), "part", 0, 1_000_000),
        flag(root.get("last"), "last"),
        name(root, "workflow"),
        number(root.get("ttlMillis"), "ttlMillis", 1, MAX_TTL_MILLIS),
        blocks,
        steps);
  }

  static Withdraw readWithdraw(BytesValue request) throws RefusedException {
    JsonNode root = decode(request);
    return new Withdraw(
        name(root, "workflow"), text(root.get("user"), "user", WorkflowId.MAX_USER_CHARS));
  }

  static void readStatus(BytesValue request) throws RefusedException {
    decode(request);
  }

  static List<TokenBlock> readBlocks(BytesValue request) throws RefusedException {
    JsonNode root = decode(request);
    List<String> pools = pools(root);
    List<TokenBlock> blocks = new ArrayList<>();
    for (JsonNode row : rows(root, "blocks", 4)) {
      blocks.add(new TokenBlock(block(pools, row), bytes(row.get(2)), bytes(row.get(3))));
    }
    return blocks;
  }

  static String readList(BytesValue request) throws RefusedException {
    return text(decode(request).get("at"), "at", MAX_STRING_CHARS);
  }

  static Map<String, String> readSettings(BytesValue message) throws RefusedException {
    JsonNode settings = decode(message).path("settings");
    if (!settings.isObject() || settings.size() > MAX_SETTINGS) {
      throw malformed("settings", "an object of at most " + MAX_SETTINGS + " keys is required");
    }
    Map<String, String> values = new LinkedHashMap<>();
    var keys = settings.fieldNames();
    while (keys.hasNext()) {
      String key = keys.next();
      values.put(key, text(settings.get(key), key, MAX_NAME_CHARS));
    }
    return values;
  }

  // ---- answers, server side

  /**
   * @param receipt null as long as the last part has not come
   */
  static BytesValue accepted(@Nullable HintReceipt receipt) {
    ObjectNode root = message();
    if (receipt != null) {
      put(root.putArray("receipt"), receipt);
    }
    return encode(root);
  }

  private static void put(ArrayNode row, HintReceipt receipt) {
    row.add(receipt.workflow().user())
        .add(receipt.workflow().name())
        .add(receipt.accepted())
        .add(receipt.refused())
        .add(receipt.ttlMillis());
    receipt.limits().forEach(limit -> row.add(limit.name()));
  }

  static BytesValue withdrawn(OptionalInt left) {
    return encode(message().put("found", left.isPresent()).put("left", left.orElse(0)));
  }

  /** The first of them, as many as an answer has room for: 20,000 if their names are not long. */
  static BytesValue workflows(List<WorkflowStatus> workflows) {
    ObjectNode root = message();
    ArrayNode rows = root.putArray("workflows");
    long bytes = 0;
    for (WorkflowStatus w : workflows) {
      if (rows.size() >= MAX_ITEMS || bytes >= MAX_WORKFLOWS_BYTES) {
        break;
      }
      // A control character takes six.
      bytes += 6L * (w.id().user().length() + w.id().name().length()) + 100;
      ArrayNode row = rows.addArray().add(w.left).add(w.ageMillis).add(w.expiresInMillis);
      put(row.addArray(), w.receipt);
    }
    return encode(root);
  }

  static BytesValue status(NodeStatus s) {
    ObjectNode root = message();
    ObjectNode out = root.putObject("status");
    out.put("mode", s.mode);
    out.put("policy", s.policy);
    out.put("partition", s.partition);
    out.put("passThrough", s.passThrough);
    out.put("capacityBytes", s.capacityBytes);
    out.put("dirtyBytes", s.dirtyBytes);
    out.put("ownerBytes", s.ownerBytes);
    out.put("cleanBytes", s.cleanBytes);
    out.put("checksumBytes", s.checksumBytes);
    out.put("freeBytes", s.freeBytes);
    out.put("trackedBlocks", s.trackedBlocks);
    out.put("movesQueued", s.movesQueued);
    out.put("hintsLeft", s.hintsLeft);
    out.put("plannerStalledSeconds", s.plannerStalledSeconds);
    out.put("directoryMembers", s.directoryMembers);
    out.put("directoryTrouble", s.directoryTrouble);
    ArrayNode devices = out.putArray("devices");
    for (DeviceStatus d : s.devices) {
      devices
          .addArray()
          .add(d.device)
          .add(d.usable)
          .add(d.capacityBytes)
          .add(d.freeBytes)
          .add(d.dirtyBytes)
          .add(d.ownerBytes)
          .add(d.cleanBytes)
          .add(d.checksumBytes)
          .add(d.userWriteBytesPerDay)
          .add(d.promotionBytesPerDay)
          .add(d.writeBudgetLeftBytes);
    }
    ObjectNode counters = out.putObject("counters");
    s.counters.forEach(counters::put);
    return encode(root);
  }

  static BytesValue located(List<BlockStatus> blocks) {
    ObjectNode root = message();
    ArrayNode rows = root.putArray("blocks");
    for (BlockStatus b : blocks) {
      rows.addArray()
          .add(b.storage)
          .add(b.dirty)
          .add(b.cleanData)
          .add(b.cleanChecksums)
          .add(b.referencesLeft)
          .add(b.reads)
          .add(b.reason.name());
    }
    // Beside the rows: clients of an older version look only at those.
    ArrayNode decisions = root.putArray("decisions");
    for (BlockStatus b : blocks) {
      LastDecision d = b.decision;
      if (d == null) {
        decisions.addNull();
        continue;
      }
      ArrayNode row =
          decisions
              .addArray()
              .add(d.policy)
              .add(d.agoMillis)
              .add(d.trigger)
              .add(d.outcome)
              .add(d.wantedBytes)
              .add(d.freeBytes)
              .add(d.victims)
              .add(d.references);
      if (d.weighing != null) {
        row.add(d.weighing.gain()).add(d.weighing.cost()).add(d.weighing.unit());
      }
    }
    return encode(root);
  }

  static BytesValue holders(List<Optional<Set<String>>> holders) {
    ObjectNode root = message();
    ArrayNode rows = root.putArray("holders");
    for (Optional<Set<String>> of : holders) {
      if (of.isPresent()) {
        of.get().forEach(rows.addArray()::add);
      } else {
        rows.addNull();
      }
    }
    return encode(root);
  }

  static BytesValue page(BlockDirectory.Page page) {
    ObjectNode root = message();
    Pools pools = new Pools();
    ArrayNode rows = JSON.createArrayNode();
    for (BlockOnSsd one : page.blocks()) {
      rows.addArray()
          .add(pools.indexOf(one.block().pool()))
          .add(one.block().id())
          .add(one.datanode())
          .add(one.residency().name())
          .add(one.sizeBytes());
    }
    root.set("pools", pools.toJson());
    root.set("rows", rows);
    root.put("next", page.next());
    return encode(root);
  }

  // ---- answers, client side

  /** Null before the last part. */
  static @Nullable HintReceipt readAccepted(BytesValue answer) throws RefusedException {
    JsonNode row = decode(answer).get("receipt");
    return row == null ? null : receipt(row);
  }

  private static HintReceipt receipt(JsonNode row) throws RefusedException {
    if (row == null || !row.isArray() || row.size() < 5) {
      throw malformed("receipt", "an array of 5 or more is required");
    }
    Set<HintReceipt.Limit> limits = EnumSet.noneOf(HintReceipt.Limit.class);
    for (int i = 5; i < row.size(); i++) {
      String name = text(row.get(i), "receipt", MAX_NAME_CHARS);
      for (HintReceipt.Limit limit : HintReceipt.Limit.values()) {
        if (limit.name().equals(name)) {
          limits.add(limit);
        }
      }
    }
    WorkflowId workflow;
    try {
      workflow =
          new WorkflowId(
              text(row.get(0), "receipt", WorkflowId.MAX_USER_CHARS),
              text(row.get(1), "receipt", WorkflowId.MAX_NAME_CHARS));
    } catch (IllegalArgumentException e) {
      throw malformed("receipt", String.valueOf(e.getMessage()));
    }
    return new HintReceipt(
        workflow,
        (int) number(row.get(2), "accepted", 0, Integer.MAX_VALUE),
        (int) number(row.get(3), "refused", 0, Integer.MAX_VALUE),
        number(row.get(4), "ttlMillis", 1, Long.MAX_VALUE),
        limits);
  }

  static OptionalInt readWithdrawn(BytesValue answer) throws RefusedException {
    JsonNode root = decode(answer);
    int left = (int) number(root.get("left"), "left", 0, Integer.MAX_VALUE);
    return flag(root.get("found"), "found") ? OptionalInt.of(left) : OptionalInt.empty();
  }

  static List<WorkflowStatus> readWorkflows(BytesValue answer) throws RefusedException {
    List<WorkflowStatus> out = new ArrayList<>();
    for (JsonNode row : rows(decode(answer), "workflows", 4)) {
      out.add(
          new WorkflowStatus(
              receipt(row.get(3)),
              (int) number(row.get(0), "left", 0, Integer.MAX_VALUE),
              number(row.get(1), "ageMillis", 0, Long.MAX_VALUE),
              number(row.get(2), "expiresInMillis", 0, Long.MAX_VALUE)));
    }
    return out;
  }

  static NodeStatus readStatusAnswer(BytesValue answer) throws RefusedException {
    JsonNode s = decode(answer).path("status");
    JsonNode counters = s.path("counters");
    Map<String, Long> byName = new LinkedHashMap<>();
    var names = counters.fieldNames();
    while (names.hasNext()) {
      String key = names.next();
      byName.put(key, number(counters.get(key), key, Long.MIN_VALUE, Long.MAX_VALUE));
    }
    NodeStatus status =
        new NodeStatus(
            name(s, "mode"),
            name(s, "policy"),
            // A DataNode of an older version knows one rule.
            s.has("partition") ? name(s, "partition") : PartitionRule.SHARED.toString(),
            flag(s.get("passThrough"), "passThrough"),
            amount(s, "capacityBytes"),
            amount(s, "dirtyBytes"),
            amount(s, "ownerBytes"),
            amount(s, "cleanBytes"),
            amount(s, "checksumBytes"),
            amount(s, "freeBytes"),
            amount(s, "trackedBlocks"),
            amount(s, "movesQueued"),
            amount(s, "hintsLeft"),
            // A DataNode of an older version does not say.
            s.has("plannerStalledSeconds") ? amount(s, "plannerStalledSeconds") : 0,
            devices(s),
            byName);
    if (!s.has("directoryMembers")) {
      // A DataNode of an older version.
      return status;
    }
    return status.withDirectory(
        (int) number(s.get("directoryMembers"), "directoryMembers", 0, Integer.MAX_VALUE),
        text(s.get("directoryTrouble"), "directoryTrouble", MAX_STRING_CHARS));
  }

  private static List<DeviceStatus> devices(JsonNode status) throws RefusedException {
    List<DeviceStatus> out = new ArrayList<>();
    if (!status.has("devices")) {
      // A DataNode of an older version.
      return out;
    }
    for (JsonNode row : rows(status, "devices", 11)) {
      out.add(
          new DeviceStatus(
              text(row.get(0), "device", MAX_PATH_CHARS),
              flag(row.get(1), "usable"),
              amount(row, 2, "capacityBytes"),
              amount(row, 3, "freeBytes"),
              amount(row, 4, "dirtyBytes"),
              amount(row, 5, "ownerBytes"),
              amount(row, 6, "cleanBytes"),
              amount(row, 7, "checksumBytes"),
              amount(row, 8, "userWriteBytesPerDay"),
              amount(row, 9, "promotionBytesPerDay"),
              amount(row, 10, "writeBudgetLeftBytes")));
    }
    return out;
  }

  static List<BlockStatus> readLocated(BytesValue answer, List<BlockKey> asked)
      throws RefusedException {
    List<BlockStatus> out = new ArrayList<>();
    JsonNode root = decode(answer);
    for (JsonNode row : rows(root, "blocks", 7)) {
      if (out.size() == asked.size()) {
        break;
      }
      out.add(
          new BlockStatus(
              asked.get(out.size()),
              text(row.get(0), "storage", MAX_NAME_CHARS),
              flag(row.get(1), "dirty"),
              flag(row.get(2), "cleanData"),
              flag(row.get(3), "cleanChecksums"),
              number(row.get(4), "referencesLeft", Long.MIN_VALUE, Long.MAX_VALUE),
              number(row.get(5), "reads", Long.MIN_VALUE, Long.MAX_VALUE),
              reason(row.get(6)),
              decision(root.path("decisions").get(out.size()))));
    }
    if (out.size() != asked.size()) {
      throw malformed("blocks", "asked=" + asked.size() + " answered=" + out.size());
    }
    return out;
  }

  static List<Optional<Set<String>>> readHolders(BytesValue answer, int asked)
      throws RefusedException {
    List<Optional<Set<String>>> out = new ArrayList<>();
    for (JsonNode row : list(decode(answer), "holders")) {
      if (row.isNull()) {
        out.add(Optional.empty());
        continue;
      }
      Set<String> holders = new HashSet<>();
      for (JsonNode uuid : row) {
        holders.add(text(uuid, "holders", MAX_NAME_CHARS));
      }
      out.add(Optional.of(holders));
    }
    if (out.size() != asked) {
      throw malformed("holders", "asked=" + asked + " answered=" + out.size());
    }
    return out;
  }

  static BlockDirectory.Page readPage(BytesValue answer) throws RefusedException {
    JsonNode root = decode(answer);
    List<String> pools = pools(root);
    List<BlockOnSsd> out = new ArrayList<>();
    for (JsonNode row : rows(root, "rows", 5)) {
      Residency residency = residency(row.get(3));
      if (residency != null) {
        out.add(
            new BlockOnSsd(
                block(pools, row),
                text(row.get(2), "datanode", MAX_NAME_CHARS),
                residency,
                number(row.get(4), "bytes", 0, Long.MAX_VALUE)));
      }
    }
    return new BlockDirectory.Page(out, text(root.get("next"), "next", MAX_STRING_CHARS));
  }

  /** Null if it is one that this version does not know. */
  private static @Nullable Residency residency(@Nullable JsonNode name) throws RefusedException {
    String text = text(name, "residency", MAX_NAME_CHARS);
    for (Residency residency : Residency.values()) {
      if (residency.name().equals(text)) {
        return residency;
      }
    }
    return null;
  }

  private static @Nullable LastDecision decision(@Nullable JsonNode row) throws RefusedException {
    if (row == null || !row.isArray() || (row.size() != 8 && row.size() != 11)) {
      // None, or of another version: it only explains.
      return null;
    }
    Weighing weighing =
        row.size() == 8
            ? null
            : new Weighing(
                row.get(8).asDouble(),
                row.get(9).asDouble(),
                text(row.get(10), "unit", MAX_NAME_CHARS));
    return new LastDecision(
        text(row.get(0), "policy", MAX_NAME_CHARS),
        amount(row, 1, "agoMillis"),
        text(row.get(2), "trigger", MAX_NAME_CHARS),
        text(row.get(3), "outcome", MAX_NAME_CHARS),
        amount(row, 4, "wantedBytes"),
        amount(row, 5, "freeBytes"),
        (int) number(row.get(6), "victims", 0, Integer.MAX_VALUE),
        amount(row, 7, "references"),
        weighing);
  }

  // ---- pieces

  private static final class Pools {
    private final Map<String, Integer> indexes = new LinkedHashMap<>();

    int indexOf(String pool) {
      return Objects.requireNonNull(indexes.computeIfAbsent(pool, p -> indexes.size()));
    }

    ArrayNode toJson() {
      ArrayNode out = JSON.createArrayNode();
      indexes.keySet().forEach(out::add);
      return out;
    }
  }

  private static ObjectNode message() {
    return JSON.createObjectNode().put("v", VERSION);
  }

  static BytesValue encode(ObjectNode root) {
    try {
      return BytesValue.newBuilder()
          .setValue(ByteString.copyFrom(JSON.writeValueAsBytes(root)))
          .build();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot encode a message", e);
    }
  }

  private static JsonNode decode(BytesValue message) throws RefusedException {
    byte[] payload = message.getValue().toByteArray();
    if (payload.length > MAX_PAYLOAD_BYTES) {
      throw malformed("payload", "bytes=" + payload.length + " allowed=" + MAX_PAYLOAD_BYTES);
    }
    JsonNode root;
    try {
      scan(payload);
      root = JSON.readTree(payload);
    } catch (RefusedException e) {
      throw e;
    } catch (IOException e) {
      throw malformed("payload", "not JSON: " + ErrorText.of(e));
    }
    if (!root.isObject()) {
      throw malformed("payload", "not a JSON object");
    }
    long version = number(root.get("v"), "v", Integer.MIN_VALUE, Integer.MAX_VALUE);
    if (version != VERSION) {
      throw malformed("v", "version=" + version + " supported=" + VERSION);
    }
    return root;
  }

  /** Bounds everything before anything is built. */
  private static void scan(byte[] payload) throws IOException {
    int depth = 0;
    int count = 0;
    try (JsonParser parser = JSON.getFactory().createParser(payload)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (++count > MAX_JSON_TOKENS) {
          throw malformed("payload", "more than " + MAX_JSON_TOKENS + " JSON tokens");
        }
        if (token.isStructStart() && ++depth > MAX_DEPTH) {
          throw malformed("payload", "nested deeper than " + MAX_DEPTH);
        }
        if (token.isStructEnd()) {
          depth--;
          if (depth == 0 && parser.nextToken() != null) {
            throw malformed("payload", "more than one JSON value");
          }
        }
        if (token == JsonToken.FIELD_NAME && parser.getTextLength() > MAX_NAME_CHARS) {
          throw malformed(
              "payload",
              "key of " + parser.getTextLength() + " characters, allowed=" + MAX_NAME_CHARS);
        }
        int allowed = token.isNumeric() ? MAX_NUMBER_CHARS : MAX_STRING_CHARS;
        if (token.isScalarValue() && parser.getTextLength() > allowed) {
          throw malformed(
              "payload", "value of " + parser.getTextLength() + " characters, allowed=" + allowed);
        }
      }
    }
    if (count == 0) {
      throw malformed("payload", "empty");
    }
  }

  private static List<String> pools(JsonNode root) throws RefusedException {
    List<String> out = new ArrayList<>();
    JsonNode pools = list(root, "pools");
    if (pools.size() > MAX_POOLS) {
      throw malformed("pools", "items=" + pools.size() + " allowed=" + MAX_POOLS);
    }
    for (JsonNode pool : pools) {
      out.add(text(pool, "pools", MAX_NAME_CHARS));
    }
    return out;
  }

  private static BlockKey block(List<String> pools, JsonNode row) throws RefusedException {
    int pool = (int) number(row.get(0), "pool index", 0, pools.size() - 1L);
    return new BlockKey(
        pools.get(pool), number(row.get(1), "block id", Long.MIN_VALUE, Long.MAX_VALUE));
  }

  private static JsonNode list(JsonNode root, String key) throws RefusedException {
    JsonNode node = root.get(key);
    if (node == null || !node.isArray()) {
      throw malformed(key, "a list is required");
    }
    if (node.size() > MAX_ITEMS) {
      throw malformed(key, "items=" + node.size() + " allowed=" + MAX_ITEMS);
    }
    return node;
  }

  private static JsonNode rows(JsonNode root, String key, int columns) throws RefusedException {
    JsonNode node = list(root, key);
    for (JsonNode row : node) {
      if (!row.isArray() || row.size() != columns) {
        throw malformed(key, "rows of " + columns + " values are required");
      }
    }
    return node;
  }

  private static long amount(JsonNode parent, String key) throws RefusedException {
    return number(parent.get(key), key, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static long amount(JsonNode row, int column, String what) throws RefusedException {
    return number(row.get(column), what, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static long number(@Nullable JsonNode node, String what, long min, long max)
      throws RefusedException {
    if (node == null || !node.isIntegralNumber() || !node.canConvertToLong()) {
      throw malformed(what, "a whole number is required");
    }
    long value = node.longValue();
    if (value < min || value > max) {
      throw malformed(what, "value=" + value + " allowed=" + min + ".." + max);
    }
    return value;
  }

  private static boolean flag(@Nullable JsonNode node, String what) throws RefusedException {
    if (node == null || !node.isBoolean()) {
      throw malformed(what, "true or false is required");
    }
    return node.booleanValue();
  }

  /** A non-empty name without control characters. */
  private static String name(JsonNode parent, String key) throws RefusedException {
    String name = text(parent.get(key), key, MAX_NAME_CHARS);
    if (name.isEmpty() || name.chars().anyMatch(Character::isISOControl)) {
      throw malformed(key, "a name without control characters is required");
    }
    return name;
  }

  private static String text(@Nullable JsonNode node, String what, int maxChars)
      throws RefusedException {
    if (node == null || !node.isTextual()) {
      throw malformed(what, "a string is required");
    }
    String text = node.textValue();
    if (text.length() > maxChars) {
      throw malformed(what, "characters=" + text.length() + " allowed=" + maxChars);
    }
    if (!isWellFormed(text)) {
      throw malformed(what, "not well-formed Unicode");
    }
    return text;
  }

  /** Whether it can be passed on: half of a pair of surrogates has no bytes in UTF-8. */
  private static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean pair =
            i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  private static byte[] bytes(@Nullable JsonNode node) throws RefusedException {
    byte[] out;
    try {
      out = node == null ? null : node.binaryValue();
    } catch (IOException e) {
      out = null;
    }
    if (out == null || out.length > MAX_TOKEN_BYTES) {
      throw malformed("block token", "at most " + MAX_TOKEN_BYTES + " bytes in base64 required");
    }
    return out;
  }

  private static Reason reason(@Nullable JsonNode node) throws RefusedException {
    String name = text(node, "reason", MAX_NAME_CHARS);
    try {
      return Reason.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw malformed("reason", "unknown reason=" + name + "; the DataNode is newer");
    }
  }

  private static RefusedException malformed(String what, String detail) {
    return new RefusedException("malformed message: " + what + ": " + detail);
  }
}
