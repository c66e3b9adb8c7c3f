// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.directory.Change;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Ring;
import io.hycache.core.directory.View;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.conf.HyCacheConf;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.jspecify.annotations.Nullable;

/*
 * About two messages of five are valid and in a useful order: interleaved chunks of several submissions;
 * records that are put, read, replicated and pulled. The others are random bytes, or valid messages
 * changed in their structure (values of another type or size, missing, surplus or too deep) or in their
 * bytes (flipped bits, cuts, copies, wrong lengths, invalid UTF-8). A few are large.
 */
/** Messages of both protocols as an attacker would send them, from a seed. Not thread-safe. */
final class HostileMessages {
  static final List<String> CLIENT_METHODS =
      List.of(
          Protocols.SUBMIT_HINTS,
          Protocols.WITHDRAW,
          Protocols.WORKFLOWS,
          Protocols.STATUS,
          Protocols.LOCATE,
          Protocols.SETTINGS,
          Protocols.HOLDERS,
          Protocols.LIST,
          Protocols.EXPLAIN);
  static final List<String> DATANODE_METHODS =
      List.of(Protocols.RUN, Protocols.REPLICATE, Protocols.PULL, Protocols.VIEW, Protocols.READS);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_INCOMPLETE_SUBMISSIONS = 40;

  /** The members as the target knows them. */
  static final View VIEW =
      new View(2, List.of(new Member("dn0", "localhost:1"), new Member("dn1", "localhost:2")));

  /** One call. Immutable. */
  static final class Message {
    /** Number of the user, from 0. */
    final int user;

    final boolean ofDatanodes;
    final String method;
    final BytesValue request;

    private Message(int user, boolean ofDatanodes, String method, BytesValue request) {
      this.user = user;
      this.ofDatanodes = ofDatanodes;
      this.method = method;
      this.request = request;
    }

    @Override
    public String toString() {
      byte[] bytes = request.getValue().toByteArray();
      return "user="
          + user
          + " method="
          + method
          + " bytes="
          + bytes.length
          + " "
          + new String(bytes, 0, Math.min(300, bytes.length), StandardCharsets.ISO_8859_1);
    }
  }

  private static final class Submission {
    final int user;
    final String id;
    final Hints batch;
    final int chunkReferences;
    int chunk;
    int from;

    Submission(int user, String id, Hints batch, int chunkReferences) {
      this.user = user;
      this.id = id;
      this.batch = batch;
      this.chunkReferences = chunkReferences;
    }
  }

  private final Random random;
  private final int users;
  private final BlockTokens tokens;
  private final BlockKey firstBlock;
  private final String pool;
  private final int hugeOneIn;
  private final List<Submission> underWay = new ArrayList<>();
  private int submissions;

  /**
   * Makes a source of messages.
   *
   * @param users number of users
   * @param tokens of 64 blocks
   * @param firstBlock the first of the 64 blocks
   * @param hugeOneIn one message in this many is large
   */
  HostileMessages(long seed, int users, BlockTokens tokens, BlockKey firstBlock, int hugeOneIn) {
    this.random = new Random(seed);
    this.users = users;
    this.tokens = tokens;
    this.firstBlock = firstBlock;
    this.pool = firstBlock.pool();
    this.hugeOneIn = hugeOneIn;
  }

  private boolean oneIn(int count) {
    return random.nextInt(count) == 0;
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /**
   * The next message.
   *
   * @param ofDatanodes whether it is of the protocol between DataNodes
   */
  Message next(boolean ofDatanodes) {
    return ofDatanodes ? ofDatanodes() : ofUsers();
  }

  // ---- users ------------------------------------------------------------------------------------

  private Message ofUsers() {
    int user = random.nextInt(users);
    String method;
    BytesValue request;
    int kind = random.nextInt(100);
    if (kind < 45) {
      Submission next = submission(user);
      user = oneIn(50) ? user : next.user;
      method = Protocols.SUBMIT_HINTS;
      request = chunk(next);
    } else if (kind < 55) {
      method = Protocols.WITHDRAW;
      request =
          new WithdrawRequest(workflow(), oneIn(2) ? "" : oneIn(2) ? "u" + user : text()).encode();
    } else if (kind < 60) {
      method = Protocols.WORKFLOWS;
      request = JsonMessage.encodeEmpty();
    } else if (kind < 64) {
      method = Protocols.STATUS;
      request = JsonMessage.encodeEmpty();
    } else if (kind < 84) {
      boolean holders = oneIn(3);
      method = holders ? Protocols.HOLDERS : Protocols.LOCATE;
      List<BlockKey> asked = blocks(few());
      BlockTokens with = oneIn(4) ? this::wrongToken : tokens;
      request = holders ? HoldersRequest.encode(asked, with) : BlocksRequest.encode(asked, with);
    } else if (kind < 90) {
      method = Protocols.SETTINGS;
      request = SettingsMessage.encode(settings());
    } else if (kind < 95) {
      method = Protocols.LIST;
      request = ListRequest.encode(oneIn(2) ? "" : text());
    } else {
      return new Message(
          user, false, oneIn(9) ? "none" : any(CLIENT_METHODS), BytesValue.of(garbage(few() * 3)));
    }
    boolean json = !method.equals(Protocols.HOLDERS);
    boolean whole = !oneIn(method.equals(Protocols.SUBMIT_HINTS) ? 5 : 2);
    return new Message(user, false, method, whole ? request : mutatedOrNot(request, json));
  }

  private BytesValue mutatedOrNot(BytesValue request, boolean json) {
    int kind = random.nextInt(4);
    byte[] bytes = request.getValue().toByteArray();
    if (kind == 0) {
      return request;
    }
    if (kind < 3 && json && bytes.length < 20_000) {
      return BytesValue.of(mutatedTree(bytes));
    }
    return BytesValue.of(ByteString.copyFrom(mutated(bytes)));
  }

  private String workflow() {
    return oneIn(20) ? text() : "w" + random.nextInt(oneIn(10) ? 100_000 : 30);
  }

  private int few() {
    return oneIn(hugeOneIn)
        ? random.nextInt(21_000)
        : oneIn(20) ? random.nextInt(400) : random.nextInt(12);
  }

  private Submission submission(int user) {
    if (!underWay.isEmpty() && !oneIn(3)) {
      return any(underWay);
    }
    List<Reference> references = new ArrayList<>();
    for (BlockKey block : blocks(few())) {
      references.add(new Reference(block, random.nextInt(1 << 20), oneIn(4)));
    }
    long ttl = oneIn(10) ? number() : 1 + random.nextInt(10_000_000);
    String id = oneIn(20) ? text() : "s" + submissions++ % 5000;
    Submission started =
        new Submission(
            user,
            id,
            new Hints(workflow(), ttl, references),
            oneIn(2) ? JsonFields.MAX_ITEMS : 1 + random.nextInt(9));
    underWay.add(started);
    if (underWay.size() > MAX_INCOMPLETE_SUBMISSIONS) {
      underWay.remove(random.nextInt(underWay.size()));
    }
    return started;
  }

  /** Mostly the next chunk; sometimes an earlier or later one, or one of another batch. */
  private BytesValue chunk(Submission of) {
    int chunk = of.chunk;
    Hints batch = of.batch;
    if (oneIn(15)) {
      chunk = oneIn(3) ? (int) number() : Math.max(0, chunk + random.nextInt(5) - 2);
    } else if (oneIn(30)) {
      batch = new Hints(workflow(), batch.ttlMillis(), batch.references());
    }
    SubmitRequest.EncodedChunk encoded =
        SubmitRequest.encode(
            of.id,
            batch,
            oneIn(50) ? this::wrongToken : tokens,
            chunk,
            Math.min(of.from, batch.references().size()),
            of.chunkReferences);
    of.chunk++;
    of.from = encoded.nextItem;
    if (of.from >= of.batch.references().size() && !oneIn(10)) {
      underWay.remove(of);
    }
    return encoded.bytes;
  }

  private List<BlockKey> blocks(int count) {
    List<BlockKey> out = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      boolean other = oneIn(1000);
      out.add(
          new BlockKey(
              other ? text() : pool,
              other ? random.nextLong() : firstBlock.id() + random.nextInt(64)));
    }
    return out;
  }

  private @Nullable Token<BlockTokenIdentifier> wrongToken(BlockKey block) {
    if (oneIn(3)) {
      return null;
    }
    var right = tokens.of(new BlockKey(pool, firstBlock.id() + random.nextInt(64)));
    byte[] identifier = right == null ? random(60) : right.getIdentifier();
    byte[] password = right == null || oneIn(2) ? random(20) : right.getPassword();
    return new Token<>(
        oneIn(2) ? hostileIdentifier() : mutated(identifier),
        password,
        new Text("HDFS_BLOCK_TOKEN"),
        new Text());
  }

  /** The older form of block tokens, in which lengths precede strings and arrays. */
  private byte[] hostileIdentifier() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      WritableUtils.writeVLong(out, System.currentTimeMillis() + 1_000_000);
      WritableUtils.writeVInt(out, random.nextInt(5));
      WritableUtils.writeString(out, "u");
      if (oneIn(4)) {
        out.writeInt((int) number());
        return bytes.toByteArray();
      }
      WritableUtils.writeString(out, pool);
      WritableUtils.writeVLong(out, random.nextInt(64));
      WritableUtils.writeVInt(out, 0);
      WritableUtils.writeVInt(out, oneIn(2) ? 0 : (int) number());
      WritableUtils.writeVInt(out, oneIn(2) ? 0 : (int) number());
      WritableUtils.writeVInt(out, (int) number());
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> settings() {
    Map<String, String> out = new LinkedHashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      out.put(
          oneIn(3) ? text() : any(HyCacheConf.CHANGEABLE),
          oneIn(2) ? String.valueOf(number()) : text());
    }
    return out;
  }

  private long number() {
    switch (random.nextInt(8)) {
      case 0:
        return Long.MAX_VALUE - random.nextInt(3);
      case 1:
        return Long.MIN_VALUE + random.nextInt(3);
      case 2:
        return Integer.MAX_VALUE - 1L + random.nextInt(4);
      case 3:
        return Integer.MIN_VALUE + 1L - random.nextInt(4);
      case 4:
        return -random.nextInt(10);
      case 5:
        return 1L << random.nextInt(63);
      default:
        return random.nextInt(10);
    }
  }

  private String text() {
    switch (random.nextInt(9)) {
      case 0:
        return "";
      case 1:
        return "x".repeat(random.nextInt(1500));
      case 2:
        return "a b=c, allowed=true\tugi=\"root\"";
      case 3:
        return "line\nbreak\r\u0000\u0007\u2028";
      case 4:
        return "\ud83d\ude00 \u00e9 \u202e";
      case 5:
        return "half \ud83d";
      case 6:
        return "../../{x}/" + number() + "\0" + number();
      case 7:
        return number() + "\0" + number() + "\0k" + random.nextInt(9);
      default:
        return "name" + random.nextInt(2000);
    }
  }

  private byte[] random(int most) {
    byte[] out = new byte[random.nextInt(Math.max(1, most))];
    random.nextBytes(out);
    return out;
  }

  private ByteString garbage(int most) {
    return ByteString.copyFrom(random(most));
  }

  // ---- structure of JSON ------------------------------------------------------------------------

  private ByteString mutatedTree(byte[] bytes) {
    try {
      JsonNode root = JSON.readTree(bytes);
      for (int times = 1 + random.nextInt(3); times > 0; times--) {
        mutate(root);
      }
      return ByteString.copyFrom(JSON.writeValueAsBytes(oneIn(50) ? wild() : root));
    } catch (JsonProcessingException e) {
      return ByteString.copyFrom(mutated(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void mutate(JsonNode root) {
    JsonNode at = root;
    while (true) {
      int size = at.size();
      if (at.isObject() && size > 0) {
        ObjectNode object = (ObjectNode) at;
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        String name = any(names);
        JsonNode child = object.get(name);
        if (child.isContainerNode() && child.size() > 0 && !oneIn(4)) {
          at = child;
          continue;
        }
        if (oneIn(4)) {
          object.remove(name);
        } else if (oneIn(6)) {
          object.set(text() + name, child);
        } else {
          object.set(name, wild());
        }
      } else if (at.isArray() && size > 0) {
        ArrayNode array = (ArrayNode) at;
        int index = random.nextInt(size);
        JsonNode child = array.get(index);
        if (child.isContainerNode() && child.size() > 0 && !oneIn(4)) {
          at = child;
          continue;
        }
        if (oneIn(5)) {
          array.remove(index);
        } else if (oneIn(5)) {
          array.insert(index, child.deepCopy());
        } else {
          array.set(index, wild());
        }
      }
      return;
    }
  }

  private JsonNode wild() {
    JsonNodeFactory f = JsonNodeFactory.instance;
    switch (random.nextInt(12)) {
      case 0:
        return f.nullNode();
      case 1:
        return f.booleanNode(oneIn(2));
      case 2:
      case 3:
        return f.numberNode(number());
      case 4:
        return f.numberNode(BigInteger.ONE.shiftLeft(1 + random.nextInt(oneIn(20) ? 60_000 : 70)));
      case 5:
        return f.numberNode(random.nextGaussian() * Math.pow(10, random.nextInt(300)));
      case 6:
      case 7:
        return f.textNode(text());
      case 8:
        ArrayNode deep = f.arrayNode();
        for (int depth = 1 + random.nextInt(oneIn(30) ? 900 : 9); depth > 0; depth--) {
          deep = f.arrayNode().add(deep);
        }
        return deep;
      case 9:
        ArrayNode many = f.arrayNode();
        for (int count = few(); count > 0; count--) {
          many.add(random.nextInt(9));
        }
        return many;
      case 10:
        ObjectNode object = f.objectNode();
        for (int count = few() / 2; count > 0; count--) {
          object.put("k" + count, count);
        }
        return object;
      default:
        return f.textNode("t".repeat(oneIn(hugeOneIn) ? random.nextInt(1 << 20) : 9000));
    }
  }

  // ---- bytes ------------------------------------------------------------------------------------

  private static final byte[][] PIECES = {
    {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f},
    {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07},
    {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 1},
    {(byte) 0xc0, (byte) 0x80},
    {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
    {(byte) 0xf8, (byte) 0x88, (byte) 0x80, (byte) 0x80},
    {0, 0, 0, 0},
    {0x0b, 0x0b, 0x0b, 0x0b},
    {'-', '9', '9', '9', '9', '9', '9', '9', '9', '9', '9', '9', '9', '9', '9', '9', '9', '9', '9'},
    {'"', '"'},
    {'[', '[', '[', '[', '[', '[', '[', '['},
    {'{', '"', '"', ':'},
    {'\\', 'u', 'd', '8', '0', '0'},
    {'1', 'e', '9', '9', '9', '9', '9', '9', '9'},
  };

  /** A frame of Hadoop's RPC with changed bytes and, mostly, their length. */
  byte[] mutatedFrame(byte[] frame) {
    byte[] body = mutated(Arrays.copyOfRange(frame, 4, frame.length));
    int length = oneIn(20) ? (int) number() : body.length;
    byte[] out = new byte[body.length + 4];
    for (int i = 0; i < 4; i++) {
      out[i] = (byte) (length >> (24 - 8 * i));
    }
    System.arraycopy(body, 0, out, 4, body.length);
    return out;
  }

  private byte[] mutated(byte[] bytes) {
    byte[] out = bytes;
    for (int times = 1 + random.nextInt(3); times > 0; times--) {
      int at = out.length == 0 ? 0 : random.nextInt(out.length);
      switch (random.nextInt(7)) {
        case 0:
          out = out.clone();
          for (int i = random.nextInt(8); i >= 0 && out.length > 0; i--) {
            out[random.nextInt(out.length)] ^= (byte) (1 << random.nextInt(8));
          }
          break;
        case 1:
          out = Arrays.copyOf(out, at);
          break;
        case 2:
          out = spliced(out, at, at, random(oneIn(40) ? 3000 : 12));
          break;
        case 3:
          int to = Math.min(out.length, at + 1 + random.nextInt(30));
          out = spliced(out, at, at, Arrays.copyOfRange(out, at, to));
          break;
        case 4:
          out = spliced(out, at, Math.min(out.length, at + 1 + random.nextInt(9)), new byte[0]);
          break;
        case 5:
          byte[] piece = any(Arrays.asList(PIECES));
          int copies = oneIn(hugeOneIn) ? 50_000 : oneIn(20) ? 300 : 1;
          ByteArrayOutputStream many = new ByteArrayOutputStream();
          for (int i = 0; i < copies; i++) {
            many.writeBytes(piece);
          }
          out = spliced(out, at, Math.min(out.length, at + random.nextInt(3)), many.toByteArray());
          break;
        default:
          out = out.clone();
          if (out.length > 0) {
            out[at] = (byte) random.nextInt(256);
          }
      }
    }
    return out;
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] instead) {
    byte[] out = new byte[bytes.length - (to - from) + instead.length];
    System.arraycopy(bytes, 0, out, 0, from);
    System.arraycopy(instead, 0, out, from, instead.length);
    System.arraycopy(bytes, to, out, from + instead.length, bytes.length - to);
    return out;
  }

  // ---- DataNodes --------------------------------------------------------------------------------

  private Message ofDatanodes() {
    int user = random.nextInt(users);
    int kind = random.nextInt(100);
    String method;
    BytesValue request;
    if (kind < 45) {
      method = Protocols.RUN;
      List<Operation> operations = new ArrayList<>();
      for (int i = Math.min(few(), 12_000); i > 0; i--) {
        operations.add(operation());
      }
      request = new RunRequest(oneIn(2) ? "" : publisher(), epoch(), operations).encode();
    } else if (kind < 75) {
      method = Protocols.REPLICATE;
      List<Change> changes = new ArrayList<>();
      for (int i = few(); i > 0; i--) {
        changes.add(change());
      }
      request = new ReplicateRequest(publisher(), oneIn(50), changes).encode();
    } else if (kind < 82) {
      method = Protocols.PULL;
      request =
          new PullRequest(
                  view(),
                  shards(oneIn(50)),
                  shards(true),
                  oneIn(2) ? "" : oneIn(2) ? at() : whole())
              .encode();
    } else if (kind < 85) {
      method = Protocols.VIEW;
      request = BytesValue.getDefaultInstance();
    } else if (kind < 88) {
      method = Protocols.READS;
      List<BlockKey> reads = new ArrayList<>();
      for (int i = Math.min(few(), 12_000); i > 0; i--) {
        reads.add(new BlockKey(oneIn(5) ? whole() : pool, random.nextInt(64)));
      }
      request = ReadsRequest.encode(reads);
    } else if (kind < 95) {
      return new Message(user, true, any(DATANODE_METHODS), BytesValue.of(fields(0)));
    } else {
      return new Message(
          user, true, oneIn(9) ? "none" : any(DATANODE_METHODS), BytesValue.of(garbage(few() * 3)));
    }
    return new Message(user, true, method, oneIn(3) ? request : mutatedOrNot(request, false));
  }

  /** A text without unpaired surrogates, which protocol buffers can't encode. */
  private String whole() {
    return new String(text().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private String key() {
    return oneIn(30)
        ? whole()
        : oneIn(3) ? "b/{" + pool + "/0}/" + random.nextInt(64) + "/dn" : "k" + random.nextInt(200);
  }

  private String publisher() {
    return oneIn(10) ? whole() : "dn" + random.nextInt(3);
  }

  private long epoch() {
    return oneIn(50) ? number() : random.nextInt(3);
  }

  private Operation operation() {
    List<Operation.Kind> kinds = List.of(Operation.Kind.values());
    Operation.Kind kind = any(kinds);
    return new Operation(
        kind,
        kind == Operation.Kind.LIST && oneIn(2) ? "" : key(),
        random(oneIn(500) ? 70_000 : 20),
        oneIn(3) ? number() : 0,
        oneIn(3) ? number() : 0,
        oneIn(2) ? number() : 0,
        oneIn(2),
        oneIn(4) ? (int) Math.abs(number() % 1_000_000_000) : 0,
        oneIn(5) ? key() : "");
  }

  private Change change() {
    List<byte[]> entries = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      entries.add(random(oneIn(500) ? 70_000 : 20));
    }
    return new Change(
        key(),
        oneIn(3) ? Change.WHOLE : oneIn(3) ? number() : 0,
        oneIn(10) ? number() : random.nextInt(1_000_000),
        oneIn(5),
        oneIn(5) ? (int) Math.abs(number() % Integer.MAX_VALUE) : 0,
        oneIn(5) ? (int) Math.abs(number() % Integer.MAX_VALUE) : entries.size(),
        entries,
        oneIn(3) ? number() : 0,
        oneIn(2) ? "" : publisher(),
        epoch(),
        oneIn(2) ? number() : 0);
  }

  private View view() {
    if (!oneIn(200)) {
      return VIEW;
    }
    List<Member> members = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      members.add(new Member(publisher(), whole()));
    }
    return new View(oneIn(20) ? number() : random.nextInt(3), members);
  }

  private BitSet shards(boolean some) {
    BitSet out = new BitSet();
    if (some) {
      int from = random.nextInt(Ring.SHARDS);
      out.set(from, Math.min(Ring.SHARDS + (oneIn(20) ? 9 : 0), from + random.nextInt(2000)));
    }
    return out;
  }

  private String at() {
    return number() + "\0" + number() + "\0" + key();
  }

  /** Fields of any number and type, nested. */
  private ByteString fields(int depth) {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      for (int count = random.nextInt(6); count > 0; count--) {
        int field = oneIn(20) ? 1 + random.nextInt(1 << 20) : 1 + random.nextInt(12);
        switch (random.nextInt(8)) {
          case 0:
            out.writeInt64(field, number());
            break;
          case 1:
            out.writeFixed64(field, number());
            break;
          case 2:
            out.writeFixed32(field, (int) number());
            break;
          case 3:
            out.writeTag(field, 3);
            if (oneIn(3)) {
              out.writeRawBytes(fields(depth + 1));
              out.writeTag(field, 4);
            }
            break;
          case 4:
            int levels = oneIn(hugeOneIn) ? 200_000 : random.nextInt(60);
            for (int i : Collections.nCopies(levels, field)) {
              out.writeTag(i, 3);
            }
            break;
          case 5:
            out.writeTag(field, 2);
            out.writeUInt32NoTag((int) number());
            break;
          default:
            out.writeBytes(field, depth < 4 ? fields(depth + 1) : garbage(9));
        }
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteString();
  }
}
