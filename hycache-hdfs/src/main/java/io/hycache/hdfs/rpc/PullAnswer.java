// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.Finished;
import io.hycache.core.directory.Peers.Pulled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message PullAnswer { repeated Change changes = 1; repeated Finished finished = 2;
 *                      string next = 3; }
 */
/** Answer to {@code pull}; an instance holds the fields of one that is being read. */
final class PullAnswer implements FieldReader.Fields {
  private final List<Change> changes = new ArrayList<>();
  private final List<Finished> finished = new ArrayList<>();
  private String next = "";

  private PullAnswer() {}

  static BytesValue encode(Pulled pulled) {
    return FieldWriter.message(
        out ->
            out.all(1, pulled.changes(), ChangeCodec::write)
                .all(2, pulled.finished(), FinishedCodec::write)
                .text(3, pulled.next()));
  }

  static Pulled decode(BytesValue message) throws RefusedException {
    PullAnswer f = new PullAnswer();
    FieldReader.message(message, f);
    return new Pulled(f.changes, f.finished, f.next);
  }

  @Override
  public boolean read(int field, CodedInputStream in) throws IOException {
    switch (field) {
      case 1:
        FieldReader.add(changes, ChangeCodec.read(in), ChangeCodec.MAX_CHANGES);
        return true;
      case 2:
        FieldReader.add(finished, FinishedCodec.read(in), ChangeCodec.MAX_CHANGES);
        return true;
      case 3:
        next = in.readString();
        return true;
      default:
        return false;
    }
  }
}
