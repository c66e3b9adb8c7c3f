// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Residency;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.HyCacheFileSystem;
import io.hycache.hdfs.SampleStatus;
import io.hycache.hdfs.rpc.BlockOnSsd;
import io.hycache.hdfs.rpc.HintCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real NameNode and the real protocol. */
class CliIT {
  private static HintCluster cluster;
  private static Configuration conf;

  @TempDir static Path dir;

  @BeforeAll
  static void start() throws Exception {
    Configuration settings = HintCluster.conf();
    settings.set("dfs.cluster.administrators", "ops");
    cluster = new HintCluster(settings);
    conf = cluster.clientConf();
    cluster.write("/in/a", 6);
    cluster.write("/in/b", 3);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void forget() throws Exception {
    cluster.forgetAll();
    cluster.nodes().forEach(n -> n.maxReferences = Integer.MAX_VALUE);
    cluster.nodes().forEach(n -> n.shadow = Map.of());
  }

  @Test
  void submit_dryRun_sendsNothing() throws Exception {
    Cli cli = Cli.run(conf, "submit", manifest("/in"), "--dry-run");
    assertEquals(0, cli.exitCode, cli.toString());
    assertTrue(
        cli.out.startsWith(
            "Would submit workflow nightly, ttl 2h: 2 files, 9 blocks, 36.0 KiB, 18 block reads\n"),
        cli.toString());
    assertTrue(cli.out.contains("DATANODE"), cli.out);
    assertTrue(cli.out.contains("100.0 %"), cli.out);
    assertEquals(0, cluster.references("nightly"));
    Cli json = Cli.run(conf, "submit", manifest("/in"), "--dry-run", "--json");
    assertTrue(json.out.contains("\"dryRun\" : true"), json.out);
    assertTrue(json.out.contains("\"fittingBytes\" : 12288"), json.out);
    assertEquals(0, count(cli.out + json.out, "fs.hdfs.impl"), cli.out);
  }

  @Test
  void submit_locate_status_withdraw() throws Exception {
    Cli submit = Cli.run(conf, "submit", manifest("/in"));
    assertEquals(0, submit.exitCode, submit.toString());
    assertTrue(submit.out.startsWith("Submitted workflow nightly"), submit.out);
    String recipe = "-D fs.hdfs.impl=io.hycache.hdfs.HyCacheFileSystem, with this JAR";
    assertEquals(1, count(submit.out, recipe), submit.out);
    assertEquals(18, cluster.references("nightly"));
    Cli narrow = Cli.run(conf, "locate", "/in/a");
    assertEquals(0, narrow.exitCode, narrow.toString());
    assertEquals(1, count(narrow.out, Reason.NEVER_READ.text()), narrow.out);
    narrow.out.lines().forEach(line -> assertTrue(line.length() <= 80, line));
    Cli locate = Cli.run(conf, "locate", "/in/a", "--wide");
    assertEquals(0, locate.exitCode, locate.toString());
    assertTrue(locate.out.startsWith("/in/a: 6 blocks, 24.0 KiB\nBLOCK"), locate.out);
    assertEquals(6, count(locate.out, "DISK+SSD  clean"));
    assertEquals(12, count(locate.out, Reason.NEVER_READ.text()));
    Cli explain = Cli.run(conf, "explain", "--wide", "/in/a");
    assertEquals(0, explain.exitCode, explain.toString());
    assertEquals(
        6,
        count(
            explain.out,
            "2.5 s ago, hint  lookahead  gain 0.5000, cost 0.2500 seconds of disk time; 4.0 KiB"
                + " wanted, 1.0 KiB free, 2 victims, "),
        explain.out);
    Cli json = Cli.run(conf, "locate", "/in/*", "--json");
    assertEquals(9, count(json.out, "\"trigger\" : \"HINT\""), json.out);
    assertEquals(9, count(json.out, "\"reason\" : \"ON_SSD_CLEAN\""), json.out);
    assertEquals(9, count(json.out, "\"copyType\" : \"SSD\""), json.out);
    Cli brief = Cli.run(conf, "status");
    assertEquals(0, brief.exitCode, brief.toString());
    assertTrue(brief.out.startsWith("3 of 3 DataNodes: 9.0 GiB of 24.0 GiB SSD used, "), brief.out);
    brief.out.lines().forEach(line -> assertTrue(line.length() <= 80, line));
    Cli status = Cli.run(conf, "status", "--wide");
    assertEquals(0, status.exitCode, status.toString());
    assertEquals(5, status.out.lines().count(), status.out);
    assertEquals(3, count(status.out, "active  heuristic  8.0 GiB  3.0 GiB  1.0 GiB"), status.out);
    assertEquals(3, count(status.out, "75.0 %  750.0 MiB  250.0 MiB"), status.out);
    Cli statusJson = Cli.run(conf, "status", "--json");
    assertEquals(
        3,
        count(statusJson.out, "\"" + Counter.BYTES_READ_FAST.label() + "\" : 786432000"),
        statusJson.out);
    Cli withdraw = Cli.run(conf, "withdraw", "nightly");
    assertEquals(0, withdraw.exitCode, withdraw.toString());
    assertEquals(
        "Withdrew workflow nightly on 3 DataNodes: 18 expected block reads left\n", withdraw.out);
    assertEquals(0, cluster.references("nightly"));
  }

  @Test
  void advise_showsEachDataNodeAndAllTogether() throws Exception {
    Cli none = Cli.run(conf, "advise");
    assertEquals(1, none.exitCode, none.toString());
    assertEquals("", none.out);
    assertEquals(3, count(none.err, ": no estimate: no reads since its start"), none.err);
    cluster.nodes().get(0).shadow = SampleStatus.shadow();
    cluster.nodes().get(2).shadow = SampleStatus.shadow();
    Cli table = Cli.run(conf, "advise", "--wide");
    assertEquals(0, table.exitCode, table.toString());
    String words = table.out.replaceAll(" +", " ");
    String shares = "2.5 % 5.0 % 10.0 % 20.0 % 40.0 % 80.0 %";
    String one = " 8.0 GiB " + shares + " 0.8 % 1.0 GiB 20.0 GiB 50,001 27h\n";
    assertEquals(2, count(words, one), words);
    // Two independent errors of 0.78 %.
    String all = "all 16.0 GiB " + shares + " 0.6 % 2.0 GiB 40.0 GiB 100,002 27h";
    assertEquals(1, count(words, "\n" + all + "\n"), words);
    assertEquals(1, count(words, "\n1/4 4.0 GiB 2.5 % 0.6 % 12.5 %\n"), words);
    assertEquals(1, count(words, "\n8 128.0 GiB 80.0 % 0.6 % 90.0 %\n"), words);
    assertTrue(table.out.contains("\nAssumed: an LRU cache on each DataNode"), table.out);
    assertEquals(1, count(table.err, ": no estimate"), table.err);
    Cli json = Cli.run(conf, "advise", "/in/a", "--json");
    assertEquals(0, json.exitCode, json.toString());
    assertEquals(3, count(json.out, "\"readShare\" : 0.8,"), json.out);
    assertEquals(3, count(json.out, "\"standardError\" : 0.00"), json.out);
    assertEquals(1, count(json.out, "\"all\" : {"), json.out);
    assertEquals(0, as("bob", "advise", "/in/a").exitCode, "as status");
  }

  @Test
  void submit_list_isNamedAfterItsFile() throws Exception {
    Path list = Files.writeString(dir.resolve("paths"), "/in/b\n/in/b\n");
    Cli cli = Cli.run(conf, "submit", "-f", list.toString(), "--ttl", "30m");
    assertEquals(0, cli.exitCode, cli.toString());
    assertTrue(cli.out.startsWith("Submitted workflow paths, ttl 30m: 1 file"), cli.out);
    assertEquals(6, cluster.references("paths"));
    Cli json = Cli.run(conf, "submit", "-f", list.toString(), "--ttl", "30m", "--json");
    assertEquals(1 + 3, count(json.out, "\"ttlSeconds\" : 1800"), json.out);
  }

  @Test
  void submit_boundOfTheDataNodes_exitsWith1() throws Exception {
    cluster.nodes().forEach(n -> n.maxReferences = 2);
    Cli cli = Cli.run(conf, "submit", manifest("/in"));
    assertEquals(1, cli.exitCode, cli.toString());
    assertEquals(
        3,
        count(
            cli.err,
            "accepted 2 of 6 block reads: the DataNode has reached its limit on expected block"
                + " reads, hycache.hints.max-blocks"),
        cli.err);
  }

  @Test
  void workflows_areListed() throws Exception {
    assertEquals(0, as("alice", "submit", manifest("/in")).exitCode);
    Cli alices = as("alice", "list", "/in");
    assertEquals(0, alices.exitCode, alices.toString());
    assertEquals(
        "USER   WORKFLOW  NODES  LEFT  PINNED  REFUSED  AGE  EXPIRES\n"
            + "alice  nightly       3    18       0        0   1s    7199s\n",
        alices.out);
    Cli wide = as("alice", "workflows", "/in", "--wide");
    assertEquals(3, count(wide.out, "alice  nightly"), wide.out);
    Cli bobs = as("bob", "list", "/in");
    assertEquals(0, bobs.exitCode, bobs.toString());
    assertEquals("", bobs.out);
    Cli nothing = as("bob", "list", "/in", "--json");
    assertEquals(3, count(nothing.out, "\"workflows\" : [ ]"), nothing.out);
    Cli all = Cli.run(conf, "workflows", "--json");
    assertEquals(3, count(all.out, "\"user\" : \"alice\""), all.out);
    Cli foreign = as("bob", "withdraw", "nightly", "/in", "--user", "alice");
    assertEquals(1, foreign.exitCode, foreign.toString());
    Cli admin = Cli.run(conf, "withdraw", "nightly", "--user", "alice");
    assertEquals(0, admin.exitCode, admin.toString());
    assertEquals(0, cluster.references("nightly"));
  }

  @Test
  void withdraw_all_isOfOneOwner() throws Exception {
    Path list = Files.writeString(dir.resolve("more"), "/in/b\n");
    assertEquals(0, as("alice", "submit", manifest("/in")).exitCode);
    assertEquals(0, as("alice", "submit", "-f", list.toString()).exitCode);
    assertEquals(0, as("bob", "submit", "-f", list.toString()).exitCode);
    Cli foreign = as("bob", "withdraw", "--all", "--user", "alice", "/in");
    assertEquals(1, foreign.exitCode, foreign.toString());
    assertTrue(foreign.err.contains("no DataNode has a workflow of alice"), foreign.err);
    Cli alices = as("alice", "withdraw", "--all", "/in");
    assertEquals(0, alices.exitCode, alices.toString());
    assertEquals(1, count(alices.out, "Withdrew workflow more on "), alices.out);
    assertEquals(1, count(alices.out, "Withdrew workflow nightly on "), alices.out);
    assertEquals(0, cluster.references("nightly"));
    assertEquals(3, cluster.references("more"), "bob's");
    Cli none = as("alice", "withdraw", "--all", "/in");
    assertEquals(1, none.exitCode, none.toString());
    assertEquals("hycache: no DataNode has a workflow of alice\n", none.err);
    Cli admin = Cli.run(conf, "withdraw", "--all", "--user", "bob");
    assertEquals(0, admin.exitCode, admin.toString());
    assertEquals(0, cluster.references("more"));
  }

  @Test
  void warm_paths_areHintedAndAwaited() throws Exception {
    Cli warm = as("alice", "warm", "/in/b", "/in/a", "--ttl", "2h");
    assertEquals(0, warm.exitCode, warm.toString());
    String workflow = "warm:/in/b,/in/a";
    assertTrue(
        warm.out.startsWith("Submitted workflow " + workflow + ", ttl 2h: 2 files, 9 blocks"));
    assertTrue(warm.out.endsWith("On SSD: all of 9 blocks\n"), warm.out);
    assertEquals(18, cluster.references(workflow));
    assertEquals(0, as("alice", "withdraw", workflow, "/in").exitCode);

    Cli some = as("alice", "warm", "/in", "--at-most", "10k", "--times", "3");
    assertEquals(0, some.exitCode, some.toString());
    assertTrue(some.out.endsWith("On SSD: all of 2 blocks\n"), some.out);
    assertTrue(
        some.err.contains(
            "the first 8,192 bytes are taken, 7 of 9 blocks are left out: more than 10,240 bytes"),
        some.err);
    assertEquals(6, cluster.references("warm:/in"));
    Cli less = as("alice", "warm", "/in/a", "--at-most", "1k");
    assertEquals(0, less.exitCode, less.toString());
    assertTrue(less.err.contains("no blocks to hint at these paths: nothing is hinted"), less.err);
    assertEquals(0, cluster.references("warm:/in/a"));
    Cli dry = as("alice", "warm", "/in/a", "--dry-run");
    assertEquals(0, dry.exitCode, dry.toString());
    assertTrue(dry.out.startsWith("Would submit workflow warm:/in/a, ttl 1d: "), dry.out);
    assertEquals(0, cluster.references("warm:/in/a"));
    Cli missing = as("alice", "warm", "/nowhere");
    assertEquals(3, missing.exitCode, missing.toString());
    assertTrue(
        missing.err.startsWith("hycache: /nowhere: expected an existing file, directory or glob"),
        missing.err);
  }

  @Test
  void relativePaths_areInTheHomeDirectory() throws Exception {
    var home = new org.apache.hadoop.fs.Path("/user/alice");
    cluster.fs().mkdirs(home);
    cluster.fs().setOwner(home, "alice", "users");
    cluster.write("/user/alice/in/c", 2);
    for (String path : List.of("in/c", "./in/c", "in", "in/*", ".", "../alice/in")) {
      Cli locate = as("alice", "locate", path);
      assertEquals(0, locate.exitCode, locate.toString());
      assertTrue(locate.out.startsWith("/user/alice/in/c: 2 blocks"), path + " " + locate);
    }
    assertEquals(0, as("alice", "submit", manifest("in")).exitCode);
    assertEquals(4, cluster.references("nightly"));
    assertEquals(0, as("alice", "withdraw", "nightly", "in").exitCode);
    assertEquals(0, as("alice", "status", "in/c").exitCode);
    assertEquals(1, as("bob", "locate", "in/c").exitCode, "not in his");
    String written =
        Files.writeString(
                dir.resolve("written.json"),
                "{\"version\": 1, \"workflow\": \"w\", \"ttl\": \"1h\", \"jobs\": ["
                    + "{\"name\": \"a\", \"reads\": [{\"path\": \"in/c\"}],"
                    + " \"writes\": [{\"path\": \"out\", \"readsLater\": 1}]},"
                    + "{\"name\": \"b\", \"after\": [\"a\"],"
                    + " \"reads\": [{\"path\": \"/user/alice/out/part\"}]}]}")
            .toString();
    Cli later = as("alice", "submit", written, "--dry-run");
    assertEquals(0, later.exitCode, later.toString());
    assertTrue(later.err.contains("is not there yet, an earlier job writes it"), later.err);
  }

  @Test
  void paths_whereNothingIs_areAnErrorThatNamesThem() throws Exception {
    for (String command : List.of("status", "advise", "list", "settings")) {
      Cli cli = Cli.run(conf, command, "/nowhere");
      assertEquals(1, cli.exitCode, cli.toString());
      assertTrue(cli.err.contains("/nowhere: expected an existing file"), cli.toString());
      Cli both = Cli.run(conf, command, "/in/a", "/nowhere");
      assertTrue(
          both.err.startsWith(
              "hycache: /nowhere: expected an existing file, directory or glob, found nothing: its"
                  + " DataNodes are not asked\n"),
          both.toString());
      assertEquals(Cli.run(conf, command, "/in/a").exitCode, both.exitCode, both.toString());
    }
    Cli change = Cli.run(conf, "settings", "hycache.promote.bandwidth=3MB", "/in/a", "/nowhere");
    assertEquals(1, change.exitCode, change.toString());
    assertTrue(change.err.contains("/nowhere: expected an existing file"), change.toString());
    assertEquals(0, count(Cli.run(conf, "settings", "--wide").out, " 3MB\n"), "none has changed");
  }

  @Test
  void explain_workflow_eachBlockOfOnesOwn() throws Exception {
    assertEquals(0, as("alice", "submit", manifest("/in")).exitCode);
    Cli narrow = as("alice", "explain", "--workflow", "nightly", "/in");
    narrow.out.lines().skip(1).forEach(line -> assertTrue(line.length() <= 80, line));
    Cli alices = as("alice", "explain", "--workflow", "nightly", "/in", "--wide");
    assertEquals(0, alices.exitCode, alices.toString());
    assertTrue(
        alices.out.startsWith("Workflow nightly: 9 blocks, 9 of 18 expected block reads: "),
        alices.out);
    assertEquals(11, alices.out.lines().count(), alices.out);
    assertEquals(9, count(alices.out, "  61s ago  "), alices.out);
    assertEquals(9, count(alices.out, Reason.ON_SSD_CLEAN.text()), alices.out);
    assertEquals(1, count(alices.out, "/in/a+20480"), alices.out);
    Cli admin = Cli.run(conf, "explain", "--workflow", "nightly", "--user", "alice", "--json");
    assertEquals(0, admin.exitCode, admin.toString());
    assertEquals(9, count(admin.out, "\"reason\" : \"ON_SSD_CLEAN\""), admin.out);
    assertEquals(9, count(admin.out, "\"expected\" : 2"), admin.out);
    Cli bob = as("bob", "explain", "--workflow", "nightly", "--user", "alice", "/in");
    assertEquals(1, bob.exitCode, bob.toString());
    assertEquals(3, count(bob.err, "may explain workflows of other users: user=bob"), bob.err);
    Cli none = as("bob", "explain", "--workflow", "nightly", "/in");
    assertEquals(1, none.exitCode, none.toString());
    assertEquals("", none.out);
    assertTrue(none.err.contains("no DataNode has hints of a workflow nightly"), none.err);
    Cli noneJson = as("bob", "explain", "--workflow", "nightly", "/in", "--json");
    assertEquals(3, count(noneJson.out, "\"hinted\" : [ ]"), noneJson.out);
  }

  @Test
  void submit_pathMissing_exitsWith3() throws Exception {
    Cli cli = Cli.run(conf, "submit", manifest("/nowhere"));
    assertEquals(3, cli.exitCode, cli.toString());
    assertTrue(
        cli.err.contains(
            "nightly.json: $.jobs[0].reads[0].path: expected an existing file, directory or glob,"
                + " found nothing at \"/nowhere\". Fix: "),
        cli.err);
    Path list = Files.writeString(dir.resolve("paths"), "# inputs\n/in/b\n\n/nowhere\n");
    Cli ofList = Cli.run(conf, "submit", "-f", list.toString());
    assertEquals(3, ofList.exitCode, ofList.toString());
    assertTrue(
        ofList.err.contains(
            "paths:4: expected an existing file, directory or glob, found nothing at \"/nowhere\""),
        ofList.err);
    assertEquals("", cli.out);
  }

  @Test
  void submit_pathForbidden_exitsWith3() throws Exception {
    cluster.write("/secret/x", 1);
    cluster.fs().setPermission(new org.apache.hadoop.fs.Path("/secret"), new FsPermission("700"));
    Cli cli = as("bob", "submit", manifest("/secret"));
    assertEquals(3, cli.exitCode, cli.toString());
    assertTrue(cli.err.contains("found \"/secret\", which you may not read. Fix: "), cli.err);
    Cli locate = as("bob", "locate", "/secret/x");
    assertEquals(1, locate.exitCode, locate.toString());
    assertTrue(locate.err.contains("locate failed: Permission denied: user=bob"), locate.err);
  }

  @Test
  void workflow_sameNameOfSomeoneElse_isAnotherOne() throws Exception {
    assertEquals(0, as("alice", "submit", manifest("/in")).exitCode);
    assertEquals(18, cluster.references("nightly"));
    Cli none = as("bob", "withdraw", "nightly", "/in");
    assertEquals(1, none.exitCode, none.toString());
    assertTrue(none.err.contains("no DataNode has a workflow nightly"), none.err);
    assertEquals(18, cluster.references("nightly"), "bob has none of this name");
    assertEquals(0, as("bob", "submit", manifest("/in/a")).exitCode);
    int both = cluster.references("nightly");
    assertTrue(both > 18, "both=" + both);
    assertEquals(0, as("bob", "withdraw", "nightly", "/in").exitCode);
    assertEquals(18, cluster.references("nightly"), "alice's is still there");
    Cli status = as("alice", "status", "/in");
    assertEquals(0, status.exitCode, status.toString());
    assertEquals(5, status.out.lines().count(), status.out);
    assertEquals(1, as("alice", "status").exitCode);
    Cli withdraw = as("alice", "withdraw", "nightly", "/in", "/gone");
    assertEquals(0, withdraw.exitCode, withdraw.toString());
    assertTrue(withdraw.err.contains("/gone: expected an existing file"), withdraw.toString());
    assertEquals(0, cluster.references("nightly"));
  }

  @Test
  void locate_pathMissing_exitsWith1() {
    Cli cli = Cli.run(conf, "locate", "/nowhere");
    assertEquals(1, cli.exitCode);
    assertEquals(
        "hycache: locate failed: /nowhere: expected an existing file, directory or glob, found"
            + " nothing\n",
        cli.err);
  }

  @Test
  void settings_changeAndShow() throws Exception {
    Cli change = Cli.run(conf, "settings", "hycache.promote.bandwidth=64MB");
    assertEquals(0, change.exitCode, change.toString());
    Cli all = Cli.run(conf, "settings");
    assertEquals(1, count(all.out, "all       hycache.promote.bandwidth         64MB"), all.out);
    Cli show = Cli.run(conf, "settings", "--wide");
    assertEquals(0, show.exitCode, show.toString());
    assertEquals(3, count(show.out, "hycache.promote.bandwidth         64MB"), show.out);
    assertEquals(3, count(show.out, "hycache.demote.bandwidth          64MB"), show.out);
    Cli json = Cli.run(conf, "settings", "/in/a", "--json");
    assertEquals(3, count(json.out, "\"hycache.promote.bandwidth\" : \"64MB\""), json.out);
    Cli bad = Cli.run(conf, "settings", "hycache.promote.bandwidth=much");
    assertEquals(1, bad.exitCode, bad.toString());
    assertEquals(
        3,
        count(
            bad.err,
            "hycache.promote.bandwidth: expected a size such as 0, 64MB or 1g, found 'much'"),
        bad.err);
    Cli unknown = Cli.run(conf, "settings", "hycache.promote.bandwith=1MB");
    assertEquals(1, unknown.exitCode, unknown.toString());
    assertEquals(
        3,
        count(
            unknown.err,
            "hycache.promote.bandwith: expected a setting that can change while a DataNode runs,"
                + " found an unknown name. Fix: the nearest is hycache.promote.bandwidth;"),
        unknown.err);
    Cli fixed = Cli.run(conf, "settings", "hycache.mode=off");
    assertEquals(1, fixed.exitCode, fixed.toString());
    assertEquals(
        3, count(fixed.err, "found one that holds from the DataNode's start on"), fixed.err);
    for (String path : List.of("/in/dt=1", "./dt=1", cluster.fs().getUri() + "/in/dt=1")) {
      Cli missing = Cli.run(conf, "settings", path);
      assertEquals(1, missing.exitCode, missing.toString());
      assertTrue(missing.err.contains("dt=1: expected an existing file"), missing.err);
    }
    Cli back = Cli.run(conf, "settings", "hycache.promote.bandwidth=256MB");
    assertEquals(0, back.exitCode, back.toString());
    Cli bob = as("bob", "settings", "hycache.promote.bandwidth=1MB", "/in/a");
    assertEquals(1, bob.exitCode, bob.toString());
    assertEquals(
        3,
        count(
            bob.err,
            "only an HDFS superuser or administrator may read and change settings: user=bob"),
        bob.err);
  }

  @Test
  void run_commandFails_withdrawsAndPassesItsExitCode() throws Exception {
    Cli cli = Cli.run(conf, "run", manifest("/in"), "--", "sh", "-c", "exit 7");
    assertEquals(7, cli.exitCode, cli.toString());
    assertEquals("", cli.out);
    assertEquals(7, as("bob", "run", manifest("/in"), "--", "sh", "-c", "exit 7").exitCode);
    assertTrue(cli.err.startsWith("Submitted workflow nightly"), cli.err);
    assertTrue(cli.err.contains("Withdrew workflow nightly: 18 expected block reads left"));
    assertEquals(0, cluster.references("nightly"));
  }

  @Test
  void run_hintsWhatAJobWrites_whenItIsThere() throws Exception {
    Path manifest =
        Files.writeString(
            dir.resolve("chain.json"),
            "{\"version\": 1, \"workflow\": \"chain\", \"ttl\": \"2h\", \"jobs\": ["
                + "{\"name\": \"a\", \"reads\": [{\"path\": \"/in\"}], \"writes\": [{\"path\": \"/mid\", \"readsLater\": 0}]},"
                + "{\"name\": \"b\", \"after\": [\"a\"], \"reads\": [{\"path\": \"/mid\", \"times\": 2}],"
                + " \"writes\": [{\"path\": \"/report\", \"readsLater\": 3}]}]}");
    cluster.write("/mid/of-the-run-before", 5);
    Path go = dir.resolve("go");
    CompletableFuture<Cli> run =
        CompletableFuture.supplyAsync(
            () ->
                Cli.run(
                    conf,
                    "run",
                    manifest.toString(),
                    "--",
                    "sh",
                    "-c",
                    "until [ -e " + go + " ]; do sleep 0.1; done"));
    try {
      await(() -> cluster.references("chain") == 9);
      var uncommitted = new org.apache.hadoop.fs.Path("/mid/_temporary");
      cluster.fs().mkdirs(uncommitted);
      assertTrue(
          cluster.fs().delete(new org.apache.hadoop.fs.Path("/mid/of-the-run-before"), false));
      cluster.write("/mid/part-0", 2);
      cluster.write("/report", 1);
      await(() -> cluster.references("chain#2") == 3);
      assertEquals(0, cluster.references("chain#1"), "not committed");
      assertTrue(cluster.fs().delete(uncommitted, true));
      await(() -> cluster.references("chain#1") == 4);
      assertEquals(9, cluster.references("chain"));
    } finally {
      Files.createFile(go);
    }
    Cli cli = run.get(60, TimeUnit.SECONDS);
    assertEquals(0, cli.exitCode, cli.toString());
    for (String workflow : List.of("chain", "chain#1", "chain#2")) {
      assertEquals(1, count(cli.err, "Withdrew workflow " + workflow + ": "), cli.err);
      assertEquals(0, cluster.references(workflow), workflow);
    }
  }

  private static String opened(Instant at, String path) {
    return at.toString().substring(0, 19).replace('T', ' ')
        + ",000 INFO FSNamesystem.audit: allowed=true\tugi=etl (auth:SIMPLE)\tip=/127.0.0.1"
        + "\tcmd=open\tsrc="
        + path
        + "\tdst=null\tperm=null\tproto=rpc\n";
  }

  @Test
  void manifestWatch_hintsARun_whenItsFirstFileIsOpened() throws Exception {
    Instant now = Instant.now();
    Path log = dir.resolve("audit.log");
    StringBuilder nights = new StringBuilder();
    for (int ago = 2; ago >= 1; ago--) {
      Instant at = now.minus(Duration.ofDays(ago));
      String day = at.toString().substring(0, 10);
      nights.append(opened(at, "/nightly/" + day + "/part-0"));
      nights
          .append(opened(at.plusSeconds(60), "/in/a"))
          .append(opened(at.plusSeconds(120), "/gone/x"));
    }
    Files.writeString(log, nights.toString());
    String today = "/nightly/" + now.toString().substring(0, 10) + "/part-0";
    Instant next = now.plus(Duration.ofDays(1));
    String tomorrow = "/nightly/" + next.toString().substring(0, 10) + "/part-0";
    cluster.write(today, 2);
    cluster.write(tomorrow, 2);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    Thread watch =
        new Thread(
            () -> {
              try {
                new ManifestWatch(conf, new Console(print, print))
                    .run(List.of(log.toString()), "etl", 2, 0.5);
              } catch (IOException | InterruptedException e) {
                // Ended by the test.
              }
            });
    watch.start();
    try {
      await(() -> out.toString(StandardCharsets.UTF_8).contains("for 1 recurring workflow\n"));
      assertEquals(0, cluster.references("etl-nightly"));
      Files.writeString(log, opened(now, today), StandardOpenOption.APPEND);
      await(() -> cluster.references("etl-nightly") == 2 + 6 + 3);
      Files.writeString(log, opened(now.plusSeconds(5), today), StandardOpenOption.APPEND);
      // The next run, of the one file that the last run read, shows that the line before was read.
      Files.writeString(log, opened(next, tomorrow), StandardOpenOption.APPEND);
      await(() -> out.toString(StandardCharsets.UTF_8).contains(": 1 file, 2 blocks, "));
      assertEquals(
          2,
          count(out.toString(StandardCharsets.UTF_8), "Submitted workflow"),
          out.toString(StandardCharsets.UTF_8));
    } finally {
      watch.interrupt();
      watch.join();
    }
  }

  private static void await(BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "not within a minute");
      Thread.sleep(50);
    }
  }

  @Test
  void tasksOnYarn_getTheJarOnce_andTheClassByTheirEnvironment() throws Exception {
    Path jar = Files.writeString(dir.resolve("client.jar"), "a JAR");
    Configuration jobs = new Configuration(conf);
    jobs.set("mapreduce.framework.name", "yarn");
    assertTrue(TaskClient.isNeeded(jobs));
    cluster.fs().mkdirs(cluster.fs().getHomeDirectory());
    Map<String, String> properties = TaskClient.properties(jobs, jar);
    var stored = new org.apache.hadoop.fs.Path(properties.get("mapreduce.job.cache.files"));
    assertEquals(
        new org.apache.hadoop.fs.Path(cluster.fs().getHomeDirectory(), ".hycache"),
        stored.getParent());
    FileStatus first = cluster.fs().getFileStatus(stored);
    assertEquals(5, first.getLen());
    assertEquals(properties, TaskClient.properties(jobs, jar));
    assertEquals(1, cluster.fs().listStatus(stored.getParent()).length);
    assertEquals(
        first.getModificationTime(), cluster.fs().getFileStatus(stored).getModificationTime());

    // As the ApplicationMaster makes the environment of the tasks.
    Configuration job = new Configuration(jobs);
    properties.forEach(job::set);
    job.set("mapreduce.job.classloader", "false");
    for (String tasks : List.of("mapreduce.map.env.", "mapreduce.reduce.env.")) {
      assertEquals(
          Map.of("HYCACHE_FS_IMPL", HyCacheFileSystem.class.getName()),
          job.getPropsWithPrefix(tasks));
    }
    job.set("mapreduce.job.classloader", "true");
    assertEquals(
        Map.of("HYCACHE_FS_IMPL", DistributedFileSystem.class.getName()),
        job.getPropsWithPrefix("mapreduce.map.env."));
  }

  /** What is stored there runs in the user's tasks. */
  @Test
  void tasksOnYarn_anotherUserCouldWriteTheJar_keepThePlainClient() throws Exception {
    Path jar = Files.writeString(dir.resolve("client.jar"), "a JAR");
    Configuration jobs = new Configuration(conf);
    jobs.set("mapreduce.framework.name", "yarn");
    var home = new org.apache.hadoop.fs.Path("/user/victim");
    var directory = new org.apache.hadoop.fs.Path(home, ".hycache");
    UserGroupInformation victim =
        UserGroupInformation.createUserForTesting("victim", new String[] {"users"});
    FileSystem fs = cluster.fs();
    fs.mkdirs(home);
    fs.setPermission(home, new FsPermission("777"));
    victim.doAs(
        (PrivilegedExceptionAction<Map<String, String>>) () -> TaskClient.properties(jobs, jar));
    for (String foreign : List.of("mallory 700", "victim 770", "victim 702")) {
      fs.setOwner(directory, foreign.split(" ", -1)[0], "users");
      fs.setPermission(directory, new FsPermission(foreign.split(" ", -1)[1]));
      IOException refused =
          assertThrows(
              IOException.class,
              () ->
                  victim.doAs(
                      (PrivilegedExceptionAction<Map<String, String>>)
                          () -> TaskClient.properties(jobs, jar)),
              foreign);
      assertTrue(
          String.valueOf(refused.getMessage()).contains("that no one else may write to"),
          refused::toString);
    }
  }

  @Test
  void pathsWithoutBlocks_nothingIsAsked_andSaidSo() throws Exception {
    cluster.fs().mkdirs(new org.apache.hadoop.fs.Path("/none"));
    Cli submit = as("alice", "submit", manifest("/none"));
    assertEquals(0, submit.exitCode, submit.toString());
    assertTrue(
        submit.err.contains("no blocks to hint at these paths: nothing is hinted"), submit.err);
    for (String command : List.of("list", "advise", "status")) {
      Cli cli = as("alice", command, "/none");
      assertEquals(1, cli.exitCode, cli.toString());
      assertEquals("hycache: no DataNode to ask\n", cli.err);
    }
    assertEquals("hycache: no DataNode to ask\n", as("alice", "withdraw", "nightly", "/none").err);
  }

  @Test
  void namesOfFiles_withControlCharacters_doNotReachTheTerminal() throws Exception {
    cluster.fs().create(new org.apache.hadoop.fs.Path("/odd/a\u001b[2Jb")).close();
    Cli cli = Cli.run(conf, "locate", "/odd");
    assertEquals(0, cli.exitCode, cli.toString());
    assertTrue(cli.out.startsWith("/odd/a?[2Jb: "), cli.out);
  }

  @Test
  void tasksOnYarn_thatCouldMissTheClass_keepThePlainClient() throws Exception {
    Path jar = Files.writeString(dir.resolve("client.jar"), "a JAR");
    Configuration jobs = new Configuration(conf);
    jobs.set("mapreduce.job.cache.files", "/elsewhere");
    IOException taken = assertThrows(IOException.class, () -> TaskClient.properties(jobs, jar));
    assertEquals("mapreduce.job.cache.files is set in the configuration", taken.getMessage());
    IOException homeless =
        UserGroupInformation.createUserForTesting("homeless", new String[] {"users"})
            .doAs(
                (PrivilegedExceptionAction<IOException>)
                    () -> assertThrows(IOException.class, () -> TaskClient.properties(conf, jar)));
    assertTrue(
        String.valueOf(homeless.getMessage())
            .endsWith("/user/homeless: expected your home directory, found nothing"),
        homeless::toString);
  }

  @Test
  void run_terminatedBySignal_stopsTheCommandAndWithdraws() throws Exception {
    Path site = dir.resolve("client.xml");
    try (OutputStream out = Files.newOutputStream(site)) {
      conf.writeXml(out);
    }
    Path started = dir.resolve("started");
    Path stopped = dir.resolve("stopped");
    Path log = dir.resolve("run.log");
    Path grandchild = dir.resolve("grandchild");
    String script =
        "trap 'touch "
            + stopped
            + "; exit 0' TERM; sleep 600 & echo $! > "
            + grandchild
            + "; touch "
            + started
            + "; while :; do sleep 0.1; done";
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.hycache.hdfs.cli.HyCache",
                "-conf",
                site.toString(),
                "run",
                manifest("/in"),
                "--",
                "sh",
                "-c",
                script)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (!Files.exists(started) && process.isAlive() && System.nanoTime() < deadline) {
        Thread.sleep(50);
      }
      assertTrue(Files.exists(started), Files.readString(log));
      assertEquals(18, cluster.references("nightly"));
      process.destroy();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), Files.readString(log));
      assertEquals(143, process.exitValue(), Files.readString(log));
      assertTrue(Files.exists(stopped), Files.readString(log));
      long child = Long.parseLong(Files.readString(grandchild).trim());
      Optional<ProcessHandle> left = ProcessHandle.of(child);
      if (left.isPresent()) {
        left.get().onExit().get(20, TimeUnit.SECONDS);
      }
      assertEquals(0, cluster.references("nightly"), Files.readString(log));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void ls_fileBeingWritten_saysThatABlockIsLeftOut() throws Exception {
    var path = new org.apache.hadoop.fs.Path("/open/a");
    cluster.write("/open/a", 2);
    try (FSDataOutputStream out = cluster.fs().append(path)) {
      out.write(new byte[100]);
      out.hflush();
      cluster.onSsd = List.of();
      Cli ls = Cli.run(conf, "ls", "/open/a");
      assertEquals(0, ls.exitCode, ls.toString());
      assertEquals(1, ls.err.lines().count(), ls.err);
      assertTrue(
          ls.err.startsWith("hycache: the last block is being written and is skipped: path="));
      Cli json = Cli.run(conf, "ls", "/open/a", "--json");
      long bytes = cluster.fs().getFileStatus(path).getLen();
      assertEquals(1, count(json.out, "\"bytes\" : " + bytes), json.out);
      assertEquals(1, count(json.out, "is being written and is skipped"), json.out);
      Cli settings = Cli.run(conf, "settings", "/open", "/in", "/open/a");
      assertEquals(0, settings.exitCode, settings.toString());
      assertTrue(settings.err.startsWith("hycache: the last block is being"), settings.err);
      assertTrue(settings.err.endsWith("/open/a (and 1 more)\n"), settings.err);
    } finally {
      cluster.onSsd = null;
    }
  }

  @Test
  void ls_erasureCodedFile_hasItsLengthAndSaysThatItIsLeftOut() throws Exception {
    var path = new org.apache.hadoop.fs.Path("/coded");
    cluster.fs().mkdirs(path);
    cluster.fs().enableErasureCodingPolicy("XOR-2-1-1024k");
    cluster.fs().setErasureCodingPolicy(path, "XOR-2-1-1024k");
    var file = new org.apache.hadoop.fs.Path(path, "a");
    try (OutputStream out = cluster.fs().create(file, true, 4096, (short) 1, 1 << 20)) {
      out.write(new byte[4096]);
    }
    Cli ls = Cli.run(conf, "ls", "/coded", "--json");
    assertEquals(0, ls.exitCode, ls.toString());
    assertEquals(1, count(ls.out, "\"bytes\" : 4096"), ls.out);
    assertTrue(ls.err.contains("an erasure-coded file is skipped: path="), ls.err);
  }

  /** The NameNode lists its DataNodes, with their UUIDs, to superusers only. */
  @Test
  void top_asAnAdministratorWhoIsNoSuperuser_namesTheDataNodes() throws Exception {
    cluster.onSsd =
        List.of(
            new BlockOnSsd(
                new BlockKey("BP-1", 7), cluster.nodes().get(0).uuid, Residency.CLEAN, 4096));
    Configuration client = new Configuration(conf);
    client.set("dfs.datanode.ipc.address", cluster.ipcAddress(0));
    client.set("dfs.datanode.http.address", "127.0.0.1:" + cluster.webPort(0));
    try {
      Cli top = as("ops", client, "top", "--json");
      assertEquals(0, top.exitCode, top.toString());
      assertEquals(1, count(top.out, "\"cleanBytes\" : 4096"), top.out);
      String name = "\"dataNode\" : \"" + cluster.ipcAddress(0) + "\"";
      assertEquals(1, count(top.out, name), top.out);
      assertEquals(1, count(top.out, "\"directiveBytes\" : 0"), top.out);
    } finally {
      cluster.onSsd = null;
    }
  }

  @Test
  void status_dataNodeDown_exitsWith1AndShowsTheOthers() throws Exception {
    try (HintCluster broken = new HintCluster(HintCluster.conf())) {
      broken.write("/in/a", 6);
      broken.stopNode(2);
      Configuration brokenConf = broken.clientConf();
      Cli status = Cli.run(brokenConf, "status");
      assertEquals(1, status.exitCode, status.toString());
      assertEquals(4, status.out.lines().count(), status.out);
      assertTrue(status.err.contains("Connection refused"), status.err);
      Cli submit = Cli.run(brokenConf, "submit", manifest("/in"));
      assertEquals(1, submit.exitCode, submit.toString());
      assertEquals(12, broken.references("nightly"));
      Cli locate = Cli.run(brokenConf, "locate", "/in/a");
      assertEquals(1, locate.exitCode, locate.toString());
      assertTrue(locate.out.contains("not known"), locate.out);
    }
  }

  // ---- helpers

  private static Cli as(String user, String... args) throws Exception {
    return as(user, conf, args);
  }

  private static Cli as(String user, Configuration client, String... args) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {"users"})
        .doAs((PrivilegedExceptionAction<Cli>) () -> Cli.run(client, args));
  }

  private static String manifest(String path) throws IOException {
    return Files.writeString(
            dir.resolve("nightly.json"),
            "{\"version\": 1, \"workflow\": \"nightly\", \"ttl\": \"2h\", \"jobs\": [\n"
                + "  {\"name\": \"sort\", \"repeat\": 2, \"reads\": [{\"path\": \""
                + path
                + "\"}]}]}\n")
        .toString();
  }

  private static int count(String text, String part) {
    return text.split(java.util.regex.Pattern.quote(part), -1).length - 1;
  }
}
