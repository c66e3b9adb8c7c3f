// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * The load of the experiments: writes, sequential reads, small positional reads and checksums, each
 * printed as one line of JSON.
 *
 * <p>The content of a file is a function of its path and the seed: pieces of 1 MB cut out of one
 * random buffer at places given by a hash of (seed, path, number of the piece). Writing it costs
 * the client next to nothing, and its MD5 can be computed after the measured time without reading
 * anything back: it is the checksum of what was handed over.
 *
 * <p>File i of a set gets DataNodes i, i+1, ... as its favoured nodes: all set-ups have the same
 * balanced placement, and ratios don't carry the NameNode's dice.
 */
public final class LoadClient {
  private static final int PIECE = 1 << 20;
  private static final int POOL = 8 << 20;

  /** A single write or close that takes longer counts as a stall. */
  private static final long STALL_NANOS = 10_000_000_000L;

  private final Map<String, String> options = new HashMap<>();
  private final Configuration conf = new Configuration();

  public static void main(String[] args) throws Exception {
    if (Options.wantHelp(args)) {
      System.out.println(
          String.join(
              "\n",
              "write    --path P --files N --size BYTES [--threads T] [--replication R] [--block"
                  + " B]",
              "         [--policy ALL_SSD] [--seed S] [--manifest FILE] [--sync COMMAND]",
              "read     --path P | --sides NAME=CONFIGURATION:PATH,... [--readers T] [--rounds N]"
                  + " [--warm-rounds N]",
              "         [--drop true] [--piece BYTES] [--seed N]",
              "pread    --path P | --sides ... [--clients C] [--seconds S] [--warmup S] [--size"
                  + " 4096] [--seed N]",
              "         [--drop-every MS]",
              "         [--rate N: a second, all clients together, at random moments, which"
                  + " latencies count from]",
              "checksum --path P --manifest FILE            writes the MD5 of each file",
              "verify   --manifest FILE                     reads each file, compares",
              "list     --path P                            files, bytes, replica bytes by"
                  + " DataNode"));
      return;
    }
    LoadClient client = new LoadClient();
    client.options.putAll(Options.of(args, 1));
    switch (args[0]) {
      case "write":
        client.write();
        break;
      case "read":
        client.read();
        break;
      case "pread":
        client.pread();
        break;
      case "checksum":
        client.checksum();
        break;
      case "verify":
        client.verify();
        break;
      case "list":
        client.list();
        break;
      default:
        throw new IllegalArgumentException("unknown command " + args[0]);
    }
  }

  /** How long single operations of one thread took, in nanoseconds. */
  private static final class Latencies {
    private long[] nanos = new long[1024];
    private int count;

    /** Adds one and returns it. */
    long add(long taken) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = taken;
      return taken;
    }

    static long[] sorted(Latencies[] threads) {
      return Arrays.stream(threads)
          .flatMapToLong(thread -> Arrays.stream(thread.nanos, 0, thread.count))
          .sorted()
          .toArray();
    }

    /** A quantile of 0 to 1, in milliseconds. */
    static double at(long[] sorted, double quantile) {
      return sorted[(int) Math.min(sorted.length - 1, sorted.length * quantile)] / 1e6;
    }
  }

  // ------------------------------------------------------------------------------------------
  // write

  private void write() throws Exception {
    Path dir = path();
    int files = number("files", 16);
    long size = Long.parseLong(option("size", "67108864"));
    int threads = Math.min(files, number("threads", 4));
    short replication = (short) number("replication", 2);
    long block = Long.parseLong(option("block", "67108864"));
    long seed = Long.parseLong(option("seed", "1"));
    byte[] pool = pool(seed);
    DistributedFileSystem dfs = (DistributedFileSystem) FileSystem.get(conf);
    dfs.mkdirs(dir);
    if (options.containsKey("policy")) {
      dfs.setStoragePolicy(dir, options.get("policy"));
    }
    DatanodeInfo[] nodes = dfs.getDataNodeStats();
    Arrays.sort(nodes, Comparator.comparingInt(DatanodeInfo::getXferPort));

    AtomicInteger next = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    AtomicInteger stalled = new AtomicInteger();
    List<Long> perFile = Collections.synchronizedList(new ArrayList<>());
    Latencies[] latencies = new Latencies[threads];
    // Bytes handed over in each second, and room for a day.
    AtomicLongArray bySecond = new AtomicLongArray(86_400);
    long start = System.nanoTime();
    inParallel(
        threads,
        t -> {
          latencies[t] = new Latencies();
          for (int f = next.getAndIncrement(); f < files; f = next.getAndIncrement()) {
            Path file = file(dir, f);
            InetSocketAddress[] favoured =
                new InetSocketAddress[Math.min(replication, nodes.length)];
            for (int r = 0; r < favoured.length; r++) {
              DatanodeInfo node = nodes[(f + r) % nodes.length];
              favoured[r] = new InetSocketAddress(node.getIpAddr(), node.getXferPort());
            }
            long begin = System.nanoTime();
            long worst = 0;
            try {
              FSDataOutputStream out =
                  dfs.create(
                      file,
                      FsPermission.getFileDefault(),
                      true,
                      131072,
                      replication,
                      block,
                      null,
                      favoured);
              try {
                for (long at = 0; at < size; at += PIECE) {
                  long before = System.nanoTime();
                  int n = (int) Math.min(PIECE, size - at);
                  out.write(pool, place(seed, file, at), n);
                  worst = Math.max(worst, latencies[t].add(System.nanoTime() - before));
                  bySecond.addAndGet((int) secondsSince(start), n);
                }
              } finally {
                long before = System.nanoTime();
                out.close();
                worst = Math.max(worst, latencies[t].add(System.nanoTime() - before));
              }
            } catch (IOException e) {
              failed.incrementAndGet();
              System.err.println("write failed: file=" + file + " cause=" + e);
            }
            if (worst > STALL_NANOS) {
              stalled.incrementAndGet();
            }
            perFile.add(System.nanoTime() - begin);
          }
        });
    double closed = secondsSince(start);
    if (options.containsKey("sync")) {
      shell(options.get("sync"));
    }
    double synced = secondsSince(start);
    long bytes = (files - failed.get()) * size;
    if (options.containsKey("manifest")) {
      try (BufferedWriter out =
          new BufferedWriter(new FileWriter(Options.needed(options, "manifest"), UTF_8, true))) {
        for (int f = 0; f < files; f++) {
          out.write(
              md5OfContent(pool, seed, file(dir, f), size)
                  + " "
                  + size
                  + " "
                  + file(dir, f)
                  + "\n");
        }
      }
    }
    long[] all = Latencies.sorted(latencies);
    List<String> mbpsBySecond = new ArrayList<>();
    for (int second = 0; second < closed; second++) {
      mbpsBySecond.add(String.format(Locale.ROOT, "%.1f", bySecond.get(second) / 1e6));
    }
    print(
        "\"op\":\"write\",\"files\":%d,\"bytes\":%d,\"threads\":%d,\"seconds\":%.3f,\"secondsClosed\":%.3f,"
            + "\"mbps\":%.2f,\"mbpsClosed\":%.2f,\"fileMaxMs\":%.1f,\"opP50Ms\":%.3f,\"opP99Ms\":%.3f,"
            + "\"opP999Ms\":%.3f,\"opMaxMs\":%.1f,\"failed\":%d,\"stalled\":%d,\"seed\":%d,"
            + "\"mbpsBySecond\":%s",
        files,
        bytes,
        threads,
        synced,
        closed,
        bytes / 1e6 / synced,
        bytes / 1e6 / closed,
        Collections.max(perFile) / 1e6,
        Latencies.at(all, 0.5),
        Latencies.at(all, 0.99),
        Latencies.at(all, 0.999),
        Latencies.at(all, 1),
        failed.get(),
        stalled.get(),
        seed,
        mbpsBySecond);
    if (failed.get() > 0) {
      System.exit(3);
    }
  }

  // ------------------------------------------------------------------------------------------
  // sides

  /**
   * A cluster and what is read there. Several take turns at short intervals in one process, in an
   * order by lot, so that a machine that is slower a moment later is slower for all.
   */
  private static final class Side {
    final String name;
    final List<FileStatus> files;
    final FileSystem[] clients;

    Side(String name, Configuration own, Path path, int clients) throws IOException {
      this.name = name;
      this.files = files(own, path);
      this.clients = fileSystems(own, clients);
    }

    long bytes() {
      return files.stream().mapToLong(FileStatus::getLen).sum();
    }

    void tell(String format, Object... values) {
      print((name.isEmpty() ? "" : "\"side\":\"" + name + "\",") + format, values);
    }
  }

  /** Of {@code --sides name=configuration directory:path,...}, or the one of {@code --path}. */
  private List<Side> sides(int clients) throws IOException {
    List<Side> sides = new ArrayList<>();
    if (!options.containsKey("sides")) {
      sides.add(new Side("", conf, path(), clients));
      return sides;
    }
    for (String side : Options.needed(options, "sides").split(",", -1)) {
      String name = side.substring(0, side.indexOf('='));
      String directory = side.substring(name.length() + 1, side.lastIndexOf(':'));
      Configuration own = new Configuration();
      own.addResource(new Path(directory, "core-site.xml"));
      own.addResource(new Path(directory, "hdfs-site.xml"));
      sides.add(new Side(name, own, new Path(side.substring(side.lastIndexOf(':') + 1)), clients));
    }
    return sides;
  }

  private static <T> List<T> byLot(List<T> all, SplittableRandom random) {
    List<T> left = new ArrayList<>(all);
    List<T> order = new ArrayList<>();
    while (!left.isEmpty()) {
      order.add(left.remove(random.nextInt(left.size())));
    }
    return order;
  }

  // -------------------------------------------------------------------------------------------
  // read

  /**
   * Reads all files once a round, in the order of their names; readers take turns at the next file.
   * Rounds before the first that counts warm the JVMs of both sides up.
   */
  private void read() throws Exception {
    int readers = number("readers", 1);
    int rounds = number("rounds", 1);
    int warm = number("warm-rounds", 0);
    boolean drop = Boolean.parseBoolean(option("drop", "false"));
    long piece = Long.parseLong(option("piece", Long.toString(Long.MAX_VALUE)));
    SplittableRandom lot = new SplittableRandom(Long.parseLong(option("seed", "1")));
    List<Side> sides = sides(readers);
    Map<Side, List<Double>> seconds = new HashMap<>();
    for (int round = -warm; round < rounds; round++) {
      for (Side side : byLot(sides, lot)) {
        if (drop) {
          dropCaches();
        }
        double took = readOnce(side, piece);
        if (round >= 0) {
          seconds.computeIfAbsent(side, s -> new ArrayList<>()).add(took);
        }
      }
    }
    for (Side side : sides) {
      double mb = side.bytes() / 1e6;
      List<String> mbpsByRound = new ArrayList<>();
      List<String> secondsByRound = new ArrayList<>();
      List<Double> values = new ArrayList<>();
      for (double took : seconds.getOrDefault(side, List.of())) {
        values.add(mb / took);
        mbpsByRound.add(String.format(Locale.ROOT, "%.2f", mb / took));
        secondsByRound.add(String.format(Locale.ROOT, "%.3f", took));
      }
      Collections.sort(values);
      side.tell(
          "\"op\":\"read\",\"files\":%d,\"bytes\":%d,\"readers\":%d,\"mbps\":%.2f,\"mbpsByRound\":%s,"
              + "\"secondsByRound\":%s",
          side.files.size(),
          side.bytes(),
          readers,
          (values.get((rounds - 1) / 2) + values.get(rounds / 2)) / 2,
          mbpsByRound,
          secondsByRound);
    }
  }

  private static double readOnce(Side side, long piece) throws Exception {
    // What the readers take in turn: ranges of files, by default whole files.
    List<long[]> pieces = new ArrayList<>();
    for (int f = 0; f < side.files.size(); f++) {
      long length = side.files.get(f).getLen();
      for (long from = 0; from < length; from += Math.min(piece, length)) {
        pieces.add(new long[] {f, from, Math.min(piece, length - from)});
      }
    }
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    inParallel(
        side.clients.length,
        t -> {
          byte[] buffer = new byte[PIECE];
          for (int p = next.getAndIncrement(); p < pieces.size(); p = next.getAndIncrement()) {
            FileStatus file = side.files.get((int) pieces.get(p)[0]);
            try (FSDataInputStream in = side.clients[t].open(file.getPath())) {
              in.seek(pieces.get(p)[1]);
              long left = pieces.get(p)[2];
              while (left > 0) {
                int n = in.read(buffer, 0, (int) Math.min(left, PIECE));
                if (n < 0) {
                  throw new IOException("file ends " + left + " bytes early: " + file.getPath());
                }
                left -= n;
              }
            }
          }
        });
    return secondsSince(start);
  }

  // ------------------------------------------------------------------------------------------
  // pread

  /** A side turns come round after so long. */
  private static final double TURN_SECONDS = 2;

  /**
   * Each client has a connection cache and streams of its own, so that every read asks a DataNode.
   * Turns before the first that counts warm the JVMs of both sides up.
   */
  private void pread() throws Exception {
    int clients = number("clients", 1);
    int size = number("size", 4096);
    long seed = Long.parseLong(option("seed", "1"));
    int dropEvery = number("drop-every", 0);
    int rate = number("rate", 0);
    double meanGapNanos = rate == 0 ? 0 : 1e9 * clients / rate;
    double warmup = Double.parseDouble(option("warmup", "2"));
    double seconds = Double.parseDouble(option("seconds", "15"));
    List<Side> sides = sides(clients);
    double turn = sides.size() == 1 ? Double.MAX_VALUE : TURN_SECONDS;
    Map<Side, RandomReads> reads = new HashMap<>();
    for (Side side : sides) {
      reads.put(side, new RandomReads(side, size, meanGapNanos, seed));
    }
    SplittableRandom lot = new SplittableRandom(seed);
    Thread dropper = dropEvery > 0 ? dropper(dropEvery) : null;
    for (boolean counts : new boolean[] {false, true}) {
      for (double left = counts ? seconds : warmup; left > 0; left -= turn) {
        for (Side side : byLot(sides, lot)) {
          Objects.requireNonNull(reads.get(side)).run(Math.min(left, turn), counts);
        }
      }
    }
    if (dropper != null) {
      dropper.interrupt();
    }
    for (Side side : sides) {
      RandomReads taken = Objects.requireNonNull(reads.get(side));
      long[] all = Latencies.sorted(taken.latencies);
      side.tell(
          "\"op\":\"pread\",\"files\":%d,\"clients\":%d,\"size\":%d,\"seconds\":%.2f,\"preads\":%d,\"rate\":%.1f,"
              + "\"p50Ms\":%.3f,\"p99Ms\":%.3f,\"maxMs\":%.3f,\"dropEveryMs\":%d,\"seed\":%d",
          side.files.size(),
          clients,
          size,
          taken.seconds,
          all.length,
          all.length / taken.seconds,
          Latencies.at(all, 0.5),
          Latencies.at(all, 0.99),
          Latencies.at(all, 1),
          dropEvery,
          seed);
    }
  }

  /** One side's random reads; its streams stay open between its turns. */
  private static final class RandomReads {
    final List<FileStatus> files;
    final FSDataInputStream[][] in;
    final SplittableRandom[] random;
    final byte[][] buffers;
    final Latencies[] latencies;
    final double meanGapNanos; // between reads of a client; 0: the next as soon as one has ended
    double seconds;

    RandomReads(Side side, int size, double meanGapNanos, long seed) throws IOException {
      this.meanGapNanos = meanGapNanos;
      int clients = side.clients.length;
      files = side.files;
      in = new FSDataInputStream[clients][files.size()];
      random = new SplittableRandom[clients];
      buffers = new byte[clients][size];
      latencies = new Latencies[clients];
      for (int c = 0; c < clients; c++) {
        random[c] = new SplittableRandom(seed * 1000 + c);
        latencies[c] = new Latencies();
        for (int f = 0; f < files.size(); f++) {
          in[c][f] = side.clients[c].open(files.get(f).getPath());
        }
      }
    }

    void run(double forSeconds, boolean counts) throws Exception {
      long begin = System.nanoTime();
      inParallel(
          in.length,
          c -> {
            int size = buffers[c].length;
            for (long now = begin; now - begin < forSeconds * 1e9; ) {
              long due = now;
              if (meanGapNanos > 0) {
                due += (long) (-Math.log(1 - random[c].nextDouble()) * meanGapNanos);
                for (long left = due - System.nanoTime();
                    left > 0;
                    left = due - System.nanoTime()) {
                  LockSupport.parkNanos(left);
                }
              }
              int f = random[c].nextInt(files.size());
              long slots = files.get(f).getLen() / size;
              in[c][f].readFully(random[c].nextLong(slots) * size, buffers[c]);
              long after = System.nanoTime();
              if (counts) {
                latencies[c].add(after - due);
              }
              now = meanGapNanos > 0 ? due : after;
            }
          });
      seconds += counts ? secondsSince(begin) : 0;
    }
  }

  // ---------------------------------------------------------------------------------------
  // checksums

  private void checksum() throws Exception {
    FileSystem fs = FileSystem.get(conf);
    List<FileStatus> files = files(conf, path());
    try (BufferedWriter out =
        new BufferedWriter(new FileWriter(Options.needed(options, "manifest"), UTF_8, true))) {
      for (FileStatus file : files) {
        Path p = new Path(file.getPath().toUri().getPath());
        out.write(md5OfFile(fs, p) + " " + file.getLen() + " " + p + "\n");
      }
    }
    print("\"op\":\"checksum\",\"files\":%d", files.size());
  }

  private void verify() throws Exception {
    FileSystem fs = FileSystem.get(conf);
    Map<String, String[]> expected = new HashMap<>(); // the last line of a path counts
    try (BufferedReader in = Files.newBufferedReader(Paths.get(options.get("manifest")))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", 3);
        expected.put(words[2], words);
      }
    }
    int missing = 0;
    int different = 0;
    long bytes = 0;
    for (Map.Entry<String, String[]> entry : expected.entrySet()) {
      Path file = new Path(entry.getKey());
      String[] words = entry.getValue();
      if (!fs.exists(file)) {
        missing++;
        System.err.println("missing: " + file);
      } else if (fs.getFileStatus(file).getLen() != Long.parseLong(words[1])
          || !md5OfFile(fs, file).equals(words[0])) {
        different++;
        System.err.println("different: " + file);
      }
      bytes += Long.parseLong(words[1]);
    }
    print(
        "\"op\":\"verify\",\"files\":%d,\"bytes\":%d,\"missing\":%d,\"different\":%d",
        expected.size(), bytes, missing, different);
    if (missing + different > 0) {
      System.exit(3);
    }
  }

  private void list() throws Exception {
    FileSystem fs = FileSystem.get(conf);
    Map<String, Long> byNode = new java.util.TreeMap<>();
    Set<String> seen = new HashSet<>();
    long bytes = 0;
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(path(), true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      seen.add(file.getPath().toString());
      bytes += file.getLen();
      for (BlockLocation block : file.getBlockLocations()) {
        for (String node : block.getNames()) {
          byNode.merge("\"" + node + "\"", block.getLength(), Long::sum);
        }
      }
    }
    print(
        "\"op\":\"list\",\"files\":%d,\"bytes\":%d,\"replicaBytes\":%s",
        seen.size(), bytes, byNode.toString().replace('=', ':'));
  }

  // ----------------------------------------------------------------------------------------
  // helpers

  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void inParallel(int threads, Work work) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int thread = t;
      tasks.add(
          () -> {
            work.run(thread);
            return null;
          });
    }
    try {
      for (Future<Void> result : executor.invokeAll(tasks)) {
        result.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private static FileSystem[] fileSystems(Configuration conf, int n) throws IOException {
    URI cluster = URI.create(conf.get("fs.defaultFS"));
    FileSystem[] fs = new FileSystem[n];
    for (int i = 0; i < n; i++) {
      Configuration own = new Configuration(conf);
      own.set(
          "dfs.client.context", "client-" + i + "-" + cluster.getPort()); // a peer cache of its own
      fs[i] = FileSystem.newInstance(cluster, own);
    }
    return fs;
  }

  private static List<FileStatus> files(Configuration conf, Path path) throws IOException {
    List<FileStatus> result = new ArrayList<>();
    FileSystem fs = FileSystem.get(conf);
    for (FileStatus glob : fs.globStatus(path)) {
      RemoteIterator<LocatedFileStatus> files = fs.listFiles(glob.getPath(), true);
      while (files.hasNext()) {
        FileStatus file = files.next();
        if (file.getLen() > 0) {
          result.add(file);
        }
      }
    }
    if (result.isEmpty()) {
      throw new IOException("no file with data under " + path);
    }
    result.sort(Comparator.comparing(FileStatus::getPath));
    return result;
  }

  private static Path file(Path dir, int number) {
    return new Path(dir, String.format(Locale.ROOT, "part-%05d", number));
  }

  private static byte[] pool(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] pool = new byte[POOL + PIECE];
    for (int i = 0; i < pool.length; i += 8) {
      long value = random.nextLong();
      for (int b = 0; b < 8; b++) {
        pool[i + b] = (byte) (value >>> (8 * b));
      }
    }
    return pool;
  }

  private static int place(long seed, Path file, long at) {
    SplittableRandom random =
        new SplittableRandom(seed ^ ((long) file.toString().hashCode() << 24) ^ at);
    return random.nextInt(POOL);
  }

  private static String md5OfContent(byte[] pool, long seed, Path file, long size)
      throws Exception {
    MessageDigest md5 = MessageDigest.getInstance("MD5");
    for (long at = 0; at < size; at += PIECE) {
      md5.update(pool, place(seed, file, at), (int) Math.min(PIECE, size - at));
    }
    return hex(md5.digest());
  }

  private static String md5OfFile(FileSystem fs, Path file) throws Exception {
    MessageDigest md5 = MessageDigest.getInstance("MD5");
    byte[] buffer = new byte[PIECE];
    try (InputStream in = fs.open(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        md5.update(buffer, 0, n);
      }
    }
    return hex(md5.digest());
  }

  private static String hex(byte[] digest) {
    StringBuilder hex = new StringBuilder();
    for (byte b : digest) {
      hex.append(String.format("%02x", b));
    }
    return hex.toString();
  }

  private static void dropCaches() throws IOException {
    shell("sync");
    Files.write(Paths.get("/proc/sys/vm/drop_caches"), new byte[] {'3', '\n'});
  }

  /** The page cache is emptied every so many milliseconds until the thread is interrupted. */
  private static Thread dropper(int everyMs) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  Files.write(Paths.get("/proc/sys/vm/drop_caches"), new byte[] {'3', '\n'});
                  Thread.sleep(everyMs);
                }
              } catch (InterruptedException e) {
                // the measurement is over
              } catch (IOException e) {
                System.err.println("cannot drop the page cache: " + e);
                System.exit(4);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void shell(String command) throws IOException {
    try {
      int code = new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor();
      if (code != 0) {
        throw new IOException("exit code " + code + " of: " + command);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private Path path() {
    if (!options.containsKey("path")) {
      throw new IllegalArgumentException("--path is needed");
    }
    return new Path(options.get("path"));
  }

  private String option(String name, String byDefault) {
    return options.getOrDefault(name, byDefault);
  }

  private int number(String name, int byDefault) {
    return Integer.parseInt(option(name, Integer.toString(byDefault)));
  }

  private static void print(String format, Object... values) {
    System.out.println("{" + String.format(Locale.ROOT, format, values) + "}");
    System.out.flush();
  }
}
