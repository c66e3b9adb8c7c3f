// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.engine.ReadSources;
import io.hycache.core.hint.JobNames;
import io.hycache.core.hint.LogTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of {@code DataNode.clienttrace} in a DataNode's log. Hadoop writes one for each
 * write of a block by a client at INFO, and for each read at DEBUG:
 *
 * <pre>
 * 2026-11-26 03:01:03,123 DEBUG DataNode.clienttrace: src: /10.0.0.1:9866, dest: /10.0.0.2:40000,
 *   volume: , bytes: 134217728, op: HDFS_READ, cliID: DFSClient_attempt_..., offset: 0,
 *   srvID: 7d0c..., blockid: BP-1-10.0.0.9-1:blk_1073741825_1001, duration(ns): 123456
 * </pre>
 *
 * <p>Fields are found by their names, so that lines without a volume, which Hadoop did not always
 * write, are read, too. Time is that of the line, the end of the read. The object is the replica:
 * block pool and block id with the DataNode's id, without the generation stamp. The pipeline is the
 * job ({@link JobNames}), the class what a DataNode makes of the client's name ({@link
 * ReadSources}); the namespace is the block pool; the line does not name the user. Short-circuit
 * reads leave no line with their bytes; requests for their descriptors are counted as skipped.
 */
final class ClientTraceReader implements Measured.Source {
  private static final String MARK = "clienttrace: ";
  private static final String READ = "HDFS_READ";
  private static final String WRITE = "HDFS_WRITE";

  /** What to do when there are no reads. */
  static final String FIX =
      "Fix: hadoop daemonlog -setlevel HOST:HTTP_PORT"
          + " org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace DEBUG";

  private static final String SHORT_CIRCUIT = "REQUEST_SHORT_CIRCUIT_FDS";

  private final List<Path> files;
  private Skipped skipped = new Skipped();
  private long otherLines;
  private long reads;

  ClientTraceReader(List<Path> files) {
    this.files = List.copyOf(files);
  }

  /** What the last pass left out of lines of this kind. */
  Skipped skipped() {
    return skipped;
  }

  /** Lines of the last pass that are not of this kind, which is most of a log. */
  long otherLines() {
    return otherLines;
  }

  /** Reads of the last pass. */
  long reads() {
    return reads;
  }

  /** Accesses without sizes of their objects, see {@link Measured}. */
  @Override
  public void read(TraceAccess.Sink sink) throws IOException {
    skipped = new Skipped();
    otherLines = 0;
    reads = 0;
    TraceAccess access = new TraceAccess();
    long found = 0;
    for (Path file : files) {
      try (BufferedReader lines = new BufferedReader(TraceReader.open(file))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          int at = line.indexOf(MARK);
          if (at < 0) {
            otherLines++;
            continue;
          }
          String refused = parse(line, line.substring(at + MARK.length()), access);
          if (refused == null) {
            sink.accept(access);
            found++;
            reads += access.write ? 0 : 1;
          } else {
            skipped.count(refused, line);
          }
        }
      }
    }
    if (found == 0) {
      throw new TraceException(
          TraceReader.nameOf(files.get(0)),
          1,
          "expected lines of DataNode.clienttrace with op: HDFS_READ or HDFS_WRITE, found none in "
              + (otherLines + skipped.total())
              + " lines. "
              + FIX);
    }
  }

  /** Fills the access. Returns why it can't; null if it did. */
  private static @Nullable String parse(String line, String fields, TraceAccess access) {
    String op = field(fields, "op: ");
    if (op == null) {
      return "no operation";
    }
    if (op.equals(SHORT_CIRCUIT)) {
      return "a short-circuit read, whose bytes the DataNode does not know";
    }
    boolean write = op.equals(WRITE);
    if (!write && !op.equals(READ)) {
      return "the operation moves no data";
    }
    String block = field(fields, "blockid: ");
    String server = field(fields, "srvID: ");
    String client = field(fields, "cliID: ");
    String bytes = field(fields, "bytes: ");
    String offset = field(fields, "offset: ");
    if (block == null || server == null || client == null || bytes == null || offset == null) {
      return "the line ends early";
    }
    long time = LogTime.millis(line);
    if (time < 0) {
      return "no time at the beginning";
    }
    try {
      access.requestBytes = Long.parseLong(bytes);
      access.offset = Long.parseLong(offset);
    } catch (NumberFormatException e) {
      return "bytes or offset is no number";
    }
    if (access.requestBytes <= 0 || access.offset < 0) {
      return "0 bytes were sent";
    }
    if (access.requestBytes > TraceAccess.MAX_BYTES - access.offset) {
      return "offset + bytes is more than 2^50";
    }
    int stamp = block.lastIndexOf('_');
    int pool = block.indexOf(':');
    if (pool < 0 || stamp <= block.indexOf("blk_", pool) + "blk".length()) {
      return "blockid is not POOL:blk_ID_GENERATION";
    }
    access.object = block.substring(0, stamp) + "/" + server;
    access.sizeBytes = access.offset + access.requestBytes;
    access.write = write;
    access.timeMillis = time;
    access.namespace = block.substring(0, pool);
    access.pipeline = JobNames.of(client);
    access.className = ReadSources.classOfClient(client);
    return null;
  }

  /** The value after a name, up to the next comma; null if the name is not there. */
  private static @Nullable String field(String fields, String name) {
    int from = fields.startsWith(name) ? 0 : fields.indexOf(", " + name);
    if (from < 0) {
      return null;
    }
    from += from == 0 && fields.startsWith(name) ? name.length() : name.length() + 2;
    int to = fields.indexOf(", ", from);
    return to < 0 ? fields.substring(from).strip() : fields.substring(from, to);
  }
}
