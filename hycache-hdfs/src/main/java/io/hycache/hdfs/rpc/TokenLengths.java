// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.io.WritableUtils;

/*
 * The older form of a block token's identifier, marked by a first byte below 1 (Hadoop's
 * BlockTokenIdentifier.readFieldsLegacy), contains the lengths of strings and arrays. Hadoop allocates
 * these lengths before it checks that as many bytes follow: 30 bytes from any caller would cost a
 * DataNode 2 GB, or end its process on an OutOfMemoryError.
 */
/** Checks the lengths in an identifier of a block token before Hadoop decodes it. */
final class TokenLengths {
  private final DataInputStream in;

  private TokenLengths(byte[] identifier) {
    this.in = new DataInputStream(new ByteArrayInputStream(identifier));
  }

  /** Throws if a length in the identifier is negative or exceeds the bytes that follow it. */
  static void check(byte[] identifier) throws RefusedException {
    if (identifier.length == 0 || identifier[0] > 0) {
      return; // no token, or protocol buffers, whose parser checks lengths itself
    }
    try {
      new TokenLengths(identifier).walk();
    } catch (EOFException e) {
      return; // Hadoop stops here, too
    } catch (RefusedException e) {
      throw e;
    } catch (IOException e) {
      throw refused();
    }
  }

  private void walk() throws IOException {
    long unused = WritableUtils.readVLong(in); // when it expires
    unused = WritableUtils.readVInt(in); // the key
    string(); // the user
    string(); // the block pool
    unused = WritableUtils.readVLong(in); // the block
    texts(); // access modes
    texts(); // storage types
    for (int left = bounded(WritableUtils.readVInt(in)); left > 0; left--) {
      string(); // storage ids
    }
    skip(WritableUtils.readVInt(in)); // the message of a handshake
  }

  private void texts() throws IOException {
    for (int left = bounded(WritableUtils.readVInt(in)); left > 0; left--) {
      skip(WritableUtils.readVInt(in));
    }
  }

  private void string() throws IOException {
    int length = in.readInt();
    if (length != -1) { // no string
      skip(length);
    }
  }

  private void skip(int length) throws IOException {
    in.skipBytes(bounded(length));
  }

  private int bounded(int length) throws IOException {
    if (length < 0 || length > in.available()) {
      throw refused();
    }
    return length;
  }

  private static RefusedException refused() {
    return new RefusedException("block access token refused: its identifier is malformed");
  }
}
