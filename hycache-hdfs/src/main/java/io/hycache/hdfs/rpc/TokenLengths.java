package io.hycache.hdfs.rpc;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.io.WritableUtils;

/*
 * The older form of a block token's identifier, which a first byte below 1 marks (Hadoop's
 * BlockTokenIdentifier.readFieldsLegacy), has lengths of strings and arrays in it, and Hadoop allocates what they
 * say before it looks whether so much follows: 30 bytes of anybody's would cost a DataNode 2 GB, or end it where
 * an OutOfMemoryError ends the process.
 */
/** Checks identifiers of block tokens before Hadoop reads them. */
final class TokenLengths {
  private final DataInputStream in;

  private TokenLengths(byte[] identifier) {
    this.in = new DataInputStream(new ByteArrayInputStream(identifier));
  }

  /** Throws if a length in it is negative or more than what follows. */
  static void check(byte[] identifier) throws RefusedException {
    if (identifier.length == 0 || identifier[0] > 0) {
      return; // none, or protocol buffers, which are read by what is there
    }
    try {
      new TokenLengths(identifier).walk();
    } catch (EOFException e) {
      return; // Hadoop comes no further
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
