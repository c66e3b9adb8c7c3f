// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A tree has one daemon, in this process or in another. */
class TreeLockTest {
  private static final int FREE = 70;
  private static final int HELD = 71;

  @Test
  void open_secondInThisProcess_isRefusedAndTheFirstKeepsItsLock() throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      try (LocalDirTier tier = rig.open()) {
        assertEquals(HELD, otherProcess(rig));
        for (int i = 0; i < 2; i++) {
          IOException e = assertThrows(IOException.class, () -> rig.open());
          assertTrue(String.valueOf(e.getMessage()).contains("another daemon"), e.getMessage());
          assertEquals(HELD, otherProcess(rig));
        }
        assertEquals(0, tier.tree().downFiles().size());
      }
      assertEquals(FREE, otherProcess(rig));
      rig.open().close();
    }
  }

  private static int otherProcess(LocalDirRig rig) throws Exception {
    File output = rig.base.resolve("output").toFile();
    int code =
        ChildJvm.run(
            List.of(), output, TreeLockTest.class, rig.ssd.resolve(".hycache/lock").toString());
    assertTrue(code == FREE || code == HELD, () -> code + ": " + ChildJvm.read(output));
    return code;
  }

  /** The other process. Argument: the lock file. */
  public static void main(String[] args) throws Exception {
    int code;
    try (FileChannel file = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
      code = file.tryLock() == null ? HELD : FREE;
    }
    System.exit(code);
  }
}
