// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.View;
import java.io.IOException;
import java.util.BitSet;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message PullRequest { View view = 1; bytes takeOver = 2; bytes shards = 3; string at = 4; }
 */
/** Request of {@code pull}: one page of the records of some shards. Immutable. */
final class PullRequest {
  /** The members as the caller knows them. */
  final View view;

  /** Shards whose primary the caller is from now on. */
  final BitSet takeOver;

  /** All shards that the caller wants. */
  final BitSet shards;

  /** Position of the page; empty: the first. */
  final String at;

  PullRequest(View view, BitSet takeOver, BitSet shards, String at) {
    this.view = view;
    this.takeOver = takeOver;
    this.shards = shards;
    this.at = at;
  }

  BytesValue encode() {
    return FieldWriter.message(
        out ->
            out.nested(1, nested -> ViewCodec.write(nested, view))
                .bytes(2, takeOver.toByteArray())
                .bytes(3, shards.toByteArray())
                .text(4, at));
  }

  static PullRequest decode(BytesValue message) throws RefusedException {
    Fields f = new Fields();
    FieldReader.message(message, f);
    return new PullRequest(f.view, f.takeOver, f.shards, f.at);
  }

  private static final class Fields implements FieldReader.Fields {
    private View view = View.NONE;
    private BitSet takeOver = new BitSet();
    private BitSet shards = new BitSet();
    private String at = "";

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      switch (field) {
        case 1:
          ViewCodec nested = new ViewCodec();
          FieldReader.nested(in, nested);
          view = nested.view();
          return true;
        case 2:
          takeOver = FieldReader.shards(in);
          return true;
        case 3:
          shards = FieldReader.shards(in);
          return true;
        case 4:
          at = FieldReader.name(in);
          return true;
        default:
          return false;
      }
    }
  }
}
