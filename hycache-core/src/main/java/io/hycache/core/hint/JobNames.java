// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The job behind a client name or a caller context: {@code job_1700000000000_0007} for {@code
 * DFSClient_attempt_1700000000000_0007_m_000002_0_-12345_1}, {@code mr_attempt_...} and {@code
 * SPARK_TASK_application_1700000000000_0007_...}, so that the names of one job agree wherever they
 * come from.
 */
public final class JobNames {
  private static final Pattern JOB =
      Pattern.compile("(?:attempt|task|job|application)_(\\d+_\\d+)");

  /** DFSClient, the kind of task, a random number, the thread. */
  private static final Pattern CLIENT = Pattern.compile("DFSClient_(.+)_-?\\d+_\\d+");

  /** What Hadoop 3.4 adds to a context, such as clientIp and clientPort. */
  private static final char FIELD_SEPARATOR = ',';

  private JobNames() {}

  /** The job's name; the name as it is, without what differs by client, if it names no job. */
  public static String of(String name) {
    Matcher job = JOB.matcher(name);
    if (job.find()) {
      return "job_" + job.group(1);
    }
    Matcher client = CLIENT.matcher(name);
    if (client.matches()) {
      return client.group(1);
    }
    int end = name.indexOf(FIELD_SEPARATOR);
    return end <= 0 ? name : name.substring(0, end);
  }
}
