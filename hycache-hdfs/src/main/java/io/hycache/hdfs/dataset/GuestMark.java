// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.move.HostLimit;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Persists on the SSD which replicas HyCache placed there, to distinguish guests after a restart
 * from replicas that the NameNode asked for on SSD.
 *
 * <p>The mark is an extended attribute of the data file: it is removed with the file and survives
 * renames between {@code rbw} and {@code finalized}. When HDFS gives a guest another file on SSD (a
 * truncated copy, a broken hard link, the disk balancer), that file is marked, too. A replica
 * without a mark belongs to its owner and is never demoted: losing marks costs SSD space, never
 * data or a storage policy. Thread-safe.
 */
final class GuestMark {
  private static final Logger LOG = LoggerFactory.getLogger(GuestMark.class);
  private static final String NAME = "hycache.guest";

  private volatile boolean complained;

  /** Marks a file; returns false if it could not be marked. */
  boolean set(File data) {
    try {
      require(data);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      if (!complained) {
        complained = true;
        LOG.warn(
            "extended attributes do not work on this SSD: after a restart guests placed there"
                + " are treated as their owner's and are not demoted: file={}",
            data,
            e);
      }
      return false;
    }
  }

  /**
   * As {@link #set}.
   *
   * @throws IOException if the file can't be marked
   */
  void require(File data) throws IOException {
    FileOperation.MARK.before(data);
    view(data).write(NAME, ByteBuffer.wrap("1".getBytes(StandardCharsets.US_ASCII)));
  }

  /**
   * Returns true if a file is marked; false if there is no such file, or if its file system has no
   * extended attributes.
   *
   * @throws IOException if the mark can't be read
   */
  boolean isSet(File data) throws IOException {
    FileOperation.MARKED.before(data);
    try {
      return view(data).list().contains(NAME);
    } catch (UnsupportedOperationException e) {
      return false;
    } catch (IOException e) {
      if (HostLimit.isCause(e) || (data.exists() && hasAttributes(data))) {
        throw e;
      }
      return false;
    }
  }

  private static boolean hasAttributes(File data) throws IOException {
    return Files.getFileStore(data.toPath())
        .supportsFileAttributeView(UserDefinedFileAttributeView.class);
  }

  private static UserDefinedFileAttributeView view(File data) throws IOException {
    UserDefinedFileAttributeView view =
        Files.getFileAttributeView(data.toPath(), UserDefinedFileAttributeView.class);
    if (view == null) {
      throw new IOException("no extended attributes: file=" + data);
    }
    return view;
  }
}
