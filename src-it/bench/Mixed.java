// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Three loads at once: a job that reads its files several times over, unannounced readers that
 * prefer some files to others (Zipf), and a scan that reads very many files once. Ends when the job
 * does; prints one line of JSON.
 */
public final class Mixed {
  private static final int BUFFER = 1 << 20;

  private final Map<String, String> options;
  private final Configuration conf = new Configuration();
  private final AtomicBoolean over = new AtomicBoolean();

  private Mixed(Map<String, String> options) {
    this.options = options;
  }

  public static void main(String[] args) throws Exception {
    if (Options.wantHelp(args)) {
      System.out.println(
          "Mixed --job PATH --rounds N --zipf PATH --readers N [--skew 0.9] --scan PATH [--seed"
              + " N] [--after N --touch FILE]\n"
              + "  --after N --touch FILE: creates the file when the job has read N of its files");
      return;
    }
    new Mixed(Options.of(args, 0)).run();
  }

  private List<Path> files(String option) throws IOException {
    List<Path> files = new ArrayList<>();
    for (FileStatus file : FileSystem.get(conf).listStatus(new Path(options.get(option)))) {
      files.add(file.getPath());
    }
    return files;
  }

  /** Reads a file whole, or until all is over. Returns the bytes. */
  private long read(FileSystem client, Path file, byte[] buffer) throws IOException {
    long bytes = 0;
    try (InputStream in = client.open(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes += n;
        if (over.get()) {
          break;
        }
      }
    }
    return bytes;
  }

  private void run() throws Exception {
    List<Path> job = files("job");
    List<Path> liked = files("zipf");
    List<Path> scanned = files("scan");
    int rounds = Integer.parseInt(options.get("rounds"));
    int readers = Integer.parseInt(options.get("readers"));
    double skew = Double.parseDouble(options.getOrDefault("skew", "0.9"));
    long seed = Long.parseLong(options.getOrDefault("seed", "1"));
    double[] sums = new double[liked.size()];
    for (int k = 0; k < sums.length; k++) {
      sums[k] = (k == 0 ? 0 : sums[k - 1]) + 1 / Math.pow(k + 1, skew);
    }
    LongAdder zipfReads = new LongAdder();
    LongAdder zipfBytes = new LongAdder();
    LongAdder scanBytes = new LongAdder();
    ExecutorService threads = Executors.newFixedThreadPool(readers + 1);
    List<Future<Void>> others = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      SplittableRandom random = new SplittableRandom(seed * 1000 + i);
      others.add(
          threads.submit(
              (Callable<Void>)
                  () -> {
                    FileSystem client = FileSystem.newInstance(conf);
                    byte[] buffer = new byte[BUFFER];
                    while (!over.get()) {
                      double at = random.nextDouble() * sums[sums.length - 1];
                      int found = Arrays.binarySearch(sums, at);
                      zipfBytes.add(
                          read(client, liked.get(found < 0 ? -found - 1 : found), buffer));
                      zipfReads.increment();
                    }
                    return null;
                  }));
    }
    others.add(
        threads.submit(
            (Callable<Void>)
                () -> {
                  FileSystem client = FileSystem.newInstance(conf);
                  byte[] buffer = new byte[BUFFER];
                  for (Path file : scanned) {
                    if (over.get()) {
                      break;
                    }
                    scanBytes.add(read(client, file, buffer));
                  }
                  return null;
                }));
    long begun = System.nanoTime();
    long jobBytes = 0;
    int after = Integer.parseInt(options.getOrDefault("after", "0"));
    int read = 0;
    StringBuilder byRound = new StringBuilder();
    FileSystem client = FileSystem.newInstance(conf);
    byte[] buffer = new byte[BUFFER];
    for (int round = 0; round < rounds; round++) {
      long roundBegun = System.nanoTime();
      for (Path file : job) {
        jobBytes += read(client, file, buffer);
        if (++read == after) {
          Files.createFile(Paths.get(options.get("touch")));
        }
      }
      byRound
          .append(round == 0 ? "" : ",")
          .append(String.format(Locale.ROOT, "%.2f", (System.nanoTime() - roundBegun) / 1e9));
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    over.set(true);
    threads.shutdown();
    for (Future<Void> other : others) {
      other.get();
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "{\"op\":\"mixed\",\"jobSeconds\":%.2f,\"roundSeconds\":[%s],\"jobBytes\":%d,"
                + "\"zipfReads\":%d,\"zipfBytes\":%d,\"scanBytes\":%d,\"seed\":%d}",
            seconds,
            byRound,
            jobBytes,
            zipfReads.sum(),
            zipfBytes.sum(),
            scanBytes.sum(),
            seed));
    System.exit(0);
  }
}
