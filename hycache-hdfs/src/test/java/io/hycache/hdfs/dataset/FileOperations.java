// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.File;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Opens the seam of {@link FileOperation} to tests of other packages. */
public final class FileOperations {
  private FileOperations() {}

  /** Sees each operation before it is made. */
  public interface Observer {
    /** What it throws is thrown in the operation's place. */
    void before(FileOperation operation, File file) throws IOException;
  }

  /** From now on this one sees every operation of every DataNode of this JVM; null: none. */
  public static void observe(@Nullable Observer observer) {
    FileOperation.observe(observer == null ? null : observer::before);
  }
}
