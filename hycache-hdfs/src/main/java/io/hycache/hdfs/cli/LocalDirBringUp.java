// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.localdir.LocalDirConfig;
import io.hycache.core.localdir.LocalDirTier;
import io.hycache.core.localdir.TieredTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Brings all files of a tree up, so that it is a plain directory again. */
final class LocalDirBringUp {
  /** Kept free for what jobs write meanwhile, as a share of what comes. */
  private static final double REQUIRED_SPACE_FACTOR = 1.05;

  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(30);

  private LocalDirBringUp() {}

  /**
   * Does it.
   *
   * @param config with watermarks that send nothing down
   * @param json of a dry run
   */
  static int run(LocalDirConfig config, boolean dryRun, boolean json, Console console)
      throws IOException, InterruptedException {
    try (LocalDirTier tier = LocalDirTier.open(config)) {
      if (!tier.unusableHdds().isEmpty()) {
        console.warn(
            "nothing was moved: these HDDs are not usable and may hold files of the tree: "
                + tier.unusableHdds()
                + ". Fix: mount them or correct their rights (the log has the cause); leave out"
                + " --hdd for those whose files are lost");
        return ExitCode.FAILED;
      }
      TieredTree tree = tier.tree();
      Map<Path, Long> files = new LinkedHashMap<>();
      List<Path> others = new ArrayList<>();
      long bytes = 0;
      for (Path link : tree.downFiles()) {
        if (tree.mayComeUp(link)) {
          long size = tree.size(link);
          files.put(link, size);
          bytes += size;
        } else {
          others.add(link);
        }
      }
      long free = Files.getFileStore(config.ssd()).getUsableSpace();
      boolean fits = bytes * REQUIRED_SPACE_FACTOR <= free;
      // A link to nothing leaves nothing behind.
      boolean all = fits && others.stream().noneMatch(Files::exists);
      if (dryRun && json) {
        ObjectNode node = Json.object();
        LocalDirText.put(node, tier.status());
        ArrayNode array = node.putArray("wouldComeUp");
        files.forEach(
            (file, size) -> array.addObject().put("file", file.toString()).put("bytes", size));
        ArrayNode left = node.putArray("notBroughtBack");
        others.forEach(link -> left.add(link.toString()));
        Json.print(console, node.put("fits", fits));
        return all ? ExitCode.OK : ExitCode.FAILED;
      }
      console.printf(
          "%s on HDDs, %s; the SSD has %s free: %s",
          Text.plural(files.size(), "file"),
          Text.bytes(bytes),
          Text.bytes(free),
          fits ? "they fit" : "they do not fit");
      if (!fits) {
        console.warn("nothing was moved; free some space on " + config.ssd() + " first");
        return ExitCode.FAILED;
      }
      others.forEach(
          link ->
              console.warn(
                  "not brought back: the link leads to another user's file or to none, or lies in"
                      + " another user's directory: "
                      + link));
      if (dryRun) {
        return all ? ExitCode.OK : ExitCode.FAILED;
      }
      return bringUp(config, tier, List.copyOf(files.keySet()), console);
    }
  }

  private static int bringUp(
      LocalDirConfig config, LocalDirTier tier, List<Path> files, Console console)
      throws IOException, InterruptedException {
    ProgressLine progress = new ProgressLine(console, System::nanoTime);
    List<Path> stayed = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!tier.tree().bringUp(files.get(i)) && tier.tree().mayComeUp(files.get(i))) {
        stayed.add(files.get(i));
      }
      progress.at("brought up", i + 1L, files.size());
    }
    console.printf("%s brought up", Text.plural(files.size() - stayed.size(), "file"));
    stayed.forEach(
        file -> console.warn("still on an HDD, open for writing or just changed: " + file));
    if (!stayed.isEmpty()) {
      return ExitCode.FAILED;
    }
    return sweep(config, tier, console) ? ExitCode.OK : ExitCode.FAILED;
  }

  /** What was brought up is unnamed on its HDD now: the sweeper takes it, then the directories. */
  private static boolean sweep(LocalDirConfig config, LocalDirTier tier, Console console)
      throws IOException, InterruptedException {
    tier.start();
    tier.sweepSoon();
    long left = tier.filesOnHdds();
    long end = System.nanoTime() + 2 * config.sweepGrace().toNanos() + SWEEP_NANOS;
    while (left > 0 && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(200);
      left = tier.filesOnHdds();
    }
    if (left > 0) {
      console.warn(
          Text.plural(left, "file")
              + " left below "
              + tier.hddHomes()
              + ": a link in the tree leads to it, or the next daemon sweeps it");
      return false;
    }
    tier.removeEmptyHomes();
    console.printf("the HDDs have nothing of this tree any more");
    return true;
  }
}
