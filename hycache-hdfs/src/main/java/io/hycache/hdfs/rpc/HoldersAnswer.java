// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/*
 * message HoldersAnswer { repeated Block blocks = 1; }
 * message Block { bool known = 1; repeated string holders = 2; }
 */
/**
 * Answer to {@code holders}: for each block, in the order of the request, the UUIDs of the
 * DataNodes that have it on SSD; empty if the directory has no record of it.
 */
final class HoldersAnswer {
  private HoldersAnswer() {}

  static BytesValue encode(List<Optional<Set<String>>> holders) {
    return FieldWriter.message(
        out ->
            out.all(
                1,
                holders,
                (nested, of) ->
                    nested.flag(1, of.isPresent()).texts(2, List.copyOf(of.orElse(Set.of())))));
  }

  /**
   * Decodes an answer.
   *
   * @param asked number of blocks in the request
   * @throws RefusedException if the answer is malformed or has another number of blocks
   */
  static List<Optional<Set<String>>> decode(BytesValue answer, int asked) throws RefusedException {
    List<Optional<Set<String>>> out = new ArrayList<>();
    FieldReader.message(
        answer,
        (field, in) -> {
          if (field != 1) {
            return false;
          }
          Block block = new Block();
          FieldReader.nested(in, block);
          FieldReader.add(out, block.known ? Optional.of(block.holders) : Optional.empty(), asked);
          return true;
        });
    if (out.size() != asked) {
      throw JsonFields.malformed("holders", asked + " answers", out.size());
    }
    return out;
  }

  private static final class Block implements FieldReader.Fields {
    private boolean known;
    private final Set<String> holders = new HashSet<>();

    @Override
    public boolean read(int field, CodedInputStream in) throws IOException {
      switch (field) {
        case 1:
          known = in.readBool();
          return true;
        case 2:
          holders.add(FieldReader.name(in));
          return true;
        default:
          return false;
      }
    }
  }
}
