// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.View;
import java.io.IOException;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message ViewAnswer { the fields of View; string id = 3; }
 */
/** Answer to {@code view}: the members as a node knows them, and its own id. Immutable. */
final class ViewAnswer {
  /** Id of the node that answers; empty from a node of an older version. */
  final String id;

  final View view;

  ViewAnswer(String id, View view) {
    this.id = id;
    this.view = view;
  }

  BytesValue encode() {
    return FieldWriter.message(
        out -> {
          ViewCodec.write(out, view);
          out.text(3, id);
        });
  }

  static ViewAnswer decode(BytesValue message) throws RefusedException {
    Fields f = new Fields();
    FieldReader.message(message, f);
    return new ViewAnswer(f.id, f.view.view());
  }

  private static final class Fields implements FieldReader.Fields {
    private String id = "";
    private final ViewCodec view = new ViewCodec();

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      if (field == 3) {
        id = FieldReader.name(in);
        return true;
      }
      return view.read(field, in);
    }
  }
}
