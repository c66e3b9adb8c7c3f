// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowProgress;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.SampleAnswers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkflowWatchTest {
  private static final Instant NOW = Instant.parse("2026-11-26T02:00:00Z");
  private static final String LONG =
      "etl/nightly.join/01941111-0000-7000-8000-000000000002/01941111-0000-7000-8000-000000000001";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          new PrintStream(out, true, StandardCharsets.UTF_8),
          new PrintStream(err, true, StandardCharsets.UTF_8));

  private static WorkflowStatus status(String name, int accepted, int left) {
    HintReceipt receipt =
        new HintReceipt(new WorkflowId("alice", name), accepted, 0, 60_000, Set.of());
    return new WorkflowStatus(receipt, left, 1000, 2000);
  }

  private static List<NodeAnswer<List<WorkflowStatus>>> answers() {
    return List.of(
        SampleAnswers.answered(
            "dn1:9866",
            List.of(
                status(LONG, 2000, 990)
                    .with(new WorkflowProgress("openlineage", 900, 100, 10, 500, -1)),
                status("old x=1", 7, 3),
                status("M\u00e4rz", 1, 1),
                status("x\u3000read", 1, 0),
                status("gone", 20, 8).with(new WorkflowProgress("hive", 10, 2, 0, 0, 5000)))),
        SampleAnswers.failed("dn2:9866", "no route"),
        SampleAnswers.notActive("dn4:9866"),
        SampleAnswers.answered(
            "dn3:9866",
            List.of(
                status("gone", 5, 5).with(new WorkflowProgress("hive", 0, 0, 0, 0, 4000)),
                // On this DataNode all its reads have come.
                status(LONG, 10, 0).with(new WorkflowProgress("openlineage", 10, 0, 0, 0, 1000)))));
  }

  private String look(Console to, boolean json, boolean inPlace) {
    out.reset();
    new WorkflowWatch(to, json, inPlace).look(WorkflowWatchTest::answers, NOW);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void onATerminal_aLookReplacesTheOneBefore_andFits80Columns() {
    String text = look(console, false, true);
    assertTrue(
        text.startsWith(
            "\u001b[H\u001b[2J2026-11-26T02:00:00Z  2 DataNodes, 1 without an answer\n"),
        text);
    String[] lines = text.split("\n", -1);
    for (String line : lines) {
      assertTrue(line.replaceAll("\u001b\\[\\w+", "").length() <= 80, line);
    }
    String words = text.replaceAll(" +", " ");
    assertTrue(words.contains("\nUSER WORKFLOW HINTED READ SSD ON SSD LATE WRONG"), words);
    assertTrue(words.contains("\nalice etl/nightly.j..000000001 2,010 1,020 910 500 100 -"), words);
    assertTrue(words.contains("\nalice gone 25 12 10 0 2 13"), words);
    assertTrue(words.contains("\nalice old x=1 7 4 - - - -"), words);
    assertTrue(words.contains("\nalice M\u00e4rz 1 0 - - - -"), words);

    String wide = look(console.wide(), false, true).replaceAll(" +", " ");
    assertTrue(
        wide.contains("\nalice " + LONG + " 2,010 1,020 910 500 100 - openlineage active\n"), wide);
    assertTrue(wide.contains("\nalice gone 25 12 10 0 2 13 hive over\n"), wide);
  }

  @Test
  void noDataNodeHasThePlugin_allCountAsFailed() {
    out.reset();
    new WorkflowWatch(console, false, true)
        .look(
            () -> List.of(SampleAnswers.notActive("dn1:9866"), SampleAnswers.notActive("dn2:9866")),
            NOW);
    String text = out.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("  0 DataNodes, 2 without an answer\n"), text);
  }

  @Test
  void elsewhere_linesAreAppended() {
    assertEquals(
        "2026-11-26T02:00:00Z user=alice workflow=M\u00e4rz by=- hinted=1 read=0 ssd=- onSsd=- late=-"
            + " wrong=-\n"
            + "2026-11-26T02:00:00Z user=alice workflow="
            + LONG
            + " by=openlineage hinted=2010 read=1020 ssd=910 onSsd=500 late=100 wrong=-\n"
            + "2026-11-26T02:00:00Z user=alice workflow=gone by=hive hinted=25 read=12 ssd=10"
            + " onSsd=0 late=2 wrong=13\n"
            + "2026-11-26T02:00:00Z user=alice workflow=\"old x=1\" by=- hinted=7 read=4 ssd=- onSsd=-"
            + " late=- wrong=-\n"
            + "2026-11-26T02:00:00Z user=alice workflow=\"x\u3000read\" by=- hinted=1 read=1 ssd=-"
            + " onSsd=- late=- wrong=-\n",
        look(console, false, false));
  }

  @Test
  void elsewhere_dataNodesWithoutAnAnswer_areNamedWhenTheyChange() {
    String notActive = String.valueOf(SampleAnswers.notActive("dn4:9866").failureText());
    for (boolean json : List.of(true, false)) {
      err.reset();
      WorkflowWatch watch = new WorkflowWatch(console, json, json);
      watch.look(WorkflowWatchTest::answers, NOW);
      String first =
          "hycache: DataNode dn2:9866: no route\nhycache: DataNode dn4:9866: " + notActive + "\n";
      assertEquals(first, err.toString(StandardCharsets.UTF_8));
      watch.look(WorkflowWatchTest::answers, NOW);
      assertEquals(first, err.toString(StandardCharsets.UTF_8));
      watch.look(() -> List.of(SampleAnswers.answered("dn2:9866", List.of())), NOW);
      assertEquals(
          first + "hycache: all DataNodes answer again\n", err.toString(StandardCharsets.UTF_8));
      watch.look(() -> List.of(SampleAnswers.failed("dn2:9866", "refused")), NOW);
      assertTrue(
          err.toString(StandardCharsets.UTF_8).endsWith("\nhycache: DataNode dn2:9866: refused\n"));
    }
    err.reset();
    String unused = look(console, false, true);
    assertEquals("", err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void json_isAnObjectALine() {
    String text = look(console, true, true);
    assertEquals(1, text.lines().count());
    assertTrue(
        text.startsWith(
            "{\"timeMillis\":" + NOW.toEpochMilli() + ",\"failedDataNodes\":1,\"workflows\":["),
        text);
    assertTrue(
        text.contains(
            "{\"user\":\"alice\",\"workflow\":\"gone\",\"active\":false,\"hinted\":25,"
                + "\"read\":12,\"by\":\"hive\",\"readFromSsd\":10,\"onSsd\":0,\"late\":2,"
                + "\"wrong\":13}"),
        text);
    assertTrue(text.contains("\"workflow\":\"M\\u00E4rz\""), text);
  }

  @Test
  void anInterrupt_endsIt_andFailuresDoNot() {
    int[] looks = {0};
    int code =
        new WorkflowWatch(console, false, false)
            .run(
                () -> {
                  looks[0]++;
                  if (looks[0] == 3) {
                    Thread.currentThread().interrupt();
                  }
                  throw new IOException("no NameNode");
                },
                Duration.ofMillis(1));
    assertTrue(Thread.interrupted());
    assertEquals(ExitCode.OK, code);
    assertEquals(3, looks[0]);
    assertEquals(3, err.toString(StandardCharsets.UTF_8).lines().count());
  }
}
