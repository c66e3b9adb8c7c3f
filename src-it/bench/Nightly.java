// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A job that reads directories, one file after the other, and the users beside it: each reads a
 * file drawn at random, then waits for a random time. Prints one line of JSON.
 */
public final class Nightly {
  private static final int BUFFER = 1 << 20;
  private static final long LOOK_MILLIS = 20;

  private final Configuration conf = new Configuration();
  private final Map<String, String> options;

  private Nightly(Map<String, String> options) {
    this.options = options;
  }

  public static void main(String[] args) throws Exception {
    if (Options.wantHelp(args)) {
      System.out.println(
          "job    --paths DIRECTORY,... [--name job_1_0001] [--impl CLASS of the file system]\n"
              + "spread --path DIRECTORY    moves each file of it to a directory of its own\n"
              + "others --path DIRECTORY --until FILE --pause FILE [--users 10] [--wait-ms 1000]"
              + " [--seed 1]\n"
              + "       reads files below the directory, as user0, user1, ...; while the file"
              + " --pause is there,\n"
              + "       nothing is read, and FILE.bytes says how much has been read so far");
      return;
    }
    Nightly client = new Nightly(Options.of(args, 1));
    switch (args[0]) {
      case "job":
        client.job();
        break;
      case "spread":
        client.spread();
        break;
      case "others":
        client.others();
        break;
      default:
        throw new IllegalArgumentException("expected job, spread or others, found " + args[0]);
    }
  }

  private static List<Path> files(FileSystem fs, Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    FileStatus[] all = fs.listStatus(directory);
    Arrays.sort(all);
    for (FileStatus each : all) {
      if (each.isDirectory()) {
        files.addAll(files(fs, each.getPath()));
      } else {
        files.add(each.getPath());
      }
    }
    return files;
  }

  private static long read(FileSystem fs, Path file, byte[] buffer) throws IOException {
    long bytes = 0;
    try (InputStream in = fs.open(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes += n;
      }
    }
    return bytes;
  }

  private void spread() throws IOException {
    FileSystem fs = FileSystem.get(conf);
    for (Path file : files(fs, new Path(Options.needed(options, "path")))) {
      Path directory = new Path(file.getParent(), "of-" + file.getName());
      if (!fs.mkdirs(directory) || !fs.rename(file, directory)) {
        throw new IOException("could not move " + file);
      }
    }
  }

  private void job() throws IOException {
    if (options.containsKey("impl")) {
      conf.set("fs.hdfs.impl", options.get("impl"));
    }
    CallerContext.setCurrent(
        new CallerContext.Builder("mr_" + options.getOrDefault("name", "job_1_0001")).build());
    long bytes = 0;
    long begun = System.nanoTime();
    byte[] buffer = new byte[BUFFER];
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      for (String path : Options.needed(options, "paths").split(",", -1)) {
        for (Path file : files(fs, new Path(path))) {
          bytes += read(fs, file, buffer);
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "{\"op\":\"job\",\"bytes\":%d,\"seconds\":%.2f}%n",
        bytes,
        (System.nanoTime() - begun) / 1e9);
  }

  private void others() throws Exception {
    java.nio.file.Path until = Paths.get(Options.needed(options, "until"));
    java.nio.file.Path pause = Paths.get(Options.needed(options, "pause"));
    java.nio.file.Path report = Paths.get(Options.needed(options, "pause") + ".bytes");
    int users = Integer.parseInt(options.getOrDefault("users", "10"));
    int waitMillis = Integer.parseInt(options.getOrDefault("wait-ms", "1000"));
    long seed = Long.parseLong(options.getOrDefault("seed", "1"));
    List<Path> files = files(FileSystem.get(conf), new Path(Options.needed(options, "path")));
    LongAdder bytes = new LongAdder();
    AtomicInteger resting = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(users);
    List<Future<Void>> running = new ArrayList<>();
    for (int i = 0; i < users; i++) {
      UserGroupInformation user = UserGroupInformation.createRemoteUser("user" + i);
      SplittableRandom random = new SplittableRandom(seed * 1000 + i);
      FileSystem fs =
          user.doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(conf));
      running.add(
          threads.submit(
              () -> {
                byte[] buffer = new byte[BUFFER];
                while (!Files.exists(until)) {
                  if (Files.exists(pause)) {
                    if (resting.incrementAndGet() == users) {
                      Files.writeString(report, String.valueOf(bytes.sum()));
                    }
                    while (Files.exists(pause) && !Files.exists(until)) {
                      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                    }
                    resting.decrementAndGet();
                  } else {
                    bytes.add(read(fs, files.get(random.nextInt(files.size())), buffer));
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(2 * waitMillis));
                  }
                }
                return null;
              }));
    }
    for (Future<Void> each : running) {
      each.get();
    }
    threads.shutdown();
    System.out.printf(Locale.ROOT, "{\"op\":\"others\",\"bytes\":%d}%n", bytes.sum());
  }
}
