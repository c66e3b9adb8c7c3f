// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.stats.BlockStatus;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.SampleAnswers;
import io.hycache.hdfs.rpc.NodeClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HyCacheTest {
  private static final String GOOD =
      "{'version':1,'workflow':'nightly','ttl':'2h','jobs':["
          + "{'name':'join','after':['clean'],'reads':[{'path':'/b'},{'path':'/c'}]},"
          + "{'name':'clean','reads':[{'path':'/a'}],'writes':[{'path':'/b','readsLater':1}]}]}";

  private static final String WITHOUT_HINTS =
      "could not submit hints, the command runs without them: ";

  private static final List<String> COMMANDS =
      List.of(
          "validate",
          "submit",
          "run",
          "warm",
          "status",
          "locate",
          "explain",
          "ls",
          "top",
          "advise",
          "list",
          "withdraw",
          "manifest",
          "settings",
          "doctor",
          "localdir",
          "version");

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|expected a command (validate, submit, run, warm, status, locate,",
        "frobnicate|expected a command (validate, submit, run, warm, status, locate, explain, ls,"
            + " top, advise, list, withdraw, manifest, settings, doctor, localdir, version, help),"
            + " found frobnicate",
        "help frobnicate|expected a command (validate, submit",
        "submit|expected one manifest, either FILE or -f LIST, found none",
        "submit a b|expected one manifest, either FILE or -f LIST, found [a, b]",
        "submit a -f b|expected one manifest, either FILE or -f LIST, found [a] and -f b",
        "submit a --dry|--dry: expected one of the options --dry-run, --json, -f, --ttl, found an",
        "submit a --ttl|--ttl: expected a value, found none",
        "submit a --ttl 1h --ttl 2h|--ttl: expected once, found twice",
        "submit a --ttl soon|--ttl: expected a whole number and s, m, h or d, from",
        "submit a --json=1|--json=1: expected one of the options --dry-run",
        "validate|expected one manifest",
        "manifest|expected learn, watch, from-history, from-event-log, from-openlineage, found nothing",
        "manifest guess a|expected learn, watch, from-history, from-event-log, from-openlineage, found"
            + " guess",
        "manifest from-history|expected a file behind from-history, found none",
        "manifest --json from-history|expected a file behind from-history, found none",
        "manifest from-history --user u a|--user: expected one of the options --json, --day, --out,",
        "manifest from-openlineage a --day soon|--day: expected a day as 2026-11-26, found 'soon'",
        "list --every 2|--every: expected --watch with it, found none",
        "list --watch --every 0|--every: expected a whole number from 1 to 3600, found 0",
        "manifest learn|expected an audit log behind learn, found none",
        "manifest learn a --min-runs 1|--min-runs: expected a whole number from 2 to 1000, found 1",
        "manifest learn a --min-runs 2.9|--min-runs: expected a whole number from 2 to 1000, found 2.9",
        "manifest watch a --json|--json: expected one of the options --user, --min-runs,",
        "manifest watch a --out=b|--out=b: expected one of the options --user, --min-runs,",
        "manifest watch a --day 2026-11-26|--day: expected one of the options --user, --min-runs,",
        "manifest learn a --day soon|--day: expected a day as 2026-11-26, found 'soon'",
        "run a|expected a command behind --, found none",
        "run a --|expected a command behind --, found none",
        "run -- x|expected one manifest",
        "status --all|--all: expected one of the options --json, --devices, found an unknown",
        "locate|expected one PATH, found none",
        "explain|expected one PATH, found none",
        "explain /a --user u|--user: expected with --workflow, found without",
        "locate /a --workflow w|--workflow: expected one of the options --json, found an unknown",
        "locate /a /b|expected one PATH, found [/a, /b]",
        "withdraw|expected a WORKFLOW or --all, found none",
        "withdraw --force w|--force: expected one of the options --all, --user, found an unknown",
        "warm|expected one or more of PATH, found none",
        "warm /a --at-most much|--at-most: expected a size such as 0, 64MB or 1g, found 'much'",
        "warm /a --at-most 0|--at-most: expected more than 0 bytes, found 0",
        "warm /a --times 0|--times: expected a whole number from 1 to 1000000, found 0",
        "warm /a --times few|--times: expected a whole number from 1 to 1000000, found few",
        "warm /a --ttl soon|--ttl: expected a whole number and s, m, h or d, from",
        "settings policy=lru|expected KEY=VALUE with a KEY that begins with hycache., or a PATH, found"
            + " policy=lru. Fix: correct the KEY; if it is a PATH, write ./ before it",
        "settings dt=2026-11-26/a|expected KEY=VALUE with a KEY that begins with hycache., or a PATH",
        "settings hycache.policy=lru hycache.policy=lfu|hycache.policy: expected once, found twice",
        "version now|expected options only, found [now]",
        "version -- now|expected options only, found [now]",
        "submit a -- --dry-run|expected one manifest, either FILE or -f LIST, found [a, --dry-run]",
        "locate /a -- --json|expected one PATH, found [/a, --json]",
        "doctor /a|expected options only, found [/a]",
        "doctor --node --cluster|expected --cluster or --node, found both",
        "doctor --strict|--strict: expected one of the options --cluster, --node, --json, found an",
        "localdir|--ssd: expected a directory, found none",
        "localdir /ssd|expected options only, found [/ssd]",
        "localdir --ssd /s|--hdd: expected one or more directories, found none",
        "localdir --ssd /s --hdd /h --json|--json: expected --status or --dry-run with it, found none",
        "localdir --ssd /s --hdd /h --bring-up --json|--json: expected --status or --dry-run with it",
        "localdir --ssd /s --ssd /t --hdd /h|--ssd: expected once, found twice",
        "localdir --ssd /s --hdd /h --high much|--high: expected a share such as 0.7 or 70%,"
            + " found 'much'",
        "localdir --ssd /s --hdd /h --high 20%|--low: expected at most high=0.2, found 0.5",
        "localdir --ssd /s --hdd /s/h|--hdd: expected a directory outside of ssd=/s that does not",
        "localdir --ssd /s --hdd /h --hdd /i --bandwidth 0|--bandwidth: expected 1 or more, found"
            + " 0",
      })
  void usageErrors_exitWith2AndSayWhatIsAllowed(String line, String expected) {
    Cli cli = cli(line == null ? new String[0] : line.split(" "));
    assertEquals(2, cli.exitCode, cli.toString());
    assertTrue(cli.err.startsWith("hycache: " + expected), cli.toString());
    assertEquals("", cli.out);
  }

  /** Of run, it is the command. */
  @Test
  void behindTwoDashes_isWhatItWouldBeBeforeThem() throws Exception {
    for (String name : COMMANDS) {
      if (!name.equals("run")) {
        Cli plain = cli(name, "x");
        assertNotEquals(0, plain.exitCode, name);
        assertEquals(plain.toString(), cli(name, "--", "x").toString(), name);
      }
    }
    List<String> all = List.of("--all", "--", "/data/a");
    assertEquals(
        List.of("/data/a"), Args.parse(all, List.of("--all"), List.of("--user")).positionals());
  }

  @Test
  void usageErrors_ofACommand_showItsUsage() {
    assertTrue(cli("locate").err.contains("hycache: usage: locate PATH [--json]\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"help", "-help", "--help", "-h"})
  void help_listsTheCommandsAndExitCodes(String word) {
    Cli cli = cli(word);
    assertEquals(0, cli.exitCode);
    for (String name : COMMANDS) {
      assertTrue(cli.out.contains("\n" + name + " "), cli.toString());
      Cli of = cli(word, name);
      assertEquals(0, of.exitCode);
      assertTrue(of.out.startsWith(name + " "), of.toString());
      assertEquals(of.out, cli(name, "--help").out);
      assertEquals(of.out, cli(name, "-help").out);
    }
    for (String code : List.of("0", "1", "2", "3", "127")) {
      assertTrue(cli.out.contains(String.format("\n  %-5s", code)), cli.toString());
    }
    assertEquals("", cli.err);
  }

  @Test
  void help_linesOfTheListFitATerminal() {
    cli("help").out.lines().forEach(line -> assertTrue(line.length() <= 80, line));
  }

  @Test
  void version_saysWhatItIsAndWhereItComesFrom() {
    for (String word : List.of("version", "--version", "-version")) {
      Cli cli = cli(word);
      assertEquals(0, cli.exitCode, cli.toString());
      String shape = "HyCache \\S+\nfrom /.+\nHadoop \\d.+\nJava \\d.+\n";
      assertTrue(cli.out.matches(shape), cli.toString());
    }
    assertTrue(cli("version", "--json").out.contains("\"hadoop\" : \"3."));
  }

  @Test
  void guide_hasTheCommandsAndExitCodes() throws Exception {
    String guide = Files.readString(Path.of("README.md"));
    for (String name : COMMANDS) {
      assertTrue(guide.contains("\n| `" + name + "` | "), name);
    }
    ExitCode.MEANINGS.forEach(
        (code, meaning) ->
            assertTrue(guide.contains("\n| " + code + " | " + meaning + " |\n"), code + meaning));
  }

  @Test
  void guide_hasTheReasons_wordForWord() throws Exception {
    String guide = Files.readString(Path.of("README.md")).replace("`", "");
    for (Reason reason : Reason.values()) {
      String cell = "(\\| |<br>)" + Pattern.quote(reason.text()) + "( \\||<br>)";
      assertTrue(Pattern.compile(cell).matcher(guide).find(), reason + ": " + reason.text());
    }
  }

  @Test
  void help_run_saysWhatEndsWith3() {
    String help = cli("help", "run").out;
    assertTrue(help.contains("3 for a wrong manifest or such a path"), help);
    assertTrue(help.contains("a path in it that is missing or that you may not read"), help);
  }

  @Test
  void help_linesFitATerminal() {
    for (String name : COMMANDS) {
      cli("help", name).out.lines().forEach(l -> assertTrue(l.length() <= 100, l));
    }
  }

  @Test
  void validate_good_saysWhatIsInIt() throws Exception {
    String file = write("nightly.json", GOOD);
    Cli cli = cli("validate", file);
    assertEquals(0, cli.exitCode, cli.toString());
    assertEquals(
        file
            + ": valid: workflow nightly, ttl 2h, 2 jobs, 3 reads, 1 write\n"
            + "jobs in order: clean, join\n",
        cli.out);
    Cli json = cli("validate", file, "--json", "--ttl=90m");
    assertTrue(json.out.contains("\"workflow\" : \"nightly\""), json.out);
    assertTrue(json.out.contains("\"ttlSeconds\" : 5400"), json.out);
    assertTrue(json.out.contains("\"jobsInOrder\" : [ \"clean\", \"join\" ]"), json.out);
  }

  @Test
  void validate_nameThatDataNodesRefuse_exitsWith3() throws Exception {
    for (String name : List.of("n".repeat(257), "a\\u0007b", "a\\ud800")) {
      Cli cli = cli("validate", write("bad.json", GOOD.replace("nightly", name)));
      assertEquals(3, cli.exitCode, cli.toString());
      String expected =
          "$.workflow: expected a name of at most 256 characters of well-formed Unicode";
      assertTrue(cli.err.contains(expected), cli.toString());
    }
  }

  @Test
  void validate_list_isNamedAfterItsFile() throws Exception {
    Cli cli = cli("validate", "-f", write("paths.txt", "/a\n\n# no\n/b\n"));
    assertEquals(0, cli.exitCode, cli.toString());
    assertTrue(
        cli.out.contains("valid: workflow paths.txt, ttl 1d, 1 job, 2 reads, 0 writes"), cli.out);
  }

  @Test
  void manifestErrors_exitWith3OnOneLine() throws Exception {
    for (String command : List.of("validate", "submit", "run")) {
      for (String bad :
          List.of(
              "",
              "{",
              "[]",
              GOOD.replace("'ttl'", "'tttl'"),
              GOOD.replace("'version':1", "'version':2"),
              GOOD.replace("2h", "-2h"),
              GOOD.replace("{'path':'/a'}", "{'path':'/a','times':-1}"),
              GOOD.replace("{'path':'/a'}", "{'path':'/a','access':'backwards'}"),
              GOOD.replace("{'name':'clean',", "{'name':'clean','after':['join'],"))) {
        String file = write("bad.json", bad);
        Cli cli =
            command.equals("run")
                ? cli(command, file, "--", "touch", dir.resolve("ran").toString())
                : cli(command, file);
        assertEquals(3, cli.exitCode, cli.toString());
        assertEquals("", cli.out);
        // A renamed key is unknown, and missing.
        assertEquals(bad.contains("tttl") ? 2 : 1, cli.err.lines().count(), cli.toString());
        cli.err
            .lines()
            .forEach(
                line -> {
                  assertTrue(line.startsWith("hycache: " + file), line);
                  assertTrue(line.contains("expected") && line.contains("found"), line);
                });
      }
    }
    assertFalse(Files.exists(dir.resolve("ran")));
  }

  @Test
  void validate_severalErrors_reportsAll() throws Exception {
    String file =
        write(
            "bad.json",
            "{'version':2,'workflow':'w','ttl':'soon','jobs':[\n"
                + "{'name':'a','repeat':0,'reads':[{'path':'/x','times':-1},{'file':'/y'}]},\n"
                + "{'name':'a','after':['c']},\n7]}");
    Cli cli = cli("validate", file);
    assertEquals(3, cli.exitCode, cli.toString());
    List<String> places =
        cli.err
            .lines()
            .map(line -> line.replace("hycache: " + file + ":", ""))
            .map(line -> line.replaceFirst("(\\d+):\\d+: (\\S+): expected.*", "$1 $2"))
            .collect(Collectors.toList());
    assertEquals(
        List.of(
            "1 $.version",
            "1 $.ttl",
            "2 $.jobs[0].repeat",
            "2 $.jobs[0].reads[0].times",
            "2 $.jobs[0].reads[1].file",
            "2 $.jobs[0].reads[1]",
            "3 $.jobs[1].name",
            "4 $.jobs[2]",
            "3 $.jobs[1].after[0]"),
        places,
        cli.toString());
  }

  @Test
  void manifestFile_missingOrNoFile_exitsWith3() {
    Cli missing = cli("submit", dir.resolve("none.json").toString());
    assertEquals(3, missing.exitCode);
    assertTrue(
        missing.err.contains("none.json: expected a readable local file, found no such file."),
        missing.err);
    Cli directory = cli("validate", dir.toString());
    assertEquals(3, directory.exitCode);
    assertTrue(directory.err.contains("found a directory"), directory.err);
  }

  @Test
  void cluster_notHdfs_exitsWith1() throws Exception {
    Cli cli = cli("status");
    assertEquals(1, cli.exitCode);
    assertEquals(
        "hycache: status failed: fs.defaultFS: expected the URI of an HDFS, found file:///. Fix:"
            + " name the cluster with -fs hdfs://HOST:PORT\n",
        cli.err);
    Cli submit = cli("submit", write("nightly.json", GOOD));
    assertEquals(1, submit.exitCode, submit.toString());
  }

  @Test
  void settings_outOfRange_exitWith1AndNameTheKey() {
    Cli cli =
        cli("-D", "fs.defaultFS=hdfs://127.0.0.1:1", "-D", "hycache.hints.replicas=0", "status");
    assertEquals(1, cli.exitCode);
    assertTrue(cli.err.contains("hycache.hints.replicas: expected 1 to 512, found 0"), cli.err);
  }

  @Test
  void run_clusterNotThere_runsTheCommandWithoutHints() throws Exception {
    Path ran = dir.resolve("ran");
    Cli cli = cli("run", write("nightly.json", GOOD), "--", "touch", ran.toString());
    assertEquals(0, cli.exitCode, cli.toString());
    assertTrue(cli.err.contains(WITHOUT_HINTS + "fs.defaultFS: expected"), cli.err);
    assertTrue(Files.exists(ran));
    assertEquals(7, cli("run", write("nightly.json", GOOD), "--", "sh", "-c", "exit 7").exitCode);
  }

  @Test
  void run_badSettingOrUnknownHost_runsTheCommandWithoutHints() throws Exception {
    String manifest = write("nightly.json", GOOD);
    String cluster = "fs.defaultFS=hdfs://127.0.0.1:1";
    Cli setting =
        cli(
            "-D",
            cluster,
            "-D",
            "hycache.client.locality=x",
            "run",
            manifest,
            "--",
            "sh",
            "-c",
            "exit 7");
    assertEquals(7, setting.exitCode, setting.toString());
    assertTrue(
        setting.err.contains(
            WITHOUT_HINTS + "hycache.client.locality: expected prefer, only or off, found 'x'"),
        setting.err);
    Cli host = cli("-D", "fs.defaultFS=hdfs://no-such-host.invalid", "run", manifest, "--", "true");
    assertEquals(0, host.exitCode, host.toString());
    assertTrue(host.err.contains(WITHOUT_HINTS), host.err);
  }

  @Test
  void run_commandThatCannotStart_exitsWith127() throws Exception {
    Cli cli = cli("run", write("nightly.json", GOOD), "--", "no-such-command-here");
    assertEquals(127, cli.exitCode, cli.toString());
    assertTrue(cli.err.contains("cannot start the command"), cli.err);
  }

  @Test
  void text_ofNumbers_isShort() {
    assertEquals("0 B", Text.bytes(0));
    assertEquals("1023 B", Text.bytes(1023));
    assertEquals("1.0 KiB", Text.bytes(1024));
    assertEquals("1.0 MiB", Text.bytes((1 << 20) - 1));
    assertEquals("8.0 EiB", Text.bytes(Long.MAX_VALUE));
    assertEquals("1,234,567", Text.count(1_234_567));
    assertEquals("-", Text.share(0, 0));
    assertEquals("33.3 %", Text.share(1, 3));
    assertEquals("0s", Text.duration(Duration.ofMillis(999)));
    assertEquals("90s", Text.duration(Duration.ofSeconds(90)));
    assertEquals("90m", Text.duration(Duration.ofMinutes(90)));
    assertEquals("2d", Text.duration(Duration.ofDays(2)));
  }

  @Test
  void table_alignsColumns() {
    Table table = new Table("NAME", ">N", "WHY");
    table.row("a", 1, "x");
    table.row("long", 100, "");
    assertEquals(
        String.join(System.lineSeparator(), "NAME    N  WHY", "a       1  x", "long  100"),
        table.toString());
  }

  @Test
  void table_controlCharacters_doNotReachTheTerminal() {
    Table table = new Table("NAME", "N");
    table.row("a\u001b[2J\n\u009bx\u202e\u2028", 1);
    assertEquals(
        String.join(System.lineSeparator(), "NAME        N", "a?[2J??x??  1"), table.toString());
  }

  /** A name in HDFS may have a line feed, and what sets the direction of the text behind it. */
  @Test
  void console_names_makeNoLinesOfTheirOwn() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    Console console = new Console(stream, stream);
    console.printf("%s: 1 block", "/x/a\nhycache: b\u2066c\u2029d");
    console.warn("a file is skipped: path=/x/a\nhycache: DataNode dn9: \u202eb");
    assertEquals(
        List.of(
            "/x/a?hycache: b?c?d: 1 block",
            "hycache: a file is skipped: path=/x/a?hycache: DataNode dn9: ?b"),
        out.toString(StandardCharsets.UTF_8).lines().collect(Collectors.toList()));
  }

  /** Cron, systemd and ssh start programs without a locale. */
  @Test
  void json_namesAreWhole_whateverTheCharsetOfTheOutput() throws Exception {
    ObjectNode node = Json.object().put("path", "/M\u00e4rz\u202e\ud83d\ude00");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.US_ASCII);
    Json.print(new Console(stream, stream), node);
    assertEquals(node, new ObjectMapper().readTree(out.toByteArray()));
    out.reset();
    Json.printLine(new Console(stream, stream), node);
    assertEquals(1, out.toString(StandardCharsets.US_ASCII).lines().count());
    assertEquals(node, new ObjectMapper().readTree(out.toByteArray()));
  }

  @Test
  void json_ofACleanCopy_namesItsTier() {
    ObjectNode node = Json.object();
    Json.put(node, located(1, Reason.ON_SSD_CLEAN).withCopyOn("NVDIMM"));
    assertEquals("NVDIMM", node.path("copyType").asText());
    ObjectNode none = Json.object();
    Json.put(none, located(1, Reason.NEVER_READ));
    assertFalse(none.has("copyType"));
  }

  @Test
  void table_tooWide_isNarrowedUnlessAskedNotTo() {
    Table table = new Table("NAME", "?>A", "?B", "*WHY");
    String why = "a reason that is as long as a sentence can be, and then some more of it";
    table.row("n1", 1, "b", why);
    table.row("n2", 12, "b", "-");
    table.row("n3", 3, "b", why);
    String numbered =
        "NAME   A  B  WHY|n1     1  b  (1)|n2    12  b  -|n3     3  b  (1)|(1) " + why;
    assertEquals(numbered, narrow(table));
    assertTrue(table.toString(true).contains("n2    12  b  -"), table.toString(true));
    assertTrue(table.toString(true).contains("n3     3  b  " + why), table.toString(true));

    table.row("n".repeat(74), 4, "b", "no");
    assertTrue(narrow(table).startsWith("NAME" + " ".repeat(72) + "WHY|"), narrow(table));
    assertTrue(narrow(table).contains("|(1) " + why), narrow(table));
  }

  @Test
  void wrapped_longText_hangs() {
    String text = "word ".repeat(30).strip();
    String[] lines = Table.wrapped("(12) ", text).split(System.lineSeparator(), -1);
    assertEquals(2, lines.length);
    assertTrue(lines[0].startsWith("(12) word") && lines[0].length() <= 80, lines[0]);
    assertTrue(lines[1].startsWith("     word"), lines[1]);
  }

  private static String narrow(Table table) {
    return table.toString(false).replace(System.lineSeparator(), "|");
  }

  @Test
  void answers_failuresAlike_haveALineForManyDataNodes() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    List<NodeAnswer<String>> answers = new ArrayList<>();
    answers.add(SampleAnswers.answered("dn0:9866", "an answer"));
    for (int i = 1; i < 100; i++) {
      answers.add(SampleAnswers.failed("dn" + i + ":9866", i < 3 ? "refused" : "no route"));
    }
    for (int i = 100; i < 107; i++) {
      answers.add(SampleAnswers.failed("dn" + i + ":9866", "failure " + i));
    }
    Console console = new Console(stream, stream);
    assertTrue(Answers.warnOfFailures(console, answers));
    assertEquals(
        "hycache: 2 DataNodes (dn1:9866, dn2:9866): refused\n"
            + "hycache: 97 DataNodes (dn3:9866, dn4:9866, dn5:9866 and 94 more): no route\n"
            + "hycache: DataNode dn100:9866: failure 100\n"
            + "hycache: more about 6 DataNodes (dn101:9866, dn102:9866, dn103:9866 and 3 more):"
            + " with --wide\n",
        err.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n"));
    err.reset();
    assertTrue(Answers.warnOfFailures(console.wide(), answers));
    assertEquals(106, err.toString(StandardCharsets.UTF_8).lines().count());
  }

  @Test
  void warm_patience_isLongerWhileBlocksMove() {
    WarmCommand.Patience patience = new WarmCommand.Patience();
    long second = Duration.ofSeconds(1).toNanos();
    assertFalse(patience.isOver(0, 0, false));
    assertFalse(patience.isOver(19 * second, 0, false));
    assertFalse(patience.isOver(20 * second, 0, true));
    assertTrue(patience.isOver(20 * second, 0, false));
    assertFalse(patience.isOver(21 * second, 1, false), "one more has come");
    assertFalse(patience.isOver(40 * second, 1, false));
    assertTrue(patience.isOver(321 * second, 1, true));
  }

  private static BlockStatus located(long id, Reason reason) {
    boolean clean = reason == Reason.ON_SSD_CLEAN;
    return new BlockStatus(
        new BlockKey("pool", id), "DISK", false, clean, clean, 1, 0, reason, null);
  }

  /** With hycache.hints.replicas above 1 several DataNodes answer for the same block. */
  @Test
  void warm_arrived_countsABlockOnce_onHoweverManyDataNodes() {
    WarmCommand.Arrived arrived =
        new WarmCommand.Arrived(
            List.of(
                SampleAnswers.answered(
                    "dn1:9866",
                    List.of(
                        located(1, Reason.ON_SSD_CLEAN),
                        located(2, Reason.NO_LATER_REFERENCE),
                        located(3, Reason.MOVE_QUEUED))),
                SampleAnswers.answered(
                    "dn2:9866",
                    List.of(
                        located(1, Reason.ON_SSD_CLEAN),
                        located(2, Reason.NO_LATER_REFERENCE),
                        located(3, Reason.NO_LATER_REFERENCE),
                        located(4, Reason.ON_SSD_CLEAN))),
                SampleAnswers.answered("dn3:9866", List.of(located(4, Reason.MOVE_QUEUED))),
                SampleAnswers.failed("dn4:9866", "refused")));
    assertEquals(2, arrived.onSsd);
    assertEquals(Map.of(Reason.NO_LATER_REFERENCE, 1, Reason.MOVE_QUEUED, 1), arrived.missing);
    assertTrue(arrived.moving);
  }

  /** The DataNode tries again by itself. */
  @Test
  void warm_arrived_aPromotionThatWasGivenUp_isMoving() {
    WarmCommand.Arrived arrived =
        new WarmCommand.Arrived(
            List.of(
                SampleAnswers.answered("dn1:9866", List.of(located(1, Reason.MOVE_ABANDONED)))));
    assertTrue(arrived.moving);
  }

  @Test
  void warm_arrived_whereADataNodeIsSilent_isAwaited() {
    NodeAnswer<List<BlockStatus>> silent = SampleAnswers.failed("dn1:9866", "timed out");
    NodeAnswer<List<BlockStatus>> decided =
        SampleAnswers.answered(
            "dn2:9866",
            List.of(located(1, Reason.ON_SSD_CLEAN), located(2, Reason.NO_LATER_REFERENCE)));
    assertTrue(new WarmCommand.Arrived(List.of(silent)).moving);
    assertEquals(3, new WarmCommand.Arrived(List.of(silent)).unknown(3));
    assertTrue(new WarmCommand.Arrived(List.of(silent, decided)).moving);
    assertEquals(1, new WarmCommand.Arrived(List.of(silent, decided)).unknown(3));
    assertFalse(new WarmCommand.Arrived(List.of(decided)).moving);
    assertTrue(WarmCommand.mayNeedTokens(List.of(silent, decided)));
    assertFalse(WarmCommand.mayNeedTokens(List.of(decided)));
  }

  @Test
  void warm_arrived_whatIsThereSomewhere_isNotAwaited() {
    WarmCommand.Arrived arrived =
        new WarmCommand.Arrived(
            List.of(
                SampleAnswers.answered("dn1:9866", List.of(located(1, Reason.ON_SSD_CLEAN))),
                SampleAnswers.answered("dn2:9866", List.of(located(1, Reason.MOVE_QUEUED)))));
    assertEquals(1, arrived.onSsd);
    assertEquals(Map.of(), arrived.missing);
    assertFalse(arrived.moving);
  }

  @Test
  void warm_workflow_isNamedAfterItsPaths() {
    assertEquals("warm:/a,b", WarmCommand.workflow(List.of("/a", "b")));
    String one = WarmCommand.workflow(List.of("/" + "x".repeat(5000), "/a"));
    String other = WarmCommand.workflow(List.of("/" + "x".repeat(5000), "/b"));
    assertEquals(NodeClient.MAX_WORKFLOW_CHARS, one.length());
    assertNotEquals(one, other);
  }

  @Test
  void progress_shortWork_isSilent() {
    AtomicLong clock = new AtomicLong();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    ProgressLine progress = new ProgressLine(new Console(stream, stream), clock::get);
    progress.at("files located", 1, 10);
    clock.addAndGet(Duration.ofSeconds(2).toNanos());
    progress.at("files located", 2_000, 10_000);
    progress.at("files located", 2_001, 10_000);
    assertEquals(1, err.toString(StandardCharsets.UTF_8).lines().count());
    assertTrue(
        err.toString(StandardCharsets.UTF_8).startsWith("hycache: files located: 2,000 of 10,000"));
  }

  private static Cli cli(String... args) {
    return Cli.run(new Configuration(), args);
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text.replace('\'', '"')).toString();
  }
}
