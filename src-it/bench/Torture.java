// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Clients that do everything to files that HDFS allows, and know what must come out.
 *
 * <p>The model: a file is a list of segments, each begun by one create or append; the byte at an
 * offset is a function of the segment's number and the offset. So the right content of any prefix
 * is known without storing any. A write that failed half-way may have left any length from what was
 * last flushed to what was tried: after the lease is recovered the length is looked up, must lie in
 * between, and is the model's from then on. Everything else must be exact.
 *
 * <p>Operations on one file exclude each other by its lock, reads share it. Snapshots are taken
 * while nothing is being changed and are a copy of the model.
 *
 * <p>A client's exception because daemons are being killed is counted and tried again; a wrong
 * byte, a missing file or a wrong length is not forgiven: {@code wrong} counts them. What HDFS
 * itself tears is recognized by the logs of the DataNodes, see {@link #tornByHdfs}, and truncates
 * that it never ends by what the NameNode knows and logs, see {@link #neverEndedByHdfs}.
 */
public final class Torture {
  private static final int PATTERN = 1 << 16;

  /** As the daemons' lines of log begin. */
  private static final DateTimeFormatter LOG_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS", Locale.ROOT);

  /** An append soon after a close comes no later than this: a demotion may be under way then. */
  private static final int SOON_MILLIS = 120;

  /** From this offset on, the bytes are those of this segment. */
  private static final class Segment {
    final long start;
    final int number;

    Segment(long start, int number) {
      this.start = start;
      this.number = number;
    }
  }

  /** What a path must hold. Immutable. */
  private static final class Content {
    final List<Segment> segments;
    final long length;

    Content(List<Segment> segments, long length) {
      this.segments = segments;
      this.length = length;
    }

    Content append(int number, long bytes) {
      List<Segment> more = new ArrayList<>(segments);
      more.add(new Segment(length, number));
      return new Content(more, length + bytes);
    }

    Content truncate(long to) {
      List<Segment> left = new ArrayList<>();
      for (Segment s : segments) {
        if (s.start < to) {
          left.add(s);
        }
      }
      return new Content(left, to);
    }

    void fill(long from, byte[] into, int n) {
      for (int s = 0; s < segments.size(); s++) {
        long begin = Math.max(from, segments.get(s).start);
        long end = s + 1 < segments.size() ? segments.get(s + 1).start : Long.MAX_VALUE;
        for (long at = begin; at < Math.min(end, from + n); at++) {
          into[(int) (at - from)] = pattern(segments.get(s).number, at);
        }
      }
    }
  }

  private static byte pattern(int segment, long offset) {
    return POOL[(int) ((offset + segment * 7919L) % PATTERN)];
  }

  private static final byte[] POOL = pool();

  private static byte[] pool() {
    byte[] bytes = new byte[PATTERN];
    new java.util.Random(42).nextBytes(bytes);
    return bytes;
  }

  private static final class File {
    final boolean erasureCoded;
    final ReadWriteLock lock = new ReentrantReadWriteLock();
    Path path;
    Content content = new Content(List.of(), 0);
    volatile boolean gone;

    File(Path path, boolean erasureCoded) {
      this.path = path;
      this.erasureCoded = erasureCoded;
    }
  }

  /** Truncates that HDFS may never end, as daemons are killed, beside one in 50. */
  private static final long MOST_NEVER_ENDED = 3;

  /** Pattern of the names of the DataNodes' logs. */
  private static final String DATANODE_LOGS = "dn\\d+\\.log";

  private final DistributedFileSystem dfs;
  private final Path root;

  /** Where files go that HDFS will never close, or has torn; they are not read again. */
  private final Path abandoned;

  /** Where the daemons log; null: HDFS tears nothing and ends all. */
  private final @Nullable java.io.File logs;

  private final int maxFiles;
  private final long seed;
  private final long endNanos;
  private final List<File> files = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Map<Path, Content>> snapshots = new ConcurrentHashMap<>();
  private final ReadWriteLock changing = new ReentrantReadWriteLock();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicLong bytesWritten = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicLong forgiven = new AtomicLong();
  private final Map<String, AtomicLong> done = new TreeMap<>();
  private final AtomicBoolean broken = new AtomicBoolean();

  private Torture(Map<String, String> options) throws IOException {
    Configuration conf = new Configuration();
    // Daemons die all the time: a client that gives up is not what is tested here.
    conf.set("dfs.client.retry.policy.enabled", "true");
    conf.set("dfs.client.retry.policy.spec", "1000,120,5000,60");
    conf.set("dfs.client.block.write.replace-datanode-on-failure.best-effort", "true");
    conf.setInt("dfs.client.max.block.acquire.failures", 20);
    dfs = (DistributedFileSystem) FileSystem.get(conf);
    root = new Path(options.getOrDefault("path", "/torture"));
    abandoned = root.suffix("-abandoned");
    logs = options.containsKey("logs") ? new java.io.File(options.get("logs")) : null;
    maxFiles = Integer.parseInt(options.getOrDefault("files", "150"));
    seed = Long.parseLong(options.getOrDefault("seed", "1"));
    endNanos =
        System.nanoTime() + Long.parseLong(options.getOrDefault("seconds", "60")) * 1_000_000_000L;
    for (String name :
        List.of(
            "create",
            "append",
            "appendSoon",
            "truncate",
            "truncateNeverEnded",
            "read",
            "pread",
            "rename",
            "delete",
            "setrep",
            "snapshot",
            "snapshotRead",
            "snapshotDelete",
            "tornByHdfs")) {
      done.put(name, new AtomicLong());
    }
  }

  public static void main(String[] args) throws Exception {
    if (Options.wantHelp(args)) {
      System.out.println(
          "Torture --seconds N [--path /torture] [--threads 6] [--appenders 0] [--files 150]"
              + " [--seed 1] [--logs DIR]\n"
              + "--appenders: further threads that append to a file, or truncate it, within 120 ms"
              + " of its close\n"
              + "--logs: of the daemons; a file whose append HDFS says there that it has torn is"
              + " not read again, and a truncate that a restart of the NameNode left without a"
              + " replica is not waited for\n"
              + "prints one line of JSON; exit code 1 if a byte was wrong");
      return;
    }
    Map<String, String> options = Options.of(args, 0);
    Torture torture = new Torture(options);
    torture.run(
        Integer.parseInt(options.getOrDefault("threads", "6")),
        Integer.parseInt(options.getOrDefault("appenders", "0")));
    System.exit(torture.wrong.get() == 0 ? 0 : 1);
  }

  private void run(int threads, int appenders) throws Exception {
    dfs.mkdirs(new Path(root, "plain"));
    dfs.allowSnapshot(new Path(root, "plain"));
    dfs.mkdirs(new Path(root, "ec"));
    dfs.enableErasureCodingPolicy("XOR-2-1-1024k");
    dfs.setErasureCodingPolicy(new Path(root, "ec"), "XOR-2-1-1024k");
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads + appenders; t++) {
      SplittableRandom random = new SplittableRandom(seed * 1000 + t);
      boolean appends = t >= threads;
      Thread thread = new Thread(() -> work(random, appends));
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
    long neverEnded = counted("truncateNeverEnded");
    if (neverEnded > MOST_NEVER_ENDED + counted("truncate") / 50) {
      fail("expected few truncates that HDFS never ends, found " + neverEnded);
    }
    long verified = 0;
    for (File f : files) {
      if (!f.gone) {
        read(f, () -> verify(f.path, f.content, f.path.toString()));
        verified++;
      }
    }
    for (String name : snapshots.keySet()) {
      verifySnapshot(name);
    }
    StringBuilder ops = new StringBuilder();
    done.forEach((k, v) -> ops.append(String.format(Locale.ROOT, "\"%s\":%d,", k, v.get())));
    System.out.printf(
        Locale.ROOT,
        "{\"op\":\"torture\",%s\"bytesWritten\":%d,\"bytesRead\":%d,\"triedAgain\":%d,"
            + "\"filesAtEnd\":%d,\"snapshotsAtEnd\":%d,\"wrong\":%d,\"seed\":%d}%n",
        ops,
        bytesWritten.get(),
        bytesRead.get(),
        forgiven.get(),
        verified,
        snapshots.size(),
        wrong.get(),
        seed);
  }

  private long counted(String operation) {
    return Objects.requireNonNull(done.get(operation)).get();
  }

  private interface Action {
    void run() throws IOException;
  }

  /**
   * Tries again while daemons are down, for up to five minutes; a missing file is not tried again.
   */
  private void patiently(Action action) {
    long end = System.nanoTime() + 300_000_000_000L;
    while (true) {
      try {
        action.run();
        return;
      } catch (IOException e) {
        forgiven.incrementAndGet();
        if (e instanceof FileNotFoundException || System.nanoTime() > end) {
          fail("missing, or gave up after five minutes: " + e);
          return;
        }
        pause(500);
      }
    }
  }

  /** Reads a file, which is put aside if HDFS has torn it. Its lock is held, if only shared. */
  private void read(File f, Action action) {
    patiently(
        () -> {
          if (f.gone) {
            return;
          }
          try {
            action.run();
          } catch (IOException e) {
            if (f.gone) {
              return; // another reader was here
            }
            if (!tornByHdfs(f.path, e)) {
              throw e;
            }
            putAside(f);
          }
        });
  }

  private void putAside(File f) throws IOException {
    synchronized (f) {
      if (!f.gone) {
        dfs.mkdirs(abandoned);
        dfs.rename(f.path, new Path(abandoned, String.valueOf(numbers.incrementAndGet())));
        f.gone = true;
        count("tornByHdfs");
      }
    }
  }

  /**
   * True if no replica of one of the file's blocks can be read, and one of them is of an append
   * whose pipeline was rebuilt in the middle of a chunk of 512 bytes: HDFS keeps the chunk's data
   * and not its checksum, says so in the DataNode's log, and copies no other from it.
   */
  private boolean tornByHdfs(Path path, IOException why) throws IOException {
    if (logs == null
        || !(why instanceof ChecksumException || why instanceof BlockMissingException)) {
      return false;
    }
    for (LocatedBlock block :
        dfs.getClient()
            .getLocatedBlocks(path.toUri().getPath(), 0, Long.MAX_VALUE)
            .getLocatedBlocks()) {
      String name = " " + block.getBlock().getBlockName() + "_";
      if (block.isCorrupt()
          && isLogged(
              DATANODE_LOGS,
              line -> line.contains("Resetting bytesOnDisk to match") && line.contains(name))) {
        System.err.println("torn by HDFS: " + path + " " + block);
        return true;
      }
    }
    return false;
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void fail(String what) {
    wrong.incrementAndGet();
    broken.set(true);
    System.err.println("WRONG " + java.time.Instant.now() + ": " + what);
  }

  private void work(SplittableRandom random, boolean appends) {
    while (System.nanoTime() < endNanos && !broken.get()) {
      try {
        if (appends) {
          changing.readLock().lock();
          try {
            appendSoon(random);
          } finally {
            changing.readLock().unlock();
          }
          continue;
        }
        int dice = random.nextInt(100);
        if (dice < 2) {
          snapshot();
          continue;
        }
        if (dice < 5) {
          readSnapshot(random);
          continue;
        }
        changing.readLock().lock();
        try {
          step(random, dice);
        } finally {
          changing.readLock().unlock();
        }
      } catch (Throwable e) { // also an Error: a client that is gone tests nothing
        fail("the torturer itself: " + e + " " + Arrays.toString(e.getStackTrace()));
      }
    }
  }

  private void step(SplittableRandom random, int dice) {
    File f = dice < 25 && alive() < maxFiles ? null : pick(random);
    if (f == null) {
      create(random);
    } else if (dice < 35) {
      exclusively(f, () -> append(f, random, 2 << 20));
    } else if (dice < 42) {
      exclusively(f, () -> truncate(f, random));
    } else if (dice < 70) {
      shared(f, () -> read(f, () -> verify(f.path, f.content, f.path.toString())), "read");
    } else if (dice < 85) {
      shared(f, () -> read(f, () -> pread(f, random)), "pread");
    } else if (dice < 90) {
      exclusively(f, () -> rename(f));
    } else if (dice < 95) {
      exclusively(f, () -> setReplication(f, random));
    } else {
      exclusively(f, () -> delete(f));
    }
  }

  /** Appends to a file a few times, each soon after the close before; sometimes cuts it between. */
  private void appendSoon(SplittableRandom random) {
    File f = alive() < maxFiles / 4 ? null : pick(random);
    if (f == null) {
      create(random);
      return;
    }
    exclusively(
        f,
        () -> {
          for (int i = 0; i < 4 && !f.gone && !f.erasureCoded; i++) {
            if (random.nextInt(4) == 0) {
              truncate(f, random);
            } else {
              append(f, random, 1 << 16);
              count("appendSoon");
            }
            pause(random.nextInt(SOON_MILLIS));
          }
        });
  }

  private void count(String name) {
    Objects.requireNonNull(done.get(name)).incrementAndGet();
  }

  private int alive() {
    synchronized (files) {
      files.removeIf(f -> f.gone);
      return files.size();
    }
  }

  private @Nullable File pick(SplittableRandom random) {
    synchronized (files) {
      return files.isEmpty() ? null : files.get(random.nextInt(files.size()));
    }
  }

  private static void exclusively(File f, Runnable action) {
    f.lock.writeLock().lock();
    try {
      if (!f.gone) {
        action.run();
      }
    } finally {
      f.lock.writeLock().unlock();
    }
  }

  private void shared(File f, Runnable action, String name) {
    f.lock.readLock().lock();
    try {
      if (!f.gone) {
        action.run();
        count(name);
      }
    } finally {
      f.lock.readLock().unlock();
    }
  }

  private void create(SplittableRandom random) {
    boolean erasureCoded = random.nextInt(8) == 0;
    int number = (int) numbers.incrementAndGet();
    File f = new File(new Path(root, (erasureCoded ? "ec/" : "plain/") + number), erasureCoded);
    f.lock.writeLock().lock();
    try {
      long bytes = 1 + random.nextLong(random.nextInt(4) == 0 ? 16 << 20 : 3 << 20);
      short replication = (short) (2 + random.nextInt(2));
      write(
          f,
          random,
          bytes,
          () ->
              dfs.create(
                  f.path, true, 65536, replication, random.nextInt(3) == 0 ? 1 << 20 : 4 << 20));
      files.add(f);
      count("create");
    } finally {
      f.lock.writeLock().unlock();
    }
  }

  private void append(File f, SplittableRandom random, int mostBytes) {
    if (f.erasureCoded) {
      return;
    }
    write(f, random, 1 + random.nextLong(mostBytes), () -> dfs.append(f.path, 65536));
    count("append");
  }

  private interface Open {
    FSDataOutputStream open() throws IOException;
  }

  /** Writes a segment; after a failure, the file's length says how much of it there is. */
  private void write(File f, SplittableRandom random, long bytes, Open open) {
    Content before = f.content;
    int number = (int) numbers.incrementAndGet();
    Content wanted = before.append(number, bytes);
    long flushed = before.length;
    FSDataOutputStream out = null;
    try {
      out = open.open();
      byte[] buffer = new byte[65536];
      long at = before.length;
      while (at < wanted.length) {
        int n = (int) Math.min(buffer.length, wanted.length - at);
        wanted.fill(at, buffer, n);
        out.write(buffer, 0, n);
        at += n;
        if (!f.erasureCoded && random.nextInt(40) == 0) {
          if (random.nextBoolean()) {
            out.hflush();
          } else {
            out.hsync();
          }
          flushed = at;
        }
      }
      out.close();
      f.content = wanted;
      bytesWritten.addAndGet(bytes);
      return;
    } catch (IOException e) {
      forgiven.incrementAndGet();
    }
    if (out != null) {
      try {
        out.close();
      } catch (IOException e) {
        forgiven.incrementAndGet();
      }
    }
    settle(f, wanted, flushed);
  }

  /** The file's length after a write that failed: the lease is recovered first. */
  private void settle(File f, Content wanted, long atLeast) {
    patiently(
        () -> {
          long length;
          try {
            dfs.recoverLease(f.path);
            if (!recovered(f.path)) {
              throw new IOException("not closed after three minutes: " + f.path);
            }
            length = dfs.getFileStatus(f.path).getLen();
          } catch (FileNotFoundException e) {
            if (wanted.segments.size() > 1 || atLeast > 0) {
              fail("missing after a failed write: " + f.path);
            }
            f.gone = true; // the create itself had failed
            return;
          }
          if (length < atLeast || length > wanted.length) {
            fail(
                String.format(
                    Locale.ROOT,
                    "length %d of %s is not from %d (flushed) to %d (written)",
                    length,
                    f.path,
                    atLeast,
                    wanted.length));
          }
          f.content = wanted.truncate(length);
          bytesWritten.addAndGet(length - atLeast);
        });
  }

  private void truncate(File f, SplittableRandom random) {
    if (f.erasureCoded || f.content.length < 2) {
      return;
    }
    long to = random.nextLong(f.content.length);
    Content before = f.content;
    Cut cut = new Cut();
    patiently(
        () -> {
          // A call that got no answer may have been carried out.
          if (dfs.getFileStatus(f.path).getLen() != to) {
            LocatedBlock block = blockAt(f.path, to);
            cut.block = block.getBlock().getBlockId();
            cut.bytes = to - block.getStartOffset();
            cut.begun = LocalDateTime.now(ZoneId.systemDefault());
            dfs.truncate(f.path, to);
          }
          // Truncating within a block is a recovery, and the DataNode that leads it may be killed.
          if (recovered(f.path)) {
            f.content = before.truncate(to);
          } else if (!neverEndedByHdfs(f.path, cut)) {
            throw new IOException(
                "truncate not ended after three minutes, and not for a restart of the NameNode: "
                    + f.path);
          } else {
            // Not deleted: HDFS would delete the block that it was to truncate, too, which the
            // snapshot still has.
            dfs.mkdirs(abandoned);
            dfs.rename(f.path, new Path(abandoned, String.valueOf(numbers.incrementAndGet())));
            f.gone = true;
            count("truncateNeverEnded");
          }
        });
    count("truncate");
  }

  /** A truncate that was asked for. */
  private static final class Cut {
    /** Id of the block that is cut. */
    long block;

    /** Bytes that the block keeps. */
    long bytes;

    LocalDateTime begun = LocalDateTime.MAX;
  }

  private LocatedBlock blockAt(Path path, long offset) throws IOException {
    return dfs.getClient().getLocatedBlocks(path.toUri().getPath(), offset, 1).get(0);
  }

  /**
   * True if HDFS never ends the truncate, without HyCache too. Either the block was being cut into
   * a new one, because its file is in a snapshot, and the NameNode, which was restarted meanwhile,
   * knows no replica to make that from, see TruncateAgainstRestartIT. Or it was being cut in place,
   * and DataNodes were killed when one replica was cut and another one was not: each later recovery
   * finds finalized replicas of two lengths, and BlockRecoveryWorker refuses.
   */
  private boolean neverEndedByHdfs(Path path, Cut cut) throws IOException {
    LocatedBlock last =
        dfs.getClient()
            .getLocatedBlocks(path.toUri().getPath(), 0, Long.MAX_VALUE)
            .getLastLocatedBlock();
    if (logs == null || last == null) {
      return false;
    }
    boolean never;
    if (last.getBlock().getBlockId() == cut.block) {
      String refused = "Inconsistent size of finalized replicas. Replica blk_" + cut.block + "_";
      never =
          isStarted("DataNode", DATANODE_LOGS, cut.begun)
              && isLogged(
                  DATANODE_LOGS,
                  line ->
                      line.contains(refused)
                          && (line.contains("[numBytes=" + cut.bytes + ",")
                              || line.endsWith(" expected size: " + cut.bytes)));
    } else {
      never = last.getLocations().length == 0 && isStarted("NameNode", "nn\\.log", cut.begun);
    }
    if (never) {
      System.err.println("never ended by HDFS: " + path + " " + last + " begun " + cut.begun);
    }
    return never;
  }

  /** Whether a daemon whose messages begin with this name was started at this time or later. */
  private boolean isStarted(String daemon, String log, LocalDateTime since) throws IOException {
    return isLogged(
        log,
        line ->
            line.contains(" " + daemon + ": STARTUP_MSG: ")
                && !LocalDateTime.parse(line.substring(0, 23), LOG_TIME).isBefore(since));
  }

  /**
   * Whether there is such a line.
   *
   * @param log pattern of the logs' names
   */
  private boolean isLogged(String log, Predicate<String> wanted) throws IOException {
    if (logs == null) {
      return false;
    }
    for (java.io.File file : logs.listFiles((dir, name) -> name.matches(log))) {
      try (Stream<String> lines = Files.lines(file.toPath(), StandardCharsets.ISO_8859_1)) {
        if (lines.anyMatch(wanted)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Waits until a file is closed, for up to three minutes. Its lease is recovered once a minute,
   * and not more often: where two recoveries of a truncated block are under way, HDFS may carry out
   * the older one last, and then the NameNode knows no replica with the generation stamp that it
   * wants.
   */
  private boolean recovered(Path path) throws IOException {
    long end = System.nanoTime() + 190_000_000_000L;
    for (int waits = 1; !dfs.isFileClosed(path); waits++) {
      if (System.nanoTime() > end) {
        return false;
      }
      pause(100);
      if (waits % 600 == 0) {
        dfs.recoverLease(path);
      }
    }
    return true;
  }

  private void rename(File f) {
    Path to = new Path(f.path.getParent(), "r" + numbers.incrementAndGet());
    patiently(
        () -> {
          if (!dfs.rename(f.path, to) && !dfs.exists(to)) {
            fail("rename refused: " + f.path);
          }
        });
    f.path = to;
    count("rename");
  }

  private void setReplication(File f, SplittableRandom random) {
    if (!f.erasureCoded) {
      patiently(() -> dfs.setReplication(f.path, (short) (2 + random.nextInt(2))));
      count("setrep");
    }
  }

  private void delete(File f) {
    patiently(() -> dfs.delete(f.path, false));
    f.gone = true;
    count("delete");
  }

  private void pread(File f, SplittableRandom random) throws IOException {
    Content content = f.content;
    if (content.length == 0) {
      return;
    }
    try (FSDataInputStream in = dfs.open(f.path)) {
      for (int i = 0; i < 4; i++) {
        long at = random.nextLong(content.length);
        int n = (int) Math.min(1 + random.nextInt(20000), content.length - at);
        byte[] found = new byte[n];
        in.readFully(at, found);
        compare(content, at, found, n, f.path + " (pread)");
        bytesRead.addAndGet(n);
      }
    }
  }

  private void verify(Path path, Content content, String name) throws IOException {
    try (FSDataInputStream in = dfs.open(path)) {
      byte[] found = new byte[1 << 18];
      long at = 0;
      for (int n = in.read(found); n >= 0; n = in.read(found)) {
        if (at + n > content.length) {
          fail(name + " is longer than " + content.length + ": " + (at + n));
          return;
        }
        if (!compare(content, at, found, n, name)) {
          return;
        }
        at += n;
        bytesRead.addAndGet(n);
      }
      if (at != content.length) {
        fail(name + " has " + at + " bytes, not " + content.length);
      }
    }
  }

  private boolean compare(Content content, long at, byte[] found, int n, String name) {
    byte[] wanted = new byte[n];
    content.fill(at, wanted, n);
    int differs = Arrays.mismatch(wanted, 0, n, found, 0, n);
    if (differs >= 0) {
      fail("byte " + (at + differs) + " of " + name + " differs");
    }
    return differs < 0;
  }

  /**
   * Compares a file of a snapshot with the model, unless HDFS has torn it: it stays where it is.
   */
  private void verifyUnlessTorn(Path path, Content content) throws IOException {
    try {
      verify(path, content, path.toString());
    } catch (IOException e) {
      if (!tornByHdfs(path, e)) {
        throw e;
      }
    }
  }

  private void snapshot() {
    if (snapshots.size() >= 5) {
      String oldest = Collections.min(snapshots.keySet());
      if (snapshots.remove(oldest) != null) {
        patiently(
            () -> {
              try {
                dfs.deleteSnapshot(new Path(root, "plain"), oldest);
              } catch (IOException e) {
                if (dfs.exists(new Path(root, "plain/.snapshot/" + oldest))) {
                  throw e;
                }
              }
            });
        count("snapshotDelete");
      }
      return;
    }
    String name = String.format(Locale.ROOT, "s%08d", numbers.incrementAndGet());
    // Not for long: who waits for this lock holds up all the others.
    try {
      if (!changing.writeLock().tryLock(2, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      patiently(
          () -> {
            if (!dfs.exists(new Path(root, "plain/.snapshot/" + name))) {
              dfs.createSnapshot(new Path(root, "plain"), name);
            }
          });
      Map<Path, Content> model = new HashMap<>();
      synchronized (files) {
        for (File f : files) {
          if (!f.gone && !f.erasureCoded) {
            model.put(f.path, f.content);
          }
        }
      }
      snapshots.put(name, model);
    } finally {
      changing.writeLock().unlock();
    }
    count("snapshot");
  }

  private void readSnapshot(SplittableRandom random) {
    List<String> names = new ArrayList<>(snapshots.keySet());
    if (names.isEmpty()) {
      return;
    }
    String name = names.get(random.nextInt(names.size()));
    Map<Path, Content> model = snapshots.get(name);
    if (model == null || model.isEmpty()) {
      return;
    }
    List<Path> paths = new ArrayList<>(model.keySet());
    Path path = paths.get(random.nextInt(paths.size()));
    Content content = Objects.requireNonNull(model.get(path));
    Path in = new Path(root, "plain/.snapshot/" + name + "/" + path.getName());
    patiently(
        () -> {
          try {
            verifyUnlessTorn(in, content);
          } catch (IOException e) {
            // Another thread may delete the snapshot while it is being read.
            if (snapshots.containsKey(name)) {
              throw e;
            }
          }
        });
    count("snapshotRead");
  }

  private void verifySnapshot(String name) {
    Objects.requireNonNull(snapshots.get(name))
        .forEach(
            (path, content) -> {
              Path in = new Path(root, "plain/.snapshot/" + name + "/" + path.getName());
              patiently(() -> verifyUnlessTorn(in, content));
            });
  }
}
