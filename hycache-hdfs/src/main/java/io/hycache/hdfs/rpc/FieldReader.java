// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Ring;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.WireFormat;

/*
 * The directory protocol has the wire form of protocol buffers, encoded by hand, so that no generated
 * code ties the JAR to the protobuf of one Hadoop line. Each message's definition stands in the class
 * that encodes it. Unknown fields are skipped, so that a later version may add fields; fields are never
 * renumbered.
 *
 * Input is bounded before anything is allocated for it: no list has more elements than a call may have,
 * and no element is longer than the bytes received. The first violation ends in a RefusedException.
 */
/** Reads the fields of a message of the directory protocol, with bounds. */
final class FieldReader {
  /** Names are keys, keys after a position in a page, and ids and addresses of members. */
  private static final int MAX_NAME_CHARS = 2 * Operation.MAX_KEY_CHARS;

  /** Entries of one record in one message. */
  private static final int MAX_ENTRIES = 4_000_000;

  private FieldReader() {}

  /** The fields of one message while it is read. */
  @FunctionalInterface
  interface Fields {
    /** Reads the value of a field; returns false, without reading, if the field is unknown. */
    boolean read(int field, CodedInputStream in) throws IOException;
  }

  /**
   * Reads a whole message.
   *
   * @throws RefusedException if the message is too large or malformed
   */
  static void message(BytesValue message, Fields fields) throws RefusedException {
    int bytes = message.getValue().size();
    if (bytes > Protocols.MAX_PAYLOAD_BYTES) {
      throw malformed("payload", "at most " + Protocols.MAX_PAYLOAD_BYTES + " bytes", bytes);
    }
    try {
      fields(message.getValue().newCodedInput(), fields);
    } catch (RefusedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw malformed("payload", "fields of protocol buffers", "something else: " + e.getMessage());
    }
  }

  /** Reads a nested message. */
  static void nested(CodedInputStream in, Fields fields) throws IOException {
    int limit = in.pushLimit(in.readRawVarint32());
    fields(in, fields);
    in.checkLastTagWas(0);
    in.popLimit(limit);
  }

  private static void fields(CodedInputStream in, Fields fields) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int type = WireFormat.getTagWireType(tag);
      if (type == WireFormat.WIRETYPE_START_GROUP || type == WireFormat.WIRETYPE_END_GROUP) {
        // No version has groups, and skipping them takes a stack as deep as they are nested.
        throw malformed("payload", "no groups", "one");
      }
      if (!fields.read(WireFormat.getTagFieldNumber(tag), in)) {
        in.skipField(tag);
      }
    }
  }

  private static RefusedException malformed(String what, String expected, Object found) {
    return new RefusedException(
        "malformed directory message: " + what + ": expected " + expected + ", found " + found);
  }

  /** Adds an element to a repeated field of at most {@code max} elements. */
  static <T> void add(List<T> list, T element, int max) throws RefusedException {
    if (list.size() >= max) {
      throw malformed("list", "at most " + max + " elements", "more");
    }
    list.add(element);
  }

  /**
   * Reads one entry of a record.
   *
   * @param entries those read before; replaced if immutable and empty
   * @return the entries with this one
   */
  static List<byte[]> addEntry(List<byte[]> entries, CodedInputStream in) throws IOException {
    byte[] entry = in.readByteArray();
    List<byte[]> out = entries.isEmpty() ? new ArrayList<>(1) : entries;
    add(out, entry, MAX_ENTRIES);
    return out;
  }

  static String name(CodedInputStream in) throws IOException {
    String name = in.readString();
    if (name.length() > MAX_NAME_CHARS) {
      throw malformed("name", "at most " + MAX_NAME_CHARS + " characters", name.length());
    }
    return name;
  }

  /** Reads a number from 0 to {@code Integer.MAX_VALUE}. */
  static int whole(CodedInputStream in) throws IOException {
    long value = in.readInt64();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw malformed("number", "0 to " + Integer.MAX_VALUE, value);
    }
    return (int) value;
  }

  /** Reads the constant of an enum that is sent as its ordinal. */
  static <T> T constant(T[] values, CodedInputStream in) throws IOException {
    int ordinal = whole(in);
    if (ordinal >= values.length) {
      throw malformed("kind or status", "0 to " + (values.length - 1), ordinal);
    }
    return values[ordinal];
  }

  /** Reads a set of shards: one bit a shard, the lowest bit of a byte first. */
  static BitSet shards(CodedInputStream in) throws IOException {
    BitSet out = BitSet.valueOf(in.readByteArray());
    if (out.length() > Ring.SHARDS) {
      throw malformed("shard", "0 to " + (Ring.SHARDS - 1), out.length() - 1);
    }
    return out;
  }
}
