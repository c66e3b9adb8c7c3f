// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * One client thread's files in HDFS: what {@link DirectoryWorkload} does, through HDFS's client.
 */
final class NameNodeWorkload implements Workload {
  private final FileSystem fs;
  private final String owner;
  private final Random random;
  private Phase phase;
  private long created;
  private long appended;

  NameNodeWorkload(FileSystem fs, String owner, Phase phase) {
    this.fs = fs;
    this.owner = owner;
    this.phase = phase;
    this.random = new Random(phase.seed * 31 + owner.hashCode());
  }

  /** Goes on with another one. */
  void begin(Phase next) {
    phase = next;
  }

  @Override
  public void prepare() throws IOException {
    if (phase.operation == Phase.Operation.STAT) {
      while (created < Phase.FILES) {
        create(file(created++));
      }
    } else if (phase.operation == Phase.Operation.LIST) {
      for (int i = 0; i < Phase.DIRECTORY_FILES; i++) {
        fs.create(new Path(directory(), String.valueOf(i)), true).close();
      }
    }
  }

  private Path file(long number) {
    return new Path("/f/" + owner + "/" + number);
  }

  private Path directory() {
    return new Path("/d/" + owner);
  }

  private void create(Path file) throws IOException {
    fs.create(file, false).close();
  }

  @Override
  public List<String> step() throws IOException {
    switch (phase.operation) {
      case CREATE:
        create(file(created++));
        return List.of();
      case STAT:
        FileStatus found = fs.getFileStatus(file((long) (random.nextDouble() * created)));
        return found.isFile() ? List.of() : List.of("not a file: " + found);
      case LIST:
        int files = fs.listStatus(directory()).length;
        return files == Phase.DIRECTORY_FILES ? List.of() : List.of("listed " + files);
      case APPEND:
        create(new Path("/shared/" + phase.label + "/" + owner + "-" + appended++));
        return List.of();
      default:
        return List.of("HDFS has no " + phase.operation.label());
    }
  }
}
