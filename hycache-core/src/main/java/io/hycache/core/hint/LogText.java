// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * The text of logs and traces, in UTF-8, plain or packed by gzip; by zstd or lz4 as Spark packs its
 * event logs, if the class path has the libraries that Spark uses. Stateless.
 */
public final class LogText {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};
  private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};
  private static final byte[] LZ4 = "LZ4Block".getBytes(StandardCharsets.US_ASCII);
  private static final String ZSTD_CLASS = "com.github.luben.zstd.ZstdInputStream";
  private static final String LZ4_CLASS = "net.jpountz.lz4.LZ4BlockInputStream";

  private LogText() {}

  /**
   * Returns a reader of a stream, which is unpacked if its first bytes are those of a packed one;
   * closes the stream.
   *
   * @throws IOException also if it is packed and the library that unpacks it is not there
   */
  public static Reader reader(InputStream raw) throws IOException {
    return new InputStreamReader(unpacked(raw), StandardCharsets.UTF_8);
  }

  /** The bytes of {@link #reader}. */
  static InputStream unpacked(InputStream raw) throws IOException {
    InputStream in = new BufferedInputStream(raw, BUFFER_BYTES);
    in.mark(LZ4.length);
    byte[] start = in.readNBytes(LZ4.length);
    in.reset();
    return unpacked(in, start);
  }

  private static InputStream unpacked(InputStream in, byte[] start) throws IOException {
    if (begins(start, GZIP)) {
      return new GZIPInputStream(in, BUFFER_BYTES);
    }
    if (begins(start, ZSTD)) {
      return unpacked(in, ZSTD_CLASS, "zstd", "zstd-jni");
    }
    if (begins(start, LZ4)) {
      return unpacked(in, LZ4_CLASS, "lz4", "lz4-java");
    }
    return in;
  }

  private static boolean begins(byte[] text, byte[] with) {
    return text.length >= with.length && Arrays.equals(Arrays.copyOf(text, with.length), with);
  }

  private static InputStream unpacked(
      InputStream in, String className, String packing, String library) throws IOException {
    try {
      return Class.forName(className)
          .asSubclass(InputStream.class)
          .getConstructor(InputStream.class)
          .newInstance(in);
    } catch (ClassNotFoundException e) {
      throw new IOException(
          "packed by "
              + packing
              + ": expected "
              + library
              + " on the class path, found none. Fix: unpack the file, or add Spark's "
              + library
              + " to HADOOP_CLASSPATH",
          e);
    } catch (InvocationTargetException e) {
      throw new IOException("cannot unpack " + packing + ": " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new IOException("cannot unpack " + packing + " with this " + library + ": " + e, e);
    }
  }
}
