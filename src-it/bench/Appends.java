// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Clients that append to and truncate small files soon after the last change, when a background
 * move of their block may be anywhere on its way, and compare every byte with a model after each
 * step. Nothing dies here: any exception is a failure, counted by kind, and nothing is tried again.
 *
 * <p>One file in twenty stays; it is read by a thread of its own all the time, so that promotions
 * go on too, and once more at the end.
 */
public final class Appends {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int CHANGES_A_FILE = 4;
  private static final int KEPT_ONE_IN = 20;
  private static final long LONGEST_TRUNCATE_MILLIS = 120_000;

  private final DistributedFileSystem dfs;
  private final Path root;
  private final short replication;
  private final long operations;
  private final int pauseMillis;
  private final long seed;
  private final AtomicLong left;
  private final AtomicLong files = new AtomicLong();
  private final AtomicLong appends = new AtomicLong();
  private final AtomicLong truncates = new AtomicLong();
  private final AtomicLong creates = new AtomicLong();
  private final AtomicLong bytesVerified = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final ConcurrentMap<String, AtomicLong> failures = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Kept> kept = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean done = new AtomicBoolean();

  private static final class Kept {
    final Path path;
    final byte[] content;

    Kept(Path path, byte[] content) {
      this.path = path;
      this.content = content;
    }
  }

  private Appends(Map<String, String> options) throws IOException {
    dfs = (DistributedFileSystem) FileSystem.get(new Configuration());
    root = new Path(options.getOrDefault("path", "/appends"));
    replication = Short.parseShort(options.getOrDefault("replication", "1"));
    operations = Long.parseLong(options.getOrDefault("operations", "10000"));
    pauseMillis = Integer.parseInt(options.getOrDefault("pause", "120"));
    seed = Long.parseLong(options.getOrDefault("seed", "1"));
    left = new AtomicLong(operations);
  }

  public static void main(String[] args) throws Exception {
    if (Options.wantHelp(args)) {
      System.out.println(
          "Appends --operations N [--path /appends] [--replication 1] [--threads 48] [--pause MS"
              + " 120] [--seed 1]\n"
              + "prints one line of JSON; exit code 1 if a byte was wrong");
      return;
    }
    Map<String, String> options = Options.of(args, 0);
    Appends appends = new Appends(options);
    appends.run(Integer.parseInt(options.getOrDefault("threads", "48")));
    System.exit(appends.wrong.get() == 0 ? 0 : 1);
  }

  private void run(int threads) throws Exception {
    long begun = System.nanoTime();
    dfs.mkdirs(root);
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      SplittableRandom random = new SplittableRandom(seed * 1000 + t);
      all.add(new Thread(() -> work(random)));
    }
    Thread reader = new Thread(this::readKept);
    reader.start();
    all.forEach(Thread::start);
    for (Thread thread : all) {
      thread.join();
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    done.set(true);
    reader.join();
    int verified = 0;
    for (Kept file : kept) {
      if (verify(file, "readAtEnd")) {
        verified++;
      }
    }
    long failed = failures.values().stream().mapToLong(AtomicLong::get).sum();
    StringBuilder kinds = new StringBuilder();
    new TreeMap<>(failures)
        .forEach(
            (kind, count) ->
                kinds.append(
                    String.format(
                        Locale.ROOT,
                        "%s\"%s\":%d",
                        kinds.length() == 0 ? "" : ",",
                        kind,
                        count.get())));
    System.out.printf(
        Locale.ROOT,
        "{\"op\":\"appends\",\"replication\":%d,\"files\":%d,\"creates\":%d,\"appends\":%d,"
            + "\"truncates\":%d,\"failed\":%d,\"failures\":{%s},\"wrong\":%d,\"bytesVerified\":%d,"
            + "\"keptFiles\":%d,\"keptFilesRight\":%d,\"seconds\":%.1f,\"seed\":%d}%n",
        replication,
        files.get(),
        creates.get(),
        appends.get(),
        truncates.get(),
        failed,
        kinds,
        wrong.get(),
        bytesVerified.get(),
        kept.size(),
        verified,
        seconds,
        seed);
  }

  private static byte[] random(SplittableRandom random, int bytes) {
    byte[] data = new byte[bytes];
    new java.util.Random(random.nextLong()).nextBytes(data);
    return data;
  }

  private void work(SplittableRandom random) {
    while (left.get() > 0) {
      long number = files.incrementAndGet();
      Path path = new Path(root, "r" + replication + "-" + number);
      byte[] content = random(random, 1 + random.nextInt(300_000));
      String step = "create";
      try {
        try (FSDataOutputStream out = dfs.create(path, true, 1 << 16, replication, BLOCK_BYTES)) {
          out.write(content);
        }
        creates.incrementAndGet();
        boolean right = true;
        for (int i = 0; right && i < CHANGES_A_FILE && left.getAndDecrement() > 0; i++) {
          Thread.sleep(random.nextInt(pauseMillis + 1));
          if (content.length > 1 && random.nextInt(4) == 0) {
            step = "truncate";
            int length = random.nextInt(content.length);
            truncate(path, length);
            content = Arrays.copyOf(content, length);
            truncates.incrementAndGet();
          } else {
            step = "append";
            byte[] more = random(random, 1 + random.nextInt(100_000));
            try (FSDataOutputStream out = dfs.append(path)) {
              out.write(more);
              if (random.nextInt(4) == 0) {
                out.hsync();
              }
            }
            int before = content.length;
            content = Arrays.copyOf(content, before + more.length);
            System.arraycopy(more, 0, content, before, more.length);
            appends.incrementAndGet();
          }
          step = "read";
          right = verify(new Kept(path, content), step);
        }
        step = "delete";
        if (right && number % KEPT_ONE_IN == 0) {
          kept.add(new Kept(path, content));
        } else if (right) {
          dfs.delete(path, false);
        }
      } catch (IOException | RuntimeException e) {
        fail(step, path, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void truncate(Path path, int length) throws IOException, InterruptedException {
    if (dfs.truncate(path, length)) {
      return;
    }
    long end = System.currentTimeMillis() + LONGEST_TRUNCATE_MILLIS;
    while (!dfs.isFileClosed(path)) {
      if (System.currentTimeMillis() > end) {
        throw new IOException("truncate did not end");
      }
      Thread.sleep(50);
    }
  }

  /** Returns whether the file could be read and each byte was right; counts what was not. */
  private boolean verify(Kept file, String step) {
    try (FSDataInputStream in = dfs.open(file.path)) {
      byte[] found = new byte[file.content.length];
      in.readFully(0, found);
      long length = dfs.getFileStatus(file.path).getLen();
      if (length != found.length || !Arrays.equals(found, file.content)) {
        wrong.incrementAndGet();
        System.err.println(
            "WRONG: " + file.path + " length=" + length + " expected=" + found.length);
        return false;
      }
      bytesVerified.addAndGet(found.length);
      return true;
    } catch (IOException e) {
      fail(step, file.path, e);
      return false;
    }
  }

  private void readKept() {
    while (!done.get()) {
      for (Kept file : kept) {
        if (done.get()) {
          return;
        }
        verify(file, "readKept");
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void fail(String step, Path path, Exception e) {
    System.err.println("FAILED " + java.time.Instant.now() + " " + step + " " + path + ": " + e);
    failures
        .computeIfAbsent(step + " " + e.getClass().getSimpleName(), k -> new AtomicLong())
        .incrementAndGet();
  }
}
