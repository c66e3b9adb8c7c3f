// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Change;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/**
 * Encodes a change of the directory for a journal, in a form that all versions read: a {@link
 * ReplicateRequest} with this change alone.
 */
public final class ChangeBytes {
  private ChangeBytes() {}

  public static byte[] of(Change change) {
    return new ReplicateRequest("", false, List.of(change)).encode().getValue().toByteArray();
  }

  /**
   * Decodes the result of {@link #of}.
   *
   * @throws IOException if the bytes are malformed or hold another number of changes
   */
  public static Change read(byte[] bytes) throws IOException {
    BytesValue message = BytesValue.newBuilder().setValue(ByteString.copyFrom(bytes)).build();
    List<Change> changes = ReplicateRequest.decode(message).changes;
    if (changes.size() != 1) {
      throw new IOException("expected one change, found " + changes.size());
    }
    return changes.get(0);
  }
}
