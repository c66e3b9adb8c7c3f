// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * message RunAnswer { repeated Outcome outcomes = 1; }
 */
/** Answer to {@code run}: one outcome for each operation, in order. */
final class RunAnswer {
  private RunAnswer() {}

  static BytesValue encode(List<Outcome> outcomes) {
    return FieldWriter.message(out -> out.all(1, outcomes, OutcomeCodec::write));
  }

  static List<Outcome> decode(BytesValue message) throws RefusedException {
    List<Outcome> out = new ArrayList<>();
    FieldReader.message(
        message,
        (field, in) -> {
          if (field == 1) {
            FieldReader.add(out, OutcomeCodec.read(in), DirectoryNode.MAX_CALL_OPERATIONS);
          }
          return field == 1;
        });
    return out;
  }
}
