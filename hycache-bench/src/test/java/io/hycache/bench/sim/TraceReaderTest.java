// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.policy.Replay;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceReaderTest {
  private static final String HEADER = "seq,object,size_bytes,op,request_bytes\n";

  @TempDir private Path dir = Path.of("");

  private final List<String> notes = new ArrayList<>();
  private final TraceReader reader = new TraceReader(notes::add);

  private Path file(String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text);
  }

  private static String rows(Trace trace) {
    StringBuilder out = new StringBuilder();
    for (int at = 0; at < trace.length(); at++) {
      out.append(trace.isWrite(at) ? 'W' : 'R')
          .append(trace.object(at))
          .append(' ')
          .append(trace.requestBytes(at))
          .append('/')
          .append(trace.sizeBytes(at))
          .append(' ')
          .append(trace.classOf(trace.object(at)))
          .append('\n');
    }
    return out.toString();
  }

  @Test
  void csv_requestsAndClasses_areRead() throws IOException {
    Trace trace =
        reader.csv(
            file(
                "t.csv",
                "seq,object,size_bytes,op,request_bytes,class\n"
                    + "1,a,100,R,,checksums\n2,\"b,c\",50,W,20,data\n3,a,100,R,100,\n"
                    + "4,a,100,R,,data\n5,d,1,R,,\n6,d,1,R,,data\n"));

    assertEquals(
        "R0 100/100 checksums\nW1 20/50 null\nR0 100/100 checksums\nR0 100/100 checksums\n"
            + "R2 1/1 null\nR2 1/1 null\n",
        rows(trace));
    assertEquals(151, trace.footprintBytes());
  }

  @Test
  void csv_gzippedAndWithoutRequests_isRead() throws IOException {
    Path file = dir.resolve("t.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("seq,object,size_bytes,op\n1,a,7,R\n".getBytes(StandardCharsets.UTF_8));
    }
    assertEquals("R0 7/7 null\n", rows(reader.csv(file)));
  }

  @Test
  void csv_sizeChanges_countsFromThereOn() throws IOException {
    Trace trace = reader.csv(file("t.csv", HEADER + "1,a,7,R,7\n2,b,5,R,5\n3,a,9,W,2\n"));

    assertEquals("R0 7/7 null\nR1 5/5 null\nW0 2/9 null\n", rows(trace));
    assertEquals(14, trace.footprintBytes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,a,x,R,1 | t.csv line 2: size_bytes: expected a whole number of bytes, 0 to 2^50, found"
            + " x",
        "1,a,-1,R,1 | t.csv line 2: size_bytes: expected a whole number of bytes, 0 to 2^50, found"
            + " -1",
        "1,a,1125899906842625,R,1 | t.csv line 2: size_bytes: expected a whole number of bytes, 0"
            + " to 2^50, found 1125899906842625",
        "1,a,10,D,1 | t.csv line 2: op: expected R or W, found D",
        "1,a,10,R,11 | t.csv line 2: request_bytes: expected at most size_bytes=10, found 11",
        "1,a | t.csv line 2: expected 4 columns or more, with object, size_bytes and op as in the"
            + " header, found 2"
      })
  void csv_badLine_saysWhatWhereAndHow(String line, String message) throws IOException {
    Path file = file("t.csv", HEADER + line + "\n");
    assertEquals(message, assertThrows(TraceException.class, () -> reader.csv(file)).getMessage());
  }

  /** Totals of a replay, here of a fetch and a write of each access's object, are longs. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4096})
  void csv_moreBytesThanTotalsHold_isRefused(int objects) throws IOException {
    StringBuilder lines = new StringBuilder(HEADER);
    for (int i = 0; i < 4095; i++) {
      lines.append(i).append(",o").append(i % objects).append(',').append(1L << 50);
      lines.append(",W,1\n");
    }
    Trace trace = reader.csv(file("most.csv", lines.toString()));
    Replay.Totals totals =
        new Simulation(trace, DiskTime.DEFAULT, 1).run("lru", 1L << 50, at -> {}).totals;
    assertEquals(objects == 1 ? 2L << 50 : 8190L << 50, totals.hddBytes);
    assertEquals(Math.min(objects, 4095L) << 50, trace.footprintBytes());

    Path more = file("t.csv", lines + "9,p," + (1L << 50) + ",R,1\n");
    assertEquals(
        "t.csv: expected accesses to objects of less than 2^62 bytes in all, found more. Fix: a"
            + " part of the trace",
        assertThrows(TraceException.class, () -> reader.csv(more)).getMessage());
  }

  @Test
  void csv_neededColumnsAlone_inAnyOrder_areRead() throws IOException {
    Trace few = reader.csv(file("t.csv", "object,size_bytes,op\na,10,R\n"));
    assertEquals("R0 10/10 null\n", rows(few));
    String header = "seq,time,class,object,size_bytes,op\n";
    Trace all = reader.csv(file("t.csv", header + "1,2,c,a,10,R\n"));
    assertEquals("R0 10/10 c\n", rows(all));
    Path cut = file("t.csv", header + "1,2,c,a,10,W\n1,2,3,4\n");
    assertEquals(
        "t.csv line 3: expected 6 columns or more, with object, size_bytes and op as in the header,"
            + " found 4",
        assertThrows(TraceException.class, () -> reader.csv(cut)).getMessage());
  }

  @Test
  void csv_noHeaderOrNothing_saysWhatIsExpected() throws IOException {
    Path headless = file("a.csv", "1,a,10,R,10\n");
    assertEquals(
        "a.csv line 1: expected the header seq,object,size_bytes,op,request_bytes[,class][,time],"
            + " found no column object",
        assertThrows(TraceException.class, () -> reader.csv(headless)).getMessage());
    Path empty = file("b.csv", HEADER);
    assertEquals(
        "b.csv line 1: expected a header and a line for each access, found no access",
        assertThrows(TraceException.class, () -> reader.csv(empty)).getMessage());
  }

  @Test
  void swim_firstOccurrences_belongToTheIdBefore() throws IOException {
    Trace trace =
        reader.swim(
            file(
                "jobs.tsv",
                "job0\t1\t1\t100\t0\t5\tinputPath1\t\n"
                    + "job1\t2\t1\t50\t0\t5\tinputPath2\t\n"
                    + "job2\t3\t1\t100\t0\t5\tinputPath1\tout7\n"
                    + "job3\t86400\t1\t0\t0\t5\tinputPath3\t\n"));

    // job 0 reads path 0, job 1 path 1, job 2 path 1 (by its second name), and writes.
    assertEquals("R0 100/100 null\nR1 50/100 null\nR1 100/100 null\nW2 5/5 null\n", rows(trace));
    assertEquals(2, trace.spanMillis() / 1000, "from the first access to the last");
  }

  /** A part of a longer trace, as `tail` makes it. */
  @Test
  void swim_traceThatBeginsLate_coversTheTimeFromItsFirstAccess() throws IOException {
    Trace trace =
        reader.swim(
            file(
                "jobs.tsv",
                "job0\t864000\t1\t100\t0\t5\tinputPath1\t\n"
                    + "job1\t950400\t1\t100\t0\t5\tinputPath1\t\n"));
    assertEquals(1, trace.days());
  }

  @Test
  void swim_longNumbers_areIdsLikeOthers() throws IOException {
    String path = "/a/99999999999999999999";
    Trace trace = reader.swim(file("jobs.tsv", "job0\t1\t1\t100\t0\t5\t" + path + "\t\n"));
    assertEquals("R0 100/100 null\n", rows(trace));
  }

  @Test
  void audit_opensCreatesAndRenames_areFollowed() throws IOException {
    String line =
        "2026-11-01 00:00:00,001 INFO FSNamesystem.audit: allowed=%s\tugi=u\tip=/1.2.3.4"
            + "\tcmd=%s\tsrc=%s\tdst=%s\tperm=null\tproto=rpc\n";
    Map<String, Long> sizes =
        TraceReader.sizes(
            file(
                "ls.txt",
                "drwxr-xr-x   - u g          0 2026-11-01 00:00 /in\n"
                    + "-rw-r--r--   3 u g        100 2026-11-01 00:00 /in/a b\n"
                    + "-rw-r--r--   3 u g         70 2026-11-01 00:00 /in/moved\n"));
    Trace trace =
        reader.audit(
            file(
                "audit.log",
                String.format(line, "true", "open", "/in/a b", "null")
                    + String.format(line, "false", "open", "/in/a b", "null")
                    + String.format(line, "true", "create", "/in/moved", "null")
                    + String.format(line, "true", "open", "/in/moved", "null")
                        .replace("=rpc", "=rpc\tcallerContext=mr_attempt_17_0042_m_000001_0")
                    + String.format(line, "true", "rename", "/in/a b", "/x/c")
                    + String.format(line, "true", "open", "/unknown", "null")
                    + String.format(line, "true", "open", "/x/c", "null")
                        .replace("2026-11-01 00", "2026-11-02 12")),
            sizes);

    assertEquals(
        "R0 100/100 nonmapreduce\nW1 70/70 mapreduce\nR1 70/70 mapreduce\nR0 100/100 nonmapreduce\n",
        rows(trace));
    assertEquals(1.5, trace.days());
    assertEquals(List.of("1 accesses to files that --sizes does not list were left out"), notes);
  }

  private static String auditLine(int second, String command, String path, String target) {
    return String.format(
        "2026-11-01 00:00:0%d,000 INFO FSNamesystem.audit: allowed=true\tugi=u\tip=/1.2.3.4"
            + "\tcmd=%s\tsrc=%s\tdst=%s\tperm=null\tproto=rpc%n",
        second, command, path, target);
  }

  /** Jobs write to the same temporary name, one after the other, and rename what they wrote. */
  @Test
  void audit_nameThatIsUsedAgain_isAnotherFile() throws IOException {
    Path log =
        file(
            "audit.log",
            auditLine(1, "rename", "/tmp/out", "/d/1")
                + auditLine(2, "create", "/tmp/out", "null")
                + auditLine(3, "rename", "/tmp/out", "/d/2")
                + auditLine(4, "open", "/d/1", "null")
                + auditLine(5, "open", "/d/2", "null"));
    Trace trace = reader.audit(log, Map.of("/tmp/out", 5L, "/d/1", 5L, "/d/2", 5L));
    assertEquals(List.of(0, 1, 0), objects(trace), "the second /tmp/out is /d/2");
  }

  @Test
  void audit_pathThatIsDeletedAndCreatedAgain_isAnotherFile() throws IOException {
    Path log =
        file(
            "audit.log",
            auditLine(1, "create", "/d/a", "null")
                + auditLine(2, "delete", "/d/a", "null")
                + auditLine(3, "create", "/d/a", "null")
                + auditLine(4, "delete", "/d", "null")
                + auditLine(5, "create", "/d/a", "null")
                + auditLine(6, "open", "/d/a", "null")
                + auditLine(7, "open", "/d2", "null"));
    Trace trace = reader.audit(log, Map.of("/d/a", 5L, "/d2", 5L));
    assertEquals(List.of(0, 1, 2, 2, 3), objects(trace));
  }

  /** As a job commits: by a rename of the directory that its tasks wrote, then another one. */
  @Test
  void audit_directoryThatIsRenamed_takesItsFilesAlong() throws IOException {
    Path log =
        file(
            "audit.log",
            auditLine(1, "open", "/t/a", "null")
                + auditLine(1, "rename", "/t/b", "/t/c")
                + auditLine(1, "rename", "/t", "/d")
                + auditLine(2, "open", "/d/a", "null")
                + auditLine(2, "open", "/d/c", "null")
                + auditLine(3, "create", "/t/a", "null")
                + auditLine(4, "delete", "/d", "null")
                + auditLine(4, "rename", "/t", "/d")
                + auditLine(5, "open", "/d/a", "null")
                + auditLine(6, "open", "/d/c", "null"));
    Trace trace = reader.audit(log, Map.of("/t/a", 5L, "/d/a", 5L, "/d/c", 5L));
    assertEquals(List.of(0, 0, 1, 2, 2, 3), objects(trace));
  }

  /** As FileSystem.rename does; the NameNode logs the target that it was asked for. */
  @ParameterizedTest
  @CsvSource({
    "open, /w/t/f, '[0, 1, 1, 0]'",
    "mkdirs, /w/t, '[0, 0, 1]'",
    "mkdirs, /w/t/sub, '[0, 0, 1]'",
    "create, /w/t/sub/f, '[0, 0, 1]'"
  })
  void audit_renameIntoADirectory_keepsWhatIsThere(String shows, String path, String objects)
      throws IOException {
    Path log =
        file(
            "audit.log",
            auditLine(0, shows, path, "null")
                + auditLine(2, "create", "/s/part", "null")
                + auditLine(3, "rename", "/s/part", "/w/t")
                + auditLine(4, "open", "/w/t/part", "null")
                + auditLine(5, "open", "/w/t/f", "null"));
    Map<String, Long> sizes = Map.of("/w/t/f", 5L, "/s/part", 5L);
    assertEquals(objects, objects(reader.audit(log, sizes)).toString());
  }

  @Test
  void audit_renameOntoWhatMayBeADirectory_isFollowedAsFarAsItIsKnown() throws IOException {
    String listed = auditLine(1, "rename", "/s/0/part", "/w/t");
    String moved = auditLine(2, "rename", "/w", "/v");
    String into = auditLine(3, "rename", "/s/1/part", "/v/t");
    String gone = auditLine(4, "delete", "/v/t", "null");
    String exact = auditLine(5, "rename", "/s/2", "/v/t");
    String opens =
        auditLine(6, "open", "/v/t/part", "null")
            + auditLine(7, "open", "/v/t/f", "null")
            + auditLine(8, "create", "/v/t/u/f", "null");
    String options =
        auditLine(9, "rename (options=[OVERWRITE])", "/s/3", "/v/t/u")
            + auditLine(9, "open", "/v/t/u/f", "null");
    Map<String, Long> sizes =
        Map.of("/w/t/part", 1L, "/s/1/part", 2L, "/s/2/f", 3L, "/s/2/part", 4L, "/v/t/u/f", 5L);
    String before = listed + auditLine(1, "open", "/w/t/part", "null") + moved + into;
    Path log = file("audit.log", before + gone + exact + opens + options);
    assertEquals(List.of(0, 1, 2, 3, 4), objects(reader.audit(log, sizes)));
    log = file("kept.log", before + auditLine(6, "open", "/v/t/part", "null"));
    Trace trace = reader.audit(log, sizes);
    assertEquals(List.of(0, 1), objects(trace));
    assertEquals(2, trace.sizeBytes(1), "the second part replaced the first");
  }

  private static List<Integer> objects(Trace trace) {
    List<Integer> objects = new ArrayList<>();
    for (int at = 0; at < trace.length(); at++) {
      objects.add(trace.object(at));
    }
    return objects;
  }

  @Test
  void audit_linesWithoutATime_areLeftOutAndCounted() throws IOException {
    String cut =
        "a line that lost its beginning" + auditLine(1, "open", "/a", "null").substring(19);
    Path log =
        file(
            "audit.log",
            cut + auditLine(2, "open", "/a", "null") + auditLine(4, "open", "/a", "null") + cut);
    Trace trace = reader.audit(log, Map.of("/a", 5L));
    assertEquals(2, trace.length());
    assertEquals(2, trace.spanMillis() / 1000);
    assertEquals(List.of("2 accesses without a time at the beginning were left out"), notes);
  }

  @Test
  void audit_timesThatGoBack_haveASpanAndANote() throws IOException {
    String line = auditLine(0, "open", "/a", "null");
    Path log = file("audit.log", line.replace("-01 00", "-02 12") + line);
    Trace trace = reader.audit(log, Map.of("/a", 5L));
    assertEquals(1.5, trace.days());
    assertEquals(
        List.of(
            "operations are up to 36h earlier than one before, and renames are followed in the"
                + " order of the lines. Fix: logs in the order of their times"),
        notes);
  }

  /** The NameNode writes the escapes of Java to its audit log; a listing has none. */
  @Test
  void audit_pathsWithEscapes_areThoseOfTheListing() throws IOException {
    Path log =
        file(
            "audit.log",
            "2026-11-01 00:00:00,001 INFO FSNamesystem.audit: allowed=true\tugi=u\tip=/1.2.3.4"
                + "\tcmd=open\tsrc=/city=M\\u00FCnchen/a\tdst=null\tperm=null\tproto=rpc\n");
    Trace trace = reader.audit(log, Map.of("/city=M\u00fcnchen/a", 7L));
    assertEquals("R0 7/7 nonmapreduce\n", rows(trace));
    assertEquals(List.of(), notes);
  }

  @Test
  void sizes_otherForms_areRead() throws IOException {
    assertEquals(
        Map.of("/a", 5L),
        TraceReader.sizes(file("oiv.tsv", "Path\tReplication\tFileSize\n/a\t3\t5\n")));
    assertEquals(Map.of("/b", 6L), TraceReader.sizes(file("plain.tsv", "/b\t6\n")));
    Path bad = file("bad.txt", "hello\n");
    assertEquals(
        "bad.txt line 1: expected a line of hdfs dfs -ls -R, of hdfs oiv -p Delimited, or path,"
            + " tab, bytes, found another",
        assertThrows(TraceException.class, () -> TraceReader.sizes(bad)).getMessage());
  }
}
