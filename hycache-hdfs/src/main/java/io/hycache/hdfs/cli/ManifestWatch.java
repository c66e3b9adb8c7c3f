// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.LaterReads;
import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.RecurringWorkflow;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.ManifestPlaces;
import io.hycache.hdfs.client.ResolvedManifest;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** Follows an audit log and submits the manifest of each learned run that begins. */
final class ManifestWatch {
  private static final long POLL_MILLIS = 1000;

  private final Configuration conf;
  private final Console console;

  /** The outputs that the last run of each workflow waits for, by {@link RunWatch#key}. */
  private final Map<String, OutputWatch> outputs = new HashMap<>();

  ManifestWatch(Configuration conf, Console console) {
    this.conf = conf;
    this.console = console;
  }

  /**
   * Learns from the logs, then follows the last one until the thread is interrupted.
   *
   * @param logs in any order, but for the last one; not empty
   * @param user whose workflows are submitted; null: those of all
   */
  int run(List<String> logs, @Nullable String user, int minRuns, double minConfidence)
      throws IOException, InterruptedException {
    HyCacheClient client = new HyCacheClient(conf, (what, done, total) -> {});
    RunWatch watch =
        new RunWatch(
            user,
            minRuns,
            minConfidence,
            UserGroupInformation.getCurrentUser().getShortUserName(),
            (workflow, at) -> begin(client, workflow, at));
    for (Path log : RunWatch.inOrder(logs.subList(0, logs.size() - 1))) {
      watch.read(log, console::warn);
    }
    try (GrowingLog last = new GrowingLog(Path.of(logs.get(logs.size() - 1)))) {
      last.read(watch::line);
      watch.goLive();
      console.print("Watching for " + Text.plural(watch.learned().size(), "recurring workflow"));
      while (true) {
        watch.warnOfLeftOut(console::warn);
        Thread.sleep(POLL_MILLIS);
        last.read(watch::line);
      }
    } finally {
      outputs.values().forEach(OutputWatch::stop);
    }
  }

  /** Returns the paths that were looked up, as the manifest has them. */
  private List<String> begin(HyCacheClient client, RecurringWorkflow workflow, long atMillis) {
    List<String> paths = new ArrayList<>();
    LocalDate day = Instant.ofEpochMilli(atMillis).atOffset(ZoneOffset.UTC).toLocalDate();
    try {
      Manifest guess = workflow.manifest(day, ManifestCommand.ttl(workflow));
      Set<String> nowhere = client.nowhere(guess);
      Manifest manifest = guess.without(nowhere::contains);
      if (manifest.jobsInOrder().isEmpty()) {
        console.warn("workflow " + workflow.name() + " begins, but none of its files is there");
        return paths;
      }
      manifest.jobsInOrder().forEach(job -> job.reads().forEach(read -> paths.add(read.path())));
      ResolvedManifest resolved = resolve(client, manifest);
      List<LaterReads> later =
          LaterReads.of(manifest, manifest.ttl(), resolved.later(), client::absolute);
      OutputWatch waiting =
          new OutputWatch(
              later,
              manifest.ttl(),
              OutputWatch.SYSTEM,
              client::output,
              reads -> submit(client, resolve(client, reads.manifest())),
              console::warn);
      submit(client, resolved);
      OutputWatch before = outputs.remove(RunWatch.key(workflow));
      if (before != null) {
        before.stop();
      }
      if (!later.isEmpty() && resolved.isHintable()) {
        outputs.put(RunWatch.key(workflow), waiting);
        waiting.start();
      }
    } catch (IOException | RuntimeException e) {
      console.warn("workflow " + workflow.name() + " is not hinted: " + ErrorText.of(e));
    }
    return paths;
  }

  private static ResolvedManifest resolve(HyCacheClient client, Manifest manifest)
      throws IOException {
    ManifestPlaces places = ManifestPlaces.of("workflow " + manifest.workflow());
    return client.resolveInputs(places, manifest, manifest.ttl(), false);
  }

  private void submit(HyCacheClient client, ResolvedManifest resolved) throws IOException {
    Submission submission = new Submission(resolved, client.submit(resolved, "watch"));
    submission.print(console);
    submission.warn(console);
  }
}
