// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random operations on a tiered tree and on a plain directory must give the same results, errors,
 * names, bytes and modes. In each sequence two threads operate concurrently, each in its own
 * directory, while two more threads move files up, down and to their right names, and another one
 * takes inventories and sweeps.
 *
 * <p>{@code -Dhycache.localdir.model.sequences} and {@code -Dhycache.localdir.model.operations} set
 * the amount of work, {@code -Dhycache.localdir.model.seed} the seed.
 */
class TieredTreeModelTest {
  private static final int SEQUENCES = Integer.getInteger("hycache.localdir.model.sequences", 300);
  private static final int OPERATIONS = Integer.getInteger("hycache.localdir.model.operations", 12);
  private static final long SEED = Long.getLong("hycache.localdir.model.seed", 20131);
  private static final List<String> DIRECTORIES = List.of("", "d", "e", "d/f");
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");

  private static final List<String> MOVES = List.of("down", "down", "up", "rehome");
  private static final int DOWN = 0;
  private static final int UP = 2;
  private static final int REHOME = 3;

  private static boolean move(LocalDirTier tier, Path path, int kind)
      throws IOException, InterruptedException {
    switch (MOVES.get(kind)) {
      case "down":
        return tier.tree().bringDown(path);
      case "up":
        return tier.tree().bringUp(path);
      default:
        return tier.rehome(path);
    }
  }

  /** One of the two operands of an operation. */
  private static Path any(Random random) {
    Path directory = Path.of(DIRECTORIES.get(random.nextInt(DIRECTORIES.size())));
    return directory.resolve(NAMES.get(random.nextInt(NAMES.size())));
  }

  private interface Operation {
    String run() throws IOException;
  }

  /** The result, or the error without its path, which differs between the trees. */
  private static String outcome(Operation operation) {
    try {
      return operation.run();
    } catch (FileSystemException e) {
      return e.getClass().getName() + ": " + e.getReason();
    } catch (IOException | RuntimeException e) {
      return e.getClass().getName() + ": " + e.getMessage();
    }
  }

  /** The work of one thread in one sequence. */
  private static final class Part {
    final Random random;
    final LocalDirTier tier;
    final TieredTree tree;
    final Path tiered;
    final Path plain;
    final List<String> log = new ArrayList<>();

    /** An operand of the last operation, which probably exists. */
    private Path last = Path.of("a");

    private boolean renamed;

    Part(long seed, LocalDirTier tier, Path tiered, Path plain) {
      this.random = new Random(seed);
      this.tier = tier;
      this.tree = tier.tree();
      this.tiered = tiered;
      this.plain = plain;
    }

    /**
     * Performs the operation through the tree's API or by plain calls on the SSD; returns the
     * difference, or null.
     */
    @Nullable String run() throws Exception {
      for (int i = 0; i < OPERATIONS; i++) {
        String different = step();
        if (different != null) {
          return different;
        }
        force();
      }
      return null;
    }

    private void force() throws Exception {
      if (random.nextInt(2) == 0) {
        Path path = tiered.resolve(random.nextInt(3) == 0 ? any(random) : last);
        int kind = renamed && random.nextBoolean() ? REHOME : random.nextInt(MOVES.size());
        if (move(tier, path, kind)) {
          log.add(MOVES.get(kind) + " " + tiered.relativize(path));
        }
      }
    }

    private @Nullable String step() throws Exception {
      boolean api = random.nextBoolean();
      Path a = any(random);
      Path b = any(random);
      int kind = random.nextInt(12);
      long seed = random.nextLong();
      renamed = kind == 5 || kind == 6;
      last = renamed || random.nextBoolean() ? b : a;
      if (renamed && random.nextInt(3) == 0 && move(tier, tiered.resolve(a), DOWN)) {
        log.add("down " + a);
      }
      String expected = outcome(() -> apply(false, kind, plain.resolve(a), plain.resolve(b), seed));
      String found = outcome(() -> apply(api, kind, tiered.resolve(a), tiered.resolve(b), seed));
      log.add((api ? "api " : "") + kind + " " + a + " " + b + ": " + expected);
      return expected.equals(found) ? null : "expected " + expected + " found " + found;
    }

    private String apply(boolean api, int kind, Path a, Path b, long seed) throws IOException {
      Random choice = new Random(seed);
      byte[] bytes = LocalDirRig.bytes(choice.nextInt(5_000), choice.nextInt());
      switch (kind) {
        case 0:
        case 1:
          return write(
              api, a, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), 0, bytes);
        case 2:
          if (api) {
            tree.append(a, bytes);
          } else {
            return write(false, a, Set.of(StandardOpenOption.APPEND), 0, bytes).substring(0, 0);
          }
          return "";
        case 3:
          return write(api, a, options(choice), choice.nextInt(6_000), bytes);
        case 4:
          return Arrays.hashCode(api ? tree.read(a) : plainRead(a)) + "";
        case 5:
        case 6:
          if (api) {
            tree.rename(a, b);
          } else {
            Files.move(a, b, StandardCopyOption.ATOMIC_MOVE);
          }
          return "";
        case 7:
          if (api) {
            tree.remove(a);
          } else {
            Files.delete(a);
          }
          return "";
        case 8:
          Path made = choice.nextInt(3) == 0 ? a : a.resolveSibling("f");
          if (api) {
            tree.mkdir(made);
          } else {
            Files.createDirectory(made);
          }
          return "";
        case 9:
          return rmdir(api, a);
        case 10:
          if (api) {
            tree.link(a, b);
          } else {
            Files.createLink(a, b);
          }
          return "";
        default:
          return look(api, a, choice);
      }
    }

    private static byte[] plainRead(Path path) throws IOException {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        return Channels.newInputStream(channel).readAllBytes();
      }
    }

    private static Set<OpenOption> options(Random choice) {
      Set<OpenOption> options = new HashSet<>();
      for (StandardOpenOption option :
          List.of(
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.CREATE,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.APPEND)) {
        if (choice.nextInt(3) == 0) {
          options.add(option);
        }
      }
      return options;
    }

    private String write(boolean api, Path path, Set<OpenOption> options, long at, byte[] bytes)
        throws IOException {
      try (FileChannel channel = api ? tree.open(path, options) : FileChannel.open(path, options)) {
        String result = "size " + channel.size();
        if (options.contains(StandardOpenOption.READ)
            && !options.contains(StandardOpenOption.APPEND)) {
          ByteBuffer some = ByteBuffer.allocate(100);
          result += " read " + channel.read(some, at) + " " + Arrays.hashCode(some.array());
        }
        if (options.contains(StandardOpenOption.WRITE)
            || options.contains(StandardOpenOption.APPEND)) {
          channel.position(at);
          result += " wrote " + channel.write(ByteBuffer.wrap(bytes)) + " size " + channel.size();
        }
        return result;
      }
    }

    private String rmdir(boolean api, Path path) throws IOException {
      if (api) {
        tree.rmdir(path);
      } else {
        if (!Files.readAttributes(path, PosixFileAttributes.class).isDirectory()) {
          throw new NotDirectoryException(path.toString());
        }
        Files.delete(path);
      }
      return "";
    }

    private String look(boolean api, Path path, Random choice) throws IOException {
      Set<PosixFilePermission> rights =
          PosixFilePermissions.fromString(choice.nextBoolean() ? "rw-r-----" : "rwx--x--x");
      if (choice.nextBoolean()) {
        Files.setPosixFilePermissions(path, rights);
      }
      PosixFileAttributes stat =
          api ? tree.stat(path) : Files.readAttributes(path, PosixFileAttributes.class);
      String result =
          PosixFilePermissions.toString(stat.permissions())
              + stat.isDirectory()
              + stat.isRegularFile()
              + stat.owner()
              + stat.group();
      if (stat.isDirectory()) {
        return result + (api ? tree.list(path) : plainList(path));
      }
      return result + stat.size();
    }

    private static List<String> plainList(Path path) throws IOException {
      List<String> names = new ArrayList<>();
      try (Stream<Path> all = Files.list(path)) {
        all.forEach(name -> names.add(name.getFileName().toString()));
      }
      Collections.sort(names);
      return names;
    }
  }

  /** Moves random files until stopped. */
  private static Runnable mover(
      LocalDirTier tier,
      AtomicReference<@Nullable Path> where,
      AtomicReference<@Nullable Throwable> failure,
      long seed,
      int... kinds) {
    return () -> {
      Random random = new Random(seed);
      for (Path sequence = where.get(); sequence != null; sequence = where.get()) {
        Path path = sequence.resolve(random.nextBoolean() ? "0" : "1").resolve(any(random));
        try {
          var unused = move(tier, path, kinds[random.nextInt(kinds.length)]);
        } catch (java.nio.file.NoSuchFileException | NotDirectoryException e) {
          // The name does not exist now.
        } catch (FileSystemException e) {
          if (!"Not a directory".equals(e.getReason())) {
            failure.compareAndSet(null, e);
          }
        } catch (Throwable e) {
          failure.compareAndSet(null, e);
        }
      }
    };
  }

  private static Runnable sweeper(
      LocalDirTier tier,
      AtomicReference<@Nullable Path> where,
      AtomicReference<@Nullable Throwable> failure) {
    return () -> {
      while (where.get() != null) {
        try {
          tier.sweepNow();
          tier.planner().round();
          Thread.sleep(20);
        } catch (Throwable e) {
          failure.compareAndSet(null, e);
        }
      }
    };
  }

  @Test
  @Timeout(1800)
  void randomSequences_movesAndSweepsInBetween_sameAsPlainDirectory() throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      rig.ports.nanos = System::nanoTime;
      LocalDirConfig config = rig.config().sweepGrace(Duration.ofMillis(500)).build();
      try (LocalDirTier tier = LocalDirTier.open(config, rig.ports)) {
        run(rig, tier);
      }
    }
  }

  private static void run(LocalDirRig rig, LocalDirTier tier) throws Exception {
    tier.startStreams();
    AtomicReference<@Nullable Path> where = new AtomicReference<>(rig.ssd);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    ExecutorService movers = Executors.newFixedThreadPool(3);
    ExecutorService workers = Executors.newFixedThreadPool(2);
    int sequence = 0;
    try {
      Future<?> down = movers.submit(mover(tier, where, failure, SEED, DOWN));
      Future<?> up = movers.submit(mover(tier, where, failure, SEED + 1, UP, REHOME));
      Future<?> sweeper = movers.submit(sweeper(tier, where, failure));
      for (; sequence < SEQUENCES; sequence++) {
        sequence(rig, tier, workers, sequence, where);
        Throwable failed = failure.get();
        if (failed != null) {
          throw new AssertionError("seed=" + SEED + " sequence=" + sequence, failed);
        }
      }
      where.set(null);
      down.get();
      up.get();
      sweeper.get();
    } finally {
      where.set(null);
      movers.shutdown();
      workers.shutdown();
    }
    assertNull(failure.get());
    assertEquals(SEQUENCES, sequence);
    assertTrue(LocalDirRig.picture(rig.ssd).isEmpty());
    // Files that two threads changed at the same instant are kept for an administrator to remove.
    List<Path> kept = new ArrayList<>();
    try (Stream<Path> files = Files.list(rig.ssd.resolve(".hycache/kept"))) {
      files.forEach(kept::add);
    }
    for (Path file : kept) {
      Files.delete(file);
    }
    assertTrue(kept.size() <= 1 + SEQUENCES / 100, "kept=" + kept);
    // Moves that the planner has started may still end.
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!rig.onHdds().isEmpty() && System.nanoTime() - end < 0) {
      tier.sweepNow();
      Thread.sleep(100);
    }
    assertEquals(List.of(), rig.onHdds());
    assertEquals(List.of(), rig.staged());
    rehomeOne(rig, tier);
    LocalDirStatus status = tier.status();
    System.out.println(
        "TieredTreeModelTest: sequences="
            + sequence
            + " operations="
            + 2L * OPERATIONS * sequence
            + " seed="
            + SEED
            + " movedDown="
            + status.figure(Figure.MOVED_DOWN_FILES)
            + " promoted="
            + status.figure(Figure.PROMOTED_FILES)
            + " rehomed="
            + status.figure(Figure.REHOMED_FILES)
            + " cancelled="
            + status.figure(Figure.MOVES_CANCELLED)
            + " open="
            + status.figure(Figure.SKIPPED_OPEN)
            + " failed="
            + status.figure(Figure.MOVES_FAILED)
            + " kept="
            + kept.size()
            + " swept="
            + status.figure(Figure.SWEPT_FILES)
            + " inventories="
            + status.figure(Figure.INVENTORIES)
            + " incomplete="
            + status.figure(Figure.INVENTORIES_INCOMPLETE)
            + " atomicExchange="
            + status.atomicExchange());
    assertTrue(status.figure(Figure.MOVED_DOWN_FILES) > SEQUENCES / 10);
    assertTrue(status.figure(Figure.PROMOTED_FILES) > SEQUENCES / 100);
    assertTrue(status.figure(Figure.REHOMED_FILES) >= 1);
  }

  /** Corrects a name on an HDD, which short runs of the sequences may not do. */
  private static void rehomeOne(LocalDirRig rig, LocalDirTier tier) throws Exception {
    Path file = Files.write(rig.ssd.resolve("x"), LocalDirRig.bytes(1_000, 1));
    rig.awaitTick();
    assertTrue(tier.tree().bringDown(file));
    Path renamed = Files.move(file, rig.ssd.resolve("y"), StandardCopyOption.ATOMIC_MOVE);
    assertTrue(tier.rehome(renamed));
    assertTrue(Files.readSymbolicLink(renamed).endsWith("y"));
  }

  private static void sequence(
      LocalDirRig rig,
      LocalDirTier tier,
      ExecutorService workers,
      int sequence,
      AtomicReference<@Nullable Path> where)
      throws Exception {
    String name = "s" + sequence;
    Path tiered = Files.createDirectory(rig.ssd.resolve(name));
    Path plain = Files.createDirectory(rig.plain.resolve(name));
    List<Part> parts = new ArrayList<>();
    for (int thread = 0; thread < 2; thread++) {
      String own = Integer.toString(thread);
      for (Path root : List.of(tiered, plain)) {
        Files.createDirectories(root.resolve(own).resolve("d"));
        Files.createDirectory(root.resolve(own).resolve("e"));
      }
      parts.add(
          new Part(
              SEED * 1_000_003 + 2L * sequence + thread,
              tier,
              tiered.resolve(own),
              plain.resolve(own)));
    }
    where.set(tiered);
    List<Future<@Nullable String>> running = new ArrayList<>();
    for (Part part : parts) {
      running.add(workers.submit(part::run));
    }
    for (int thread = 0; thread < 2; thread++) {
      String different = running.get(thread).get();
      String which =
          "seed=" + SEED + " sequence=" + sequence + " thread=" + thread + parts.get(thread).log;
      assertNull(different, which);
      assertEquals(
          LocalDirRig.picture(plain.resolve("" + thread)),
          LocalDirRig.picture(tiered.resolve("" + thread)),
          which);
    }
    LocalDirRig.delete(tiered);
    LocalDirRig.delete(plain);
  }
}
