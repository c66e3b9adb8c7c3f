// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Users as they are while operators work on the cluster: with HDFS's default settings they write
 * files, read them, at places too, compare every byte, and delete the oldest, until a file appears.
 * Nothing is tried again: an exception that reaches a user is an error. At the end each file that
 * is left is read once more. Prints one line of JSON.
 */
public final class Steady {
  private static final int BUFFER = 1 << 16;
  private static final int MIN_BYTES = 1 << 20;
  private static final int MAX_BYTES = 12 << 20;

  private final FileSystem fs;
  private final Path root;
  private final int mostFiles;
  private final java.nio.file.Path until;
  private final List<Integer> files = new ArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong positional = new AtomicLong();
  private final AtomicLong deleted = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();

  private Steady(Map<String, String> options) throws IOException {
    fs = FileSystem.get(new Configuration());
    root = new Path(options.getOrDefault("path", "/steady"));
    mostFiles = Integer.parseInt(options.getOrDefault("files", "60"));
    until = Paths.get(Options.needed(options, "until"));
  }

  public static void main(String[] args) throws Exception {
    if (Options.wantHelp(args)) {
      System.out.println(
          "Steady --until FILE [--path /steady] [--writers 2] [--readers 3] [--files 60] [--seed"
              + " 1]\n"
              + "prints one line of JSON; exit code 1 after an error or a wrong byte");
      return;
    }
    Map<String, String> options = Options.of(args, 0);
    Steady steady = new Steady(options);
    steady.run(
        Integer.parseInt(options.getOrDefault("writers", "2")),
        Integer.parseInt(options.getOrDefault("readers", "3")),
        Long.parseLong(options.getOrDefault("seed", "1")));
    System.exit(steady.errors.get() + steady.wrong.get() == 0 ? 0 : 1);
  }

  private interface Action {
    void run(SplittableRandom random) throws IOException;
  }

  private void run(int writers, int readers, long seed) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < writers + readers; i++) {
      SplittableRandom random = new SplittableRandom(seed * 1000 + i);
      Action action = i < writers ? this::write : this::read;
      Thread thread =
          new Thread(
              () -> {
                while (!Files.exists(until)) {
                  guarded(action, random);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (int file : files) {
      guarded(random -> verify(file, 0, size(file)), new SplittableRandom(seed));
    }
    System.out.printf(
        Locale.ROOT,
        "{\"op\":\"steady\",\"written\":%d,\"read\":%d,\"positional\":%d,\"deleted\":%d,"
            + "\"filesAtEnd\":%d,\"bytes\":%d,\"longestMillis\":%d,\"errors\":%d,\"wrong\":%d}%n",
        written.get(),
        read.get(),
        positional.get(),
        deleted.get(),
        files.size(),
        bytes.get(),
        longestNanos.get() / 1_000_000,
        errors.get(),
        wrong.get());
  }

  private void guarded(Action action, SplittableRandom random) {
    long begun = System.nanoTime();
    try {
      action.run(random);
    } catch (IOException | UncheckedIOException e) {
      errors.incrementAndGet();
      System.err.println("ERROR " + Instant.now() + ": " + e);
      e.printStackTrace();
    }
    longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
  }

  private Path path(int file) {
    return new Path(root, String.valueOf(file));
  }

  /** Length of a file, by its number. */
  private static int size(int file) {
    return MIN_BYTES + new SplittableRandom(file).nextInt(MAX_BYTES - MIN_BYTES);
  }

  private static void fill(int file, long from, byte[] into, int n) {
    for (int i = 0; i < n; i++) {
      long at = from + i;
      into[i] = (byte) (at * 31 + (at >>> 12) * 7 + file * 131L);
    }
  }

  private void write(SplittableRandom random) throws IOException {
    int file = numbers.incrementAndGet();
    int size = size(file);
    byte[] buffer = new byte[BUFFER];
    try (FSDataOutputStream out = fs.create(path(file))) {
      for (int at = 0; at < size; at += BUFFER) {
        int n = Math.min(BUFFER, size - at);
        fill(file, at, buffer, n);
        out.write(buffer, 0, n);
      }
    }
    written.incrementAndGet();
    bytes.addAndGet(size);
    int oldest = 0;
    synchronized (files) {
      files.add(file);
      if (files.size() > mostFiles) {
        oldest = files.remove(0);
      }
    }
    if (oldest != 0) {
      fs.delete(path(oldest), false);
      deleted.incrementAndGet();
    }
  }

  /** Reads one of the files that are not about to be deleted. */
  private void read(SplittableRandom random) throws IOException {
    int file;
    synchronized (files) {
      int young = files.size() - mostFiles / 2;
      if (young <= 0) {
        file = files.isEmpty() ? 0 : files.get(random.nextInt(files.size()));
      } else {
        file = files.get(young + random.nextInt(files.size() - young));
      }
    }
    if (file == 0) {
      sleep();
    } else if (random.nextBoolean()) {
      verify(file, 0, size(file));
      read.incrementAndGet();
    } else {
      int from = random.nextInt(size(file) - 4096);
      verify(file, from, 4096);
      positional.incrementAndGet();
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void verify(int file, int from, int length) throws IOException {
    byte[] got = new byte[BUFFER];
    byte[] expected = new byte[BUFFER];
    try (FSDataInputStream in = fs.open(path(file))) {
      for (int at = from; at < from + length; at += BUFFER) {
        int n = Math.min(BUFFER, from + length - at);
        in.readFully(at, got, 0, n);
        fill(file, at, expected, n);
        if (!java.util.Arrays.equals(got, 0, n, expected, 0, n)) {
          wrong.incrementAndGet();
          System.err.println("WRONG " + Instant.now() + ": " + path(file) + " from " + at);
        }
      }
    }
    bytes.addAndGet(length);
  }
}
