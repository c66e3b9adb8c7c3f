// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.hdfs.conf.BuildVersion;
import java.util.List;

/** The manual page hycache(1), made of the commands' own help, for {@code man}. */
final class ManPage {
  private final StringBuilder out = new StringBuilder();

  private ManPage() {}

  static String text(List<Command> commands) {
    ManPage page = new ManPage();
    page.macro(
        "TH HYCACHE 1 \"\" \"HyCache for HDFS " + BuildVersion.text() + "\" \"User Commands\"");
    page.section("NAME");
    page.lines("hycache - DataNode SSDs as a managed fast tier in front of HDDs");
    page.section("SYNOPSIS");
    page.lines("hycache [GENERIC OPTION...] COMMAND [ARGUMENT...]");
    page.section("DESCRIPTION");
    page.lines(
        "Shows and steers HyCache on the DataNodes of the cluster that the Hadoop configuration"
            + " names. Results go to the standard output, everything else to the standard error"
            + " output. Paths are those of hadoop fs: a relative one is in your home directory on"
            + " HDFS, and globs work.");
    page.section("GENERIC OPTIONS");
    page.lines("-conf FILE, -D KEY=VALUE, -fs URI, as everywhere in Hadoop; before the command.");
    page.section("OPTIONS OF EVERY COMMAND");
    page.entry("--wide", "all columns of tables, however long the lines");
    page.entry("--help", "what the command does");
    page.section("COMMANDS");
    for (Command command : commands) {
      page.macro("SS \"" + escaped(command.name() + " " + command.usage()) + "\"");
      page.verbatim(command.summary() + "\n\n" + command.details());
    }
    page.section("EXIT STATUS");
    ExitCode.MEANINGS.forEach(
        (code, meaning) -> {
          page.macro("TP");
          page.macro("B " + code);
          page.lines(meaning);
        });
    page.section("ENVIRONMENT");
    page.entry(
        "HADOOP_HOME", "the Hadoop whose classes are used; otherwise that of the hadoop on PATH");
    page.entry("HADOOP_CONF_DIR", "its configuration, which names the cluster");
    page.entry("HADOOP_CLASSPATH", "more for the class path, behind HyCache's JAR");
    page.entry("HADOOP_CLIENT_OPTS", "options for the Java VM");
    page.section("SEE ALSO");
    page.lines("hadoop(1), hdfs(1), and the guide for operators and job authors in hycache-hdfs");
    return page.out.toString();
  }

  private void macro(String line) {
    out.append('.').append(line).append('\n');
  }

  private void section(String title) {
    macro("SH " + title);
  }

  private void entry(String name, String meaning) {
    macro("TP");
    macro("B " + escaped(name));
    lines(meaning);
  }

  private void lines(String text) {
    text.stripTrailing().lines().forEach(line -> out.append(escaped(line)).append('\n'));
  }

  private void verbatim(String text) {
    macro("nf");
    lines(text);
    macro("fi");
  }

  /** A line that roff prints as it is: no backslash, hyphen or leading point with a meaning. */
  private static String escaped(String line) {
    String text = line.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    return text.startsWith(".") || text.startsWith("'") ? "\\&" + text : text;
  }
}
