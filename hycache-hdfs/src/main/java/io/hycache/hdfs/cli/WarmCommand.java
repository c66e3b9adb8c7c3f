// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.ManifestException;
import io.hycache.core.hint.ManifestParser;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.stats.BlockStatus;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.ManifestPlaces;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.ResolvedManifest;
import io.hycache.hdfs.conf.PropertyReader;
import io.hycache.hdfs.rpc.AwayException;
import io.hycache.hdfs.rpc.NodeClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Brings files to SSD without a manifest: submits one that reads each path some times, and waits
 * until the DataNodes have the blocks there. What a DataNode does not take, it says why.
 */
final class WarmCommand implements Command {
  private static final String AT_MOST = "--at-most";
  private static final String TIMES = "--times";
  private static final String DRY_RUN = "--dry-run";

  /** A block that is read once is not worth its copy; twice is the least. */
  private static final int DEFAULT_TIMES = 2;

  private static final long POLL_MILLIS = 1000;

  /** Block tokens that are younger have not expired: the files are not looked up again. */
  private static final long MIN_TOKEN_AGE_NANOS = Duration.ofMinutes(10).toNanos();

  /** Reasons that change without anybody's doing. */
  private static final Set<Reason> MOVING =
      EnumSet.of(
          Reason.NEVER_READ,
          Reason.ASKING_OTHERS,
          Reason.MOVE_QUEUED,
          Reason.MOVE_QUEUE_FULL,
          Reason.MOVE_ABANDONED,
          Reason.PIN_WAITING,
          Reason.AHEAD_DISK_BUSY);

  /** Decides when the waiting is over. Not thread-safe. */
  static final class Patience {
    /** Without a block more on SSD, while blocks are queued: a slow HDD takes minutes for one. */
    static final Duration MOVING = Duration.ofMinutes(5);

    /** The same where none is queued: the DataNodes have decided. */
    static final Duration DECIDED = Duration.ofSeconds(20);

    private long most = -1;
    private long sinceNanos;

    /**
     * @param onSsd blocks on SSD
     * @param moving whether a block is on its way
     */
    boolean isOver(long nowNanos, long onSsd, boolean moving) {
      if (onSsd > most) {
        most = onSsd;
        sinceNanos = nowNanos;
      }
      return nowNanos - sinceNanos >= (moving ? MOVING : DECIDED).toNanos();
    }
  }

  @Override
  public String name() {
    return "warm";
  }

  @Override
  public String usage() {
    return "PATH... [--at-most SIZE] [--times N] [--ttl TTL] [--dry-run]";
  }

  @Override
  public String summary() {
    return "bring files to SSD, and wait until they are there";
  }

  @Override
  public String details() {
    return "  PATH            files, directories or globs that you may read\n"
        + "  --at-most SIZE  only the first blocks, of so many bytes together: 500m, 10GB;\n"
        + "                  none and exit code 0 if the first one is larger\n"
        + "  --times N       how often they will be read; 2 by default, the least that is worth a\n"
        + "                  copy\n"
        + "  --ttl TTL       how long they are expected to be read, as 90s, 30m, 2h or 1d; 1d by\n"
        + "                  default\n"
        + "  --dry-run       show what each DataNode would get and how much fits; send nothing\n\n"
        + "Submits hints as a manifest does, as the workflow warm:PATH (list, withdraw). DataNodes\n"
        + "take what is worth more than what is there, within your share of the SSDs. The exit code\n"
        + "is 1 if some of the blocks did not come: the reasons are printed. If you interrupt it,\n"
        + "the hints stay: withdraw ends them. What came stays until the policy evicts it.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, ManifestException, IOException, InterruptedException {
    Args parsed = Args.parse(args, List.of(DRY_RUN), List.of(AT_MOST, TIMES, ManifestFile.TTL));
    List<String> paths = parsed.positionals();
    if (paths.isEmpty()) {
      throw new UsageException("expected one or more of PATH, found none");
    }
    long atMost = atMostBytes(parsed.value(AT_MOST));
    Manifest manifest = manifest(paths, parsed);
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    Resolver resolver = () -> client.resolve(new Paths(paths), manifest, manifest.ttl(), atMost);
    ResolvedManifest resolved = resolver.resolve();
    boolean dryRun = parsed.has(DRY_RUN);
    Submission submission =
        new Submission(resolved, dryRun ? null : client.submit(resolved, "warm"));
    submission.print(console);
    submission.warn(console);
    if (dryRun || resolved.nodes().isEmpty() || resolved.blocks() == 0) {
      return submission.exitCode();
    }
    boolean came = await(client, resolved, resolver, console);
    return came ? submission.exitCode() : ExitCode.FAILED;
  }

  private static long atMostBytes(@Nullable String text) throws UsageException {
    if (text == null) {
      return Long.MAX_VALUE;
    }
    try {
      long bytes = PropertyReader.bytes(AT_MOST, text);
      if (bytes > 0) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    throw new UsageException(AT_MOST + ": expected more than 0 bytes, found " + text);
  }

  private static Manifest manifest(List<String> paths, Args parsed)
      throws UsageException, ManifestException, IOException {
    int reads = parsed.wholeNumber(TIMES, DEFAULT_TIMES, 1, ManifestParser.MAX_TIMES);
    String ttl = parsed.value(ManifestFile.TTL) == null ? "1d" : parsed.value(ManifestFile.TTL);
    ObjectNode root = Json.object().put("version", 1).put("workflow", workflow(paths));
    ObjectNode job = root.put("ttl", ttl).putArray("jobs").addObject().put("name", "warm");
    try {
      ManifestParser.parseTtl(String.valueOf(ttl));
    } catch (IllegalArgumentException e) {
      throw new UsageException(ManifestFile.TTL + ": " + e.getMessage());
    }
    paths.forEach(path -> job.withArray("reads").addObject().put("path", path).put("times", reads));
    byte[] json = root.toString().getBytes(StandardCharsets.UTF_8);
    return ManifestParser.parse("warm", new ByteArrayInputStream(json));
  }

  /** Names the paths, so that the same command replaces its earlier hints. */
  static String workflow(List<String> paths) {
    String name = "warm:" + String.join(",", paths).replaceAll("\\p{Cntrl}", "?");
    if (name.length() <= NodeClient.MAX_WORKFLOW_CHARS) {
      return name;
    }
    String end = String.format(Locale.ROOT, "...%08x", name.hashCode());
    return WorkflowId.cut(name, NodeClient.MAX_WORKFLOW_CHARS - end.length()) + end;
  }

  /** Where errors are: the path itself is all that was given. */
  private static final class Paths implements ManifestPlaces {
    private final List<String> paths;

    Paths(List<String> paths) {
      this.paths = paths;
    }

    @Override
    public String source() {
      return "warm";
    }

    @Override
    public String path(String job, int read) {
      return paths.get(read);
    }
  }

  /** What the DataNodes have of a submission. Each block counts once, on however many it is. */
  static final class Arrived {
    /** Blocks that some DataNode has on SSD. */
    final int onSsd;

    /** Whether one of the others is on its way, or may be where a DataNode does not answer. */
    final boolean moving;

    /** The others, by the reason of one DataNode: where it is on its way, if there is such. */
    final Map<Reason, Integer> missing = new EnumMap<>(Reason.class);

    Arrived(List<NodeAnswer<List<BlockStatus>>> answers) {
      Set<BlockKey> there = new HashSet<>();
      Map<BlockKey, Reason> others = new HashMap<>();
      boolean silent = false;
      for (NodeAnswer<List<BlockStatus>> answer : answers) {
        if (!answer.isAnswered()) {
          silent |= !HyCacheClient.isNotActive(answer);
          continue;
        }
        for (BlockStatus block : answer.value()) {
          if (isOnSsd(block)) {
            there.add(block.block);
          } else {
            others.merge(
                block.block, block.reason, (one, other) -> MOVING.contains(one) ? one : other);
          }
        }
      }
      others.keySet().removeAll(there);
      others.values().forEach(reason -> missing.merge(reason, 1, Integer::sum));
      this.onSsd = there.size();
      this.moving = silent || missing.keySet().stream().anyMatch(MOVING::contains);
    }

    /** Blocks of so many of which no DataNode has said anything. */
    int unknown(int blocks) {
      return blocks - onSsd - missing.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static boolean isOnSsd(BlockStatus block) {
      return block.cleanData
          || block.dirty
          || block.reason == Reason.ON_SSD_OWNER
          || block.reason == Reason.ON_OTHER_SSD;
    }
  }

  /**
   * Whether a DataNode refused a call, or the login with a block token that has expired, for which
   * there is no exception of its own.
   */
  static boolean mayNeedTokens(List<NodeAnswer<List<BlockStatus>>> answers) {
    return answers.stream()
        .anyMatch(
            answer ->
                !answer.isAnswered()
                    && !HyCacheClient.isNotActive(answer)
                    && !(answer.failure() instanceof AwayException));
  }

  /** Looks up what was given. */
  private interface Resolver {
    ResolvedManifest resolve() throws IOException;
  }

  /**
   * Returns true once all blocks are on SSD; false if no more will come.
   *
   * @param resolver gets block tokens again when those that there are have expired
   */
  private static boolean await(
      HyCacheClient client, ResolvedManifest resolved, Resolver resolver, Console console)
      throws IOException, InterruptedException {
    ProgressLine progress = new ProgressLine(console, System::nanoTime);
    Patience patience = new Patience();
    ResolvedManifest asked = resolved;
    long resolvedNanos = System.nanoTime();
    while (true) {
      List<NodeAnswer<List<BlockStatus>>> answers = client.hinted(asked);
      Arrived arrived = new Arrived(answers);
      if (arrived.onSsd >= resolved.blocks()) {
        console.printf("On SSD: all of %s", Text.plural(resolved.blocks(), "block"));
        return true;
      }
      if (patience.isOver(System.nanoTime(), arrived.onSsd, arrived.moving)) {
        console.printf(
            "On SSD: %s of %s. The others:",
            Text.count(arrived.onSsd), Text.plural(resolved.blocks(), "block"));
        arrived.missing.entrySet().stream()
            .sorted(Comparator.comparing(entry -> -entry.getValue()))
            .forEach(
                entry ->
                    console.print(
                        "  " + Text.count(entry.getValue()) + ": " + entry.getKey().text()));
        int unknown = arrived.unknown(resolved.blocks());
        if (unknown > 0) {
          console.print("  " + Text.count(unknown) + ": no DataNode answers for them");
        }
        boolean unused = Answers.warnOfFailures(console, answers);
        return false;
      }
      if (mayNeedTokens(answers) && System.nanoTime() - resolvedNanos >= MIN_TOKEN_AGE_NANOS) {
        asked = resolved.withTokensOf(resolver.resolve());
        resolvedNanos = System.nanoTime();
      }
      progress.at("blocks on SSD", arrived.onSsd, resolved.blocks());
      Thread.sleep(POLL_MILLIS);
    }
  }
}
