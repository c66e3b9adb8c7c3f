// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.hycache.core.hint.RecordedRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of OpenLineage's run events, one JSON object a line, as its file transport writes
 * them. A run has the inputs and outputs of all its events; runs with the same root run, or parent
 * run, are one workflow.
 */
public final class OpenLineageEvents extends RunRecords {
  @Override
  public void read(Path file) throws IOException {
    for (Path one : files(file, name -> name.endsWith(".json") || name.endsWith(".jsonl"))) {
      lines(one, line -> true, this::event);
    }
  }

  private void event(JsonNode event) {
    String id = event.path("run").path("runId").asText();
    if (id.isEmpty()) {
      return; // of a job or a dataset
    }
    long time = millis(event.path("eventTime").asText());
    if (time < 0) {
      bad("eventTime as 2026-11-26T02:00:00Z", event.path("eventTime").toString());
      return;
    }
    JsonNode facets = event.path("run").path("facets");
    JsonNode parent = facets.path("parent");
    String user = facets.path("spark_applicationDetails").path("userName").asText();
    String workflow = parent.path("run").path("runId").asText(id);
    RecordedRun run =
        run(
            id,
            () ->
                new RecordedRun(
                    parent.path("root").path("run").path("runId").asText(workflow),
                    user,
                    event.path("job").path("name").asText(id),
                    time));
    if (run == null) {
      return;
    }
    if (!user.isEmpty()) {
      run.setUser(user);
    }
    run.at(time);
    for (JsonNode input : event.path("inputs")) {
      String path = onHdfs(path(input));
      if (path != null) {
        run.read(RecordedRun.literal(path));
      }
    }
    for (JsonNode output : event.path("outputs")) {
      String path = onHdfs(path(output));
      if (path != null) {
        run.wrote(path);
      }
    }
  }

  private static @Nullable String path(JsonNode dataset) {
    return HdfsPath.of(dataset.path("namespace").asText(), dataset.path("name").asText());
  }

  /** Since 1970; -1 if it is no time. */
  private static long millis(String time) {
    try {
      return OffsetDateTime.parse(time).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      return -1;
    }
  }

  @Override
  List<String> unknown() {
    long withoutUser = runs().stream().filter(run -> run.user().isEmpty()).count();
    return withoutUser == 0
        ? List.of()
        : List.of(
            "runs without a user: "
                + withoutUser
                + "; submit their manifests as the user who reads");
  }
}
