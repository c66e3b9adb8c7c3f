// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestCommandTest {
  @TempDir Path dir;

  private final Configuration conf = new Configuration(false);

  private static String line(String time, String user, String command, String path, String job) {
    return time
        + ",123 INFO FSNamesystem.audit: allowed=true\tugi="
        + user
        + "@REALM (auth:KERBEROS)\tip=/10.0.0.1\tcmd="
        + command
        + "\tsrc="
        + path
        + "\tdst=null\tperm=null\tproto=rpc\tcallerContext=mr_attempt_"
        + job
        + "_m_000000_0";
  }

  /** Two nights: logs of the day are cleaned, then read with what they were cleaned to. */
  private Path log() throws Exception {
    return log("audit.log.gz", "2026-11-24", "2026-11-25");
  }

  private Path log(String name, String... days) throws Exception {
    List<String> lines = new ArrayList<>();
    for (String day : days) {
      String logs = "/logs/" + day + "/part-0";
      String clean = "/clean/" + day.replace("-", "") + "/part-0";
      String number = day.substring(8);
      lines.add(line(day + " 02:00:00", "etl", "open", logs, "1_" + number + "1"));
      lines.add(line(day + " 02:05:00", "etl", "create", clean, "1_" + number + "1"));
      lines.add(line(day + " 02:06:00", "etl", "open", clean, "1_" + number + "2"));
      lines.add(line(day + " 02:07:00", "etl", "open", clean, "1_" + number + "2"));
      lines.add(line(day + " 11:00:00", "bob", "open", "/home/bob/" + number, "2_" + number));
      lines.add("no line of an audit log");
    }
    Path file = dir.resolve(name);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  private Cli run(String... args) {
    return Cli.run(conf, args);
  }

  @Test
  void learn_findsWhatRecurs_andWritesAManifestThatIsValid() throws Exception {
    String log = log().toString();
    Path out = dir.resolve("manifests");
    Cli cli = run("manifest", "learn", log, "--user", "etl", "--out", out.toString());
    assertEquals(0, cli.exitCode, cli.toString());
    Path file = out.resolve("etl-logs-2026-11-26.json");
    String words = cli.out.replaceAll(" +", " ");
    assertTrue(words.contains("\netl etl-logs 2 2 1d 2026-11-26 02:00 1.00\n"), cli.toString());
    assertTrue(cli.out.endsWith("Wrote " + file + "\n"), cli.toString());
    String json = Files.readString(file).replaceAll("\\s+", "");
    assertTrue(
        json.contains(
            "{\"name\":\"step-1\",\"reads\":[{\"path\":\"/logs/2026-11-26\"}],"
                + "\"writes\":[{\"path\":\"/clean/20261126\",\"readsLater\":0}]}"),
        json);
    assertTrue(json.contains("\"reads\":[{\"path\":\"/clean/20261126\",\"times\":2}]"), json);
    Cli valid = run("validate", file.toString());
    assertEquals(0, valid.exitCode, valid.toString());

    Cli again = run("manifest", "learn", log, "--user", "etl", "--out", out.toString());
    assertEquals(0, again.exitCode, again.toString());
    assertTrue(again.err.contains(file + " exists and is not overwritten"), again.toString());
    Cli later = run("manifest", "learn", log, "--day", "2027-01-01", "--json", "--user", "etl");
    assertTrue(later.out.contains("/clean/20270101"), later.toString());
  }

  @Test
  void learn_fromLogsInAnyOrder_findsTheSame() throws Exception {
    String newer = log("audit.log.1.gz", "2026-11-25").toString();
    String older = log("audit.log.2.gz", "2026-11-24").toString();
    Cli cli = run("manifest", "learn", newer, older, "--user", "etl");
    assertEquals(0, cli.exitCode, cli.toString());
    assertEquals(run("manifest", "learn", log().toString(), "--user", "etl").out, cli.out);
  }

  @Test
  void learn_fromALogThatWasCut_usesWhatIsThere_andNamesIt() throws Exception {
    Path log = log();
    byte[] whole = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(whole, whole.length - 8));
    Path rest = Files.writeString(dir.resolve("audit.log"), "");
    Cli cli = run("manifest", "learn", log.toString(), rest.toString(), "--user", "etl");
    assertEquals(0, cli.exitCode, cli.toString());
    assertTrue(cli.out.contains("etl-logs"), cli.toString());
    assertTrue(
        cli.err.startsWith("hycache: " + log + ": read as far as line 11, not to its end ("),
        cli.toString());
    Path gone = dir.resolve("gone.log");
    Cli none = run("manifest", "learn", log.toString(), gone.toString());
    assertEquals(1, none.exitCode, none.toString());
    assertTrue(
        none.err.contains(gone + ": expected a file, found none. Fix: correct the path"),
        none.toString());
  }

  @Test
  void fromOpenLineage_writesAManifestThatIsValid() throws Exception {
    Path events = dir.resolve("events.json");
    Files.writeString(
        events,
        "{\"eventType\":\"START\",\"eventTime\":\"2026-11-25T02:00:00Z\",\"run\":{\"runId\":\"r\","
            + "\"facets\":{\"spark_applicationDetails\":{\"userName\":\"etl\"}}},"
            + "\"job\":{\"namespace\":\"n\",\"name\":\"night job\"},"
            + "\"inputs\":[{\"namespace\":\"hdfs://nn:8020\",\"name\":\"/logs/2026-11-25\"}]}\n"
            + "no event\n");
    Path out = dir.resolve("manifests");
    Cli cli =
        run(
            "manifest",
            "from-openlineage",
            events.toString(),
            "--out",
            out.toString(),
            "--day",
            "2026-11-26");
    assertEquals(0, cli.exitCode, cli.toString());
    Path file = out.resolve("etl-night-job.json");
    assertTrue(cli.out.endsWith("Wrote " + file + "\n"), cli.toString());
    assertTrue(
        cli.out.replaceAll(" +", " ").contains("\netl etl-night-job 1 1 2026-11-25 02:00\n"),
        cli.toString());
    assertEquals(
        "hycache: 1 line passed over, first "
            + events
            + ":2: expected a JSON object, found no event\n",
        cli.err);
    String json = Files.readString(file).replaceAll("\\s+", "");
    assertTrue(json.contains("\"reads\":[{\"path\":\"hdfs://nn:8020/logs/2026-11-26\"}]"), json);
    assertTrue(json.contains("\"ttl\":\"3600s\""), json);
    Cli valid = run("validate", file.toString());
    assertEquals(0, valid.exitCode, valid.toString());
    Cli script = run("manifest", "from-openlineage", events.toString(), "--json");
    assertTrue(script.out.contains("\"path\" : \"hdfs://nn:8020/logs/2026-11-25\""), script.out);
  }

  @Test
  void fromEventLog_whereNothingIsKnown_saysSo() throws Exception {
    Path log = Files.writeString(dir.resolve("app-1"), "{\"Event\":\"SparkListenerLogStart\"}\n");
    Cli cli = run("manifest", "from-event-log", log.toString());
    assertEquals(1, cli.exitCode, cli.toString());
    assertEquals("hycache: nothing was read from HDFS, as far as is known: 0 runs\n", cli.err);
    Cli none = run("manifest", "from-event-log", dir.resolve("none").toString());
    assertEquals(1, none.exitCode, none.toString());
    assertTrue(
        none.err.contains("none: expected a file, found none. Fix: correct the path"), none.err);
  }

  @Test
  void learn_whereNothingRecurs_saysSo() throws Exception {
    Cli cli = run("manifest", "learn", log().toString(), "--min-runs", "3");
    assertEquals(1, cli.exitCode, cli.toString());
    assertTrue(cli.err.contains("nothing recurs: 10 opens and creates were read"), cli.toString());
  }
}
