// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.localdir.LocalDirConfig;
import io.hycache.core.localdir.LocalDirStatus;
import io.hycache.core.localdir.LocalDirTier;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** A tree of temp directories on SSD, with HDDs behind it, of this machine. Asks no cluster. */
final class LocalDirCommand implements Command {
  private static final String SSD = "--ssd";
  private static final String HDD = "--hdd";
  private static final String STATUS = "--status";
  private static final String BRING_UP = "--bring-up";
  private static final String DRY_RUN = "--dry-run";
  private static final String JSON = "--json";

  /** Options named as the keys of the configuration: {@code --high} is hycache.localdir.high. */
  private static final List<String> SETTINGS =
      List.of(
          "--policy",
          "--high",
          "--low",
          "--capacity",
          "--bandwidth",
          "--least-size",
          "--grace",
          "--sweep-grace");

  /** Sends nothing down, and brings up what was written a moment ago, too. */
  private static final Map<String, String> CALM =
      Map.of("high", "1", "low", "1", "capacity", "0", "grace", "0s");

  @Override
  public String name() {
    return "localdir";
  }

  @Override
  public String usage() {
    return "--ssd DIR (--hdd DIR... [--bring-up] [SETTING...] [--dry-run [--json]]"
        + " | --status [--json])";
  }

  @Override
  public String summary() {
    return "keep a tree of temp files on an SSD, and what does not fit on HDDs";
  }

  @Override
  public String details() {
    return "  --ssd DIR      the tree as jobs see it\n"
        + "  --hdd DIR      where files go that do not fit; repeatable. In the tree is a symbolic\n"
        + "                 link then, and nothing else records where a file is\n\n"
        + "Serves the tree until SIGTERM or SIGINT. Files stay where they are then, and readable.\n"
        + "Settings, with the defaults of hycache.localdir.* (hycache-default.xml):\n"
        + "  --policy NAME  which files go first: as hycache.policy\n"
        + "  --high SHARE, --low SHARE\n"
        + "                 use of the SSD at which files begin to go, and at which that ends:\n"
        + "                 0.7 or 70%\n"
        + "  --capacity SIZE    bytes of the SSD for the tree, of which these are shares; 0: all\n"
        + "  --bandwidth SIZE   bytes per second to or from each HDD\n"
        + "  --least-size SIZE  smaller files stay on the SSD\n"
        + "  --grace TIME       how long a file stays where it is after it was written\n"
        + "  --sweep-grace TIME how long a file on an HDD is unnamed before it is removed\n\n"
        + "Instead of serving:\n"
        + "  --dry-run      show which files would go now; with --bring-up, what would come.\n"
        + "                 Opens the tree as a daemon does, so none may serve it: settles moves that\n"
        + "                 a crash interrupted; makes directories on the HDDs, as root takes them over\n"
        + "  --status       show the last status of the tree's daemon, here or in a NodeManager.\n"
        + "                 Ends with 1 if the daemon hangs or was killed, or if its work fails\n"
        + "  --bring-up     bring all files up, if they fit, and empty the HDD side: the way out.\n"
        + "                 No daemon may serve the tree. Ends with 1 if something is left there,\n"
        + "                 and with --dry-run, if something would be\n"
        + "  --json         with --status and --dry-run: for scripts\n\n"
        + "Files of other users move only if this runs as root: DIR and all above it must be\n"
        + "root's then, and the HDDs' file systems need access control lists. With JNA on the class\n"
        + "path (Hadoop has it in share/hadoop/yarn/lib) a file becomes a link by one atomic\n"
        + "exchange; without, a program that replaces a file in the very instant of its move may\n"
        + "lose its change, and root serves only directories that no user can write to.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException, InterruptedException {
    List<String> valued = new ArrayList<>(List.of(SSD, HDD));
    valued.addAll(SETTINGS);
    Args parsed = Args.parse(args, List.of(STATUS, BRING_UP, DRY_RUN, JSON), valued, List.of(HDD));
    parsed.none();
    String root = parsed.value(SSD);
    if (root == null) {
      throw new UsageException(SSD + ": expected a directory, found none");
    }
    if (parsed.has(JSON) && !parsed.has(STATUS) && !parsed.has(DRY_RUN)) {
      throw new UsageException(
          JSON + ": expected " + STATUS + " or " + DRY_RUN + " with it, found none");
    }
    Path ssd = Paths.get(root).toAbsolutePath().normalize();
    if (parsed.has(STATUS)) {
      return LocalDirText.printStatus(
          console, status(ssd), System.currentTimeMillis(), parsed.has(JSON));
    }
    if (parsed.values(HDD).isEmpty()) {
      throw new UsageException(HDD + ": expected one or more directories, found none");
    }
    if (parsed.has(BRING_UP)) {
      LocalDirConfig calm = config(conf, parsed, ssd, CALM);
      return LocalDirBringUp.run(calm, parsed.has(DRY_RUN), parsed.has(JSON), console);
    }
    LocalDirConfig config = config(conf, parsed, ssd, Map.of());
    return parsed.has(DRY_RUN)
        ? dryRun(config, parsed.has(JSON), console)
        : LocalDirServing.run(config, console);
  }

  private static LocalDirStatus status(Path ssd) throws IOException {
    if (!Files.isDirectory(ssd)) {
      throw new NoSuchFileException(ssd.toString(), null, "expected a directory, found none");
    }
    return LocalDirStatus.read(ssd);
  }

  /**
   * The settings of the configuration, with those of the options over them.
   *
   * @param fixed over both
   */
  private static LocalDirConfig config(
      Configuration conf, Args args, Path ssd, Map<String, String> fixed) throws UsageException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String option : SETTINGS) {
      String value = args.value(option);
      if (value != null) {
        values.put(option.substring(2), value);
      }
    }
    values.putAll(fixed);
    Configuration with = new Configuration(conf);
    values.forEach((key, value) -> with.set(HyCacheConf.LOCALDIR + key, value));
    List<Path> hdds = new ArrayList<>();
    args.values(HDD).forEach(dir -> hdds.add(Paths.get(dir)));
    try {
      return new HyCacheConf(with).localDir(ssd, hdds);
    } catch (IllegalArgumentException e) {
      throw new UsageException(ErrorText.of(e).replace(HyCacheConf.LOCALDIR, "--"));
    }
  }

  private static int dryRun(LocalDirConfig config, boolean json, Console console)
      throws IOException {
    try (LocalDirTier tier = LocalDirTier.open(config)) {
      List<Path> files = tier.wouldMoveDown();
      LocalDirStatus status = tier.status();
      Map<Path, Long> sizes = new LinkedHashMap<>();
      for (Path file : files) {
        sizes.put(file, tier.tree().size(file));
      }
      long bytes = sizes.values().stream().mapToLong(Long::longValue).sum();
      if (json) {
        ObjectNode node = Json.object();
        LocalDirText.put(node, status);
        ArrayNode array = node.putArray("wouldMoveDown");
        sizes.forEach(
            (file, size) -> array.addObject().put("file", file.toString()).put("bytes", size));
        Json.print(console, node);
      } else {
        Table table = new Table("WOULD GO TO AN HDD", ">SIZE");
        sizes.forEach((file, size) -> table.row(file, Text.bytes(size)));
        if (!table.isEmpty()) {
          console.print(table.toString());
        }
        console.printf(
            "%s, %s; the SSD has %s free of %s",
            Text.plural(files.size(), "file"),
            Text.bytes(bytes),
            Text.bytes(status.ssdFree()),
            Text.bytes(status.ssdCapacity()));
        LocalDirText.warnOfExchange(console, status);
      }
      return ExitCode.OK;
    }
  }
}
