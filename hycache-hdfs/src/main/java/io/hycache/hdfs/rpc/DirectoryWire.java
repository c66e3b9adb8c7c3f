package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Finished;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers.Pulled;
import io.hycache.core.directory.Ring;
import io.hycache.core.directory.View;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.WireFormat;

/*
 * The wire form is protocol buffers', written by hand: unknown fields are passed over, so that a
 * later version may add some, and no generated code ties the JAR to one Hadoop line's protobuf.
 *
 *   message Run       { string publisher = 1; int64 epoch = 2; repeated Operation operations = 3; }
 *   message Operation { int32 kind = 1; string key = 2; bytes value = 3; int64 expected = 4;
 *                       int64 ttlMillis = 5; fixed64 token = 6; bool anyReplica = 7;
 *                       int32 from = 8; string after = 9; }
 *   message Ran       { repeated Outcome outcomes = 1; }
 *   message Outcome   { int32 status = 1; int64 version = 2; int32 size = 3;
 *                       repeated bytes entries = 4; repeated Row rows = 5; bool more = 6;
 *                       string text = 7; }
 *   message Row       { string key = 1; int64 version = 2; bytes value = 3; }
 *   message Replicate { string from = 1; bool missed = 2; repeated Change changes = 3; }
 *   message Change    { string key = 1; sint64 before = 2; int64 version = 3; bool removed = 4;
 *                       int32 first = 5; int32 size = 6; repeated bytes entries = 7;
 *                       int64 ttlMillis = 8; string publisher = 9; int64 epoch = 10;
 *                       fixed64 token = 11; }
 *   message Wanted    { repeated string keys = 1; }
 *   message Pull      { View view = 1; bytes takeOver = 2; bytes shards = 3; string at = 4; }
 *   message Pulled    { repeated Change changes = 1; repeated Finished finished = 2;
 *                       string next = 3; }
 *   message Finished  { fixed64 token = 1; int32 shard = 2; int64 version = 3; int32 size = 4; }
 *   message View      { int64 toldMillis = 1; repeated Member members = 2; }
 *   message Known     { as View; string id = 3; }
 *   message Member    { string id = 1; string address = 2; }
 *
 * Bits of a set of shards are bytes, the lowest bit first. What comes in is bounded before it is
 * built: no list has more elements than a call may have, and none is longer than its bytes. The first
 * thing wrong ends in a RefusedException.
 */
/** Encodes and decodes the directory's messages. */
final class DirectoryWire {
  /** Keys, with a place to go on at before them, and ids and addresses of members. */
  private static final int MOST_NAME_CHARS = 2 * Operation.MOST_KEY_CHARS;

  private static final int MOST_MEMBERS = 100_000;
  private static final int MOST_CHANGES = 200_000;
  private static final int MOST_ENTRIES = 4_000_000;
  private static final Operation.Kind[] KINDS = Operation.Kind.values();
  private static final Outcome.Status[] STATUSES = Outcome.Status.values();

  private DirectoryWire() {}

  /** What a client asks for. */
  static final class Run {
    String publisher = "";
    long epoch;
    final List<Operation> operations = new ArrayList<>();
  }

  /** What a primary tells. */
  static final class Replicate {
    String from = "";
    boolean missed;
    final List<Change> changes = new ArrayList<>();
  }

  /** What a node knows of itself and of the members. */
  static final class Known {
    /** Empty from a node of an older version. */
    final String id;

    final View view;

    private Known(String id, View view) {
      this.id = id;
      this.view = view;
    }
  }

  /** What a replica asks of another. */
  static final class Pull {
    View view = View.NONE;
    BitSet takeOver = new BitSet();
    BitSet shards = new BitSet();
    String at = "";
  }

  // ---- writing ----------------------------------------------------------------------------------

  @FunctionalInterface
  private interface Body {
    void write(CodedOutputStream out) throws IOException;
  }

  private static ByteString bytes(Body body) {
    ByteString.Output to = ByteString.newOutput(256);
    CodedOutputStream out = CodedOutputStream.newInstance(to, 512);
    try {
      body.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return to.toByteString();
  }

  private static BytesValue message(Body body) {
    return BytesValue.newBuilder().setValue(bytes(body)).build();
  }

  private static <T> void all(
      CodedOutputStream out, int field, List<T> of, BiConsumer<T, Writer> body) throws IOException {
    for (T one : of) {
      out.writeBytes(field, bytes(nested -> body.accept(one, new Writer(nested))));
    }
  }

  /** Fields that are left out where they say nothing. */
  private static final class Writer {
    private final CodedOutputStream out;

    Writer(CodedOutputStream out) {
      this.out = out;
    }

    private Writer put(Body body) {
      try {
        body.write(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return this;
    }

    Writer text(int field, String value) {
      return value.isEmpty() ? this : put(o -> o.writeString(field, value));
    }

    Writer bytes(int field, byte[] value) {
      return value.length == 0 ? this : put(o -> o.writeByteArray(field, value));
    }

    Writer entries(int field, List<byte[]> values) {
      values.forEach(value -> put(o -> o.writeByteArray(field, value)));
      return this;
    }

    Writer number(int field, long value) {
      return value == 0 ? this : put(o -> o.writeInt64(field, value));
    }

    Writer signed(int field, long value) {
      return value == 0 ? this : put(o -> o.writeSInt64(field, value));
    }

    Writer fixed(int field, long value) {
      return value == 0 ? this : put(o -> o.writeFixed64(field, value));
    }

    Writer flag(int field, boolean value) {
      return value ? put(o -> o.writeBool(field, true)) : this;
    }
  }

  @SuppressWarnings("EnumOrdinal") // the order of the kinds is part of the wire form
  static BytesValue run(String publisher, long epoch, List<Operation> operations) {
    return message(
        out -> {
          new Writer(out).text(1, publisher).number(2, epoch);
          all(
              out,
              3,
              operations,
              (o, w) ->
                  w.number(1, o.kind().ordinal())
                      .text(2, o.key())
                      .bytes(3, o.value())
                      .number(4, o.expected())
                      .number(5, o.ttlMillis())
                      .fixed(6, o.token())
                      .flag(7, o.anyReplica())
                      .number(8, o.from())
                      .text(9, o.after()));
        });
  }

  @SuppressWarnings("EnumOrdinal") // the order of the states is part of the wire form
  static BytesValue ran(List<Outcome> outcomes) {
    return message(
        out ->
            all(
                out,
                1,
                outcomes,
                (o, w) -> {
                  w.number(1, o.status().ordinal())
                      .number(2, o.version())
                      .number(3, o.size())
                      .entries(4, o.entries());
                  w.put(
                      nested ->
                          all(
                              nested,
                              5,
                              o.rows(),
                              (r, rw) ->
                                  rw.text(1, r.key()).number(2, r.version()).bytes(3, r.value())));
                  w.flag(6, o.more()).text(7, o.text());
                }));
  }

  private static void change(Change c, Writer w) {
    w.text(1, c.key())
        .signed(2, c.before())
        .number(3, c.version())
        .flag(4, c.removed())
        .number(5, c.first())
        .number(6, c.size())
        .entries(7, c.entries())
        .number(8, c.ttlMillis())
        .text(9, c.publisher())
        .number(10, c.epoch())
        .fixed(11, c.token());
  }

  static BytesValue replicate(String from, boolean missed, List<Change> changes) {
    return message(
        out -> {
          new Writer(out).text(1, from).flag(2, missed);
          all(out, 3, changes, DirectoryWire::change);
        });
  }

  static BytesValue wanted(List<String> keys) {
    return message(
        out -> {
          for (String key : keys) {
            out.writeString(1, key);
          }
        });
  }

  private static void view(View view, Writer w) {
    w.number(1, view.toldMillis())
        .put(
            out -> all(out, 2, view.members(), (m, mw) -> mw.text(1, m.id()).text(2, m.address())));
  }

  static BytesValue known(String id, View view) {
    return message(
        out -> {
          Writer writer = new Writer(out);
          view(view, writer);
          writer.text(3, id);
        });
  }

  static BytesValue pull(View view, BitSet takeOver, BitSet shards, String at) {
    return message(
        out -> {
          out.writeBytes(1, bytes(nested -> view(view, new Writer(nested))));
          new Writer(out)
              .bytes(2, takeOver.toByteArray())
              .bytes(3, shards.toByteArray())
              .text(4, at);
        });
  }

  static BytesValue pulled(Pulled pulled) {
    return message(
        out -> {
          all(out, 1, pulled.changes(), DirectoryWire::change);
          all(
              out,
              2,
              pulled.finished(),
              (f, w) ->
                  w.fixed(1, f.token())
                      .number(2, f.shard())
                      .number(3, f.version())
                      .number(4, f.size()));
          new Writer(out).text(3, pulled.next());
        });
  }

  // ---- reading ----------------------------------------------------------------------------------

  @FunctionalInterface
  private interface Fields {
    /** Reads the field's value; returns false if it doesn't know it. */
    boolean read(int field, CodedInputStream in) throws IOException;
  }

  private static void read(CodedInputStream in, Fields fields) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int type = WireFormat.getTagWireType(tag);
      if (type == WireFormat.WIRETYPE_START_GROUP || type == WireFormat.WIRETYPE_END_GROUP) {
        // Not ours, of no version; to pass over them takes a stack as deep as they are nested.
        throw malformed("a group");
      }
      if (!fields.read(WireFormat.getTagFieldNumber(tag), in)) {
        in.skipField(tag);
      }
    }
  }

  private static void readMessage(BytesValue message, Fields fields) throws RefusedException {
    if (message.getValue().size() > Wire.MAX_PAYLOAD_BYTES) {
      throw malformed("bytes=" + message.getValue().size() + " allowed=" + Wire.MAX_PAYLOAD_BYTES);
    }
    try {
      read(message.getValue().newCodedInput(), fields);
    } catch (RefusedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw malformed(String.valueOf(e.getMessage()));
    }
  }

  private static void nested(CodedInputStream in, Fields fields) throws IOException {
    int limit = in.pushLimit(in.readRawVarint32());
    read(in, fields);
    in.checkLastTagWas(0);
    in.popLimit(limit);
  }

  private static RefusedException malformed(String what) {
    return new RefusedException("malformed directory message: " + what);
  }

  private static <T> void add(List<T> to, T one, int most) throws RefusedException {
    if (to.size() >= most) {
      throw malformed("more than " + most + " elements");
    }
    to.add(one);
  }

  private static String name(CodedInputStream in) throws IOException {
    String name = in.readString();
    if (name.length() > MOST_NAME_CHARS) {
      throw malformed("name of " + name.length() + " characters, allowed=" + MOST_NAME_CHARS);
    }
    return name;
  }

  private static int whole(CodedInputStream in) throws IOException {
    long value = in.readInt64();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw malformed("number=" + value);
    }
    return (int) value;
  }

  private static <T> T of(T[] values, CodedInputStream in) throws IOException {
    int at = whole(in);
    if (at >= values.length) {
      throw malformed("unknown kind or status: number=" + at);
    }
    return values[at];
  }

  private static BitSet shards(CodedInputStream in) throws IOException {
    BitSet out = BitSet.valueOf(in.readByteArray());
    if (out.length() > Ring.SHARDS) {
      throw malformed("shard=" + (out.length() - 1));
    }
    return out;
  }

  /** The fields of all messages, by their kind. */
  private static final class Fielded {
    Operation.Kind kind = Operation.Kind.GET;
    Outcome.Status status = Outcome.Status.OK;
    String key = "";
    String text = "";
    String publisher = "";
    byte[] value = new byte[0];
    long version;
    long other;
    long ttlMillis;
    long token;
    long epoch;
    boolean flag;
    int first;
    int size;
    List<byte[]> entries = List.of();
    List<Outcome.Row> rows = List.of();

    void entry(byte[] entry) throws RefusedException {
      if (entries.isEmpty()) {
        entries = new ArrayList<>(1);
      }
      add(entries, entry, MOST_ENTRIES);
    }
  }

  private static Operation operation(CodedInputStream in) throws IOException {
    Fielded f = new Fielded();
    nested(
        in,
        (field, i) -> {
          switch (field) {
            case 1:
              f.kind = of(KINDS, i);
              return true;
            case 2:
              f.key = name(i);
              return true;
            case 3:
              f.value = i.readByteArray();
              return true;
            case 4:
              f.other = i.readInt64();
              return true;
            case 5:
              f.ttlMillis = i.readInt64();
              return true;
            case 6:
              f.token = i.readFixed64();
              return true;
            case 7:
              f.flag = i.readBool();
              return true;
            case 8:
              f.first = whole(i);
              return true;
            case 9:
              f.text = name(i);
              return true;
            default:
              return false;
          }
        });
    return new Operation(
        f.kind, f.key, f.value, f.other, f.ttlMillis, f.token, f.flag, f.first, f.text);
  }

  static Run readRun(BytesValue message) throws RefusedException {
    Run out = new Run();
    readMessage(
        message,
        (field, in) -> {
          switch (field) {
            case 1:
              out.publisher = name(in);
              return true;
            case 2:
              out.epoch = in.readInt64();
              return true;
            case 3:
              add(out.operations, operation(in), DirectoryNode.MOST_OPERATIONS);
              return true;
            default:
              return false;
          }
        });
    return out;
  }

  private static Outcome.Row row(CodedInputStream in) throws IOException {
    Fielded f = new Fielded();
    nested(
        in,
        (field, i) -> {
          switch (field) {
            case 1:
              f.key = name(i);
              return true;
            case 2:
              f.version = i.readInt64();
              return true;
            case 3:
              f.value = i.readByteArray();
              return true;
            default:
              return false;
          }
        });
    return new Outcome.Row(f.key, f.version, f.value);
  }

  private static Outcome outcome(CodedInputStream in) throws IOException {
    Fielded f = new Fielded();
    nested(
        in,
        (field, i) -> {
          switch (field) {
            case 1:
              f.status = of(STATUSES, i);
              return true;
            case 2:
              f.version = i.readInt64();
              return true;
            case 3:
              f.size = whole(i);
              return true;
            case 4:
              f.entry(i.readByteArray());
              return true;
            case 5:
              f.rows = f.rows.isEmpty() ? new ArrayList<>() : f.rows;
              add(f.rows, row(i), Operation.MOST_ROWS);
              return true;
            case 6:
              f.flag = i.readBool();
              return true;
            case 7:
              f.text = i.readString();
              return true;
            default:
              return false;
          }
        });
    return new Outcome(f.status, f.version, f.size, f.entries, f.rows, f.flag, f.text);
  }

  static List<Outcome> readRan(BytesValue message) throws RefusedException {
    List<Outcome> out = new ArrayList<>();
    readMessage(
        message,
        (field, in) -> {
          if (field == 1) {
            add(out, outcome(in), DirectoryNode.MOST_OPERATIONS);
          }
          return field == 1;
        });
    return out;
  }

  private static Change change(CodedInputStream in) throws IOException {
    Fielded f = new Fielded();
    nested(
        in,
        (field, i) -> {
          switch (field) {
            case 1:
              f.key = name(i);
              return true;
            case 2:
              f.other = i.readSInt64();
              return true;
            case 3:
              f.version = i.readInt64();
              return true;
            case 4:
              f.flag = i.readBool();
              return true;
            case 5:
              f.first = whole(i);
              return true;
            case 6:
              f.size = whole(i);
              return true;
            case 7:
              f.entry(i.readByteArray());
              return true;
            case 8:
              f.ttlMillis = i.readInt64();
              return true;
            case 9:
              f.publisher = name(i);
              return true;
            case 10:
              f.epoch = i.readInt64();
              return true;
            case 11:
              f.token = i.readFixed64();
              return true;
            default:
              return false;
          }
        });
    return new Change(
        f.key,
        f.other,
        f.version,
        f.flag,
        f.first,
        f.size,
        f.entries,
        f.ttlMillis,
        f.publisher,
        f.epoch,
        f.token);
  }

  static Replicate readReplicate(BytesValue message) throws RefusedException {
    Replicate out = new Replicate();
    readMessage(
        message,
        (field, in) -> {
          switch (field) {
            case 1:
              out.from = name(in);
              return true;
            case 2:
              out.missed = in.readBool();
              return true;
            case 3:
              add(out.changes, change(in), MOST_CHANGES);
              return true;
            default:
              return false;
          }
        });
    return out;
  }

  static List<String> readWanted(BytesValue message) throws RefusedException {
    List<String> out = new ArrayList<>();
    readMessage(
        message,
        (field, in) -> {
          if (field == 1) {
            add(out, in.readString(), MOST_CHANGES);
          }
          return field == 1;
        });
    return out;
  }

  private static Member member(CodedInputStream in) throws IOException {
    Fielded f = new Fielded();
    nested(
        in,
        (field, i) -> {
          switch (field) {
            case 1:
              f.key = name(i);
              return true;
            case 2:
              f.text = name(i);
              return true;
            default:
              return false;
          }
        });
    return new Member(f.key, f.text);
  }

  /** A view while it is read. */
  private static final class Viewed implements Fields {
    private long toldMillis;
    private final List<Member> members = new ArrayList<>();

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      switch (field) {
        case 1:
          toldMillis = in.readInt64();
          return true;
        case 2:
          add(members, member(in), MOST_MEMBERS);
          return true;
        default:
          return false;
      }
    }

    View view() {
      return new View(toldMillis, members);
    }
  }

  static Known readKnown(BytesValue message) throws RefusedException {
    Viewed view = new Viewed();
    String[] id = {""};
    readMessage(
        message,
        (field, in) -> {
          if (field == 3) {
            id[0] = name(in);
            return true;
          }
          return view.read(field, in);
        });
    return new Known(id[0], view.view());
  }

  static Pull readPull(BytesValue message) throws RefusedException {
    Pull out = new Pull();
    readMessage(
        message,
        (field, in) -> {
          switch (field) {
            case 1:
              Viewed viewed = new Viewed();
              nested(in, viewed);
              out.view = viewed.view();
              return true;
            case 2:
              out.takeOver = shards(in);
              return true;
            case 3:
              out.shards = shards(in);
              return true;
            case 4:
              out.at = name(in);
              return true;
            default:
              return false;
          }
        });
    return out;
  }

  private static Finished finished(CodedInputStream in) throws IOException {
    Fielded f = new Fielded();
    nested(
        in,
        (field, i) -> {
          switch (field) {
            case 1:
              f.token = i.readFixed64();
              return true;
            case 2:
              f.first = whole(i);
              return true;
            case 3:
              f.version = i.readInt64();
              return true;
            case 4:
              f.size = whole(i);
              return true;
            default:
              return false;
          }
        });
    return new Finished(f.token, f.first, f.version, f.size);
  }

  static Pulled readPulled(BytesValue message) throws RefusedException {
    List<Change> changes = new ArrayList<>();
    List<Finished> finished = new ArrayList<>();
    String[] next = {""};
    readMessage(
        message,
        (field, in) -> {
          switch (field) {
            case 1:
              add(changes, change(in), MOST_CHANGES);
              return true;
            case 2:
              add(finished, finished(in), MOST_CHANGES);
              return true;
            case 3:
              next[0] = in.readString();
              return true;
            default:
              return false;
          }
        });
    return new Pulled(changes, finished, next[0]);
  }
}
