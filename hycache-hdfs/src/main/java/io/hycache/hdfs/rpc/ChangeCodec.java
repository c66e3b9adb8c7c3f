// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Change;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message Change { string key = 1; sint64 before = 2; int64 version = 3; bool removed = 4;
 *                  int32 first = 5; int32 size = 6; repeated bytes entries = 7; int64 ttlMillis = 8;
 *                  string publisher = 9; int64 epoch = 10; fixed64 token = 11; }
 */
/** A change as a nested message; an instance holds the fields of one that is being read. */
final class ChangeCodec implements FieldReader.Fields {
  /** Changes in one message. */
  static final int MAX_CHANGES = 200_000;

  private String key = "";
  private long before;
  private long version;
  private boolean removed;
  private int first;
  private int size;
  private List<byte[]> entries = List.of();
  private long ttlMillis;
  private String publisher = "";
  private long epoch;
  private long token;

  private ChangeCodec() {}

  static void write(FieldWriter out, Change c) {
    out.text(1, c.key())
        .signed(2, c.before())
        .number(3, c.version())
        .flag(4, c.removed())
        .number(5, c.first())
        .number(6, c.size())
        .byteArrays(7, c.entries())
        .number(8, c.ttlMillis())
        .text(9, c.publisher())
        .number(10, c.epoch())
        .fixed(11, c.token());
  }

  static Change read(CodedInputStream in) throws IOException {
    ChangeCodec f = new ChangeCodec();
    FieldReader.nested(in, f);
    return new Change(
        f.key,
        f.before,
        f.version,
        f.removed,
        f.first,
        f.size,
        f.entries,
        f.ttlMillis,
        f.publisher,
        f.epoch,
        f.token);
  }

  @Override
  public boolean read(int field, CodedInputStream in) throws IOException {
    switch (field) {
      case 1:
        key = FieldReader.name(in);
        return true;
      case 2:
        before = in.readSInt64();
        return true;
      case 3:
        version = in.readInt64();
        return true;
      case 4:
        removed = in.readBool();
        return true;
      case 5:
        first = FieldReader.whole(in);
        return true;
      case 6:
        size = FieldReader.whole(in);
        return true;
      case 7:
        entries = FieldReader.addEntry(entries, in);
        return true;
      case 8:
        ttlMillis = in.readInt64();
        return true;
      case 9:
        publisher = FieldReader.name(in);
        return true;
      case 10:
        epoch = in.readInt64();
        return true;
      case 11:
        token = in.readFixed64();
        return true;
      default:
        return false;
    }
  }
}
