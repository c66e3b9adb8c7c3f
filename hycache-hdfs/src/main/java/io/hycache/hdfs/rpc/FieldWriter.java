// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;

/**
 * Writes the fields of a message of the directory protocol, see {@link FieldReader}. A single field
 * is left out if it has its type's default value: zero, false, or empty. Not thread-safe.
 */
final class FieldWriter {
  private static final int INITIAL_MESSAGE_BYTES = 256;
  private static final int BUFFER_BYTES = 512;

  private final CodedOutputStream out;

  private FieldWriter(CodedOutputStream out) {
    this.out = out;
  }

  @FunctionalInterface
  private interface Write {
    void to(CodedOutputStream out) throws IOException;
  }

  /** Encodes the message whose fields the body writes. */
  static BytesValue message(Consumer<FieldWriter> body) {
    return BytesValue.newBuilder().setValue(bytes(body)).build();
  }

  private static ByteString bytes(Consumer<FieldWriter> body) {
    ByteString.Output to = ByteString.newOutput(INITIAL_MESSAGE_BYTES);
    FieldWriter writer = new FieldWriter(CodedOutputStream.newInstance(to, BUFFER_BYTES));
    body.accept(writer);
    writer.write(CodedOutputStream::flush);
    return to.toByteString();
  }

  private FieldWriter write(Write write) {
    try {
      write.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  FieldWriter text(int field, String value) {
    return value.isEmpty() ? this : write(o -> o.writeString(field, value));
  }

  /** Writes a repeated field; empty elements are written. */
  FieldWriter texts(int field, List<String> values) {
    values.forEach(value -> write(o -> o.writeString(field, value)));
    return this;
  }

  FieldWriter bytes(int field, byte[] value) {
    return value.length == 0 ? this : write(o -> o.writeByteArray(field, value));
  }

  /** Writes a repeated field; empty elements are written. */
  FieldWriter byteArrays(int field, List<byte[]> values) {
    values.forEach(value -> write(o -> o.writeByteArray(field, value)));
    return this;
  }

  /** Writes an int32 or int64. */
  FieldWriter number(int field, long value) {
    return value == 0 ? this : write(o -> o.writeInt64(field, value));
  }

  /** Writes a sint64, which is short for small negative values. */
  FieldWriter signed(int field, long value) {
    return value == 0 ? this : write(o -> o.writeSInt64(field, value));
  }

  /** Writes a fixed64, for values that use all bits. */
  FieldWriter fixed(int field, long value) {
    return value == 0 ? this : write(o -> o.writeFixed64(field, value));
  }

  FieldWriter flag(int field, boolean value) {
    return value ? write(o -> o.writeBool(field, true)) : this;
  }

  /** Writes a nested message, even if it is empty. */
  FieldWriter nested(int field, Consumer<FieldWriter> body) {
    return write(o -> o.writeBytes(field, bytes(body)));
  }

  /** Writes a repeated field of nested messages. */
  <T> FieldWriter all(int field, List<T> values, BiConsumer<FieldWriter, T> body) {
    values.forEach(value -> nested(field, nested -> body.accept(nested, value)));
    return this;
  }
}
