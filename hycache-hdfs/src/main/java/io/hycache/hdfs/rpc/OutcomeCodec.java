// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message Outcome { int32 status = 1; int64 version = 2; int32 size = 3; repeated bytes entries = 4;
 *                   repeated Row rows = 5; bool more = 6; string text = 7; }
 * message Row     { string key = 1; int64 version = 2; bytes value = 3; }
 */
/** An outcome as a nested message; an instance holds the fields of one that is being read. */
final class OutcomeCodec implements FieldReader.Fields {
  private static final Outcome.Status[] STATUSES = Outcome.Status.values();

  private Outcome.Status status = Outcome.Status.OK;
  private long version;
  private int size;
  private List<byte[]> entries = List.of();
  private List<Outcome.Row> rows = List.of();
  private boolean more;
  private String text = "";

  private OutcomeCodec() {}

  @SuppressWarnings("EnumOrdinal") // the order of the statuses is part of the wire form
  static void write(FieldWriter out, Outcome o) {
    out.number(1, o.status().ordinal())
        .number(2, o.version())
        .number(3, o.size())
        .byteArrays(4, o.entries())
        .all(5, o.rows(), RowFields::write)
        .flag(6, o.more())
        .text(7, o.text());
  }

  static Outcome read(CodedInputStream in) throws IOException {
    OutcomeCodec f = new OutcomeCodec();
    FieldReader.nested(in, f);
    return new Outcome(f.status, f.version, f.size, f.entries, f.rows, f.more, f.text);
  }

  @Override
  public boolean read(int field, CodedInputStream in) throws IOException {
    switch (field) {
      case 1:
        status = FieldReader.constant(STATUSES, in);
        return true;
      case 2:
        version = in.readInt64();
        return true;
      case 3:
        size = FieldReader.whole(in);
        return true;
      case 4:
        entries = FieldReader.addEntry(entries, in);
        return true;
      case 5:
        rows = rows.isEmpty() ? new ArrayList<>() : rows;
        FieldReader.add(rows, RowFields.read(in), Operation.MAX_ROWS);
        return true;
      case 6:
        more = in.readBool();
        return true;
      case 7:
        text = in.readString();
        return true;
      default:
        return false;
    }
  }

  private static final class RowFields implements FieldReader.Fields {
    private String key = "";
    private long version;
    private byte[] value = {};

    static void write(FieldWriter out, Outcome.Row row) {
      out.text(1, row.key()).number(2, row.version()).bytes(3, row.value());
    }

    static Outcome.Row read(CodedInputStream in) throws IOException {
      RowFields f = new RowFields();
      FieldReader.nested(in, f);
      return new Outcome.Row(f.key, f.version, f.value);
    }

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      switch (field) {
        case 1:
          key = FieldReader.name(in);
          return true;
        case 2:
          version = in.readInt64();
          return true;
        case 3:
          value = in.readByteArray();
          return true;
        default:
          return false;
      }
    }
  }
}
