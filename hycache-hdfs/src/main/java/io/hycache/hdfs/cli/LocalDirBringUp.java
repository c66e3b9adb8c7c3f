package io.hycache.hdfs.cli;

import io.hycache.core.localdir.LocalDirConfig;
import io.hycache.core.localdir.LocalDirTier;
import io.hycache.core.localdir.TieredTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Brings all files of a tree up, so that it is a plain directory again. */
final class LocalDirBringUp {
  /** Kept free for what jobs write meanwhile, as a share of what comes. */
  private static final double ROOM = 1.05;

  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(30);

  private LocalDirBringUp() {}

  /**
   * Does it.
   *
   * @param config with watermarks that send nothing down
   */
  static int run(LocalDirConfig config, boolean dryRun, Console console)
      throws IOException, InterruptedException {
    try (LocalDirTier tier = LocalDirTier.open(config)) {
      TieredTree tree = tier.tree();
      List<Path> files = tree.downFiles();
      long bytes = 0;
      for (Path file : files) {
        bytes += LocalDirCommand.sizeOf(config.ssd().resolve(file));
      }
      long free = Files.getFileStore(config.ssd()).getUsableSpace();
      boolean fits = bytes * ROOM <= free;
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
      return dryRun ? ExitCode.OK : bringUp(config, tier, files, console);
    }
  }

  private static int bringUp(
      LocalDirConfig config, LocalDirTier tier, List<Path> files, Console console)
      throws IOException, InterruptedException {
    ProgressLine progress = new ProgressLine(console, System::nanoTime);
    List<Path> stayed = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!tier.tree().bringUp(files.get(i)) && tier.tree().isDown(files.get(i))) {
        stayed.add(files.get(i));
      }
      progress.at("brought up", i + 1L, files.size());
    }
    console.printf("%s brought up", Text.plural(files.size() - stayed.size(), "file"));
    stayed.forEach(file -> console.warn("still on an HDD, open for writing: " + file));
    if (!stayed.isEmpty()) {
      return ExitCode.FAILED;
    }
    sweep(config, tier, console);
    return ExitCode.OK;
  }

  /** What was brought up is unnamed on its HDD now: the sweeper takes it, then the directories. */
  private static void sweep(LocalDirConfig config, LocalDirTier tier, Console console)
      throws IOException, InterruptedException {
    List<Path> roots = tier.hddHomes();
    tier.start();
    tier.sweepSoon();
    long left = files(roots);
    long end = System.nanoTime() + 2 * config.sweepGrace().toNanos() + SWEEP_NANOS;
    while (left > 0 && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(200);
      left = files(roots);
    }
    if (left > 0) {
      console.warn(Text.plural(left, "file") + " left below " + roots + ": the next daemon sweeps");
      return;
    }
    for (Path root : roots) {
      removeDirectories(root);
    }
    console.printf("the HDDs have nothing of this tree any more");
  }

  private static long files(List<Path> roots) throws IOException {
    long files = 0;
    for (Path root : roots) {
      try (Stream<Path> paths = Files.walk(root)) {
        files += paths.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)).count();
      } catch (NoSuchFileException | UncheckedIOException e) {
        files++; // the sweeper was faster; the next look tells
      }
    }
    return files;
  }

  /** The empty ones only. */
  private static void removeDirectories(Path root) throws IOException {
    List<Path> found;
    try (Stream<Path> paths = Files.walk(root)) {
      found = paths.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    } catch (NoSuchFileException | UncheckedIOException e) {
      return;
    }
    for (Path path : found) {
      try {
        Files.deleteIfExists(path);
      } catch (DirectoryNotEmptyException e) {
        return;
      }
    }
  }
}
