// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Files of one replica with random content, and what they must hold. */
final class WrittenFiles {
  private final Map<String, byte[]> contents = new LinkedHashMap<>();

  void write(DistributedFileSystem fs, String path, int bytes, int blockBytes) throws IOException {
    byte[] data = new byte[bytes];
    new Random(contents.size()).nextBytes(data);
    try (OutputStream out = fs.create(new Path(path), true, 1 << 20, (short) 1, blockBytes)) {
      out.write(data);
    }
    contents.put(path, data);
  }

  /** Reads and compares all of them. */
  void verify(DistributedFileSystem fs, String when) throws IOException {
    for (Map.Entry<String, byte[]> file : contents.entrySet()) {
      try (InputStream in = fs.open(new Path(file.getKey()))) {
        assertArrayEquals(file.getValue(), in.readAllBytes(), file.getKey() + " " + when);
      }
    }
  }

  int count() {
    return contents.size();
  }

  long bytes() {
    return contents.values().stream().mapToLong(data -> data.length).sum();
  }
}
