// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.ManifestException;
import io.hycache.hdfs.HyCacheFileSystem;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.ResolvedManifest;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Sends a manifest to the DataNodes. */
final class SubmitCommand implements Command {

  @Override
  public String name() {
    return "submit";
  }

  @Override
  public String usage() {
    return "FILE | -f LIST [--dry-run] [--ttl TTL] [--json]";
  }

  @Override
  public String summary() {
    return "send a manifest to the DataNodes";
  }

  @Override
  public String details() {
    return ManifestFile.DETAILS
        + "  --dry-run   look everything up, show what each DataNode would get and how much of it\n"
        + "              fits, send nothing\n"
        + "  --json      for scripts\n\n"
        + "  SSD ROOM    FREE, CLEAN and DIRTY of status, less what cache directives pin\n\n"
        + "Paths are resolved as you: what you may not read you cannot hint. If one is missing or\n"
        + "forbidden, nothing is sent. A workflow of the same name is replaced, on DataNodes that\n"
        + "hold none of its blocks any more only if you are an HDFS superuser. A DataNode that is\n"
        + "down or takes only a part is reported, the others get theirs; the exit code then is 1.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, ManifestException, IOException {
    Args parsed =
        Args.parse(
            args, List.of("--dry-run", "--json"), List.of(ManifestFile.LIST, ManifestFile.TTL));
    ManifestFile file = ManifestFile.read(parsed);
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    ResolvedManifest resolved = client.resolve(file, file.manifest, file.ttl);
    Submission submission =
        new Submission(
            resolved, parsed.has("--dry-run") ? null : client.submit(resolved, "submit"));
    if (parsed.has("--json")) {
      submission.printJson(console);
    } else {
      submission.print(console);
    }
    submission.warn(console);
    if (!parsed.has("--json") && !parsed.has("--dry-run") && !resolved.nodes().isEmpty()) {
      printClient(conf, console);
    }
    return submission.exitCode();
  }

  /** A job that is started elsewhere has to be told of the client that finds what is on SSD. */
  private static void printClient(Configuration conf, Console console) {
    String client = HyCacheFileSystem.class.getName();
    if (!client.equals(conf.getTrimmed(ChildClient.PROPERTY))) {
      console.printf(
          "For jobs to turn to replicas on SSD first: -D %s=%s, with this JAR on the class path of"
              + " the job and its tasks",
          ChildClient.PROPERTY, client);
    }
  }
}
