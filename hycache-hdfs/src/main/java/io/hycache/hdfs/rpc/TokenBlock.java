// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.hycache.core.model.BlockKey;
import java.io.IOException;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/** A block and the block access token sent with it. Immutable; the arrays must not be changed. */
final class TokenBlock {
  /** Longest identifier, and longest password, of a block access token. */
  static final int MAX_TOKEN_BYTES = 4096;

  private static final byte[] NONE = {};

  final BlockKey block;

  /** Of the token; empty without one. */
  final byte[] identifier;

  /** Of the token; empty without one. */
  final byte[] password;

  private TokenBlock(BlockKey block, byte[] identifier, byte[] password) {
    this.block = block;
    this.identifier = identifier;
    this.password = password;
  }

  static TokenBlock of(BlockKey block, BlockTokens tokens) {
    Token<BlockTokenIdentifier> token = tokens.of(block);
    return token == null
        ? new TokenBlock(block, NONE, NONE)
        : new TokenBlock(block, token.getIdentifier(), token.getPassword());
  }

  /**
   * As it was received.
   *
   * @throws RefusedException if a part of the token is too long
   */
  static TokenBlock of(BlockKey block, byte[] identifier, byte[] password) throws RefusedException {
    int longest = Math.max(identifier.length, password.length);
    if (longest > MAX_TOKEN_BYTES) {
      throw JsonFields.malformed("block token", "at most " + MAX_TOKEN_BYTES + " bytes", longest);
    }
    return new TokenBlock(block, identifier, password);
  }

  int tokenBytes() {
    return identifier.length + password.length;
  }

  /** Appends the token to a row. */
  void addToken(ArrayNode row) {
    row.add(identifier).add(password);
  }

  /**
   * Reads a row.
   *
   * @param column of the identifier; the password stands in the next one
   */
  static TokenBlock read(BlockPools pools, JsonNode row, int column) throws RefusedException {
    return new TokenBlock(pools.block(row), bytes(row.get(column)), bytes(row.get(column + 1)));
  }

  private static byte[] bytes(@Nullable JsonNode node) throws RefusedException {
    byte[] out;
    try {
      out = node == null ? null : node.binaryValue();
    } catch (IOException e) {
      out = null;
    }
    if (out == null || out.length > MAX_TOKEN_BYTES) {
      throw JsonFields.malformed(
          "block token",
          "at most " + MAX_TOKEN_BYTES + " bytes in base64",
          out == null ? "something else" : out.length);
    }
    return out;
  }
}
