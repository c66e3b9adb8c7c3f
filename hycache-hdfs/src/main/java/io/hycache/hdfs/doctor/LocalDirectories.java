// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import com.google.common.base.Splitter;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.device.BlockDevice;
import io.hycache.hdfs.device.FileSystemNumber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Shell;
import org.jspecify.annotations.Nullable;

/** The directories of this machine. Thread-safe. */
final class LocalDirectories implements DirectoryProbe {
  private static final long SHELL_TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(5);

  @Override
  public boolean isDirectory(Path dir) {
    return Files.isDirectory(dir);
  }

  @Override
  public boolean isAccessible(Path dir) {
    return Files.isReadable(dir) && Files.isWritable(dir) && Files.isExecutable(dir);
  }

  @Override
  public String owner(Path dir) throws IOException {
    return Files.getOwner(dir).getName();
  }

  @Override
  public String user() {
    return System.getProperty("user.name", "?");
  }

  @Override
  public long fileSystem(Path dir) throws IOException {
    return FileSystemNumber.of(dir);
  }

  @Override
  public long rootFileSystem() throws IOException {
    return FileSystemNumber.ofRoot();
  }

  @Override
  public @Nullable Boolean isRotational(long fileSystem) {
    return BlockDevice.isRotational(fileSystem);
  }

  @Override
  public boolean keepsUserAttributes(Path dir) throws IOException {
    return Files.getFileStore(dir).supportsFileAttributeView(UserDefinedFileAttributeView.class);
  }

  @Override
  public void requireMode(Path dir, DataDirMode mode) throws IOException {
    mode.requireOf(dir);
  }

  @Override
  public long sizeBytes(Path dir) throws IOException {
    return Files.getFileStore(dir).getTotalSpace();
  }

  @Override
  public long freeBytes(Path dir) throws IOException {
    return Files.getFileStore(dir).getUsableSpace();
  }

  /** Java has no call for them; {@code stat} is the same in coreutils and busybox. */
  @Override
  public Inodes inodes(Path dir) throws IOException {
    String out =
        Shell.execCommand(
            null, new String[] {"stat", "-f", "-c", "%c %d", dir.toString()}, SHELL_TIMEOUT_MILLIS);
    List<String> numbers = Splitter.on(' ').splitToList(out.strip());
    try {
      return new Inodes(Long.parseLong(numbers.get(0)), Long.parseLong(numbers.get(1)));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IOException("expected two numbers of stat, found " + out.strip(), e);
    }
  }

  @Override
  public Reads randomReads(Path dir) throws IOException {
    return RandomReads.below(dir, new Random());
  }
}
