// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

/** The text of logs and traces, in UTF-8, packed by gzip or not. Stateless. */
public final class LogText {
  private static final int BUFFER_BYTES = 1 << 16;

  private LogText() {}

  /**
   * Returns a reader of a stream, which is unpacked if it begins as gzip's do; closes the stream.
   */
  public static Reader reader(InputStream raw) throws IOException {
    InputStream in = new BufferedInputStream(raw, BUFFER_BYTES);
    in.mark(2);
    boolean gzipped = in.read() == 0x1f && in.read() == 0x8b;
    in.reset();
    return new InputStreamReader(
        gzipped ? new GZIPInputStream(in, BUFFER_BYTES) : in, StandardCharsets.UTF_8);
  }
}
