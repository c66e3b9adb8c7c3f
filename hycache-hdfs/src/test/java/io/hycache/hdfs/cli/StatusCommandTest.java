// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.Golden;
import io.hycache.hdfs.SampleStatus;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.SampleAnswers;
import io.hycache.hdfs.rpc.ReadableJson;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StatusCommandTest {
  private static final List<NodeAnswer<NodeStatus>> ANSWERS =
      List.of(
          SampleAnswers.answered("dn0:9866", SampleStatus.active()),
          SampleAnswers.failed("dn1:9866", "Connection refused"),
          SampleAnswers.answered("dn2:9866", SampleStatus.passThrough()),
          SampleAnswers.answered("dn3:9866", SampleStatus.stalled()));

  private static String printed(Consumer<Console> command) {
    return printed(true, command);
  }

  private static String printed(boolean wide, Consumer<Console> command) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    Console console = new Console(out, out);
    command.accept(wide ? console.wide() : console);
    return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  @Test
  void table_isAsRecorded() throws Exception {
    Golden.assertRecorded(
        "status-table.txt", printed(console -> StatusCommand.print(console, ANSWERS)));
  }

  @Test
  void details_queuedMoves_areThoseUnderWayToo() {
    String details = new StatusCommand().details();
    assertTrue(
        details.contains(
            "\n  QUEUED      moves between SSD and DISK that are queued or under way\n"),
        details);
  }

  @Test
  void table_fitsATerminal() {
    String table = printed(false, console -> StatusCommand.print(console, ANSWERS));
    assertEquals(
        "3 of 4 DataNodes: 3.5 GiB of 8.0 GiB SSD used, 1.0 GiB dirty, hits 75.0 %\n"
            + "Not in these sums: the SSDs of 2 DataNodes, see the warnings\n"
            + "DATANODE  MODE          POLICY         SSD     USED    DIRTY    CLEAN    HITS\n",
        table.lines().limit(3).map(line -> line + "\n").collect(Collectors.joining()));
    String devices = printed(false, console -> StatusCommand.printDevices(console, ANSWERS));
    (table + devices).lines().forEach(line -> assertTrue(line.length() <= 80, line));
  }

  @Test
  void manyDataNodes_showDifferencesFirst() {
    List<NodeAnswer<NodeStatus>> answers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String name = "dn" + i + ".example.com:9866";
      answers.add(
          i == 40
              ? SampleAnswers.failed(name, "Connection refused")
              : SampleAnswers.answered(
                  name,
                  i == 70
                      ? SampleStatus.passThrough()
                      : i == 80 ? SampleStatus.stalled() : healthy()));
    }
    String table = printed(false, console -> StatusCommand.print(console, answers));
    assertEquals(
        "99 of 100 DataNodes: 339.5 GiB of 776.0 GiB SSD used, 97.0 GiB dirty, hits 75.0 %\n"
            + "Not in these sums: the SSDs of 2 DataNodes, see the warnings\n"
            + "DATANODE               DIFFERS\n"
            + "dn70.example.com:9866  pass-through; policy lru; members 0; SSDs not counted\n"
            + "dn80.example.com:9866  members 0; SSDs not counted\n"
            + "dn40.example.com:9866  no answer\n"
            + "97 DataNodes like most: active, lookahead. A line for each: --wide\n",
        table);
    String wide = printed(true, console -> StatusCommand.print(console, answers));
    assertEquals(2 + 1 + 99, wide.lines().count());
  }

  /** Who sees 0 B there takes the SSD out. */
  @Test
  void dirtyBytes_notKnown_areNotShownAsZero() {
    NodeStatus old =
        NodeStatus.builder()
            .put(NodeFigure.MODE, "active")
            .put(NodeFigure.POLICY, "lru")
            .put(NodeFigure.PARTITION, "unknown")
            .devices(List.of(DeviceStatus.builder("/ssd0", true).build()))
            .build();
    for (NodeStatus status : List.of(SampleStatus.passThrough(), SampleStatus.stalled(), old)) {
      List<NodeAnswer<NodeStatus>> answers = List.of(SampleAnswers.answered("dn0:9866", status));
      String row =
          printed(console -> StatusCommand.print(console, answers))
              .lines()
              .skip(3)
              .collect(Collectors.joining());
      assertTrue(row.matches("dn0:9866 +\\S+ +\\S+ +\\? +\\? +\\? +\\? .*"), row);
      assertTrue(
          StatusCommand.notCounted(status)
              .startsWith(
                  "what is on the SSDs is not known, and dirty replicas may be there: "
                      + (status.passThrough() ? "HyCache is in" : "the planner makes no progress")),
          StatusCommand.notCounted(status));
      ObjectNode json = Json.object();
      ReadableJson.put(json, status);
      assertFalse(json.path("notCounted").asText().isEmpty(), "scripts and pages ask it alone");
    }
    String devices =
        printed(
            console ->
                StatusCommand.printDevices(
                    console, List.of(SampleAnswers.answered("dn0:9866", old))));
    assertFalse(devices.contains("0 B"), devices);
  }

  /** As active, with all SSDs well. */
  private static NodeStatus healthy() {
    return NodeStatus.builder()
        .put(NodeFigure.MODE, "active")
        .put(NodeFigure.POLICY, "lookahead")
        .put(NodeFigure.CAPACITY_BYTES, 8L << 30)
        .put(NodeFigure.DIRTY_BYTES, 1L << 30)
        .put(NodeFigure.OWNER_BYTES, 512L << 20)
        .put(NodeFigure.CLEAN_BYTES, 2L << 30)
        .counters(SampleStatus.active().counters())
        .put(NodeFigure.DIRECTORY_MEMBERS, 3)
        .build();
  }

  @Test
  void devices_areAsRecorded() throws Exception {
    Golden.assertRecorded(
        "status-devices.txt", printed(console -> StatusCommand.printDevices(console, ANSWERS)));
  }

  @Test
  void devices_checksumFilesOnly_nothingIsClean() {
    NodeStatus status =
        NodeStatus.builder()
            .put(NodeFigure.MODE, "active")
            .put(NodeFigure.POLICY, "lru")
            .devices(
                List.of(
                    DeviceStatus.builder("/ssd0", true)
                        .put(DeviceStatus.Figure.CHECKSUM_BYTES, 2L << 30)
                        .build()))
            .build();
    assertEquals(
        "DATANODE  SSD    STATE  SIZE  DIRTY  PINNED  CLEAN  CHECKSUMS  FREE  WRITTEN  PROMOTED"
            + "  BUDGET\n"
            + "dn0:9866  /ssd0  ok      0 B    0 B     0 B    0 B    2.0 GiB   0 B      0 B       0 B"
            + "     0 B\n",
        printed(
            console ->
                StatusCommand.printDevices(
                    console, List.of(SampleAnswers.answered("dn0:9866", status)))));
  }

  @Test
  void json_isAsRecorded() throws Exception {
    Golden.assertRecorded(
        "status.json", printed(console -> Answers.printJson(console, ANSWERS, ReadableJson::put)));
  }

  @Test
  void advise_isAsRecorded() throws Exception {
    List<Estimate> estimates = AdviseCommand.estimates(ANSWERS);
    Golden.assertRecorded(
        "advise.txt",
        printed(
            console -> {
              AdviseCommand.print(console, estimates);
              AdviseCommand.printJson(console, ANSWERS, estimates);
            }));
  }

  @Test
  void advise_manyDataNodes_areOneLineForEachText() {
    List<NodeAnswer<NodeStatus>> answers = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      NodeStatus status =
          NodeStatus.builder()
              .put(NodeFigure.MODE, "observe")
              .put(NodeFigure.POLICY, "lru")
              .putAll(SampleStatus.shadow())
              .put(NodeFigure.SHADOW_SSD_BYTES, (8L << 30) + i)
              .put(NodeFigure.SHADOW_SECONDS, 7L * 3600 + i)
              .build();
      answers.add(SampleAnswers.answered("dn" + i, status));
    }
    assertEquals(
        "hycache: 500 DataNodes (dn0, dn1, dn2 and 497 more): no SSD: size 1 stands for one as"
            + " large as column SSD has\n"
            + "hycache: 500 DataNodes (dn0, dn1, dn2 and 497 more): reads counted for less than a"
            + " day (7h at the shortest): what is read again after longer is not in the"
            + " estimate\n",
        printed(false, console -> AdviseCommand.warn(console, answers)));
    List<Estimate> estimates = AdviseCommand.estimates(answers);
    String table = printed(false, console -> AdviseCommand.print(console, estimates));
    assertTrue(table.contains("\n500 DataNodes. A line for each: --wide\n"), table);
    assertTrue(table.lines().count() < 20, table);
    String wide = printed(true, console -> AdviseCommand.print(console, estimates));
    assertEquals(500, wide.lines().filter(line -> line.startsWith("dn")).count());
  }
}
