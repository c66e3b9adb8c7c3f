// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The file system below the temporary directory may lack extended attributes (a tmpfs of an older
 * kernel); then the mark must be silently absent.
 */
class GuestMarkTest {
  @TempDir Path dir;

  private final GuestMark mark = new GuestMark();

  private File file(String name) throws Exception {
    Path file = dir.resolve(name);
    Files.writeString(file, "x");
    return file.toFile();
  }

  private boolean supported() throws Exception {
    return Files.getFileStore(dir).supportsFileAttributeView("user");
  }

  @Test
  void mark_survivesRenameAndIsNotCopied() throws Exception {
    File data = file("blk_1");
    assertFalse(mark.isSet(data));
    mark.set(data);
    if (!mark.isSet(data)) {
      assertFalse(supported(), "extended attributes work here, and the mark is not set");
      return;
    }
    File renamed = new File(data.getParentFile(), "blk_2");
    assertTrue(data.renameTo(renamed));
    assertTrue(mark.isSet(renamed));
    mark.set(renamed);
    assertTrue(mark.isSet(renamed));
    Path copied = Files.copy(renamed.toPath(), dir.resolve("blk_3"));
    assertFalse(mark.isSet(copied.toFile()));
    Path linked = Files.createLink(dir.resolve("blk_4"), renamed.toPath());
    assertTrue(mark.isSet(linked.toFile()), "a hard link is the same file");
  }

  @Test
  void missingFile_isNoGuestAndNoFailure() throws Exception {
    File missing = dir.resolve("missing").toFile();
    assertFalse(mark.set(missing));
    assertFalse(mark.isSet(missing));
  }

  @Test
  void markThatCannotBeRead_isNeitherSetNorMissing() throws Exception {
    File data = file("blk_1");
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.MARKED) {
            throw new FileSystemException(file.getPath(), null, "Too many open files");
          }
        });
    try {
      assertThrows(IOException.class, () -> mark.isSet(data));
    } finally {
      FileOperation.observe(null);
    }
    assertFalse(mark.isSet(data));
  }
}
