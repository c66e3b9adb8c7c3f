// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.doctor.SampleFindings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
  @TempDir Path dir;

  private static String printed(boolean json) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    DoctorCommand.print(new Console(out, out), SampleFindings.all(), json);
    return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  @Test
  void table_mostSeriousFirst_alikeOnce_in80Columns() {
    assertEquals(
        "RESULT       CHECK     FOUND\n"
            + "error        devices   dn2:9866:\n"
            + "                       /a/directory/with/a/name/that/is/longer/than/a/line/of/th\n"
            + "                       e/table/has/room/for: expected a directory, found none.\n"
            + "                       Fix: mount its device\n"
            + "warning      keys      hycache.polcy: expected a property of HyCache, found an\n"
            + "                       unknown name.\n"
            + "                       Fix: correct it\n"
            + "not checked  kerberos  security is off\n"
            + "ok           java      dn1:9866, dn2:9866, dn3:9866: Java 17\n"
            + "\n"
            + "1 error, 1 warning, 1 not checked, 3 ok\n",
        printed(false));
    printed(false).lines().forEach(line -> assertTrue(line.length() <= 80, line));
  }

  @Test
  void wrap_breaksAtSpacesAndLongWordsAnywhere() {
    assertEquals(List.of("a bc", "def"), FindingTable.wrap("a bc def", 5));
    assertEquals(List.of("a bcd", "ef"), FindingTable.wrap("a bcd ef", 5));
    assertEquals(List.of("abcde", "fg h"), FindingTable.wrap("abcdefg h", 5));
    assertEquals(List.of(""), FindingTable.wrap("", 5));
  }

  @Test
  void json_countsAndFindings() {
    String json = printed(true);
    assertTrue(json.contains("\"errors\" : 1,\n  \"warnings\" : 1,\n  \"notChecked\" : 1,"), json);
    assertTrue(
        json.contains(
            "    \"result\" : \"warning\",\n"
                + "    \"check\" : \"keys\",\n"
                + "    \"dataNode\" : \"\",\n"
                + "    \"found\" : \"hycache.polcy: expected a property of HyCache, found an unknown"
                + " name.\",\n"
                + "    \"fix\" : \"correct it\"\n"),
        json);
    assertEquals(6, json.split("\"check\" :", -1).length - 1, json);
  }

  /** Broken on purpose; and nothing is made, changed or asked for elsewhere. */
  @Test
  void node_mistakesOnThisMachine_areFoundAndExitWith1() throws Exception {
    Path ssd = Files.createDirectory(dir.resolve("ssd"));
    Path gone = dir.resolve("gone");
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    conf.set("dfs.datanode.data.dir", "[SSD]" + ssd + ",[DISK]" + gone);
    conf.set("hycache.polcy", "lru");
    conf.set("dfs.datanode.address", "127.0.0.1:0");
    Cli cli = Cli.run(conf, "doctor", "--node");
    assertEquals(1, cli.exitCode, cli.toString());
    String words = cli.out.replaceAll("\\s+", "");
    for (String found :
        List.of(
            gone + ": expected a directory, found none",
            "dfs.datanode.fsdataset.factory: expected",
            "dfs.datanode.plugins: expected",
            "dfs.datanode.failed.volumes.tolerated is 0",
            "hycache.polcy: expected a property of HyCache")) {
      assertTrue(words.contains(found.replace(" ", "")), found + " in\n" + cli);
    }
    cli.out.lines().forEach(line -> assertTrue(line.length() <= 80, line));
    assertTrue(!Files.exists(gone));
    assertEquals(0, ssd.toFile().list().length);
    assertEquals(1, dir.toFile().list().length);
  }

  @Test
  void cluster_withoutOne_saysSoAndExitsWith1() {
    Configuration conf = new Configuration(false);
    Cli cli = Cli.run(conf, "doctor", "--cluster");
    assertEquals(1, cli.exitCode, cli.toString());
    assertTrue(cli.out.contains("fs.defaultFS"), cli.toString());
  }
}
