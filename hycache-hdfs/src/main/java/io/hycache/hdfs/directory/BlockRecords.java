// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Residency;
import io.hycache.hdfs.rpc.BlockOnSsd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.WireFormat;
import org.jspecify.annotations.Nullable;

/*
 * A DataNode that has a block on SSD puts one record of its own for it, under the key
 *
 *   b/{<pool>/<id / 64>}/<id>/<DataNode's UUID>
 *
 * so that DataNodes never write the same record, no record is read before it is written, and a
 * record ends with its publisher's epoch. The part in braces decides who holds it: blocks written one
 * after the other have ids one after the other, and those of a file are mostly asked of one node. The
 * value is the message
 *
 *   message OnSsd { int32 residency = 1; int64 sizeBytes = 2; }
 */
/** What the directory says of blocks: keys and values. */
public final class BlockRecords {
  /** Blocks with neighbouring ids that have the same owner. */
  private static final int BLOCKS_PER_GROUP = 64;

  private static final Residency[] RESIDENCIES = Residency.values();

  private BlockRecords() {}

  /** The prefix of the keys of all blocks. */
  public static String all() {
    return "b/";
  }

  private static String prefix(BlockKey block) {
    return "b/{"
        + block.pool()
        + "/"
        + Long.divideUnsigned(block.id(), BLOCKS_PER_GROUP)
        + "}/"
        + block.id()
        + "/";
  }

  /** Says that a DataNode has a block on SSD, or no longer. */
  @SuppressWarnings("EnumOrdinal") // the order is part of the wire form
  static Operation published(
      BlockKey block, String datanode, Residency residency, long sizeBytes, long ttlMillis) {
    String key = prefix(block) + datanode;
    if (residency == Residency.NONE) {
      return Operation.remove(key);
    }
    byte[] value = new byte[24];
    ByteBuffer buffer = ByteBuffer.wrap(value);
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    try {
      out.writeInt32(1, residency.ordinal());
      out.writeInt64(2, sizeBytes);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] exact = new byte[buffer.position()];
    System.arraycopy(value, 0, exact, 0, exact.length);
    return Operation.put(key, exact, ttlMillis);
  }

  /** Asks which DataNodes have a block on SSD. */
  public static Operation asked(BlockKey block) {
    return Operation.list(prefix(block), "");
  }

  /** Reads a record; null if it is none of ours or says nothing that is known. */
  public static @Nullable BlockOnSsd read(Row row) {
    String key = row.key();
    int tagEnd = key.indexOf("}/");
    int idEnd = tagEnd < 0 ? -1 : key.indexOf('/', tagEnd + 2);
    int poolEnd = key.indexOf('/', 3);
    if (!key.startsWith("b/{") || idEnd < 0 || poolEnd < 0 || poolEnd > tagEnd) {
      return null;
    }
    int residency = 0;
    long size = 0;
    long id;
    try {
      id = Long.parseLong(key.substring(tagEnd + 2, idEnd));
      CodedInputStream in = CodedInputStream.newInstance(row.value());
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case 1:
            residency = in.readInt32();
            break;
          case 2:
            size = in.readInt64();
            break;
          default:
            in.skipField(tag);
        }
      }
    } catch (IOException | NumberFormatException e) {
      return null;
    }
    if (residency <= 0 || residency >= RESIDENCIES.length) {
      return null;
    }
    BlockKey block = new BlockKey(key.substring(3, poolEnd), id);
    return new BlockOnSsd(block, key.substring(idEnd + 1), RESIDENCIES[residency], size);
  }
}
