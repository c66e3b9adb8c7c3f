// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static io.hycache.hdfs.rpc.Thrown.message;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.Hints.Watched;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Residency;
import io.hycache.core.model.Weighing;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.rpc.SubmitRequest.EncodedChunk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireTest {
  private static final List<String> NODES = List.of("dn2", "dn1", "dn3");
  private static final String SUBMIT =
      "{'v':1,'submission':'s','part':0,'last':true,'workflow':'w','ttlMillis':1000,"
          + "'pools':['p'],'blocks':[[0,7,128,'','']],'steps':[0,1,0]}";

  @Test
  void submit_batchLargerThanOneChunk_roundTrips() throws Exception {
    List<Reference> references = new ArrayList<>();
    Random random = new Random(7);
    for (int i = 0; i < 2500; i++) {
      int block = random.nextInt(400);
      references.add(
          new Reference(
              new BlockKey("BP-" + block % 3, block - 100), 100L + block, random.nextBoolean()));
    }
    Hints batch = new Hints("nightly", 60_000, references);
    BlockTokens tokens =
        block ->
            block.id() % 2 == 0
                ? null
                : new Token<BlockTokenIdentifier>(
                    new byte[] {1, (byte) block.id()}, new byte[] {2}, new Text(), new Text());

    List<Reference> got = new ArrayList<>();
    int from = 0;
    for (int chunk = 0; chunk == 0 || from < references.size(); chunk++) {
      EncodedChunk encoded = SubmitRequest.encode("id", batch, tokens, chunk, from, 1000);
      from = encoded.nextItem;
      SubmitRequest read = SubmitRequest.decode(encoded.bytes);
      assertEquals("nightly", read.workflow);
      assertEquals(60_000, read.ttlMillis);
      assertEquals(chunk, read.number);
      assertEquals(chunk == 2, read.last);
      for (TokenBlock block : read.blocks) {
        boolean none = block.block.id() % 2 == 0;
        assertArrayEquals(
            none ? new byte[0] : new byte[] {1, (byte) block.block.id()}, block.identifier);
      }
      got.addAll(read.references);
    }

    assertEquals(references.size(), got.size());
    for (int i = 0; i < references.size(); i++) {
      assertEquals(references.get(i).block(), got.get(i).block(), "step " + i);
      assertEquals(references.get(i).lengthBytes(), got.get(i).lengthBytes(), "step " + i);
      assertEquals(references.get(i).random(), got.get(i).random(), "step " + i);
    }
  }

  @Test
  void submit_watchedBlocks_followTheReferencesAndRoundTrip() throws Exception {
    List<Reference> references = List.of(new Reference(new BlockKey("p", 1), 5, false));
    List<Watched> watched = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      watched.add(
          new Watched(new BlockKey("p" + i % 2, i), i + 1, i % 3 == 0 ? List.of("dn1") : NODES));
    }
    Hints batch = new Hints("w", 1000, references, watched);
    BlockTokens tokens =
        block ->
            new Token<BlockTokenIdentifier>(
                new byte[] {(byte) block.id()}, new byte[] {2}, new Text(), new Text());
    List<Watched> got = new ArrayList<>();
    int from = 0;
    for (int chunk = 0; chunk == 0 || from < SubmitRequest.items(batch); chunk++) {
      EncodedChunk encoded = SubmitRequest.encode("id", batch, tokens, chunk, from, 10);
      from = encoded.nextItem;
      SubmitRequest read = SubmitRequest.decode(encoded.bytes);
      assertEquals(chunk == 0 ? 1 : 0, read.references.size());
      assertEquals(chunk == 2, read.last);
      assertEquals(read.references.size() + read.watched.size(), read.blocks.size());
      for (TokenBlock block : read.blocks) {
        assertArrayEquals(new byte[] {(byte) block.block.id()}, block.identifier);
      }
      got.addAll(read.watched);
    }
    assertEquals(watched.size(), got.size());
    for (int i = 0; i < watched.size(); i++) {
      assertEquals(watched.get(i).block(), got.get(i).block());
      assertEquals(watched.get(i).reads(), got.get(i).reads());
      assertEquals(watched.get(i).hinted(), got.get(i).hinted());
    }
  }

  @Test
  void submit_watchedRowsThatCantBe_areRefused() {
    String valid =
        SUBMIT.replace("}", ",'nodes':['dn1'],'watched':[[0,7,'','',1,[0]]]}").replace('\'', '"');
    for (String[] change :
        new String[][] {
          {"\"nodes\":[\"dn1\"],", "", "nodes: expected a list, found none"},
          {"1,[0]]", "0,[0]]", "reads: expected 1 to"},
          {"1,[0]]", "1,[1]]", "node index: expected 0 to 0, found 1"},
          {"1,[0]]", "1,[]]", "watched: expected 1 to 512 DataNodes, found 0 values"},
          {"1,[0]]", "1,0]", "watched: expected 1 to 512 DataNodes, found 0 values"},
          {",[0]]", "]", "watched: expected rows of 6 values, found a row of 5"},
          {"[[0,7,\"\"", "[[1,7,\"\"", "pool index: expected 0 to 0, found 1"},
        }) {
      String changed = valid.replace(change[0], change[1]);
      BytesValue bytes = BytesValue.of(ByteString.copyFromUtf8(changed));
      RefusedException e =
          assertThrows(RefusedException.class, () -> SubmitRequest.decode(bytes), changed);
      assertTrue(Thrown.message(e).contains(change[2]), e::toString);
    }
  }

  @Test
  void submit_watchedRowsOfManyIds_keepTheFirstDistinctOnes() throws Exception {
    List<String> nodes = new ArrayList<>(Collections.nCopies(20, "'dn0'"));
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < 512; i++) {
      nodes.add("'dn" + (i + 1) + "'");
      indexes.add(i);
    }
    String row = "[0,7,'','',1," + indexes + "]";
    String text =
        SUBMIT.replace("}", ",'nodes':" + nodes + ",'watched':[" + row + "," + row + "]}");
    List<Watched> read =
        SubmitRequest.decode(BytesValue.of(ByteString.copyFromUtf8(text.replace('\'', '"'))))
            .watched;
    List<String> expected =
        List.of("dn0", "dn1", "dn2", "dn3", "dn4", "dn5", "dn6", "dn7", "dn8", "dn9");
    assertEquals(expected, read.get(0).hinted());
    assertSame(read.get(0).hinted(), read.get(1).hinted());
  }

  @Test
  void submit_nodeIdsLongerThanThoseOfDataNodes_areRefused() throws Exception {
    String id = "DS-1234567890-255.255.255.255-65535-1400000000000";
    SubmitRequest read = SubmitRequest.decode(watchedBy(id));
    assertEquals(List.of(id), read.watched.get(0).hinted());
    RefusedException e =
        assertThrows(RefusedException.class, () -> SubmitRequest.decode(watchedBy("d".repeat(65))));
    assertEquals(
        "malformed message: nodes: expected at most 64 characters, found 65", Thrown.message(e));
  }

  private static BytesValue watchedBy(String node) {
    String text = SUBMIT.replace("}", ",'nodes':['" + node + "'],'watched':[[0,7,'','',1,[0]]]}");
    return BytesValue.of(ByteString.copyFromUtf8(text.replace('\'', '"')));
  }

  @Test
  void reads_moreThanACallMayHave_areRefused() throws Exception {
    List<BlockKey> most = Collections.nCopies(ReadsRequest.MAX_READS, new BlockKey("p", 1));
    assertEquals(most, ReadsRequest.decode(ReadsRequest.encode(most)));
    List<BlockKey> more = new ArrayList<>(most);
    more.add(new BlockKey("q", -1));
    RefusedException e =
        assertThrows(RefusedException.class, () -> ReadsRequest.decode(ReadsRequest.encode(more)));
    assertTrue(Thrown.message(e).contains("list: expected at most 10000 elements, found more"));
  }

  @Test
  void submit_largeTokens_cutsTheChunkBeforeThePayloadBound() throws Exception {
    List<Reference> references = new ArrayList<>();
    for (int i = 0; i < JsonFields.MAX_ITEMS; i++) {
      references.add(new Reference(new BlockKey("BP", i), 1, false));
    }
    byte[] identifier = new byte[TokenBlock.MAX_TOKEN_BYTES];
    EncodedChunk chunk =
        SubmitRequest.encode(
            "id",
            new Hints("w", 1, references),
            block ->
                new Token<BlockTokenIdentifier>(identifier, identifier, new Text(), new Text()),
            0,
            0,
            JsonFields.MAX_ITEMS);
    assertTrue(chunk.nextItem < references.size());
    assertTrue(chunk.bytes.getSerializedSize() < Protocols.MAX_PAYLOAD_BYTES);
    assertFalse(SubmitRequest.decode(chunk.bytes).last);
  }

  @Test
  void status_roundTrips() throws Exception {
    NodeStatus sent = new FakeNode().status();
    NodeStatus got = StatusAnswer.decode(StatusAnswer.encode(sent));
    assertEquals(sent.mode(), got.mode());
    assertEquals(sent.policy(), got.policy());
    assertEquals(sent.partition(), got.partition());
    assertEquals(sent.passThrough(), got.passThrough());
    assertEquals(sent.capacityBytes(), got.capacityBytes());
    assertEquals(sent.dirtyBytes(), got.dirtyBytes());
    assertEquals(sent.ownerBytes(), got.ownerBytes());
    assertEquals(sent.cleanBytes(), got.cleanBytes());
    assertEquals(sent.checksumBytes(), got.checksumBytes());
    assertEquals(sent.freeBytes(), got.freeBytes());
    assertEquals(sent.trackedBlocks(), got.trackedBlocks());
    assertEquals(sent.movesQueued(), got.movesQueued());
    assertEquals(sent.hintsLeft(), got.hintsLeft());
    assertEquals(sent.plannerStalledSeconds(), got.plannerStalledSeconds());
    assertEquals(1, got.devices().size());
    DeviceStatus device = got.devices().get(0);
    assertEquals("/ssd0", device.device());
    assertTrue(device.isUsable());
    assertEquals(8L << 30, device.figure(DeviceStatus.Figure.CAPACITY_BYTES));
    assertEquals(5L << 30, device.figure(DeviceStatus.Figure.FREE_BYTES));
    assertEquals(1L << 30, device.figure(DeviceStatus.Figure.DIRTY_BYTES));
    assertEquals(0, device.figure(DeviceStatus.Figure.OWNER_BYTES));
    assertEquals(2L << 30, device.figure(DeviceStatus.Figure.CLEAN_BYTES));
    assertEquals(16L << 20, device.figure(DeviceStatus.Figure.CHECKSUM_BYTES));
    assertEquals(7, device.figure(DeviceStatus.Figure.USER_WRITE_BYTES_PER_DAY));
    assertEquals(8, device.figure(DeviceStatus.Figure.PROMOTION_BYTES_PER_DAY));
    assertEquals(-9, device.figure(DeviceStatus.Figure.WRITE_BUDGET_LEFT_BYTES));
    assertEquals(
        new ArrayList<>(sent.counters().entrySet()), new ArrayList<>(got.counters().entrySet()));
  }

  @Test
  void locate_roundTrips() throws Exception {
    List<BlockKey> asked =
        List.of(new BlockKey("a", Long.MIN_VALUE), new BlockKey("b", Long.MAX_VALUE));
    List<TokenBlock> read = BlocksRequest.decode(BlocksRequest.encode(asked, BlockTokens.NONE));
    assertEquals(asked, read.stream().map(b -> b.block).collect(toList()));
    FakeNode node = new FakeNode();
    node.submitHints(
        new Hints("w", 60_000, List.of(new Reference(asked.get(1), 1, false))), "alice", false);
    List<BlockStatus> sent = node.locate(asked);
    List<BlockStatus> got = LocateAnswer.decode(LocateAnswer.encode(sent), asked);
    assertEquals(2, got.size());
    assertEquals(asked.get(1), got.get(1).block);
    assertEquals(sent.get(1).reason, got.get(1).reason);
    assertEquals(sent.get(1).storage, got.get(1).storage);
    assertEquals(sent.get(1).reads, got.get(1).reads);
    assertNull(got.get(0).decision);
    LastDecision decision = requireNonNull(got.get(1).decision);
    Weighing weighing = requireNonNull(decision.weighing);
    assertEquals("lookahead", decision.policy);
    assertEquals(2500, decision.agoMillis);
    assertEquals("HINT", decision.trigger);
    assertEquals("MOVE_QUEUED", decision.outcome);
    assertEquals(4096, decision.wantedBytes);
    assertEquals(1024, decision.freeBytes);
    assertEquals(2, decision.victims);
    assertEquals(1, decision.references);
    assertEquals(0.5, weighing.gain());
    assertEquals(0.25, weighing.cost());
    assertEquals("seconds of disk time", weighing.unit());
  }

  @Test
  void blocks_carryTheirTokens() throws Exception {
    BlockKey a = new BlockKey("a", 1);
    BlockKey b = new BlockKey("a", 2);
    Token<BlockTokenIdentifier> token =
        new Token<>(
            new byte[] {1, 2}, new byte[] {3}, new BlockTokenIdentifier().getKind(), new Text());
    List<TokenBlock> read =
        BlocksRequest.decode(
            BlocksRequest.encode(List.of(a, b), block -> block.equals(b) ? token : null));
    assertEquals(0, read.get(0).identifier.length);
    assertArrayEquals(token.getIdentifier(), read.get(1).identifier);
    assertArrayEquals(token.getPassword(), read.get(1).password);
  }

  @Test
  void holders_roundTrip() throws Exception {
    List<Optional<Set<String>>> sent =
        List.of(Optional.of(Set.of("dn1", "dn2")), Optional.empty(), Optional.of(Set.of()));
    assertEquals(sent, HoldersAnswer.decode(HoldersAnswer.encode(sent), 3));
    assertThrows(RefusedException.class, () -> HoldersAnswer.decode(HoldersAnswer.encode(sent), 2));
  }

  @Test
  void page_roundTrips() throws Exception {
    BlockDirectory.Page sent =
        new BlockDirectory.Page(
            List.of(new BlockOnSsd(new BlockKey("a", -7), "dn1", Residency.CLEAN, 1L << 40)),
            "b/{a/0}/next");
    BlockDirectory.Page got = ListAnswer.decode(ListAnswer.encode(sent));
    assertEquals("b/{a/0}/next", got.next());
    BlockOnSsd one = got.blocks().get(0);
    assertEquals(new BlockKey("a", -7), one.block());
    assertEquals("dn1", one.datanode());
    assertEquals(Residency.CLEAN, one.residency());
    assertEquals(1L << 40, one.sizeBytes());
    assertEquals("b/x", ListRequest.decode(ListRequest.encode("b/x")));
  }

  @Test
  void locate_answerForOtherNumberOfBlocks_isRefused() {
    BytesValue one = LocateAnswer.encode(new FakeNode().locate(List.of(new BlockKey("a", 1))));
    assertThrows(
        RefusedException.class,
        () -> LocateAnswer.decode(one, List.of(new BlockKey("a", 1), new BlockKey("a", 2))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`{'v':1}`|settings: expected an object of at most 100 keys, found none",
        "`{'v':1,'settings':[]}`|settings: expected an object of at most 100 keys, found none",
        "`{'v':1,'settings':{'a':1}}`|a: expected a string, found 1",
      })
  void settings_malformed_areRefusedWithTheReason(String json, String expected) {
    RefusedException e =
        assertThrows(RefusedException.class, () -> SettingsMessage.decode(json(json)), json);
    assertTrue(message(e).contains(expected), message(e));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`'v':1`|`'v':2`|v: expected version 1, found 2",
        "`'v':1,`|``|v: expected a whole number, found none",
        "`'last':true`|`'last':1`|last: expected true or false, found 1",
        "`'part':0`|`'part':-1`|part: expected 0 to 1000000, found -1",
        "`'part':0`|`'part':0.5`|part: expected a whole number, found 0.5",
        "`'ttlMillis':1000`|`'ttlMillis':0`|ttlMillis: expected 1 to 31622400000, found 0",
        "`'ttlMillis':1000`|`'ttlMillis':'x'`|ttlMillis: expected a whole number, found string",
        "`'ttlMillis':1000`|`'ttlMillis':9999999999999999999999`|ttlMillis: expected a whole",
        "`'workflow':'w'`|`'workflow':''`|workflow: expected a name without control characters",
        "`'workflow':'w'`|`'workflow':'a\\u0007'`|workflow: expected a name without control",
        "`'workflow':'w',`|``|workflow: expected a string, found none",
        "`['p']`|`'p'`|pools: expected a list, found string",
        "`['p']`|`[]`|pool index: expected 0 to -1, found 0",
        "`[0,7,128,'','']`|`[0,7]`|blocks: expected rows of 5 values, found a row of 2",
        "`[0,7,128,'','']`|`[0,7,-1,'','']`|length: expected 0 to 9223372036854775807, found -1",
        "`[0,7,128,'','']`|`[0,7,1,'%%%','']`|block token: expected at most 4096 bytes in base64",
        "`[0,1,0]`|`[2]`|steps: expected 0 to 1, found 2",
        "`[0,1,0]`|`[-1]`|steps: expected 0 to 1, found -1",
        "`[0,1,0]`|`{}`|steps: expected a list, found object",
        "`[0,1,0]`|`[[[[[[[[0]]]]]]]]`|expected at most 6 nested levels, found more",
        "`[0,1,0]}`|`[0,1,0]} {}`|expected one JSON value, found more",
        "`[0,1,0]}`|`[0,1`|expected JSON, found something else",
      })
  void submit_malformed_isRefusedWithTheReason(String from, String to, String expected) {
    String json = SUBMIT.replace(from, to == null ? "" : to);
    RefusedException e =
        assertThrows(RefusedException.class, () -> SubmitRequest.decode(json(json)), json);
    assertTrue(message(e).startsWith("malformed message: "), message(e));
    assertTrue(message(e).contains(expected), message(e));
  }

  @Test
  void submit_unknownKeys_areIgnored() throws Exception {
    assertEquals(
        3, SubmitRequest.decode(json(SUBMIT.replace("'v':1", "'v':1,'new':{}"))).references.size());
  }

  @Test
  void anything_outOfBounds_isRefusedWhileScanning() {
    assertRefused("''", "expected a JSON object, found another value");
    assertRefused("", "expected a JSON object, found nothing");
    assertRefused(
        "{'v':" + "1".repeat(5000) + "}", "expected values of at most 24 characters, found 5000");
    assertRefused(
        "{'v':'" + "x".repeat(9000) + "'}",
        "expected values of at most 8192 characters, found 9000");
    assertRefused(
        "{'v':1,'x':[" + "0,".repeat(500_000) + "0]}",
        "expected at most 500000 JSON tokens, found more");
    assertRefused("[".repeat(1_000_000), "expected at most 6 nested levels, found more");
    assertRefused(
        SUBMIT.replace("[0,1,0]", "[" + "0,".repeat(JsonFields.MAX_ITEMS) + "0]"),
        "steps: expected at most 20000 items, found 20001");
    BytesValue huge =
        BytesValue.newBuilder()
            .setValue(ByteString.copyFrom(new byte[Protocols.MAX_PAYLOAD_BYTES + 1]))
            .build();
    assertTrue(
        message(assertThrows(RefusedException.class, () -> SubmitRequest.decode(huge)))
            .contains("payload: expected at most 16777216 bytes, found 16777217"));
  }

  private static void assertRefused(String json, String expected) {
    BytesValue request = json(json);
    RefusedException e = assertThrows(RefusedException.class, () -> SubmitRequest.decode(request));
    assertTrue(message(e).contains(expected), message(e));
  }

  private static BytesValue json(String json) {
    return BytesValue.newBuilder()
        .setValue(ByteString.copyFromUtf8(json.replace('\'', '"')))
        .build();
  }
}
