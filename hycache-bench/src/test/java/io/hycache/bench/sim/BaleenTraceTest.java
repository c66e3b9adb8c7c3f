// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.cost.DiskTime;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of requests to blocks, and what they cost by window. */
class BaleenTraceTest {
  private static final long CHUNK = BaleenReader.CHUNK_BYTES;

  /** A second of positioning, a second for a chunk. */
  private static final DiskTime DISK = new DiskTime(CHUNK, 1);

  @TempDir private Path dir = Path.of("");

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("t.trace"), text);
  }

  private Source source(Path file, boolean chunks) {
    Source source = new Source();
    source.trace = file;
    source.format = "baleen";
    source.cacheChunks = chunks;
    return source;
  }

  private static String rows(Trace trace) {
    StringBuilder rows = new StringBuilder();
    for (int at = 0; at < trace.length(); at++) {
      rows.append(trace.continuesRequest(at) ? "+" : "")
          .append(trace.isWrite(at) ? 'W' : 'R')
          .append(trace.object(at))
          .append(' ')
          .append(trace.requestBytes(at) / CHUNK)
          .append('/')
          .append(trace.sizeBytes(at) / CHUNK)
          .append('@')
          .append(trace.timeMillis(at))
          .append('\n');
    }
    return rows.toString();
  }

  @Test
  void read_headerGivesTheColumns_chunksAreWhole() throws IOException {
    Path file =
        file(
            "# block_id io_offset io_size op_time op_name user_namespace user_name rs_shard_id"
                + " op_count host_name\n"
                + "7 0 100 1000.5 getChunkData.NotInitialized 1 2 0 1 h\n"
                + "7 131071 2 1001 getChunkData.Permanent 1 2 0 1 h\n" // two chunks
                + "7 0 100 1002 getChunkData.Temp 1 2 1 1 h\n" // another shard
                + "8 393216 131072 1003 putChunk.Permanent 1 3 0 3 h\n"); // three in a second
    List<String> notes = new ArrayList<>();
    Trace trace = source(file, false).read(notes::add);

    assertEquals(
        "R0 1/2@0\nR0 2/2@500\nR1 1/1@1500\nW2 1/4@2500\nW2 1/4@3000\nW2 1/4@3500\n", rows(trace));
    assertEquals("1/2", trace.classOf(0));
    assertNull(trace.classOf(2), "a DataNode reports reads alone");
    assertEquals(List.of(), notes);
  }

  @Test
  void read_withoutAHeader_countsColumnsAndTakesCodes() throws IOException {
    Trace first = source(file("9 0 1 10 2 4 1 2\n9 0 1 11 3 4 1 2 2\n"), false).read(n -> {});
    assertEquals("R0 1/1@0\nW0 1/1@1000\nW0 1/1@2000\n", rows(first));

    Trace later = source(file("9 0 1 10 5 1 2\n9 0 1 12 6 1 2\n"), false).read(n -> {});
    assertEquals("R0 1/1@0\nW0 1/1@2000\n", rows(later));
  }

  @Test
  void read_blankFirstLine_doesNotGiveTheColumns() throws IOException {
    Path file = file("\n9 0 1 10 5 ns us\n9 0 1 12 6 ns us\n");
    BaleenReader reader = new BaleenReader(file, false, 1);
    List<String> seen = new ArrayList<>();
    reader.read(a -> seen.add(a.pipeline + " " + a.namespace + " " + a.user + " " + a.className));
    assertEquals(List.of("null ns us ns/us", "null ns us ns/us"), seen);
    assertEquals(1, reader.skipped().total());
  }

  @Test
  void read_emptyFieldBetweenCommas_isMissingAndShiftsNothing() throws IOException {
    Path file =
        file(
            "block_id,io_offset,io_size,op_time,op_name,pipeline,op_count,rs_shard_id\n"
                + "7,0,1,5,2,,1,3\n"
                + "7, 0, 1, 6, 2, p, , \n");
    List<String> seen = new ArrayList<>();
    new BaleenReader(file, false, 1)
        .read(a -> seen.add(a.object + " " + a.pipeline + " " + a.timeMillis));
    assertEquals(List.of("7/3 null 5000", "7 p 6000"), seen);
  }

  @Test
  void read_badLines_areCountedByReason() throws IOException {
    Path file =
        file(
            "block_id,io_offset,io_size,op_time,op_name\n"
                + "1,0,1,10,getChunkData.Temp\n"
                + "1,0,0,10,getChunkData.Temp\n"
                + "1,0,x,10,getChunkData.Temp\n"
                + "1,0,1,10,deleteChunk\n"
                + "1,-5,1,10,getChunkData.Temp\n"
                + "1,0\n"
                + "2,0,0,10,getChunkData.Temp\n");
    List<String> notes = new ArrayList<>();

    assertEquals("R0 1/1@0\n", rows(source(file, false).read(notes::add)));
    assertEquals(
        List.of(
            "skipped 2 lines: a request of 0 bytes, the first: 1,0,0,10,getChunkData.Temp",
            "skipped 1 lines: io_offset, io_size, op_time or op_count is no number, the first:"
                + " 1,0,x,10,getChunkData.Temp",
            "skipped 1 lines: the operation is neither get nor put nor one of their codes 1 to 6,"
                + " the first: 1,0,1,10,deleteChunk",
            "skipped 1 lines: io_offset or op_time is negative, or op_count is 0, the first:"
                + " 1,-5,1,10,getChunkData.Temp",
            "skipped 1 lines: fewer columns than expected, the first: 1,0"),
        notes);
  }

  @Test
  void read_numbersBeyondAllMeasure_areSkippedAtOnce() throws IOException {
    String fine = "1 0 1 10 2 p n u 1\n";
    Path file =
        file(
            fine
                + "1 0 1 10 2 p n u 9000000000000000000\n"
                + "1 9223372036854775807 2 10 2 p n u 1\n"
                + "1 0 4611686018427387904 10 2 p n u 1\n"
                + "1 0 1125899906842624 10 2 p n u 1\n");
    List<String> notes = new ArrayList<>();
    assertEquals(2, source(file, false).read(notes::add).length(), "a block of 2^50 bytes");
    assertEquals(
        List.of(
            "skipped 1 lines: op_count requests, or their chunks, are more than 1,000,000, the"
                + " first: 1 0 1 10 2 p n u 9000000000000000000",
            "skipped 2 lines: io_offset + io_size is more than 2^50, the first:"
                + " 1 9223372036854775807 2 10 2 p n u 1"),
        notes);
    assertEquals(1, source(file, true).read(notes::add).length());
  }

  @Test
  void measured_logThatGrows_takesWhatTheFirstPassSaw() throws IOException {
    boolean[] again = {false};
    List<String> seen = new ArrayList<>();
    Measured.read(
        sink -> {
          TraceAccess access = new TraceAccess();
          String[] lines = {"a 0 10", "b 0 5", "a 8 2", "a 8 9", "a 10 1", "c 0 7"};
          for (String line : again[0] ? lines : Arrays.copyOf(lines, 3)) {
            String[] parts = line.split(" ", -1);
            access.object = parts[0];
            access.offset = Long.parseLong(parts[1]);
            access.requestBytes = Long.parseLong(parts[2]);
            sink.accept(access);
          }
          again[0] = true;
        },
        a -> seen.add(a.object + " " + a.offset + "+" + a.requestBytes + "/" + a.sizeBytes));
    assertEquals(List.of("a 0+10/10", "b 0+5/5", "a 8+2/10", "a 8+2/10"), seen);
  }

  @Test
  void read_nothingUsable_saysWhatIsExpected() throws IOException {
    Path empty = file("# block_id io_offset io_size op_time op_name\n1 0 0 1 2\n");
    assertEquals(
        "t.trace line 1: expected requests in the columns block_id io_offset io_size op_time"
            + " op_name, found none in 1 lines",
        assertThrows(TraceException.class, () -> source(empty, false).read(n -> {})).getMessage());
    Path other = file("# block_id io_size op_time op_name\n1 0 1 2\n");
    assertEquals(
        "t.trace line 1: expected the columns block_id io_offset io_size op_time op_name, found no"
            + " io_offset in block_id io_size op_time op_name",
        assertThrows(TraceException.class, () -> source(other, false).read(n -> {})).getMessage());
  }

  @Test
  void cacheChunks_partsOfARequest_shareOneOperation() throws IOException {
    // Four chunks; the same but for the first; then all again, of which one is not there yet.
    Path file =
        file(
            "# block_id io_offset io_size op_time op_name\n"
                + "1 131072 393216 0 2\n"
                + "1 131072 393216 700 2\n"
                + "1 0 524288 1300 2\n");
    Trace trace = source(file, true).read(n -> {});
    assertEquals(
        "R0 1/1@0\n+R1 1/1@0\n+R2 1/1@0\nR0 1/1@700000\n+R1 1/1@700000\n+R2 1/1@700000\n"
            + "R3 1/1@1300000\n+R0 1/1@1300000\n+R1 1/1@1300000\n+R2 1/1@1300000\n",
        rows(trace));

    Simulation.Result result =
        new Simulation(trace, DISK, 1).window(600_000).run("lru", 4 * CHUNK, at -> {});
    assertEquals(2, result.totals.hddOperations);
    assertEquals(4 * CHUNK, result.totals.hddBytes);
    assertEquals(6, result.totals.hits);
    DiskMeter.Load load = result.load;
    assertEquals(4.0 / 600, load == null ? -1 : load.peak, 1e-12);
    assertEquals(0, load == null ? -1 : load.peakAtSeconds);
    assertEquals(6.0 / 1300, load == null ? -1 : load.mean, 1e-12);
  }

  @Test
  void load_blocks_requestsCostTheirChunksAndFetchesAll() throws IOException {
    // a has 4 chunks and is fetched whole; b has 9, more than the SSD: its own chunks only.
    Path file =
        file(
            "# block_id io_offset io_size op_time op_name\n"
                + "a 0 131072 0 2\n"
                + "b 0 131072 5 2\n"
                + "b 1048576 131072 650 2\n"
                + "a 393216 1 660 2\n"
                + "b 0 1179648 1250 2\n");
    Trace trace = source(file, false).read(n -> {});
    Simulation.Result result =
        new Simulation(trace, DISK, 1).window(600_000).run("lru", 5 * CHUNK, at -> {});

    // 0 s: (1 + 4) + (1 + 1); 600 s: 1 + 1; 1,200 s: 1 + 9
    assertEquals(4, result.totals.hddOperations);
    assertEquals((4 + 1 + 1 + 9) * CHUNK, result.totals.hddBytes);
    DiskMeter.Load load = result.load;
    assertEquals(10.0 / 600, load == null ? -1 : load.peak, 1e-12);
    assertEquals(1200, load == null ? -1 : load.peakAtSeconds);
    assertEquals(19.0 / 1250, load == null ? -1 : load.mean, 1e-12);
  }

  @Test
  void load_writes_dirtyVictimsCountWhenTheyGoAndTheEndCountsNot() throws IOException {
    Path file =
        file(
            "# block_id io_offset io_size op_time op_name\n"
                + "a 0 131072 0 4\n"
                + "b 0 131072 700 2\n"
                + "c 0 131072 1300 4\n");
    Trace trace = source(file, false).read(n -> {});
    Simulation.Result result =
        new Simulation(trace, DISK, 1).window(600_000).run("lru", CHUNK, at -> {});

    assertEquals(3, result.totals.hddOperations, "a written, b read, c written at the end");
    DiskMeter.Load load = result.load;
    assertEquals(4.0 / 600, load == null ? -1 : load.peak, 1e-12);
    assertEquals(600, load == null ? -1 : load.peakAtSeconds);
    assertEquals(4.0 / 1300, load == null ? -1 : load.mean, 1e-12);
  }

  @Test
  void write_thenRead_sameTrace() throws IOException {
    Path original =
        file(
            "# block_id io_offset io_size op_time op_name pipeline user_namespace user_name\n"
                + "1 0 131072 0.25 getChunkData.Temp p n u\n"
                + "2 131072 262144 1.125 putChunk.Temp p n v\n"
                + "1 131072 1 2 getChunkData.Temp q n u\n");
    String before = rows(source(original, false).read(n -> {}));
    for (boolean opNames : new boolean[] {false, true}) {
      StringWriter out = new StringWriter();
      BaleenWriter writer = new BaleenWriter(out, new Anonymizer("s"), opNames);
      new BaleenReader(original, false, 1).read(writer);
      assertEquals(3, writer.written());
      assertEquals(0, writer.order().stepsBack());
      Path copy = Files.writeString(dir.resolve("copy.trace"), out.toString());
      assertEquals(before, rows(source(copy, false).read(n -> {})));
    }
  }
}
