// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Change;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message ReplicateRequest { string from = 1; bool missed = 2; repeated Change changes = 3; }
 */
/** Request of {@code replicate}: changes that a primary made, in order. Immutable. */
final class ReplicateRequest {
  /** Id of the primary. */
  final String from;

  /** Whether earlier changes did not reach the replica, so that it has to pull. */
  final boolean missed;

  final List<Change> changes;

  ReplicateRequest(String from, boolean missed, List<Change> changes) {
    this.from = from;
    this.missed = missed;
    this.changes = changes;
  }

  BytesValue encode() {
    return FieldWriter.message(
        out -> out.text(1, from).flag(2, missed).all(3, changes, ChangeCodec::write));
  }

  static ReplicateRequest decode(BytesValue message) throws RefusedException {
    Fields f = new Fields();
    FieldReader.message(message, f);
    return new ReplicateRequest(f.from, f.missed, f.changes);
  }

  private static final class Fields implements FieldReader.Fields {
    private String from = "";
    private boolean missed;
    private final List<Change> changes = new ArrayList<>();

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      switch (field) {
        case 1:
          from = FieldReader.name(in);
          return true;
        case 2:
          missed = in.readBool();
          return true;
        case 3:
          FieldReader.add(changes, ChangeCodec.read(in), ChangeCodec.MAX_CHANGES);
          return true;
        default:
          return false;
      }
    }
  }
}
