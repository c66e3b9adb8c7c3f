// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message RunRequest { string publisher = 1; int64 epoch = 2; repeated Operation operations = 3; }
 */
/** Request of {@code run}: operations on records, in order. Immutable. */
final class RunRequest {
  /** Id of the member whose soft state the puts are; empty: they stay. */
  final String publisher;

  /** Epoch of the publisher. */
  final long epoch;

  final List<Operation> operations;

  RunRequest(String publisher, long epoch, List<Operation> operations) {
    this.publisher = publisher;
    this.epoch = epoch;
    this.operations = operations;
  }

  BytesValue encode() {
    return FieldWriter.message(
        out -> out.text(1, publisher).number(2, epoch).all(3, operations, OperationCodec::write));
  }

  static RunRequest decode(BytesValue message) throws RefusedException {
    Fields f = new Fields();
    FieldReader.message(message, f);
    return new RunRequest(f.publisher, f.epoch, f.operations);
  }

  private static final class Fields implements FieldReader.Fields {
    private String publisher = "";
    private long epoch;
    private final List<Operation> operations = new ArrayList<>();

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      switch (field) {
        case 1:
          publisher = FieldReader.name(in);
          return true;
        case 2:
          epoch = in.readInt64();
          return true;
        case 3:
          FieldReader.add(operations, OperationCodec.read(in), DirectoryNode.MAX_CALL_OPERATIONS);
          return true;
        default:
          return false;
      }
    }
  }
}
