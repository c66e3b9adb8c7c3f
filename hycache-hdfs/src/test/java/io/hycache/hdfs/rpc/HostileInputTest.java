// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static io.hycache.hdfs.rpc.Thrown.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.stats.BlockStatus;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.junit.jupiter.api.Test;

/**
 * Messages that cost a DataNode far more than their size, or ended its process; found by fuzzing.
 */
class HostileInputTest {
  private static final String POOL = "BP-1";

  private static BytesValue json(String text) {
    return BytesValue.of(ByteString.copyFromUtf8(text.replace('\'', '"')));
  }

  // ---- block tokens -----------------------------------------------------------------------------

  private static BlockAccess access(BlockTokenSecretManager secrets) {
    Configuration conf = new Configuration();
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    BlockPoolTokenSecretManager pools = new BlockPoolTokenSecretManager();
    pools.addBlockPool(POOL, secrets);
    return BlockAccess.tokens(conf, pools);
  }

  private static BlockTokenSecretManager secrets(boolean protobuf) {
    return new BlockTokenSecretManager(600_000, 600_000, 0, 1, POOL, null, protobuf);
  }

  @FunctionalInterface
  private interface Rest {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] identifier(Rest rest) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    WritableUtils.writeVLong(out, System.currentTimeMillis() + 600_000);
    WritableUtils.writeVInt(out, 1);
    rest.write(out);
    return bytes.toByteArray();
  }

  private static void names(DataOutputStream out) throws IOException {
    WritableUtils.writeString(out, "alice");
    WritableUtils.writeString(out, POOL);
    WritableUtils.writeVLong(out, 7);
  }

  @Test
  void token_lengthsBeyondTheIdentifier_areRefusedBeforeRoomIsMade() throws Exception {
    int most = Integer.MAX_VALUE;
    List<byte[]> hostile =
        List.of(
            identifier(out -> out.writeInt(most)),
            identifier(out -> out.writeInt(-5)),
            identifier(
                out -> {
                  names(out);
                  WritableUtils.writeVInt(out, 1);
                  WritableUtils.writeVInt(out, most);
                }),
            identifier(
                out -> {
                  names(out);
                  WritableUtils.writeVInt(out, 0);
                  WritableUtils.writeVInt(out, most);
                }),
            identifier(
                out -> {
                  names(out);
                  WritableUtils.writeVInt(out, 0);
                  WritableUtils.writeVInt(out, 0);
                  WritableUtils.writeVInt(out, most);
                }),
            identifier(
                out -> {
                  names(out);
                  WritableUtils.writeVInt(out, 0);
                  WritableUtils.writeVInt(out, 0);
                  WritableUtils.writeVInt(out, 0);
                  WritableUtils.writeVInt(out, most);
                }));
    BlockAccess access = access(secrets(false));
    for (byte[] identifier : hostile) {
      RefusedException e =
          assertThrows(
              RefusedException.class,
              () -> access.check(new BlockKey(POOL, 7), identifier, new byte[20]));
      assertEquals("block access token refused: its identifier is malformed", message(e));
    }
  }

  @Test
  void token_ofTheNameNode_passesInBothForms() throws Exception {
    for (boolean protobuf : new boolean[] {false, true}) {
      BlockTokenSecretManager secrets = secrets(protobuf);
      Token<BlockTokenIdentifier> token =
          secrets.generateToken(
              "alice",
              new ExtendedBlock(POOL, 7),
              EnumSet.allOf(AccessMode.class),
              new StorageType[] {StorageType.DISK, StorageType.SSD},
              new String[] {"DS-1", "DS-2"});
      BlockAccess access = access(secrets);
      access.check(new BlockKey(POOL, 7), token.getIdentifier(), token.getPassword());
      assertThrows(
          RefusedException.class,
          () -> access.check(new BlockKey(POOL, 8), token.getIdentifier(), token.getPassword()));
      byte[] cut = Arrays.copyOf(token.getIdentifier(), 30);
      assertThrows(
          RefusedException.class,
          () -> access.check(new BlockKey(POOL, 7), cut, token.getPassword()));
    }
  }

  // ---- JSON -------------------------------------------------------------------------------------

  @Test
  void keys_thatAreLong_areRefusedWithoutAnEcho() {
    String key = "k".repeat(40_000);
    RefusedException e =
        assertThrows(
            RefusedException.class,
            () -> SettingsMessage.decode(json("{'v':1,'settings':{'" + key + "':1}}")));
    assertEquals(
        "malformed message: payload: expected keys of at most 256 characters, found 40000",
        message(e));
  }

  @Test
  void pools_thatAreNoUnicode_areRefused() {
    for (String pool : List.of("\\ud83d", "a\\udc00b", "\\udc00\\ud83d")) {
      RefusedException e =
          assertThrows(
              RefusedException.class,
              () -> BlocksRequest.decode(json("{'v':1,'pools':['" + pool + "'],'blocks':[]}")));
      assertEquals(
          "malformed message: pools: expected well-formed Unicode, found an unpaired surrogate",
          message(e));
    }
  }

  @Test
  void pools_thatAreMany_areRefused() {
    String pools = String.join(",", Collections.nCopies(2000, "'p'"));
    RefusedException e =
        assertThrows(
            RefusedException.class,
            () -> BlocksRequest.decode(json("{'v':1,'pools':[" + pools + "],'blocks':[]}")));
    assertEquals("malformed message: pools: expected at most 1000 items, found 2000", message(e));
  }

  @Test
  void holders_outOfBounds_areRefusedWithTheReason() {
    BytesValue noPool = FieldWriter.message(out -> out.nested(2, block -> block.signed(2, 7)));
    BytesValue pools = FieldWriter.message(out -> out.texts(1, Collections.nCopies(1001, "p")));
    BytesValue longPool = FieldWriter.message(out -> out.text(1, "p".repeat(257)));
    BytesValue longToken =
        FieldWriter.message(
            out ->
                out.text(1, "p")
                    .nested(2, block -> block.bytes(4, new byte[TokenBlock.MAX_TOKEN_BYTES + 1])));
    BytesValue blocks =
        FieldWriter.message(
            out ->
                out.text(1, "p")
                    .all(2, Collections.nCopies(JsonFields.MAX_ITEMS + 1, 1), (block, i) -> {}));
    Map<BytesValue, String> expected =
        Map.of(
            noPool, "pool index: expected 0 to -1, found 0",
            pools, "list: expected at most 1000 elements, found more",
            longPool, "pools: expected at most 256 characters, found 257",
            longToken, "block token: expected at most 4096 bytes, found 4097",
            blocks, "list: expected at most 20000 elements, found more");
    expected.forEach(
        (request, why) -> {
          String message =
              message(
                  assertThrows(RefusedException.class, () -> HoldersRequest.decode(request), why));
          assertEquals(why, message.substring(message.indexOf(": ") + 2));
        });
  }

  @Test
  void locate_asManyAsOneCallMayAsk_allWithDecisions_isRead() throws Exception {
    List<BlockKey> asked = new ArrayList<>();
    List<BlockStatus> found = new ArrayList<>();
    for (int i = 0; i < JsonFields.MAX_ITEMS; i++) {
      BlockKey block = new BlockKey(POOL, i);
      asked.add(block);
      found.add(
          new BlockStatus(
              block,
              "DISK",
              false,
              true,
              true,
              3,
              5,
              Reason.ON_SSD_CLEAN,
              FakeNode.queued(3, 0.25)));
    }
    assertEquals(
        JsonFields.MAX_ITEMS, LocateAnswer.decode(LocateAnswer.encode(found), asked).size());
  }

  @Test
  void workflows_ofVeryManyUsers_fitIntoAnAnswer() throws Exception {
    List<WorkflowStatus> all = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      WorkflowId id = new WorkflowId("\u0001".repeat(1000) + i, "w".repeat(250));
      all.add(new WorkflowStatus(new HintReceipt(id, 1, 0, 1000, Set.of()), 1, 1, 1));
    }
    BytesValue answer = WorkflowsAnswer.encode(all);
    assertTrue(
        answer.getValue().size() <= Protocols.MAX_PAYLOAD_BYTES, "" + answer.getValue().size());
    int read = WorkflowsAnswer.decode(answer).size();
    assertTrue(read > 1000, "read=" + read);
    assertEquals(all.get(0).id(), WorkflowsAnswer.decode(answer).get(0).id());
    for (int i = 0; i < 50_000; i++) {
      HintReceipt receipt = new HintReceipt(new WorkflowId("u", "w" + i), 1, 0, 9, Set.of());
      all.set(i, new WorkflowStatus(receipt, 1, 1, 1));
    }
    assertEquals(JsonFields.MAX_ITEMS, WorkflowsAnswer.decode(WorkflowsAnswer.encode(all)).size());
  }

  // ---- the directory's messages -----------------------------------------------------------------

  @FunctionalInterface
  private interface Body {
    void write(CodedOutputStream out) throws IOException;
  }

  private static BytesValue encoded(Body body) throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    body.write(out);
    out.flush();
    return BytesValue.of(bytes.toByteString());
  }

  @Test
  void groups_areRefusedHoweverDeep() throws Exception {
    for (int levels : new int[] {1, 90, 1_000_000}) {
      BytesValue groups =
          encoded(
              out -> {
                for (int i = 0; i < levels; i++) {
                  out.writeTag(12, 3);
                }
                for (int i = 0; i < levels; i++) {
                  out.writeTag(12, 4);
                }
              });
      RefusedException e = assertThrows(RefusedException.class, () -> RunRequest.decode(groups));
      assertEquals(
          "malformed directory message: payload: expected no groups, found one", message(e));
    }
  }

  @Test
  void names_thatAreLong_areRefused() throws Exception {
    String name = "n".repeat(100_000);
    BytesValue publisher = new RunRequest(name, 1, List.of()).encode();
    BytesValue from = new ReplicateRequest(name, false, List.of()).encode();
    RefusedException e = assertThrows(RefusedException.class, () -> RunRequest.decode(publisher));
    assertEquals(
        "malformed directory message: name: expected at most 2048 characters, found 100000",
        message(e));
    assertThrows(RefusedException.class, () -> ReplicateRequest.decode(from));
  }
}
