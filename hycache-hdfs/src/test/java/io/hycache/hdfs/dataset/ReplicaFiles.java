// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;

/** Writes files as HDFS leaves those of a finalized replica, and damages them. */
final class ReplicaFiles {
  private ReplicaFiles() {}

  static void write(File data, File meta, byte[] bytes, DataChecksum.Type type, int perChunk)
      throws IOException {
    Files.write(data.toPath(), bytes);
    DataChecksum checksum = DataChecksum.newDataChecksum(type, perChunk);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BlockMetadataHeader.writeHeader(new DataOutputStream(out), checksum);
    byte[] sums = new byte[checksum.getChecksumSize(bytes.length)];
    checksum.calculateChunkedSums(bytes, 0, bytes.length, sums, 0);
    out.write(sums);
    Files.write(meta.toPath(), out.toByteArray());
  }

  static void flip(File file, long at) throws IOException {
    byte[] content = Files.readAllBytes(file.toPath());
    content[(int) at] ^= 1;
    Files.write(file.toPath(), content);
  }
}
