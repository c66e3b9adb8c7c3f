// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.model.BlockKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message ReadsRequest { repeated Pool pools = 1; }
 * message Pool { string name = 1; repeated fixed64 blocks = 2; }
 *
 * A block is in it once for each read. The answer is empty.
 */
/** Request of {@code reads}: blocks that were read as a whole on the caller's side. */
final class ReadsRequest {
  /** Reads in one request. */
  static final int MAX_READS = 10_000;

  private ReadsRequest() {}

  static BytesValue encode(List<BlockKey> reads) {
    Map<String, List<BlockKey>> pools = new LinkedHashMap<>();
    for (BlockKey block : reads) {
      pools.computeIfAbsent(block.pool(), pool -> new ArrayList<>()).add(block);
    }
    return FieldWriter.message(
        out ->
            pools.forEach(
                (name, blocks) ->
                    out.nested(
                        1,
                        pool -> {
                          pool.text(1, name);
                          blocks.forEach(block -> pool.fixed(2, block.id()));
                        })));
  }

  static List<BlockKey> decode(BytesValue message) throws RefusedException {
    List<BlockKey> reads = new ArrayList<>();
    FieldReader.message(
        message,
        (field, in) -> {
          if (field != 1) {
            return false;
          }
          Pool pool = new Pool(reads);
          FieldReader.nested(in, pool);
          return true;
        });
    return reads;
  }

  /** The name of a pool comes ahead of its blocks. */
  private static final class Pool implements FieldReader.Fields {
    private final List<BlockKey> reads;
    private String name = "";

    Pool(List<BlockKey> reads) {
      this.reads = reads;
    }

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      switch (field) {
        case 1:
          name = FieldReader.name(in);
          return true;
        case 2:
          FieldReader.add(reads, new BlockKey(name, in.readFixed64()), MAX_READS);
          return true;
        default:
          return false;
      }
    }
  }
}
