// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.conf.DataDirMode.TooWideException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataDirModeTest {
  @TempDir Path dir;

  private static DataDirMode configured(String mode) {
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.data.dir.perm", mode);
    return new HyCacheConf(conf).dataDirMode();
  }

  private static String modeOf(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private Path directory(String name, String mode) throws IOException {
    Path made = Files.createDirectory(dir.resolve(name));
    return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(mode));
  }

  /** The process's umask may take bits of the group and of others off, and only those. */
  @ParameterizedTest
  @CsvSource({
    "700, rwx------, rw-------",
    "0700, rwx------, rw-------",
    "750, rwxr-x---, rw-r-----",
    "'u=rwx,g=rx,o=', rwxr-x---, rw-r-----"
  })
  void made_haveTheModeOfTheDataDirectories(String perm, String forDirectory, String forFile)
      throws Exception {
    DataDirMode mode = configured(perm);
    Path made = dir.resolve("made");
    mode.makeDirectory(made);
    Path file = made.resolve("file");
    mode.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE)).close();
    assertWithin(forDirectory, modeOf(made));
    assertWithin(forFile, modeOf(file));
    assertEquals(forDirectory, mode.toString());
  }

  private static void assertWithin(String most, String found) {
    assertTrue(
        PosixFilePermissions.fromString(most).containsAll(PosixFilePermissions.fromString(found)),
        found);
    assertEquals(most.substring(0, 3), found.substring(0, 3));
  }

  @Test
  void notSet_isHdfssDefault() {
    assertEquals("rwx------", new HyCacheConf(new Configuration(false)).dataDirMode().toString());
  }

  @Test
  void noMode_isRefusedWithKeyAndValue() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> configured("drwx"));
    assertEquals(
        "dfs.datanode.data.dir.perm: expected a mode such as 700, found 'drwx'", e.getMessage());
  }

  @Test
  void makeDirectory_isThere_keepsItsMode() throws Exception {
    Path there = directory("there", "rwxr-x--x");
    DataDirMode.OWNER_ONLY.makeDirectory(there);
    assertEquals("rwxr-x--x", modeOf(there));
    Path file = Files.createFile(dir.resolve("file"));
    assertThrows(
        FileAlreadyExistsException.class, () -> DataDirMode.OWNER_ONLY.makeDirectory(file));
  }

  @ParameterizedTest
  @CsvSource({
    "700, rwx------",
    "700, r-x------",
    "750, rwxr-x---",
    "750, rwx--x---",
    "755, rwxr-xr-x"
  })
  void requireOf_asWideOrNarrower_isUsed(String perm, String found) throws Exception {
    DataDirMode mode = configured(perm);
    Path there = directory("there", found);
    assertDoesNotThrow(() -> mode.requireOf(there, dir.resolve("missing")));
  }

  @ParameterizedTest
  @CsvSource({"700, rwx--x---", "700, rwx-----x", "750, rwxrwx---", "750, rwxr-xr-x"})
  void requireOf_wider_saysWhatWasFoundAndHowToMendIt(String perm, String found) throws Exception {
    DataDirMode mode = configured(perm);
    Path there = directory("there", found);
    TooWideException e =
        assertThrows(TooWideException.class, () -> mode.requireOf(dir.resolve("missing"), there));
    assertEquals(
        "other users may enter it: expected "
            + mode
            + " at most (dfs.datanode.data.dir.perm), found "
            + found
            + " "
            + there
            + ". Fix: chmod "
            + perm
            + " "
            + there,
        e.getReason());
  }
}
