// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Finished;
import java.io.IOException;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message Finished { fixed64 token = 1; int32 shard = 2; int64 version = 3; int32 size = 4; }
 */
/**
 * A finished operation as a nested message; an instance holds the fields of one that is being read.
 */
final class FinishedCodec implements FieldReader.Fields {
  private long token;
  private int shard;
  private long version;
  private int size;

  private FinishedCodec() {}

  static void write(FieldWriter out, Finished f) {
    out.fixed(1, f.token()).number(2, f.shard()).number(3, f.version()).number(4, f.size());
  }

  static Finished read(CodedInputStream in) throws IOException {
    FinishedCodec f = new FinishedCodec();
    FieldReader.nested(in, f);
    return new Finished(f.token, f.shard, f.version, f.size);
  }

  @Override
  public boolean read(int field, CodedInputStream in) throws IOException {
    switch (field) {
      case 1:
        token = in.readFixed64();
        return true;
      case 2:
        shard = FieldReader.whole(in);
        return true;
      case 3:
        version = in.readInt64();
        return true;
      case 4:
        size = FieldReader.whole(in);
        return true;
      default:
        return false;
    }
  }
}
