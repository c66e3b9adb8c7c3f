// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.Golden;
import io.hycache.hdfs.SampleStatus;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.SampleAnswers;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StatusCommandTest {
  private static final List<NodeAnswer<NodeStatus>> ANSWERS =
      List.of(
          SampleAnswers.answered("dn0:9866", SampleStatus.active()),
          SampleAnswers.failed("dn1:9866", "Connection refused"),
          SampleAnswers.answered("dn2:9866", SampleStatus.passThrough()),
          SampleAnswers.answered("dn3:9866", SampleStatus.stalled()));

  private static String printed(Consumer<Console> command) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    command.accept(new Console(out, out).wide());
    return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  @Test
  void table_isAsRecorded() throws Exception {
    Golden.assertRecorded(
        "status-table.txt", printed(console -> StatusCommand.print(console, ANSWERS)));
  }

  @Test
  void devices_areAsRecorded() throws Exception {
    Golden.assertRecorded(
        "status-devices.txt", printed(console -> StatusCommand.printDevices(console, ANSWERS)));
  }

  @Test
  void json_isAsRecorded() throws Exception {
    Golden.assertRecorded(
        "status.json", printed(console -> Answers.printJson(console, ANSWERS, Json::put)));
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
}
