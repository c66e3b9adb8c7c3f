// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.hycache.core.hint.LaterReads;
import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.ManifestException;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HintException;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.ManifestPlaces;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.ResolvedManifest;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;

/** Submits, runs a command, withdraws. */
final class RunCommand implements Command {
  private static final String PLAIN_CLIENT = "--plain-client";
  private static final long STOP_SECONDS = 20;
  private static final long HOOK_SECONDS = 60;

  @Override
  public String name() {
    return "run";
  }

  @Override
  public String usage() {
    return "FILE | -f LIST [--ttl TTL] [--plain-client] -- COMMAND [ARGUMENT...]";
  }

  @Override
  public String summary() {
    return "send a manifest, run a command, withdraw";
  }

  @Override
  public String details() {
    return ManifestFile.DETAILS
        + "  --plain-client   leave fs.hdfs.impl of the command as it is\n"
        + "\n"
        + "The command has this process's input and output; what run itself says goes to the\n"
        + "standard error output. The manifest is withdrawn when the command ends, also when it\n"
        + "fails or you interrupt it (SIGINT, SIGTERM: the command is stopped first).\n"
        + "What a job of the manifest reads and an earlier one writes is hinted when this run has\n"
        + "written it, as a workflow of its own (WORKFLOW#1, ...); so are outputs with readsLater.\n"
        + "A wrong manifest, or a path in it that is missing or that you may not read, ends run\n"
        + "before the command starts. A cluster that cannot be asked does not: the command runs\n"
        + "without hints.\n\n"
        + "The command reads with HyCacheFileSystem, which turns to replicas on SSD first: a\n"
        + "temporary directory takes the place of the Hadoop configuration directory in its\n"
        + "environment (HADOOP_CONF_DIR, HADOOP_CLASSPATH, CLASSPATH). Tasks of MapReduce jobs on\n"
        + "YARN get the JAR from .hycache in your home directory on HDFS. Where the class could be\n"
        + "missing, the client stays plain; run says which one the command has.\n\n"
        + "Exit code: the command's; 3 for a wrong manifest or such a path; 127 if the command\n"
        + "cannot start. A command that itself ends with 3 or 127 cannot be told from that.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, ManifestException, IOException, InterruptedException {
    Args parsed =
        Args.parseWithCommand(
            args, List.of(PLAIN_CLIENT), List.of(ManifestFile.LIST, ManifestFile.TTL));
    List<String> command = parsed.rest();
    if (command == null || command.isEmpty()) {
      throw new UsageException("expected a command behind --, found none");
    }
    ManifestFile file = ManifestFile.read(parsed);
    Console quiet = console.onErr();
    Session session = new Session(quiet);
    Runnable hook = session::stop;
    ShutdownHookManager hooks = ShutdownHookManager.get();
    hooks.addShutdownHook(
        hook, FileSystem.SHUTDOWN_HOOK_PRIORITY + 10, HOOK_SECONDS, TimeUnit.SECONDS);
    try {
      boolean plain = parsed.has(PLAIN_CLIENT);
      boolean hinted = session.submit(conf, file, plain && !ChildClient.isOnYarn(conf));
      return session.run(conf, command, hinted && !plain);
    } finally {
      session.withdraw();
      if (!hooks.isShutdownInProgress()) {
        hooks.removeShutdownHook(hook);
      }
    }
  }

  /** What is undone once, at the end of the command or by a signal, whichever comes first. */
  private static final class Session {
    private final Console console;

    @GuardedBy("this")
    private @Nullable HyCacheClient client;

    /** Where each workflow was submitted. */
    @GuardedBy("this")
    private final Map<String, List<DataNode>> nodes = new LinkedHashMap<>();

    @GuardedBy("this")
    private @Nullable OutputWatch outputs;

    @GuardedBy("this")
    private boolean over;

    @GuardedBy("this")
    private @Nullable ChildClient childClient;

    @GuardedBy("this")
    private @Nullable Process process;

    @GuardedBy("this")
    private boolean stopping;

    Session(Console console) {
      this.console = console;
    }

    /**
     * Returns true unless all DataNodes that were asked are without HyCache.
     *
     * @param readHere whether plain HDFS clients on this host will read
     */
    boolean submit(Configuration conf, ManifestFile file, boolean readHere) throws HintException {
      try {
        HyCacheClient connected =
            new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
        ResolvedManifest resolved =
            connected.resolveInputs(file, file.manifest, file.ttl, readHere);
        synchronized (this) {
          client = connected;
        }
        List<LaterReads> later =
            LaterReads.of(file.manifest, file.ttl, resolved.later(), connected::absolute);
        OutputWatch watch =
            later.isEmpty() || !resolved.isHintable() ? null : watch(connected, later, readHere);
        send(connected, resolved);
        if (watch != null) {
          synchronized (this) {
            outputs = watch;
          }
          watch.start();
        }
        return resolved.isHintable();
      } catch (HintException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        // A bad setting, and a host that is not known, are no IOException.
        console.warn("could not submit hints, the command runs without them: " + ErrorText.of(e));
        return false;
      }
    }

    private void send(HyCacheClient connected, ResolvedManifest resolved) throws IOException {
      synchronized (this) {
        if (over) {
          return;
        }
        nodes.put(resolved.workflow(), resolved.dataNodes());
      }
      Submission submission = new Submission(resolved, connected.submit(resolved, "run"));
      submission.print(console);
      submission.warn(console);
      synchronized (this) {
        if (over) { // The command ended meanwhile.
          withdraw(
              connected, resolved.workflow(), nodes.getOrDefault(resolved.workflow(), List.of()));
        }
      }
    }

    /** Submits what is to be read later when it is written, in the background, once started. */
    private OutputWatch watch(HyCacheClient connected, List<LaterReads> later, boolean readHere) {
      return new OutputWatch(
          later,
          ChronoUnit.FOREVER.getDuration(), // The end of the command ends it.
          OutputWatch.SYSTEM,
          connected::output,
          reads -> {
            Manifest manifest = reads.manifest();
            ManifestPlaces places = ManifestPlaces.of("workflow " + manifest.workflow());
            send(connected, connected.resolveInputs(places, manifest, manifest.ttl(), readHere));
          },
          console::warn);
    }

    /**
     * @param preferSsd whether the command's HDFS client is to turn to replicas on SSD
     */
    int run(Configuration conf, List<String> command, boolean preferSsd)
        throws InterruptedException {
      ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
      ChildClient chosen = preferSsd ? ChildClient.choose(conf, builder.environment()) : null;
      Process started;
      synchronized (this) {
        if (stopping || over) {
          return ExitCode.FAILED;
        }
        if (chosen != null) {
          childClient = chosen;
          console.print(chosen.addTo(builder.environment()));
        }
        try {
          started = builder.start();
        } catch (IOException e) {
          console.warn("cannot start the command: " + ErrorText.of(e));
          return ExitCode.NOT_STARTED;
        }
        process = started;
      }
      return started.waitFor();
    }

    /** Ends the command with everything it started, then withdraws. */
    void stop() {
      Process running;
      synchronized (this) {
        stopping = true;
        running = process;
      }
      if (running != null && running.isAlive()) {
        // Looked up first: a process that loses its parent is no descendant any more.
        List<ProcessHandle> started = running.descendants().collect(Collectors.toList());
        running.destroy();
        started.forEach(ProcessHandle::destroy);
        try {
          if (!running.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            running.destroyForcibly();
          }
        } catch (InterruptedException e) {
          running.destroyForcibly();
          Thread.currentThread().interrupt();
        }
      }
      withdraw();
    }

    synchronized void withdraw() {
      if (over) {
        return;
      }
      over = true;
      if (childClient != null) {
        childClient.close();
      }
      if (outputs != null) {
        outputs.stop();
      }
      if (client == null) {
        return;
      }
      for (Map.Entry<String, List<DataNode>> each : nodes.entrySet()) {
        withdraw(client, each.getKey(), each.getValue());
      }
    }

    private void withdraw(HyCacheClient connected, String name, List<DataNode> from) {
      try {
        long left = 0;
        for (NodeAnswer<OptionalInt> answer : connected.withdraw(name, "", from)) {
          if (answer.isAnswered()) {
            left += answer.value().orElse(0);
          } else {
            console.warn(
                "DataNode "
                    + answer.node()
                    + ": not withdrawn, its hints end with their ttl: "
                    + answer.failureText());
          }
        }
        console.printf(
            "Withdrew workflow %s: %s left", name, Text.plural(left, "expected block read"));
      } catch (IOException | RuntimeException e) {
        console.warn("not withdrawn, the hints end with their ttl: " + e);
      }
    }
  }
}
