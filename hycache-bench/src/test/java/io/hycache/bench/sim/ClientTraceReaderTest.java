// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.hint.JobNames;
import io.hycache.core.hint.LogTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of DataNode.clienttrace, made with Hadoop's own format string where it has one. */
class ClientTraceReaderTest {
  private static final String LOGGER =
      " DEBUG org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace: ";
  private static final String MAP_TASK = "DFSClient_attempt_1700000000000_0007_m_000002_0_-12345_1";

  @TempDir private Path dir = Path.of("");

  static String line(String time, String op, long bytes, long offset, int block, String client) {
    return time
        + LOGGER
        + String.format(
            DataNode.DN_CLIENTTRACE_FORMAT,
            "/10.0.0.1:9866",
            "/10.0.0.2:40000",
            "",
            bytes,
            op,
            client,
            offset,
            "7d0c-uuid",
            "BP-1-10.0.0.9-1:blk_" + block + "_1001",
            1234567)
        + "\n";
  }

  private List<String> read(ClientTraceReader reader) throws IOException {
    List<String> rows = new ArrayList<>();
    reader.read(
        a ->
            rows.add(
                (a.write ? "W " : "R ")
                    + String.join(
                        " ",
                        a.object,
                        a.offset + "+" + a.requestBytes,
                        "" + a.timeMillis,
                        a.pipeline,
                        a.namespace)));
    return rows;
  }

  @Test
  void read_bothForms_fieldsAndReasons() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("dn.log"),
            line("1970-01-02 00:00:01,250", "HDFS_READ", 4096, 512, 5, MAP_TASK)
                + line(
                    "1970-01-02 00:00:02,000",
                    "HDFS_WRITE",
                    100,
                    0,
                    6,
                    "DFSClient_NONMAPREDUCE_77_1")
                + "1970-01-02 00:00:03,000"
                + LOGGER
                + "src: /a:1, dest: /b:2, bytes: 7, op: HDFS_READ, cliID: DFSClient_x, offset: 0,"
                + " srvID: s, blockid: BP-1:blk_-9_1, duration: 55" // before there was a volume
                + "\n1970-01-02 00:00:03,500 WARN DataNode: something else\n"
                + "1970-01-02 00:00:04,000"
                + LOGGER
                + "src: 127.0.0.1, dest: 127.0.0.1, op: REQUEST_SHORT_CIRCUIT_FDS, blockid: 5,"
                + " srvID: s, success: true\n"
                + "1970-01-02 00:00:04,100"
                + LOGGER
                + "cliID: c, src: 127.0.0.1, dest: 127.0.0.1, op: REQUEST_SHORT_CIRCUIT_SHM, shmId:"
                + " n/a, srvID: s, success: false\n"
                + line("1970-01-02 00:00:05,000", "HDFS_READ", 0, 0, 5, MAP_TASK)
                + line("not a time", "HDFS_READ", 1, 0, 5, MAP_TASK));
    ClientTraceReader reader = new ClientTraceReader(List.of(file));

    String pool = "BP-1-10.0.0.9-1";
    assertEquals(
        List.of(
            "R " + pool + ":blk_5/7d0c-uuid 512+4096 86401250 job_1700000000000_0007 " + pool,
            "W " + pool + ":blk_6/7d0c-uuid 0+100 86402000 NONMAPREDUCE " + pool,
            "R BP-1:blk_-9/s 0+7 86403000 DFSClient_x BP-1"),
        read(reader));
    assertEquals(1, reader.otherLines());
    assertEquals(2, reader.reads());
    List<String> notes = new ArrayList<>();
    reader.skipped().report(note -> notes.add(note.substring(0, note.indexOf(", the first"))));
    assertEquals(
        List.of(
            "skipped 1 lines: a short-circuit read, whose bytes the DataNode does not know",
            "skipped 1 lines: the operation moves no data",
            "skipped 1 lines: 0 bytes were sent",
            "skipped 1 lines: no time at the beginning"),
        notes);
  }

  /** A policy that learns by class must not see in a simulation what no DataNode shows it. */
  @Test
  void read_classes_areThoseOfADataNode() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("dn.log"),
            line("1970-01-02 00:00:01,000", "HDFS_READ", 9, 0, 5, MAP_TASK)
                + line(
                    "1970-01-02 00:00:02,000",
                    "HDFS_READ",
                    9,
                    0,
                    6,
                    MAP_TASK.replace("_0007_", "_0008_"))
                + line("1970-01-02 00:00:03,000", "HDFS_READ", 9, 0, 7, "DFSClient_app12_-7_31"));
    List<String> seen = new ArrayList<>();
    new ClientTraceReader(List.of(file)).read(a -> seen.add(a.pipeline + " " + a.className));
    assertEquals(
        List.of(
            "job_1700000000000_0007 mapreduce",
            "job_1700000000000_0008 mapreduce",
            "app12 client:app#"),
        seen);
  }

  @Test
  void read_noSuchLines_saysHowToGetThem() throws IOException {
    Path file = Files.writeString(dir.resolve("dn.log"), "hello\n");
    assertEquals(
        "dn.log line 1: expected lines of DataNode.clienttrace with op: HDFS_READ or HDFS_WRITE,"
            + " found none in 1 lines. Fix: hadoop daemonlog -setlevel HOST:HTTP_PORT"
            + " org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace DEBUG",
        assertThrows(TraceException.class, () -> read(new ClientTraceReader(List.of(file))))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "DFSClient_attempt_1700000000000_0007_m_000002_0_-12345_1, job_1700000000000_0007",
    "mr_attempt_1700000000000_0007_r_000001_1, job_1700000000000_0007",
    "SPARK_TASK_application_1700000000000_0012_JId_0_SId_1_0_TId_3_0, job_1700000000000_0012",
    "DFSClient_NONMAPREDUCE_-1234567_27, NONMAPREDUCE",
    "'CLI,clientIp:10.0.0.1,clientPort:40000', CLI",
    "libhdfs, libhdfs"
  })
  void jobNames_clientsAndContexts_nameTheJob(String name, String job) {
    assertEquals(job, JobNames.of(name));
  }

  @ParameterizedTest
  @CsvSource({
    "'1970-01-02 00:00:01,250 INFO', 86401250",
    "1970-01-02T00:00:01.250Z, 86401250",
    "1970-01-02 00:00:01, 86401000",
    "2026-11-26 03:01:03, 1795662063000",
    "1970-13-02 00:00:01, -1",
    "hello, -1"
  })
  void logTime_lines_millis(String line, long millis) {
    assertEquals(millis, LogTime.millis(line));
  }
}
