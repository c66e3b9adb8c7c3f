// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.ManifestException;
import io.hycache.hdfs.client.HintException;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.jspecify.annotations.Nullable;

/**
 * The command line: {@code hadoop jar hycache-hdfs-<version>.jar [generic options] COMMAND ...}.
 * Results go to the standard output, everything else to the standard error output. Exit codes:
 * {@link ExitCode}.
 */
public final class HyCache extends Configured implements Tool {
  private static final List<Command> COMMANDS =
      List.of(
          new ValidateCommand(),
          new SubmitCommand(),
          new RunCommand(),
          new WarmCommand(),
          new StatusCommand(),
          new LocateCommand(false),
          new LocateCommand(true),
          new LsCommand(),
          new TopCommand(),
          new AdviseCommand(),
          new ListCommand(),
          new WithdrawCommand(),
          new ManifestCommand(),
          new SettingsCommand(),
          new DoctorCommand(),
          new LocalDirCommand(),
          new VersionCommand());

  /** What people also type, and the command that it is. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of("workflows", "list", "--version", "version", "-version", "version");

  /** Of {@code help}, for the release archive: the completion of bash, and the manual page. */
  private static final String COMPLETION = "--completion";

  private static final String MAN = "--man";

  /** Of every command. */
  private static final String WIDE = "--wide";

  private static final List<String> HELP = List.of("help", "-help", "--help", "-h");

  private final Console console;
  private final List<String> behindDashes;

  /** For {@link ToolRunner}, which swallows a {@code --}: {@code run} needs {@link #main}. */
  public HyCache() {
    this(new Console(System.out, System.err), List.of());
  }

  private HyCache(Console console, List<String> behindDashes) {
    this.console = console;
    this.behindDashes = behindDashes;
  }

  /** Entry point. */
  public static void main(String[] args) throws Exception {
    System.exit(execute(new HdfsConfiguration(), args, System.out, System.err));
  }

  /** Keeps the {@code --} and what is behind it from the parser of the generic options. */
  static int execute(Configuration conf, String[] args, PrintStream out, PrintStream err)
      throws Exception {
    List<String> all = Arrays.asList(args);
    int dashes = all.indexOf("--");
    int end = dashes < 0 ? all.size() : dashes;
    HyCache tool = new HyCache(new Console(out, err), List.copyOf(all.subList(end, all.size())));
    return ToolRunner.run(conf, tool, all.subList(0, end).toArray(new String[0]));
  }

  @Override
  public int run(String[] args) throws InterruptedException {
    if (args.length == 0) {
      return noCommand("none");
    }
    List<String> rest = new ArrayList<>(Arrays.asList(args).subList(1, args.length));
    rest.addAll(behindDashes);
    if (HELP.contains(args[0])) {
      return rest.isEmpty() ? printHelp() : printHelp(rest.get(0));
    }
    Command command = find(args[0]);
    if (command == null) {
      return noCommand(args[0]);
    }
    int end = rest.size() - behindDashes.size();
    boolean wide = rest.subList(0, end).removeIf(WIDE::equals);
    if (!rest.isEmpty() && HELP.subList(1, HELP.size()).contains(rest.get(0))) {
      return printHelp(command.name());
    }
    return run(command, rest, wide ? console.wide() : console);
  }

  private int run(Command command, List<String> args, Console console) throws InterruptedException {
    Configuration conf = getConf();
    try {
      return command.run(conf == null ? new HdfsConfiguration() : conf, args, console);
    } catch (UsageException e) {
      console.warn(ErrorText.of(e));
      console.warn("usage: " + command.name() + " " + command.usage());
      return ExitCode.USAGE;
    } catch (ManifestException e) {
      e.errors().forEach(console::warn);
      return ExitCode.MANIFEST;
    } catch (HintException e) {
      console.warn(ErrorText.of(e));
      return ExitCode.MANIFEST;
    } catch (IOException | IllegalArgumentException e) {
      console.warn(command.name() + " failed: " + ErrorText.of(e));
      return ExitCode.FAILED;
    }
  }

  private static @Nullable Command find(String name) {
    String wanted = OTHER_NAMES.getOrDefault(name, name);
    return COMMANDS.stream().filter(c -> c.name().equals(wanted)).findFirst().orElse(null);
  }

  private static String names() {
    StringBuilder out = new StringBuilder();
    COMMANDS.forEach(c -> out.append(out.length() == 0 ? "" : ", ").append(c.name()));
    return out + ", help";
  }

  private int noCommand(String found) {
    console.warn(
        "expected a command ("
            + names()
            + "), found "
            + found
            + ". Fix: run help to see what each command does");
    return ExitCode.USAGE;
  }

  private int printHelp() {
    console.print("HyCache for HDFS: DataNode SSDs as a managed fast tier.");
    console.print("");
    console.print("hycache [GENERIC OPTION...] COMMAND [ARGUMENT...]");
    console.print("");
    Table table = new Table("COMMAND", "");
    COMMANDS.forEach(c -> table.row(c.name(), c.summary()));
    table.row("help COMMAND", "show a command's arguments, also: COMMAND --help");
    console.print(table);
    console.print("");
    console.print("Generic options: -conf FILE, -D KEY=VALUE, -fs URI; as everywhere in Hadoop.");
    console.print("Every command: --wide, all columns of tables, however long the lines.");
    console.print("A relative PATH is in your home directory on HDFS, as in hadoop fs.");
    console.print("");
    console.print("Exit codes:");
    ExitCode.MEANINGS.forEach(
        (code, meaning) ->
            console.print(Table.wrapped(String.format(Locale.ROOT, "  %-5s", code), meaning)));
    return ExitCode.OK;
  }

  private int printHelp(String name) {
    if (name.equals(COMPLETION)) {
      console.print(Completion.script(COMMANDS).stripTrailing());
      return ExitCode.OK;
    }
    if (name.equals(MAN)) {
      console.print(ManPage.text(COMMANDS).stripTrailing());
      return ExitCode.OK;
    }
    Command command = find(name);
    if (command == null) {
      return noCommand(name);
    }
    console.print(command.name() + " " + command.usage());
    console.print("  " + command.summary());
    console.print("");
    console.print(command.details().stripTrailing());
    console.print("");
    console.print("Exit codes: hycache help");
    return ExitCode.OK;
  }
}
