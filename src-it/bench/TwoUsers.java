// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.HyCacheClient;
import java.io.IOException;
import java.io.InputStream;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Two users read in turn, a file each, on one DataNode. What the DataNode counts between two reads
 * is what the one before took from SSD and from DISK. Prints a line of JSON.
 */
public final class TwoUsers {
  private static final long WAIT_MILLIS = 10_000;

  private final HyCacheClient hycache;
  private final byte[] buffer = new byte[1 << 20];

  private TwoUsers(HyCacheClient hycache) {
    this.hycache = hycache;
  }

  /** A user's files and what reading them took. */
  private static final class Reader {
    final String name;
    final FileSystem fs;
    final List<Path> files = new ArrayList<>();
    long ssdBytes;
    long diskBytes;
    int reads;

    Reader(String name, String user, String path) throws Exception {
      this.name = name;
      this.fs =
          UserGroupInformation.createRemoteUser(user)
              .doAs(
                  (PrivilegedExceptionAction<FileSystem>)
                      () -> FileSystem.newInstance(new Configuration()));
      for (FileStatus file : fs.listStatus(new Path(path))) {
        files.add(file.getPath());
      }
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"name\":\"%s\",\"reads\":%d,\"ssdBytes\":%d,\"diskBytes\":%d}",
          name,
          reads,
          ssdBytes,
          diskBytes);
    }
  }

  /** Bytes from SSD and from DISK, as the one DataNode counts them. */
  private long[] counted() throws IOException {
    NodeStatus status = hycache.status(hycache.liveNodes()).get(0).value();
    return new long[] {
      status.counters().get("SsdBytesRead"), status.counters().get("DiskBytesRead")
    };
  }

  /** Reads the user's next file; returns when the DataNode has counted all of it. */
  private void readNext(Reader reader) throws Exception {
    Path file = reader.files.get(reader.reads % reader.files.size());
    long[] before = counted();
    long bytes = 0;
    try (InputStream in = reader.fs.open(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes += n;
      }
    }
    long end = System.nanoTime() + WAIT_MILLIS * 1_000_000;
    long[] after = counted();
    while (after[0] + after[1] - before[0] - before[1] < bytes) {
      if (System.nanoTime() > end) {
        throw new IOException("the DataNode did not count all bytes: file=" + file);
      }
      Thread.sleep(20);
      after = counted();
    }
    reader.ssdBytes += after[0] - before[0];
    reader.diskBytes += after[1] - before[1];
    reader.reads++;
  }

  public static void main(String[] args) throws Exception {
    if (Options.wantHelp(args)) {
      System.out.println(
          "TwoUsers --rounds N --alice PATH --alice-user USER --mallory PATH --mallory-user USER");
      return;
    }
    Map<String, String> options = Options.of(args, 0);
    TwoUsers test = new TwoUsers(new HyCacheClient(new Configuration(), (what, done, total) -> {}));
    Reader alice =
        new Reader(
            "alice", Options.needed(options, "alice-user"), Options.needed(options, "alice"));
    Reader mallory =
        new Reader(
            "mallory", Options.needed(options, "mallory-user"), Options.needed(options, "mallory"));
    int turns = Integer.parseInt(Options.needed(options, "rounds")) * alice.files.size();
    for (int i = 0; i < turns; i++) {
      test.readNext(alice);
      test.readNext(mallory);
    }
    System.out.println(
        "{\"op\":\"users\",\"users\":[" + alice.json() + "," + mallory.json() + "]}");
    System.exit(0);
  }
}
