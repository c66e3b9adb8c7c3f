// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Settings, status, and predictions from file names. */
class LocalDirConfigTest {
  private static final Path SSD = Path.of("/ssd/local");
  private static final Path HDD = Path.of("/hdd/local");

  private static LocalDirConfig.Builder config() {
    return LocalDirConfig.builder(SSD).hdd(HDD);
  }

  private static void refused(LocalDirConfig.Builder builder, String... parts) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> builder.build());
    for (String part : parts) {
      assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }
  }

  @Test
  void build_defaults_asDocumented() {
    LocalDirConfig config = config().build();
    assertEquals(0.7, config.high());
    assertEquals(0.5, config.low());
    assertEquals(64 << 10, config.leastBytes());
    assertEquals(Duration.ofSeconds(10), config.grace());
    assertEquals(Duration.ofSeconds(60), config.sweepGrace());
    assertEquals(Duration.ofSeconds(1), config.period());
    assertEquals(List.of(HDD), config.hdds());
  }

  @Test
  void build_wrongSetting_saysWhichExpectedAndFound() {
    refused(
        LocalDirConfig.builder(SSD), "hdd: expected at least one", "ssd=/ssd/local", "found none");
    refused(
        config().hdd(SSD.resolve("in")),
        "hdd: expected a directory outside of ssd=",
        "found /ssd/local/in");
    refused(config().hdd(HDD), "hdd: expected each HDD once", "found /hdd/local");
    refused(config().high(1.1), "high: expected more than 0", "up to 1", "found 1.1");
    refused(config().high(0.4), "low: expected at most high=0.4, found 0.5");
    refused(config().policy("luck"), "policy: expected lru, ", "lru");
    refused(config().capacityBytes(-1), "capacity: expected 0 or more, found -1");
    refused(config().bandwidthBytesPerSec(0), "bandwidth: expected 1 or more, found 0");
    refused(config().leastBytes(0), "least-size: expected 1 or more, found 0");
    refused(config().grace(Duration.ofSeconds(-1)), "grace: expected 0 or more, found PT-1S");
    refused(config().period(Duration.ZERO), "period: expected more than 0, found PT0S");
  }

  @Test
  void status_writtenAndRead_isTheSame() {
    Map<LocalDirStatus.Figure, Long> figures = new EnumMap<>(LocalDirStatus.Figure.class);
    long value = 1;
    for (LocalDirStatus.Figure figure : LocalDirStatus.Figure.values()) {
      figures.put(figure, value++ << 33);
    }
    LocalDirStatus status =
        new LocalDirStatus(
            SSD, List.of(HDD), List.of(HDD), "lru", "running", true, 12345678901L, figures);
    LocalDirStatus again = LocalDirStatus.fromJson(status.toJson());
    assertEquals(status.toMap(), again.toMap());
    assertEquals(1L << 33, again.upFiles());
    assertEquals(List.of(HDD), again.unusableHdds());
    assertThrows(IllegalArgumentException.class, () -> LocalDirStatus.fromJson("{}"));
    assertThrows(IllegalArgumentException.class, () -> LocalDirStatus.fromJson("nonsense"));
  }

  @Test
  void status_closedTree_readFromTheFileByOthers() throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      IOException e = assertThrows(IOException.class, () -> LocalDirStatus.read(rig.ssd));
      assertTrue(String.valueOf(e.getMessage()).contains("no daemon has served"), e.getMessage());
      try (LocalDirTier tier = rig.open()) {
        tier.start();
      }
      LocalDirStatus status = LocalDirStatus.read(rig.ssd);
      assertEquals("closed", status.state());
      assertEquals(rig.ssd, status.ssd());
      assertEquals(List.of(rig.hdd0, rig.hdd1), status.hdds());
    }
  }

  @Test
  void status_treeThatWasOnlyOpened_isThatOfItsLastDaemon() throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      rig.open().close();
      IOException e = assertThrows(IOException.class, () -> LocalDirStatus.read(rig.ssd));
      assertTrue(String.valueOf(e.getMessage()).contains("no daemon has served"), e.getMessage());
      String killed =
          new LocalDirStatus(
                  rig.ssd,
                  List.of(rig.hdd0),
                  List.of(),
                  "lru",
                  "running",
                  true,
                  1,
                  Map.of(LocalDirStatus.Figure.MOVES_FAILED, 7L))
              .toJson();
      Files.writeString(TreeLayout.status(rig.ssd), killed);
      try (LocalDirTier tier = rig.open()) {
        assertEquals(List.of(), tier.wouldMoveDown());
      }
      assertEquals(killed, LocalDirStatus.read(rig.ssd).toJson());
    }
  }

  private static long reads(Path file) {
    return ShufflePattern.reads(
        file,
        index -> {
          try {
            return Files.size(index);
          } catch (IOException e) {
            return ShufflePattern.UNKNOWN;
          }
        });
  }

  @Test
  void shufflePattern_knownNames_readsFromTheirIndexes() throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      Path attempt = Files.createDirectories(rig.plain.resolve("output/attempt_1_0001_m_000001_0"));
      Path output = attempt.resolve("file.out");
      assertEquals(ShufflePattern.UNKNOWN, reads(output));
      Files.write(attempt.resolve("file.out.index"), new byte[5 * 24 + 8]);
      assertEquals(5, reads(output));
      assertEquals(1, reads(attempt.resolve("spill12.out")));
      assertEquals(ShufflePattern.UNKNOWN, reads(attempt.resolve("file.out.index")));
      Path spark = rig.plain.resolve("shuffle_0_1_0.data");
      assertEquals(ShufflePattern.UNKNOWN, reads(spark));
      Files.write(rig.plain.resolve("shuffle_0_1_0.index"), new byte[8 * 9]);
      assertEquals(8, reads(spark));
      assertEquals(ShufflePattern.UNKNOWN, reads(rig.plain.resolve("file.out")));
    }
  }
}
