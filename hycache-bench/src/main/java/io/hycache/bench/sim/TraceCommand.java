// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Turns logs of a cluster into an anonymous trace. */
@Command(
    name = "trace",
    mixinStandardHelpOptions = true,
    usageHelpWidth = 100,
    description =
        "Turns the logs of DataNodes or of the NameNode into a trace for 'simulate --format"
            + " baleen', without names.",
    footer = {
      "",
      "A DataNode logs what clients write as DataNode.clienttrace at INFO, and what they read at",
      "DEBUG. To have a day of reads, without a restart:",
      "  hadoop daemonlog -setlevel HOST:HTTP_PORT \\",
      "    org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace DEBUG",
      "",
      "Lines of the trace: # block_id io_offset io_size op_time op_name pipeline user_namespace",
      "user_name op_count. Names and ids are numbers, hashed with a salt that is drawn for each",
      "run and not kept. The pipeline is the job, if the client's name or the caller context names",
      "one; op_name is 2 for a read and 4 for a write. Sizes are not in it: read back, an object is as",
      "large as its farthest request.",
      "",
      "Logs are read in the order in which they are named. The shell names LOG.1, the youngest that",
      "was closed, before LOG.10 and LOG.2: ls -rt names those last written to last. The exit code is",
      "1 if lines of an audit log are more than a minute earlier than one before: renames were then",
      "followed in a wrong order, and --out FILE is left as it was.",
      "",
      "Examples:",
      "  trace $(ls -rt hadoop-hdfs-datanode-*.log*) --out day.trace.gz",
      "  zcat $(ls -rt hdfs-audit.log.*.gz) | trace --format audit --sizes lsr.txt.gz - > day.trace",
      "  simulate --trace day.trace.gz --format baleen --seek 11.5ms --hdd-bw 143MiB/s"
    })
public final class TraceCommand implements Callable<Integer> {
  /** What is turned into a trace, with its options checked. */
  private interface Log {
    /** Returns false if the order of the lines counts, and is not that of their times. */
    boolean read(TraceAccess.Sink sink, PrintWriter err) throws IOException;
  }

  private static final long PROGRESS_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Logs in the order of their times, plain or .gz; - for the standard input.")
  private List<Path> files = List.of();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "clienttrace",
      description =
          "clienttrace: logs of DataNodes; audit: an audit log of the NameNode (needs --sizes);"
              + " csv: the simulator's own, with a column time; swim; baleen"
              + " (default: ${DEFAULT-VALUE}).")
  private String format = "";

  @Option(
      names = "--sizes",
      paramLabel = "FILE",
      description = "Sizes for an audit log, see 'simulate --help'.")
  private @Nullable Path sizes;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Where to write, gzipped if it ends in .gz (default: the standard output). It is written"
              + " as FILE.NUMBER.tmp and gets its name when it is whole. A FILE that is there is"
              + " replaced, with its permissions.")
  private @Nullable Path target;

  @Option(
      names = "--keep-names",
      description =
          "Writes names and ids as they are, with %%XX for what separates columns and for %%.")
  private boolean keepNames;

  @Option(
      names = "--salt",
      paramLabel = "TEXT",
      description = "The salt, so that names in several traces agree. Keep it secret.")
  private @Nullable String salt;

  @Option(
      names = "--op-names",
      description = "Writes getChunkData.Permanent and putChunk.Permanent instead of 2 and 4.")
  private boolean opNames;

  @Option(names = "--reads-only", description = "Leaves writes out.")
  private boolean readsOnly;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    if (keepNames && salt != null) {
      throw new IllegalArgumentException(
          "expected one of --keep-names and --salt TEXT, found both");
    }
    for (Path file : files) {
      if (!file.equals(TraceReader.STDIN) && !Files.isReadable(file)) {
        throw new IllegalArgumentException("FILE: expected a readable file, found none at " + file);
      }
    }
    Log log = log();
    UnaryOperator<String> names = keepNames ? Anonymizer::keep : new Anonymizer(salt);
    PrintWriter standard = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (target == null) {
      return write(log, names, keptOpen(standard), standard, err);
    }
    checkNoInput(target);
    if (!Files.isRegularFile(target) && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      // A pipe, or a link to a file that is made by this.
      return write(log, names, file(target), standard, err);
    }
    Path whole = Files.exists(target) ? target.toRealPath() : target;
    Path part = part(whole);
    try {
      int code = write(log, names, file(part), standard, err);
      if (code == 0) {
        Files.move(part, whole, StandardCopyOption.REPLACE_EXISTING);
      } else {
        err.println("note: " + target + " is left as it was");
      }
      return code;
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Creates the file that replaces another one, with the same permissions. */
  private static Path part(Path whole) throws IOException {
    boolean replaces = Files.exists(whole);
    Set<PosixFilePermission> permissions =
        replaces
            ? Files.getPosixFilePermissions(whole)
            : PosixFilePermissions.fromString("rw-rw-rw-"); // less those of the umask
    Path part =
        Files.createTempFile(
            whole.resolveSibling(""),
            TraceReader.nameOf(whole) + ".",
            ".tmp",
            PosixFilePermissions.asFileAttribute(permissions));
    part.toFile().deleteOnExit();
    if (replaces) {
      Files.setPosixFilePermissions(part, permissions);
    }
    return part;
  }

  /** Refuses to write where the trace is read from. */
  private void checkNoInput(Path out) throws IOException {
    List<Path> inputs = new ArrayList<>(files);
    inputs.remove(TraceReader.STDIN);
    if (sizes != null) {
      inputs.add(sizes);
    }
    for (Path input : inputs) {
      if (Files.exists(out) && Files.exists(input) && Files.isSameFile(out, input)) {
        throw new IllegalArgumentException(
            "--out: expected another file than those that are read, found "
                + out
                + ". Fix: another name");
      }
    }
  }

  /** Writes the trace and closes it. Returns the exit code. */
  private int write(
      Log log, UnaryOperator<String> names, Writer to, PrintWriter standard, PrintWriter err)
      throws IOException {
    try (Writer out = to) {
      BaleenWriter writer = new BaleenWriter(out, names, opNames);
      long[] reportedAt = {System.nanoTime()};
      boolean inOrder =
          log.read(
              access -> {
                if (!access.write || !readsOnly) {
                  writer.accept(access);
                }
                if ((writer.written() & 0xfff) == 0
                    && System.nanoTime() - reportedAt[0] > PROGRESS_INTERVAL_NANOS) {
                  reportedAt[0] = System.nanoTime();
                  // Not the whole of a long log for a reader that is gone.
                  if (target == null && standard.checkError()) {
                    throw new IOException("the standard output");
                  }
                  err.println(String.format(Locale.ROOT, "%,d requests", writer.written()));
                  err.flush();
                }
              },
              err);
      err.println(String.format(Locale.ROOT, "%,d requests written", writer.written()));
      if (writer.order().stepsBack() > 0) {
        err.println(
            String.format(
                Locale.ROOT,
                "note: %,d requests are earlier than the one before, and one is %s earlier than"
                    + " another before it. Fix: pass logs in the order of their times, as ls -rt"
                    + " lists them; of several DataNodes, sort the trace by its 4th column",
                writer.order().stepsBack(),
                writer.order().behind()));
      }
      err.flush();
      return inOrder ? 0 : 1;
    }
  }

  /** The standard output, which stays open. */
  private static Writer keptOpen(PrintWriter out) {
    return new BufferedWriter(out) {
      @Override
      public void close() throws IOException {
        flush();
      }
    };
  }

  private Writer file(Path path) throws IOException {
    OutputStream file = Files.newOutputStream(path);
    boolean gzipped = String.valueOf(target).endsWith(".gz");
    return new BufferedWriter(
        new OutputStreamWriter(
            gzipped ? new GZIPOutputStream(file, 1 << 16) : file, StandardCharsets.UTF_8));
  }

  /** The logs to read. Refuses options that do not fit, before anything is written. */
  private Log log() throws IOException {
    if (format.equals("clienttrace")) {
      return this::clientTrace;
    }
    if (files.size() > 1) {
      throw new IllegalArgumentException(
          "FILE: expected one with --format="
              + format
              + ", found "
              + files.size()
              + ". Fix: cat them into the standard input, -");
    }
    Path file = files.get(0);
    switch (format) {
      case "audit":
        Map<String, Long> bytes = Source.sizes(sizes);
        return (sink, err) -> audit(new AuditReader(file, bytes), sink, err);
      case "csv":
        return (sink, err) -> {
          TraceReader.csv(file, sink);
          return true;
        };
      case "swim":
        return (sink, err) -> {
          TraceReader.swimRequests(file, sink);
          return true;
        };
      case "baleen":
        return (sink, err) -> {
          BaleenReader baleen = new BaleenReader(file, false, 1);
          baleen.read(sink);
          baleen.skipped().report(note -> err.println("note: " + note));
          return true;
        };
      default:
        throw new IllegalArgumentException(
            "--format: expected clienttrace, audit, csv, swim or baleen, found " + format);
    }
  }

  private boolean clientTrace(TraceAccess.Sink sink, PrintWriter err) throws IOException {
    ClientTraceReader reader = new ClientTraceReader(files);
    try {
      reader.read(sink);
    } finally {
      reader.skipped().report(note -> err.println("note: " + note));
      err.println(
          String.format(Locale.ROOT, "note: %,d lines of other loggers", reader.otherLines()));
      if (reader.reads() == 0) {
        err.println("note: no reads. " + ClientTraceReader.FIX);
      }
    }
    return true;
  }

  private static boolean audit(AuditReader audit, TraceAccess.Sink sink, PrintWriter err)
      throws IOException {
    try {
      audit.read(sink);
    } finally {
      audit.skipped().report(note -> err.println("note: " + note));
    }
    if (audit.order().isWrong()) {
      err.println(
          "error: expected an audit log in the order of its times, because renames are followed"
              + " in the order of the lines, found lines up to "
              + audit.order().behind()
              + " earlier than one before. Fix: pass logs as ls -rt lists them");
      return false;
    }
    return true;
  }
}
