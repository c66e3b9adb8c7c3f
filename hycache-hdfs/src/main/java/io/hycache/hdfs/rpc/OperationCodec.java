// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Operation;
import java.io.IOException;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message Operation { int32 kind = 1; string key = 2; bytes value = 3; int64 expected = 4;
 *                     int64 ttlMillis = 5; fixed64 token = 6; bool anyReplica = 7;
 *                     int32 from = 8; string after = 9; }
 */
/** An operation as a nested message; an instance holds the fields of one that is being read. */
final class OperationCodec implements FieldReader.Fields {
  private static final Operation.Kind[] KINDS = Operation.Kind.values();

  private Operation.Kind kind = Operation.Kind.GET;
  private String key = "";
  private byte[] value = {};
  private long expected;
  private long ttlMillis;
  private long token;
  private boolean anyReplica;
  private int from;
  private String after = "";

  private OperationCodec() {}

  @SuppressWarnings("EnumOrdinal") // the order of the kinds is part of the wire form
  static void write(FieldWriter out, Operation o) {
    out.number(1, o.kind().ordinal())
        .text(2, o.key())
        .bytes(3, o.value())
        .number(4, o.expected())
        .number(5, o.ttlMillis())
        .fixed(6, o.token())
        .flag(7, o.anyReplica())
        .number(8, o.from())
        .text(9, o.after());
  }

  static Operation read(CodedInputStream in) throws IOException {
    OperationCodec f = new OperationCodec();
    FieldReader.nested(in, f);
    return new Operation(
        f.kind, f.key, f.value, f.expected, f.ttlMillis, f.token, f.anyReplica, f.from, f.after);
  }

  @Override
  public boolean read(int field, CodedInputStream in) throws IOException {
    switch (field) {
      case 1:
        kind = FieldReader.constant(KINDS, in);
        return true;
      case 2:
        key = FieldReader.name(in);
        return true;
      case 3:
        value = in.readByteArray();
        return true;
      case 4:
        expected = in.readInt64();
        return true;
      case 5:
        ttlMillis = in.readInt64();
        return true;
      case 6:
        token = in.readFixed64();
        return true;
      case 7:
        anyReplica = in.readBool();
        return true;
      case 8:
        from = FieldReader.whole(in);
        return true;
      case 9:
        after = FieldReader.name(in);
        return true;
      default:
        return false;
    }
  }
}
