package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Change;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/** A change of the directory as bytes that last: the wire form of a message that holds only it. */
public final class ChangeBytes {
  private ChangeBytes() {}

  public static byte[] of(Change change) {
    return new ReplicateRequest("", false, List.of(change)).encode().getValue().toByteArray();
  }

  /**
   * Reads what {@link #of} made.
   *
   * @throws IOException if it is something else
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
