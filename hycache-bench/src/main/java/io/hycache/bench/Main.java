// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import io.hycache.bench.directory.ExperimentCommand;
import io.hycache.bench.sim.AdviseCommand;
import io.hycache.bench.sim.GenerateCommand;
import io.hycache.bench.sim.SimulateCommand;
import io.hycache.bench.sim.TraceCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of the benchmark JAR. */
@Command(
    name = "hycache-bench",
    description = "What HyCache would do with a workload, and how fast its parts are.",
    mixinStandardHelpOptions = true,
    version = "0.1.0",
    subcommands = {
      SimulateCommand.class,
      AdviseCommand.class,
      GenerateCommand.class,
      TraceCommand.class,
      MemoryCommand.class,
      PlotJmhCommand.class,
      ExperimentCommand.class,
      CommandLine.HelpCommand.class
    },
    footer = {"", "jmh ARGS...  runs the JMH suites: java -jar hycache-bench.jar jmh --help"})
public final class Main {
  private static final String JMH = "jmh";
  private static final String TRACE = "trace";
  private static final String[] JMH_HELP = {"-h"};
  private static final List<String> HELP = List.of("help", "--help", "-help", "-h");

  private Main() {}

  public static void main(String[] args) throws IOException {
    if (args.length > 0 && args[0].equals(JMH)) {
      String[] rest = Arrays.copyOfRange(args, 1, args.length);
      // JMH itself knows -h only.
      boolean help = rest.length == 1 && HELP.contains(rest[0]);
      org.openjdk.jmh.Main.main(help ? JMH_HELP : rest);
      return;
    }
    if (args.length == 2 && HELP.contains(args[0]) && args[1].equals(JMH)) {
      org.openjdk.jmh.Main.main(JMH_HELP);
      return;
    }
    System.exit(
        run(
            printer(System.out, charsetOf(args)),
            printer(System.err, Charset.defaultCharset()),
            args));
  }

  private static PrintWriter printer(PrintStream to, Charset charset) {
    return new PrintWriter(to, true, charset);
  }

  /** The charset of the standard output: UTF-8 for a trace, which is data, else the terminal's. */
  static Charset charsetOf(String... args) {
    return args.length > 0 && args[0].equals(TRACE)
        ? StandardCharsets.UTF_8
        : Charset.defaultCharset();
  }

  /** True for wrong arguments; not for a number in a file that is none, a subclass. */
  private static boolean isRefused(Exception e) {
    return e.getClass() == IllegalArgumentException.class;
  }

  /**
   * Runs a command. Returns its exit code: 0 done, 1 it failed, 2 wrong arguments, which commands
   * refuse by an {@link IllegalArgumentException}.
   */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    CommandLine line = new CommandLine(new Main());
    line.setOut(out);
    line.setErr(err);
    line.setExecutionExceptionHandler(
        (e, command, parsed) -> {
          String what = e instanceof IOException ? "can't read or write " : "";
          command.getErr().println("error: " + what + e.getMessage());
          return isRefused(e) ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
        });
    if (args.length == 0) {
      line.usage(line.getErr());
      return CommandLine.ExitCode.USAGE;
    }
    int code = line.execute(args);
    // A PrintWriter does not throw.
    if (out.checkError() && code == CommandLine.ExitCode.OK) {
      err.println("error: can't write to the standard output");
      return CommandLine.ExitCode.SOFTWARE;
    }
    return code;
  }
}
