// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the release archive has beside the JAR: launcher, completion, manual page. */
@Timeout(60)
class ReleaseTest {
  private static final String HADOOP =
      "#!/bin/sh\necho \"$HADOOP_CLASSPATH\"\nfor a in \"$@\"; do echo \"<$a>\"; done\nexit 7\n";

  @TempDir Path dir;

  @SuppressWarnings("NullAway.Init")
  private Path launcher;

  /** What a process printed, both outputs together, and its exit code as the last line. */
  private static List<String> run(Map<String, String> environment, String... command)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("HADOOP_HOME");
    builder.environment().remove("HADOOP_CLASSPATH");
    builder.environment().putAll(environment);
    Process process = builder.start();
    List<String> lines = new ArrayList<>();
    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .forEach(lines::add);
    lines.add(String.valueOf(process.waitFor()));
    return lines;
  }

  private static void executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @BeforeEach
  void unpack() throws Exception {
    launcher = dir.resolve("hycache-1/bin/hycache");
    executable(launcher, Files.readString(Path.of("src/dist/bin/hycache")));
    Files.createDirectories(dir.resolve("hycache-1/lib"));
    Files.writeString(dir.resolve("hycache-1/lib/hycache-hdfs-1.jar"), "");
  }

  private List<String> expected(String classPath) {
    String jar = dir.resolve("hycache-1/lib/hycache-hdfs-1.jar").toString();
    return List.of(jar + classPath, "<io.hycache.hdfs.cli.HyCache>", "<ls>", "</a b>", "7");
  }

  @Test
  void launcher_hadoopHome_runsItsHadoop() throws Exception {
    executable(dir.resolve("hadoop/bin/hadoop"), HADOOP);
    Map<String, String> environment =
        Map.of("HADOOP_HOME", dir.resolve("hadoop").toString(), "HADOOP_CLASSPATH", "/x.jar");
    assertEquals(expected(":/x.jar"), run(environment, launcher.toString(), "ls", "/a b"));
  }

  @Test
  void launcher_linkOnThePath_runsTheHadoopThere() throws Exception {
    executable(dir.resolve("path/hadoop"), HADOOP);
    Files.createSymbolicLink(dir.resolve("relative"), Path.of("hycache-1/bin/hycache"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("relative"));
    Map<String, String> environment =
        Map.of("PATH", dir.resolve("path") + ":" + System.getenv("PATH"));
    assertEquals(expected(""), run(environment, link.toString(), "ls", "/a b"));
  }

  @Test
  void launcher_withoutHadoopOrJar_saysWhatToDo() throws Exception {
    Map<String, String> nowhere = Map.of("PATH", "/bin:/usr/bin");
    assertEquals(
        List.of(
            "hycache: expected Hadoop, found none. Fix: set HADOOP_HOME, or put hadoop on the PATH",
            "1"),
        run(nowhere, launcher.toString(), "version"));
    assertEquals(
        List.of(
            "hycache: expected an executable /no/hadoop/bin/hadoop, found none. Fix: correct or"
                + " unset HADOOP_HOME",
            "1"),
        run(Map.of("HADOOP_HOME", "/no/hadoop"), launcher.toString(), "version"));
    Path second = dir.resolve("hycache-1/lib/hycache-hdfs-0.jar");
    Files.writeString(second, "");
    assertTrue(
        run(nowhere, launcher.toString()).get(0).contains("lib, found 2. Fix: remove the older"));
    Files.delete(second);
    Files.delete(dir.resolve("hycache-1/lib/hycache-hdfs-1.jar"));
    assertTrue(
        run(nowhere, launcher.toString())
            .get(0)
            .endsWith("found none. Fix: unpack the whole archive"));
  }

  /** The commands that help lists. */
  private static List<String> commands() {
    return Cli.run(new Configuration(), "help")
        .out
        .lines()
        .dropWhile(line -> !line.startsWith("COMMAND"))
        .skip(1)
        .takeWhile(line -> !line.isEmpty())
        .map(line -> line.substring(0, line.indexOf(' ')))
        .collect(Collectors.toList());
  }

  /** What TAB offers behind these words, the last of which may be a part. */
  private List<String> offered(String... words) throws Exception {
    Path script = dir.resolve("completion");
    Cli completion = Cli.run(new Configuration(), "help", "--completion");
    assertEquals(0, completion.exitCode, completion.toString());
    Files.writeString(script, completion.out);
    List<String> command = new ArrayList<>(List.of("bash", "--norc", "-c"));
    command.add(
        ". \"$0\"; COMP_WORDS=(hycache \"$@\"); COMP_CWORD=$#; _hycache;"
            + " printf '%s\\n' \"${COMPREPLY[@]}\"");
    command.add(script.toString());
    command.addAll(List.of(words));
    List<String> lines = run(Map.of(), command.toArray(new String[0]));
    assertEquals("0", lines.remove(lines.size() - 1), lines.toString());
    return lines;
  }

  @Test
  void completion_offersEveryCommandAndItsOptions() throws Exception {
    List<String> commands = commands();
    assertTrue(commands.size() > 14, commands.toString());
    assertTrue(offered("").containsAll(commands), commands.toString());
    assertTrue(offered("help", "").containsAll(commands), commands.toString());
    assertEquals(List.of("status"), offered("st"));
    assertEquals(List.of("status"), offered("-conf", "file", "st"));
    assertEquals(List.of("--devices"), offered("status", "--d"));
    assertEquals(List.of("--at-most"), offered("warm", "/a", "--at"));
    assertEquals(List.of("--user"), offered("-D", "a=b", "withdraw", "--all", "--u"));
    assertEquals(
        List.of("hycache.demote.bandwidth", "hycache.demote.bandwidth.busy"),
        offered("settings", "hycache.demote.b"));
    assertEquals(List.of(""), offered("ls", "/fi"), "then bash offers files");
    for (String command : commands) {
      if (!command.equals("help")) {
        assertEquals(List.of("--help"), offered(command, "--he"), command);
      }
    }
  }

  @Test
  void manPage_hasEveryCommandAndExitCode() {
    Cli man = Cli.run(new Configuration(), "help", "--man");
    assertEquals(0, man.exitCode, man.toString());
    assertTrue(man.out.startsWith(".TH HYCACHE 1 "), man.out);
    for (String command : commands()) {
      if (!command.equals("help")) {
        assertTrue(man.out.contains("\n.SS \"" + command + " "), command);
      }
    }
    ExitCode.MEANINGS.keySet().forEach(code -> assertTrue(man.out.contains("\n.B " + code + "\n")));
    man.out
        .lines()
        .filter(line -> line.startsWith(".") || line.startsWith("'"))
        .forEach(line -> assertTrue(line.matches("\\.(TH|SH|SS|TP|B|nf|fi)( .*)?"), line));
    assertTrue(man.out.chars().allMatch(c -> c < 128), "ASCII only");
  }
}
