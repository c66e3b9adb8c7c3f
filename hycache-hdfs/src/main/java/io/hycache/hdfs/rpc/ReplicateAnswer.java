// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * message ReplicateAnswer { repeated string keys = 1; }
 */
/** Answer to {@code replicate}: the keys of the records that the replica needs as a whole. */
final class ReplicateAnswer {
  private ReplicateAnswer() {}

  static BytesValue encode(List<String> keys) {
    return FieldWriter.message(out -> out.texts(1, keys));
  }

  static List<String> decode(BytesValue message) throws RefusedException {
    List<String> out = new ArrayList<>();
    FieldReader.message(
        message,
        (field, in) -> {
          if (field == 1) {
            FieldReader.add(out, in.readString(), ChangeCodec.MAX_CHANGES);
          }
          return field == 1;
        });
    return out;
  }
}
