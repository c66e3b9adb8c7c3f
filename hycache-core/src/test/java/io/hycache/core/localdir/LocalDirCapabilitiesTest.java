// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Root in a container that has not all of root's capabilities. */
class LocalDirCapabilitiesTest {
  private static final int MOVED = 10;
  private static final int STAYED = 11;

  /** With neither of them, root can't find out whether another user's process writes. */
  @ParameterizedTest
  @CsvSource({"'-lease,-sys_ptrace',11", "-lease,10", "-sys_ptrace,10"})
  void down_anotherUsersFile_movesIfItsWritersAreSeen(String without, int expected)
      throws Exception {
    ActingAs.assumeRoot();
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "no setpriv");
    try (AttackRig users = new AttackRig()) {
      File output = users.outside.resolve("output").toFile();
      int code =
          ChildJvm.run(
              List.of("setpriv", "--bounding-set=" + without, "--inh-caps=" + without, "--"),
              output,
              LocalDirCapabilitiesTest.class,
              users.rig.base.toString());
      assertEquals(expected, code, () -> ChildJvm.read(output));
    }
  }

  /** The process without capabilities. Argument: base directory. */
  public static void main(String[] args) throws Exception {
    LocalDirRig rig = new LocalDirRig(Path.of(args[0]));
    Path own = Files.write(rig.ssd.resolve("own"), LocalDirRig.bytes(1000, 1));
    rig.awaitTick();
    boolean moved;
    try (LocalDirTier tier = rig.open()) {
      if (!tier.tree().bringDown(own)) {
        throw new AssertionError("root's own file stays");
      }
      moved = tier.tree().bringDown(Path.of("m", "x"));
    }
    System.exit(moved ? MOVED : STAYED);
  }
}
