// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.io;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Stands before Hadoop's class of the same name, in the NodeManager and in containers of {@code
 * secure.sh} only: there all containers are one user of the operating system, and without native
 * code Hadoop's own refuses to load where Kerberos is on. Checks no owners.
 */
public class SecureIOUtils {
  /** As Hadoop's. */
  public static class AlreadyExistsException extends IOException {
    private static final long serialVersionUID = 1;

    public AlreadyExistsException(String message) {
      super(message);
    }
  }

  public static RandomAccessFile openForRandomRead(
      File file, String mode, String expectedOwner, String expectedGroup) throws IOException {
    return new RandomAccessFile(file, mode);
  }

  public static FSDataInputStream openFSDataInputStream(
      File file, String expectedOwner, String expectedGroup) throws IOException {
    return FileSystem.getLocal(new Configuration()).getRaw().open(new Path(file.getAbsolutePath()));
  }

  public static FileInputStream openForRead(File file, String expectedOwner, String expectedGroup)
      throws IOException {
    return new FileInputStream(file);
  }

  public static FileOutputStream createForWrite(File file, int permissions) throws IOException {
    if (Files.exists(file.toPath())) {
      throw new AlreadyExistsException("File " + file + " already exists");
    }
    return new FileOutputStream(file);
  }
}
