// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hycache.core.localdir.LocalDirConfig;
import io.hycache.core.localdir.LocalDirStatus;
import io.hycache.core.localdir.LocalDirTier;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way out, whatever users have put in the tree. */
class LocalDirBringUpTest {
  private static final int BYTES = 1 << 20;

  @TempDir Path dir;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void bringUp_linksToNothing_areLeftAndHoldUpNothing() throws Exception {
    Path ssd = Files.createDirectory(dir.toRealPath().resolve("ssd"));
    Path hdd = Files.createDirectory(dir.toRealPath().resolve("hdd"));
    LocalDirConfig config =
        LocalDirConfig.builder(ssd)
            .hdd(hdd)
            .high(1)
            .low(1)
            .leastBytes(1)
            .grace(Duration.ZERO)
            .sweepGrace(Duration.ofMillis(100))
            .build();
    Path file = Files.write(ssd.resolve("x"), new byte[BYTES]);
    TimeUnit.MILLISECONDS.sleep(50); // the file system's clock may be coarse
    Path home;
    try (LocalDirTier tier = LocalDirTier.open(config)) {
      assertTrue(tier.tree().bringDown(file));
      home = tier.hddHomes().get(0);
    }
    Path nothing = Files.createSymbolicLink(ssd.resolve("nothing"), home.resolve("nothing"));
    assertEquals(ExitCode.OK, run(config, true, true), out.toString(StandardCharsets.UTF_8));
    JsonNode json = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
    assertEquals(file.toString(), json.at("/wouldComeUp/0/file").asText());
    assertEquals(BYTES, json.at("/wouldComeUp/0/bytes").asInt());
    assertEquals(nothing.toString(), json.at("/notBroughtBack/0").asText());
    assertTrue(json.path("fits").asBoolean());
    out.reset();
    assertEquals(ExitCode.OK, run(config, true), out.toString(StandardCharsets.UTF_8));
    assertTrue(Files.isSymbolicLink(file));
    assertEquals(ExitCode.OK, run(config, false), out.toString(StandardCharsets.UTF_8));
    String said = out.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("1 file on HDDs, 1.0 MiB"), said);
    assertTrue(said.contains("not brought back: the link leads to"), said);
    assertTrue(said.contains("the HDDs have nothing of this tree any more"), said);
    assertFalse(Files.isSymbolicLink(file));
    assertEquals(BYTES, Files.size(file));
    assertTrue(Files.isSymbolicLink(nothing));
    try (Stream<Path> left = Files.list(hdd)) {
      assertEquals(List.of(), left.collect(Collectors.toList()));
    }
  }

  /** A bring-up would end so after half a minute, in which it waits for the sweeper. */
  @Test
  void dryRun_linkThatStaysLeadsToAFile_endsWithAFailure() throws Exception {
    Path ssd = Files.createDirectory(dir.toRealPath().resolve("ssd"));
    Path hdd = Files.createDirectory(dir.toRealPath().resolve("hdd"));
    LocalDirConfig config =
        LocalDirConfig.builder(ssd).hdd(hdd).leastBytes(1).grace(Duration.ZERO).build();
    Path file = Files.write(ssd.resolve("x"), new byte[BYTES]);
    TimeUnit.MILLISECONDS.sleep(50); // the file system's clock may be coarse
    try (LocalDirTier tier = LocalDirTier.open(config)) {
      assertTrue(tier.tree().bringDown(file));
    }
    Path second = Files.createLink(ssd.resolve("y"), file); // of the symbolic link
    assertTrue(Files.isSymbolicLink(second));
    assertEquals(ExitCode.FAILED, run(config, true), out.toString(StandardCharsets.UTF_8));
    String said = out.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("not brought back: the link leads to"), said);
    out.reset();
    assertEquals(ExitCode.FAILED, run(config, true, true), out.toString(StandardCharsets.UTF_8));
    JsonNode json = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
    assertEquals(2, json.path("notBroughtBack").size());
  }

  @Test
  void bringUp_hddThatIsMissing_endsWithAFailureAndNamesIt() throws Exception {
    Path ssd = Files.createDirectory(dir.toRealPath().resolve("ssd"));
    Path hdd = Files.createDirectory(dir.toRealPath().resolve("hdd"));
    Path missing = ssd.resolveSibling("missing");
    LocalDirConfig config = LocalDirConfig.builder(ssd).hdd(hdd).hdd(missing).build();
    assertEquals(ExitCode.FAILED, run(config, false));
    String said = out.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("nothing was moved") && said.contains(missing.toString()), said);
  }

  @Test
  void bringUp_moreThanTheCapacityOfTheSettings_nothingGoesDownAgain() throws Exception {
    Path ssd = Files.createDirectory(dir.toRealPath().resolve("ssd"));
    Path hdd = Files.createDirectory(dir.toRealPath().resolve("hdd"));
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      files.add(Files.write(ssd.resolve("f" + i), new byte[BYTES]));
    }
    TimeUnit.MILLISECONDS.sleep(50); // the file system's clock may be coarse
    LocalDirConfig config =
        LocalDirConfig.builder(ssd).hdd(hdd).leastBytes(1).grace(Duration.ZERO).build();
    try (LocalDirTier tier = LocalDirTier.open(config)) {
      for (Path file : files) {
        assertTrue(tier.tree().bringDown(file));
      }
    }
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.LOCALDIR_CAPACITY, Integer.toString(2 * BYTES));
    conf.set(HyCacheKeys.LOCALDIR_SWEEP_GRACE, "1s");
    List<String> args = List.of("--bring-up", "--ssd", ssd.toString(), "--hdd", hdd.toString());
    int ended = new LocalDirCommand().run(conf, args, console());
    assertEquals(ExitCode.OK, ended, out.toString(StandardCharsets.UTF_8));
    for (Path file : files) {
      assertFalse(Files.isSymbolicLink(file), file.toString());
    }
    assertEquals(0, LocalDirStatus.read(ssd).figure(LocalDirStatus.Figure.MOVED_DOWN_FILES));
  }

  private int run(LocalDirConfig config, boolean dryRun) throws Exception {
    return run(config, dryRun, false);
  }

  private int run(LocalDirConfig config, boolean dryRun, boolean json) throws Exception {
    return LocalDirBringUp.run(config, dryRun, json, console());
  }

  private Console console() {
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new Console(stream, stream);
  }
}
