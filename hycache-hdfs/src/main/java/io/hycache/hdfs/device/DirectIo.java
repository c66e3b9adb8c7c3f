// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.device;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Direct I/O, which bypasses the page cache: the option, and the alignment that it requires. */
public final class DirectIo {
  private static final Logger LOG = LoggerFactory.getLogger(DirectIo.class);

  /** Size of the buffers of direct I/O. */
  public static final int BUFFER_BYTES = 1 << 20;

  /** Minimum alignment; a file system may require more. */
  private static final int MIN_UNIT_BYTES = 4096;

  /**
   * {@code ExtendedOpenOption.DIRECT}, looked up by name because it is not part of the platform
   * API; null if the JDK does not have it.
   */
  public static final @Nullable OpenOption OPTION = option();

  private DirectIo() {}

  private static @Nullable OpenOption option() {
    try {
      for (Object option :
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option.toString().equals("DIRECT")) {
          return (OpenOption) option;
        }
      }
    } catch (ClassNotFoundException | RuntimeException e) {
      LOG.debug("this JDK does not support direct reads", e);
    }
    return null;
  }

  /**
   * Returns the alignment of direct I/O on a file's file system.
   *
   * @return a divisor of {@link #BUFFER_BYTES}; 0 if the page cache must be used, because the file
   *     system's block size is no such divisor (it may be several MB) or unknown
   */
  public static int unitBytes(File file) {
    try {
      return usableUnitBytes(Files.getFileStore(file.toPath()).getBlockSize());
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /** Returns the alignment for a file system's block size, see {@link #unitBytes}. */
  public static int usableUnitBytes(long blockBytes) {
    long unit = Math.max(MIN_UNIT_BYTES, blockBytes);
    return unit <= BUFFER_BYTES && BUFFER_BYTES % unit == 0 ? (int) unit : 0;
  }
}
