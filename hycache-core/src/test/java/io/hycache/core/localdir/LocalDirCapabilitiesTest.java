// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
      List<String> command =
          new ArrayList<>(
              List.of("setpriv", "--bounding-set=" + without, "--inh-caps=" + without, "--"));
      command.addAll(
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-Xmx64m",
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "-cp",
              System.getProperty("java.class.path"),
              LocalDirCapabilitiesTest.class.getName(),
              users.rig.base.toString()));
      Process process =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(expected, process.exitValue(), () -> read(output));
    }
  }

  private static String read(File file) {
    try {
      return Files.readString(file.toPath());
    } catch (java.io.IOException e) {
      return e.toString();
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
