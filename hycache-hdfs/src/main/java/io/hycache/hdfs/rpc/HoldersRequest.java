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
 * message HoldersRequest { repeated string pools = 1; repeated Block blocks = 2; }
 * message Block { int32 pool = 1; sint64 id = 2; bytes identifier = 3; bytes password = 4; }
 *
 * Every task of a job sends this one, at its first read. It is therefore not JSON: a JVM loads and compiles 400 classes
 * of Jackson for its first message, which takes 0.15 s, a tenth of what a short task takes.
 */
/** Request of {@code holders}: blocks, with the tokens to read them. */
final class HoldersRequest {
  private HoldersRequest() {}

  static BytesValue encode(List<BlockKey> blocks, BlockTokens tokens) {
    Map<String, Integer> pools = new LinkedHashMap<>();
    for (BlockKey block : blocks) {
      pools.putIfAbsent(block.pool(), pools.size());
    }
    return FieldWriter.message(
        out ->
            out.texts(1, List.copyOf(pools.keySet()))
                .all(
                    2,
                    blocks,
                    (nested, block) -> {
                      TokenBlock with = TokenBlock.of(block, tokens);
                      nested
                          .number(1, pools.getOrDefault(block.pool(), 0))
                          .signed(2, block.id())
                          .bytes(3, with.identifier)
                          .bytes(4, with.password);
                    }));
  }

  static List<TokenBlock> decode(BytesValue request) throws RefusedException {
    Fields f = new Fields();
    FieldReader.message(request, f);
    return f.blocks;
  }

  private static String pool(CodedInputStream in) throws IOException {
    String pool = FieldReader.name(in);
    if (pool.length() > JsonFields.MAX_NAME_CHARS) {
      throw JsonFields.malformed(
          "pools", "at most " + JsonFields.MAX_NAME_CHARS + " characters", pool.length());
    }
    return pool;
  }

  private static final class Fields implements FieldReader.Fields {
    private final List<String> pools = new ArrayList<>();
    private final List<TokenBlock> blocks = new ArrayList<>();

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      switch (field) {
        case 1:
          FieldReader.add(pools, pool(in), BlockPools.MAX_POOLS);
          return true;
        case 2:
          Block block = new Block();
          FieldReader.nested(in, block);
          FieldReader.add(blocks, block.in(pools), JsonFields.MAX_ITEMS);
          return true;
        default:
          return false;
      }
    }
  }

  private static final class Block implements FieldReader.Fields {
    private int pool;
    private long id;
    private byte[] identifier = {};
    private byte[] password = {};

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      switch (field) {
        case 1:
          pool = FieldReader.whole(in);
          return true;
        case 2:
          id = in.readSInt64();
          return true;
        case 3:
          identifier = in.readByteArray();
          return true;
        case 4:
          password = in.readByteArray();
          return true;
        default:
          return false;
      }
    }

    private TokenBlock in(List<String> pools) throws RefusedException {
      if (pool >= pools.size()) {
        throw JsonFields.malformed("pool index", "0 to " + (pools.size() - 1), pool);
      }
      return TokenBlock.of(new BlockKey(pools.get(pool), id), identifier, password);
    }
  }
}
