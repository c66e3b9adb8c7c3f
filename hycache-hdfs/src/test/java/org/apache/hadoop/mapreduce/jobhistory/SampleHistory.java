// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.jobhistory;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;

/** Job history files as a MapReduce application master writes them, by Hadoop's own writer. */
public final class SampleHistory {
  private SampleHistory() {}

  /** Writes the history of a job, and its configuration beside it. */
  public static Path write(
      Path directory, boolean binary, int number, String name, long startMillis, String... settings)
      throws IOException {
    JobID id = new JobID("1700000000000", number);
    Path file = directory.resolve(id + "-" + startMillis + "-etl-" + number + ".jhist");
    try (FSDataOutputStream out =
        new FSDataOutputStream(new FileOutputStream(file.toFile()), null)) {
      EventWriter writer =
          new EventWriter(out, binary ? EventWriter.WriteMode.BINARY : EventWriter.WriteMode.JSON);
      writer.write(
          new JobSubmittedEvent(
              id, name, "etl", startMillis, "hdfs://nn/job.xml", Map.of(), "default"));
      writer.write(new JobInitedEvent(id, startMillis + 5, 1, 1, "RUNNING", false));
      for (int task = 0; task < 50; task++) {
        writer.write(
            new TaskStartedEvent(
                new TaskID(id, TaskType.MAP, task), startMillis + 10, TaskType.MAP, "/rack/dn"));
      }
      writer.write(
          new JobFinishedEvent(
              id,
              startMillis + 7_200_000,
              50,
              1,
              0,
              0,
              0,
              0,
              new Counters(),
              new Counters(),
              new Counters()));
      writer.flush();
    }
    Configuration conf = new Configuration(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    try (FileOutputStream out =
        new FileOutputStream(directory.resolve(id + "_conf.xml").toFile())) {
      conf.writeXml(out);
    }
    return file;
  }
}
