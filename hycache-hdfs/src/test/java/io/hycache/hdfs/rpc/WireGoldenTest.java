// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.Finished;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers.Pulled;
import io.hycache.core.directory.View;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.Hints.Watched;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowProgress;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Residency;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.stats.ObservedPlace;
import io.hycache.hdfs.Golden;
import io.hycache.hdfs.SampleStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.zip.CRC32;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.junit.jupiter.api.Test;

/**
 * The bytes of every message of both protocols. Two releases run side by side in a rolling upgrade,
 * so an instance of each message keeps the bytes that were recorded for it, and those bytes are
 * read as the same message.
 */
class WireGoldenTest {
  private static final String CLIENT = "client-messages.txt";
  private static final String DATANODE = "datanode-messages.txt";
  private static final BlockKey A = new BlockKey("BP-1-caf\u00e9", 1073741825L);
  private static final BlockKey B = new BlockKey("BP-2", Long.MIN_VALUE);
  private static final List<BlockKey> BLOCKS = List.of(A, B);

  private static final BlockTokens TOKENS =
      block ->
          block.equals(B)
              ? null
              : new Token<BlockTokenIdentifier>(
                  new byte[] {1, 2, (byte) 0xff}, new byte[] {3}, new Text(), new Text());

  private static final Hints BATCH =
      new Hints(
          "nightly \"etl\" \u00e9",
          60_000,
          List.of(
              new Reference(A, 134_217_728, false),
              new Reference(B, 7, true),
              new Reference(A, 134_217_728, true),
              new Reference(B, 7, false)));

  private static final Hints WATCHED =
      new Hints(
          "w",
          1000,
          List.of(new Reference(A, 9, false)),
          List.of(new Watched(B, 1, List.of("dn-1")), new Watched(A, 3, List.of("dn-2", "dn-1"))));

  // ---- the client protocol ----------------------------------------------------------------------

  private static HintReceipt receipt(HintReceipt.Limit... limits) {
    return new HintReceipt(
        new WorkflowId("alice", "nightly \u00e9"), 10, 2, 3_600_000, Set.of(limits));
  }

  private static List<WorkflowStatus> workflows() {
    return List.of(
        new WorkflowStatus(receipt(), 5, 1000, 2000).withPinned(3),
        new WorkflowStatus(
            receipt(HintReceipt.Limit.USER_BLOCKS, HintReceipt.Limit.USER_TTL), 1, 0, 0));
  }

  private static List<WorkflowStatus> recentWorkflows() {
    return List.of(
        new WorkflowStatus(receipt(), 5, 1000, 2000)
            .withPinned(3)
            .with(new WorkflowProgress("openlineage", 1, 2, 3, 4, WorkflowProgress.ACTIVE)),
        new WorkflowStatus(receipt(), 1, 9, 9),
        new WorkflowStatus(receipt(), 2, 7000, 0).with(new WorkflowProgress("", 8, 0, 0, 0, 6)));
  }

  private static List<BlockStatus> located() {
    return List.of(
        new BlockStatus(
                A, "DISK", false, true, true, 3, 5, Reason.ON_SSD_CLEAN, FakeNode.queued(6, 1e-9))
            .withObserved(
                new ObservedPlace("SSD", 61_000, Reason.ON_SSD_DIRTY_STAYS),
                FakeNode.queued(6, 1e-9)),
        new BlockStatus(
            B,
            "SSD",
            true,
            false,
            false,
            0,
            -1,
            Reason.ON_SSD_DIRTY,
            new LastDecision("lru", 1, "READ", "NO_ROOM", 8, 9, 0, 0, null)),
        new BlockStatus(B, "NONE", false, false, false, 0, 0, Reason.NOT_TRACKED, null));
  }

  private static List<HintedBlock> hinted() {
    return List.of(
        new HintedBlock(A, 134_217_728, 3, 1, 1, 0, true, -1, 20, Reason.EVICTED),
        new HintedBlock(
            B, 0, 1, 0, 0, 1, false, 4000, HintedBlock.NEVER, Reason.NO_LATER_REFERENCE));
  }

  private static BlockDirectory.Page page() {
    return new BlockDirectory.Page(
        List.of(
            new BlockOnSsd(A, "dn-1", Residency.CLEAN, 1L << 40),
            new BlockOnSsd(B, "dn-2", Residency.DIRTY, 0),
            new BlockOnSsd(A, "dn-2", Residency.OWNER, 9)),
        "b/{BP-2/0}/next");
  }

  private static List<Optional<Set<String>>> holders() {
    return List.of(Optional.of(Set.of("dn-1")), Optional.empty(), Optional.of(Set.of()));
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("hycache.policy", "lookahead");
    settings.put("hycache.write.share", "0.5");
    return settings;
  }

  private static Map<String, BytesValue> clientMessages() {
    Map<String, BytesValue> out = new LinkedHashMap<>();
    out.put("submit-first", SubmitRequest.encode("s-1", BATCH, TOKENS, 0, 0, 3).bytes);
    out.put("submit-last", SubmitRequest.encode("s-1", BATCH, TOKENS, 1, 3, 3).bytes);
    out.put("submit-watched", SubmitRequest.encode("s-2", WATCHED, TOKENS, 0, 0, 9).bytes);
    out.put("submit-by", SubmitRequest.encode("s-3", WATCHED.by("hive"), TOKENS, 0, 0, 9).bytes);
    out.put("submit-job", SubmitRequest.encode("s-4", BATCH.ofOneJob(), TOKENS, 0, 0, 9).bytes);
    out.put("submit-none", SubmitAnswer.encode(null));
    out.put("submit-answer", SubmitAnswer.encode(receipt(HintReceipt.Limit.NODE_BLOCKS)));
    out.put("withdraw", new WithdrawRequest("nightly \u00e9", "bob").encode());
    out.put("withdraw-own", new WithdrawRequest("w", "").encode());
    out.put("withdraw-answer", WithdrawAnswer.encode(OptionalInt.of(12)));
    out.put("withdraw-answer-none", WithdrawAnswer.encode(OptionalInt.empty()));
    out.put("status", JsonMessage.encodeEmpty());
    out.put("workflows-answer", WorkflowsAnswer.encode(workflows()));
    out.put("workflows-answer-recent", WorkflowsAnswer.encode(recentWorkflows()));
    out.put("status-answer", StatusAnswer.encode(SampleStatus.active()));
    out.put("status-answer-pass-through", StatusAnswer.encode(SampleStatus.passThrough()));
    out.put("status-answer-stalled", StatusAnswer.encode(SampleStatus.stalled()));
    out.put("status-answer-user", StatusAnswer.encode(SampleStatus.active().withoutDevices()));
    out.put("locate", BlocksRequest.encode(BLOCKS, TOKENS));
    out.put("locate-answer", LocateAnswer.encode(located()));
    out.put("list", ListRequest.encode("b/{BP-1/0}/at"));
    out.put("list-answer", ListAnswer.encode(page()));
    out.put("explain", new ExplainRequest("nightly \u00e9", "bob", 20_000).encode());
    out.put("explain-answer", ExplainAnswer.encode(hinted()));
    out.put("settings", SettingsMessage.encode(settings()));
    out.put("settings-none", SettingsMessage.encode(Map.of()));
    return out;
  }

  @Test
  void clientMessages_haveTheRecordedBytes() throws Exception {
    StringBuilder text = new StringBuilder();
    clientMessages()
        .forEach((name, m) -> text.append(name + " " + m.getValue().toStringUtf8() + "\n"));
    Golden.assertRecorded(CLIENT, text.toString());
  }

  @Test
  void recordedClientMessages_areReadAndWrittenAgain() throws Exception {
    Map<String, String> recorded = Golden.entries(CLIENT);
    assertEquals(clientMessages().keySet(), recorded.keySet());
    for (Map.Entry<String, String> one : recorded.entrySet()) {
      BytesValue bytes = BytesValue.of(ByteString.copyFromUtf8(one.getValue()));
      assertEquals(one.getValue(), again(one.getKey(), bytes).getValue().toStringUtf8());
    }
  }

  /** The blocks, each of which must have come with its token. */
  private static List<BlockKey> withTokens(List<TokenBlock> read) {
    List<BlockKey> blocks = new ArrayList<>();
    for (TokenBlock block : read) {
      blocks.add(block.block);
      assertEquals(block.block.equals(A) ? 3 : 0, block.identifier.length);
      assertEquals(block.block.equals(A) ? 1 : 0, block.password.length);
    }
    return blocks;
  }

  private static BytesValue again(String name, BytesValue bytes) throws RefusedException {
    switch (name) {
      case "submit-first":
      case "submit-last":
      case "submit-watched":
      case "submit-by":
      case "submit-job":
        SubmitRequest chunk = SubmitRequest.decode(bytes);
        Hints batch = chunk.hints(chunk.references, chunk.watched);
        BytesValue again =
            SubmitRequest.encode(
                    chunk.submission, batch, TOKENS, chunk.number, 0, JsonFields.MAX_ITEMS)
                .bytes;
        return chunk.last
            ? again
            : BytesValue.of(
                ByteString.copyFromUtf8(
                    again.getValue().toStringUtf8().replace("\"last\":true", "\"last\":false")));
      case "submit-none":
      case "submit-answer":
        return SubmitAnswer.encode(SubmitAnswer.decode(bytes));
      case "explain":
        return ExplainRequest.decode(bytes).encode();
      case "explain-answer":
        return ExplainAnswer.encode(ExplainAnswer.decode(bytes));
      case "withdraw":
      case "withdraw-own":
        return WithdrawRequest.decode(bytes).encode();
      case "withdraw-answer":
      case "withdraw-answer-none":
        return WithdrawAnswer.encode(WithdrawAnswer.decode(bytes));
      case "status":
        JsonMessage.checkEmpty(bytes);
        return JsonMessage.encodeEmpty();
      case "workflows-answer":
      case "workflows-answer-recent":
        return WorkflowsAnswer.encode(WorkflowsAnswer.decode(bytes));
      case "locate":
        return BlocksRequest.encode(withTokens(BlocksRequest.decode(bytes)), TOKENS);
      case "locate-answer":
        return LocateAnswer.encode(LocateAnswer.decode(bytes, List.of(A, B, B)));
      case "list":
        return ListRequest.encode(ListRequest.decode(bytes));
      case "list-answer":
        return ListAnswer.encode(ListAnswer.decode(bytes));
      case "settings":
      case "settings-none":
        return SettingsMessage.encode(SettingsMessage.decode(bytes));
      default:
        return StatusAnswer.encode(StatusAnswer.decode(bytes));
    }
  }

  /** DataNodes of the first release don't send these keys. */
  @Test
  void status_withoutLaterKeys_isRead() throws Exception {
    String json = Golden.entry(CLIENT, "status-answer");
    for (String later :
        List.of(
            "\"partition\":\"[^\"]*\",",
            "\"plannerStalledSeconds\":\\d+,",
            "\"ssdBytesWrittenPer100Read\":\\d+,",
            "\"pinnedBytes\":\\d+,\"pinCapacityBytes\":\\d+,\"pinnedBlocks\":\\d+,",
            "\"advertisedBlocks\":\\d+,",
            "\"directoryMembers\":\\d+,",
            "\"directoryTrouble\":\"[^\"]*\",",
            "\"warnings\":\"[^\"]*\",",
            "\"shadowSeconds\".*\"shadowByteShareEightfold\":[0-9.]+,",
            "\"version\".*\"demotionMicrosP99\":\\d+,",
            "\"dataNodeUuid\":\"[^\"]*\",",
            "\"notCounted\":\"[^\"]*\",",
            "\"writeBudgets\":\\{[^}]*\\},",
            "\"devices\":\\[\\[.*\\]\\],")) {
      json = json.replaceFirst(later, "");
    }
    BytesValue old = BytesValue.of(ByteString.copyFromUtf8(json));
    assertEquals(
        Golden.entry(CLIENT, "status-answer")
            .replaceFirst("auto [^\"]*", "shared")
            .replaceFirst("\"warnings\":\"[^\"]*\"", "\"warnings\":\"\"")
            .replaceFirst("\"plannerStalledSeconds\":\\d+", "\"plannerStalledSeconds\":0")
            .replaceFirst("\"ssdBytesWrittenPer100Read\":\\d+", "\"ssdBytesWrittenPer100Read\":0")
            .replaceAll("(\"pin\\w*(Bytes|Blocks)\"):\\d+", "$1:0")
            .replaceFirst("\"advertisedBlocks\":\\d+", "\"advertisedBlocks\":0")
            .replaceFirst("\"directoryMembers\":\\d+", "\"directoryMembers\":0")
            .replaceFirst("\"directoryTrouble\":\"[^\"]*\"", "\"directoryTrouble\":\"\"")
            .replaceAll("(\"shadow(StandardError|\\w+Share\\w+)\"):[0-9.]+", "$1:0.0")
            .replaceAll("(\"(shadow|workingSet)\\w*(Seconds|Reads|Bytes)\"):\\d+", "$1:0")
            .replaceFirst("\"version\":\"[^\"]*\"", "\"version\":\"unknown\"")
            .replaceAll(
                "(\"(writeBytesInFlight|ssdsSick|directory(?!Members\")\\w+|\\w+MicrosP\\d+)\"):\\d+",
                "$1:0")
            .replaceFirst("\"dataNodeUuid\":\"[^\"]*\"", "\"dataNodeUuid\":\"\"")
            .replaceFirst("\"writeBudgets\":\\{[^}]*\\},", "")
            .replaceFirst("\"devices\":\\[\\[.*\\]\\]", "\"devices\":[]"),
        StatusAnswer.encode(StatusAnswer.decode(old)).getValue().toStringUtf8());
  }

  /** A key that every release sends is required, with its type and range. */
  @Test
  void status_withABadKey_isRefusedWithItsName() throws Exception {
    String json = Golden.entry(CLIENT, "status-answer");
    String[][] changes = {
      {"\"mode\":\"active\",", "", "mode: expected a string, found none"},
      {"\"active\"", "\"\"", "mode: expected a name without control characters, found an"},
      {"\"auto [^\"]*\"", "1", "partition: expected a string, found 1"},
      {
        "\"passThrough\":false", "\"passThrough\":0", "passThrough: expected true or false, found 0"
      },
      {"\"dirtyBytes\":\\d+,", "", "dirtyBytes: expected a whole number, found none"},
      {"\"freeBytes\":\\d+", "\"freeBytes\":1.5", "freeBytes: expected a whole number, found 1.5"},
      {
        "Seconds\":9",
        "Seconds\":null",
        "plannerStalledSeconds: expected a whole number, found null"
      },
      {"Members\":3", "Members\":-1", "directoryMembers: expected 0 to 2147483647, found -1"},
      {
        "Members\":3", "Members\":2147483648", "directoryMembers: expected 0 to 2147483647, found 2"
      },
      {"\"directoryTrouble\":\"[^\"]*\",", "", "directoryTrouble: expected a string, found none"},
      {",-19\\]", "]", "devices: expected rows of 11 values, found a row of 10"},
      {"true,8589934603", "1,8589934603", "usable: expected true or false, found 1"},
      {"true,8589934603", "true,\"8\"", "capacityBytes: expected a whole number, found string"},
      {"262144000", "\"x\"", "DiskBytesRead: expected a whole number, found string"},
    };
    for (String[] change : changes) {
      String changed = json.replaceFirst(change[0], change[1]);
      BytesValue bytes = BytesValue.of(ByteString.copyFromUtf8(changed));
      RefusedException e =
          assertThrows(RefusedException.class, () -> StatusAnswer.decode(bytes), changed);
      String expected = "malformed message: " + change[2];
      assertEquals(
          expected,
          Thrown.message(e).substring(0, Math.min(expected.length(), Thrown.message(e).length())));
    }
  }

  // ---- messages in the form of protocol buffers
  // -----------------------------------------------------------

  private static List<Operation> operations() {
    return List.of(
        Operation.get("k1", 3),
        Operation.getAny("caf\u00e9"),
        Operation.put("k2", new byte[] {1, 2, 3}, 60_000),
        Operation.remove("k3"),
        Operation.cas("k4", 77, new byte[] {9}).withToken(0x0123456789abcdefL),
        Operation.append("k5", new byte[0]).withToken(-1),
        Operation.list("b/{BP-1/0}/", "b/{BP-1/0}/7"),
        new Operation(
            Operation.Kind.LIST,
            "all",
            new byte[] {4},
            Long.MAX_VALUE,
            -5,
            6,
            true,
            Integer.MAX_VALUE,
            "after"));
  }

  private static List<Outcome> outcomes() {
    return List.of(
        new Outcome(Outcome.Status.OK, 5, 1, List.of(new byte[] {1}), List.of(), false, ""),
        new Outcome(
            Outcome.Status.OK,
            Long.MAX_VALUE,
            2,
            List.of(new byte[0], new byte[] {2, 3}),
            List.of(new Outcome.Row("k1", 7, new byte[] {8}), new Outcome.Row("", 0, new byte[0])),
            true,
            "caf\u00e9"),
        new Outcome(Outcome.Status.UNKNOWN, 0, 0, List.of(), List.of(), false, "no answer"));
  }

  private static List<Change> changes() {
    return List.of(
        new Change(
            "k1",
            Change.WHOLE,
            Long.MAX_VALUE,
            false,
            3,
            5,
            List.of(new byte[] {1}, new byte[0]),
            60_000,
            "dn-1",
            4,
            0x0123456789abcdefL),
        new Change("caf\u00e9", 6, 7, true, 0, 0, List.of(), 0, "", 0, 0),
        new Change("", 0, 0, false, 0, 0, List.of(), 0, "", 0, 0));
  }

  private static View view() {
    return new View(
        1_700_000_000_000L, List.of(new Member("dn-1", "host1:9867"), new Member("dn-2", "")));
  }

  private static BitSet shards(int... set) {
    BitSet out = new BitSet();
    for (int shard : set) {
      out.set(shard);
    }
    return out;
  }

  private static Map<String, BytesValue> datanodeMessages() {
    Map<String, BytesValue> out = new LinkedHashMap<>();
    out.put("run", new RunRequest("dn-1", 4, operations()).encode());
    out.put("run-empty", new RunRequest("", 0, List.of()).encode());
    out.put("run-answer", RunAnswer.encode(outcomes()));
    out.put("replicate", new ReplicateRequest("dn-1", true, changes()).encode());
    out.put("replicate-empty", new ReplicateRequest("", false, List.of()).encode());
    out.put("replicate-answer", ReplicateAnswer.encode(List.of("k1", "", "caf\u00e9")));
    out.put("pull", new PullRequest(view(), shards(1, 9), shards(0, 1000), "at").encode());
    out.put("pull-empty", new PullRequest(View.NONE, shards(), shards(), "").encode());
    out.put(
        "pull-answer",
        PullAnswer.encode(
            new Pulled(
                changes(),
                List.of(new Finished(0x0123456789abcdefL, 9, 8, 7), new Finished(0, 0, 0, 0)),
                "next")));
    out.put("pull-answer-empty", PullAnswer.encode(new Pulled(List.of(), List.of(), "")));
    out.put("view-answer", new ViewAnswer("dn-1", view()).encode());
    out.put("view-answer-empty", new ViewAnswer("", View.NONE).encode());
    out.put("reads", ReadsRequest.encode(List.of(A, B, A, new BlockKey("BP-9", -1))));
    out.put("reads-empty", ReadsRequest.encode(List.of()));
    out.put("holders", HoldersRequest.encode(BLOCKS, TOKENS));
    out.put("holders-answer", HoldersAnswer.encode(holders()));
    return out;
  }

  private static BytesValue againOfDatanodes(String name, BytesValue bytes)
      throws RefusedException {
    switch (name) {
      case "holders":
        return HoldersRequest.encode(withTokens(HoldersRequest.decode(bytes)), TOKENS);
      case "holders-answer":
        return HoldersAnswer.encode(HoldersAnswer.decode(bytes, 3));
      case "run":
      case "run-empty":
        return RunRequest.decode(bytes).encode();
      case "run-answer":
        return RunAnswer.encode(RunAnswer.decode(bytes));
      case "replicate":
      case "replicate-empty":
        return ReplicateRequest.decode(bytes).encode();
      case "replicate-answer":
        return ReplicateAnswer.encode(ReplicateAnswer.decode(bytes));
      case "pull":
      case "pull-empty":
        return PullRequest.decode(bytes).encode();
      case "pull-answer":
      case "pull-answer-empty":
        return PullAnswer.encode(PullAnswer.decode(bytes));
      case "reads":
      case "reads-empty":
        return ReadsRequest.encode(ReadsRequest.decode(bytes));
      default:
        return ViewAnswer.decode(bytes).encode();
    }
  }

  @Test
  void datanodeMessages_haveTheRecordedBytes() throws Exception {
    StringBuilder text = new StringBuilder();
    datanodeMessages().forEach((name, m) -> text.append(name + " " + hex(m) + "\n"));
    Golden.assertRecorded(DATANODE, text.toString());
  }

  @Test
  void recordedDatanodeMessages_areReadAndWrittenAgain() throws Exception {
    Map<String, String> recorded = Golden.entries(DATANODE);
    assertEquals(datanodeMessages().keySet(), recorded.keySet());
    for (Map.Entry<String, String> one : recorded.entrySet()) {
      BytesValue bytes = BytesValue.of(ByteString.copyFrom(bytes(one.getValue())));
      assertEquals(one.getValue(), hex(againOfDatanodes(one.getKey(), bytes)), one.getKey());
    }
  }

  /** A later release may add fields of any type; groups, which none has, are refused. */
  @Test
  void recordedDatanodeMessages_withFieldsOfALaterRelease_areReadAsBefore() throws Exception {
    // Fields 100 to 103: a varint, a fixed64, bytes, a fixed32.
    String later = "a00605" + "a9060102030405060708" + "b2060301" + "0203" + "bd0601020304";
    for (Map.Entry<String, String> one : Golden.entries(DATANODE).entrySet()) {
      BytesValue bytes = BytesValue.of(ByteString.copyFrom(bytes(later + one.getValue() + later)));
      assertEquals(one.getValue(), hex(againOfDatanodes(one.getKey(), bytes)), one.getKey());
    }
  }

  /**
   * Each prefix of a message is read as it was, or refused as it was; by a checksum of them all.
   */
  @Test
  void recordedDatanodeMessages_cutAnywhere_areReadOrRefusedAsRecorded() throws Exception {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> one : Golden.entries(DATANODE).entrySet()) {
      StringBuilder results = new StringBuilder();
      for (int end = 0; end < one.getValue().length(); end += 2) {
        BytesValue cut =
            BytesValue.of(ByteString.copyFrom(bytes(one.getValue().substring(0, end))));
        try {
          results.append(hex(againOfDatanodes(one.getKey(), cut))).append('\n');
        } catch (RefusedException e) {
          results.append("refused\n");
        }
      }
      CRC32 checksum = new CRC32();
      checksum.update(results.toString().getBytes(StandardCharsets.UTF_8));
      text.append(one.getKey()).append(' ').append(checksum.getValue()).append('\n');
    }
    Golden.assertRecorded("datanode-messages-cut.txt", text.toString());
  }

  private static String hex(BytesValue message) {
    StringBuilder out = new StringBuilder();
    for (byte b : message.getValue()) {
      out.append(String.format("%02x", b));
    }
    return out.toString();
  }

  private static byte[] bytes(String hex) {
    byte[] out = new byte[hex.length() / 2];
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    }
    return out;
  }

  @Test
  void change_ofAJournal_hasTheRecordedBytes() throws Exception {
    byte[] bytes = ChangeBytes.of(changes().get(0));
    assertEquals(changes().get(0).key(), ChangeBytes.read(bytes).key());
    assertArrayEquals(bytes, ChangeBytes.of(ChangeBytes.read(bytes)));
    Golden.assertRecorded(
        "journal-change.txt", hex(BytesValue.of(ByteString.copyFrom(bytes))) + "\n");
  }
}
