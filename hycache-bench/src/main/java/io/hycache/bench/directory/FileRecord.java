// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A regular file's record: permissions, size, the node that has it, "being written". */
final class FileRecord {
  private FileRecord() {}

  /** Of an empty file. */
  static byte[] empty(String address, boolean writing) {
    return ("0644 0 " + address + (writing ? " w" : " -")).getBytes(UTF_8);
  }
}
