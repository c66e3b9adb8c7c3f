// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.stats.QuietLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a tree as reported to the policy. Confined to the planner.
 *
 * <p>A file is identified by the inode of its name in the tree, so renames go unnoticed. Each file
 * gets a number, which together with the tree's id forms the key that policies see. A scan detects
 * files that were created, grew, were read (by access time, as far as the mount maintains it), or
 * were removed. About 300 bytes per file; a scan takes one lstat(2) per file. A file on an HDD that
 * fails stays as it was seen last; since a look that fails may take seconds, no file of that HDD is
 * looked at for a while.
 */
final class Catalog {
  private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

  /** Minimum time between two looks at a file on an HDD. */
  private static final long MIN_HDD_LOOK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** How long no file of an HDD is looked at after a look at one of them failed. */
  private static final long PAUSE_OF_FAILED_HDD_NANOS = MIN_HDD_LOOK_INTERVAL_NANOS;

  /**
   * How long a file is not looked at after a look at it failed: much longer than its HDD, so that a
   * few files that can't be read do not hide the others.
   */
  private static final long PAUSE_OF_FAILED_FILE_NANOS = TimeUnit.MINUTES.toNanos(10);

  /**
   * Maximum depth below the root at which files move. No job creates deeper trees, and each level
   * costs a look-up.
   */
  private static final int MAX_DEPTH = 100;

  /** One file. */
  static final class Entry {
    final CacheKey key;
    Path path;
    FileMark mark;
    long size;
    boolean up;

    /** Its name shows that its task removes it soon, see {@link ShufflePattern#isPassing}. */
    boolean passing;

    /** Expected total number of reads, or {@link ShufflePattern#UNKNOWN}. */
    long expected = ShufflePattern.UNKNOWN;

    long reads;

    /** Reads since it was moved down. */
    long readsDown;

    long atimeMicros;
    long lookedNanos;
    long round;

    /** A move of it is in progress. */
    boolean moving;

    private boolean waits;
    private long notBeforeNanos;

    Entry(CacheKey key, Path path, FileMark mark) {
      this.key = key;
      this.path = path;
      this.mark = mark;
      this.passing = ShufflePattern.isPassing(path);
    }

    void seenAs(Path path, FileMark mark) {
      if (!path.equals(this.path)) {
        this.path = path;
        this.passing = ShufflePattern.isPassing(path);
      }
      this.mark = mark;
    }

    /** References left; 0 if none is known. */
    long remaining() {
      return expected == ShufflePattern.UNKNOWN ? 0 : Math.max(0, expected - reads);
    }

    /** Postpones the next attempt after an unsuccessful move. */
    void waitUntil(long nanos) {
      waits = true;
      notBeforeNanos = nanos;
    }

    /**
     * Whether a file or link with its inode may be another one: the number is free again when its
     * move has ended, which the planner learns only later.
     */
    boolean mayBeAnother(Path path, boolean file) {
      return moving && (up != file || !path.equals(this.path));
    }

    boolean mayMove(long nowNanos) {
      return !moving && (!waits || nowNanos - notBeforeNanos >= 0);
    }

    /** True if all expected reads have happened. */
    boolean isUsedUp() {
      return expected != ShufflePattern.UNKNOWN && reads >= expected;
    }
  }

  private final TreeLayout layout;
  private final CachePolicy policy;
  private final LocalDirCounters counters;
  private final QuietLog failureLog;
  private final Map<Long, Entry> byInode = new HashMap<>();
  private final Map<CacheKey, Entry> byKey = new HashMap<>();

  /** HDDs on which a look failed, with the time of the scan, until they are looked at again. */
  private final Map<HddRoot, Long> failedHdds = new HashMap<>();

  /** The same for the inodes of links: one for each pause of an HDD. */
  private final Map<Long, Long> failedLinks = new HashMap<>();

  /** Reused for every access. */
  private final Access access = new Access();

  private long numbers;
  private long round;
  private long upFiles;
  private long upBytes;
  private long passingUpBytes;
  private long downFiles;
  private long downBytes;

  Catalog(TreeLayout layout, CachePolicy policy, LocalDirCounters counters, QuietLog failureLog) {
    this.layout = layout;
    this.policy = policy;
    this.counters = counters;
    this.failureLog = failureLog;
  }

  /** Scans the whole tree and reports changes to the policy. */
  void scan(long nowNanos) throws IOException {
    round++;
    upFiles = 0;
    upBytes = 0;
    passingUpBytes = 0;
    downFiles = 0;
    downBytes = 0;
    failedHdds.values().removeIf(failed -> nowNanos - failed > PAUSE_OF_FAILED_HDD_NANOS);
    failedLinks.values().removeIf(failed -> nowNanos - failed > PAUSE_OF_FAILED_FILE_NANOS);
    List<Entry> fresh = new ArrayList<>();
    Deque<Path> left = new ArrayDeque<>();
    left.push(layout.ssd());
    while (!left.isEmpty()) {
      scan(left.pop(), nowNanos, fresh, left);
    }
    // Oldest first, in the order in which the files were written.
    fresh.sort(Comparator.comparingLong(entry -> entry.mark.mtimeMicros));
    for (Entry entry : fresh) {
      if (entry.up) {
        admitted(entry, nowNanos);
      }
    }
    Iterator<Entry> all = byInode.values().iterator();
    while (all.hasNext()) {
      Entry entry = all.next();
      if (entry.round != round && !entry.moving) {
        all.remove();
        forget(entry);
      }
    }
  }

  /** Ends an entry that is no longer found by its inode; the policy forgets its key, too. */
  private void forget(Entry entry) {
    byKey.remove(entry.key);
    policy.onDeleted(entry.key);
    if (entry.expected != ShufflePattern.UNKNOWN) {
      policy.onReferences(entry.key, 0);
    }
  }

  private void scan(Path directory, long nowNanos, List<Entry> fresh, Deque<Path> below)
      throws IOException {
    boolean deepest = directory.getNameCount() - layout.ssd().getNameCount() >= MAX_DEPTH;
    try (Directory held = layout.hold(layout.relative(directory))) {
      if (held == null) {
        return;
      }
      for (Path name : held.names()) {
        FileMark mark = held.mark(name);
        Path path = directory.resolve(name);
        if (mark == null) {
          continue;
        }
        if (mark.isDirectory()) {
          if (!layout.hides(path) && !deepest) {
            below.push(path);
          }
        } else if (mark.isFile()) {
          up(path, mark, nowNanos, fresh);
        } else if (mark.isLink()) {
          down(held, path, mark, nowNanos);
        }
      }
    } catch (IOException e) {
      // Removed meanwhile, or not readable for us: files in it do not move.
      LOG.debug("not scanned: directory={}", directory, e);
      if (directory.equals(layout.ssd())) {
        throw e;
      }
    }
  }

  private void up(Path path, FileMark mark, long nowNanos, List<Entry> fresh) throws IOException {
    Entry entry = byInode.get(mark.ino);
    if (entry != null && entry.round == round) {
      return; // A further name of the same file.
    }
    if (entry != null && entry.mayBeAnother(path, true)) {
      entry.round = round;
      countUp(mark.size, ShufflePattern.isPassing(path));
      return;
    }
    if (entry == null || !entry.up) {
      entry = add(path, mark, entry);
      entry.up = true;
      entry.size = mark.size;
      entry.atimeMicros = mark.atimeMicros;
      fresh.add(entry);
    } else {
      entry.seenAs(path, mark);
      if (entry.size != mark.size) {
        entry.size = mark.size;
        policy.onAdmitted(entry.key, mark.size, nowNanos);
      }
      if (mark.atimeMicros > entry.atimeMicros) {
        entry.atimeMicros = mark.atimeMicros;
        read(entry, nowNanos);
      }
      learn(entry);
    }
    entry.round = round;
    countUp(mark.size, entry.passing);
  }

  private void countUp(long bytes, boolean passing) {
    upFiles++;
    upBytes += bytes;
    if (passing) {
      passingUpBytes += bytes;
    }
  }

  private void down(Directory directory, Path path, FileMark link, long nowNanos)
      throws IOException {
    Entry entry = byInode.get(link.ino);
    if (entry != null && entry.round == round) {
      return; // A further name of the same file.
    }
    if (entry != null && entry.mayBeAnother(path, false)) {
      entry.round = round;
      downFiles++;
      downBytes += entry.size;
      return;
    }
    if (entry == null || entry.up || nowNanos - entry.lookedNanos > MIN_HDD_LOOK_INTERVAL_NANOS) {
      Path text = TreeLayout.text(directory, path.getFileName());
      TreeLayout.Target target = text == null ? null : layout.targetOf(text);
      if (target == null) {
        return;
      }
      if (!failedHdds.containsKey(target.hdd) && !failedLinks.containsKey(link.ino)) {
        try {
          entry = look(entry, path, link, target, nowNanos);
        } catch (IOException e) {
          // The HDD failed; the files beside this link move all the same.
          counters.count(Figure.HDD_LOOKS_FAILED);
          failureLog.warn(
              e, "HDD failed when a file on it was looked at: hdd={} path={}", target.hdd, path);
          failedHdds.put(target.hdd, nowNanos);
          failedLinks.put(link.ino, nowNanos);
        }
      }
      if (entry == null || entry.up) {
        return;
      }
    }
    entry.seenAs(path, link);
    entry.round = round;
    downFiles++;
    downBytes += entry.size;
  }

  /** Looks at the file behind a link. Returns its entry; null if it does not exist. */
  private @Nullable Entry look(
      @Nullable Entry known, Path path, FileMark link, TreeLayout.Target target, long nowNanos)
      throws IOException {
    FileMark file = layout.mark(target);
    if (file == null) {
      return null;
    }
    Entry entry = known;
    if (entry == null || entry.up) {
      entry = add(path, link, entry);
      entry.atimeMicros = file.atimeMicros;
    } else if (file.atimeMicros > entry.atimeMicros) {
      entry.atimeMicros = file.atimeMicros;
      read(entry, nowNanos);
    }
    entry.size = file.size;
    entry.lookedNanos = nowNanos;
    learn(entry);
    return entry;
  }

  private Entry add(Path path, FileMark mark, @Nullable Entry replaced) {
    if (replaced != null) {
      forget(replaced);
    }
    Entry entry = new Entry(new CacheKey(layout.id(), numbers++), path, mark);
    byInode.put(mark.ino, entry);
    byKey.put(entry.key, entry);
    entry.round = round;
    return entry;
  }

  private void admitted(Entry entry, long nowNanos) {
    learn(entry);
    policy.onAdmitted(entry.key, entry.size, nowNanos);
  }

  private void learn(Entry entry) {
    if (entry.expected == ShufflePattern.UNKNOWN) {
      entry.expected = ShufflePattern.reads(entry.path, this::size);
      if (entry.expected != ShufflePattern.UNKNOWN) {
        policy.onReferences(entry.key, entry.remaining());
      }
    }
  }

  private long size(Path file) {
    try {
      return layout.size(file);
    } catch (IOException e) {
      return ShufflePattern.UNKNOWN;
    }
  }

  /** Records a read of a file. */
  void read(Entry entry, long nowNanos) {
    entry.reads++;
    if (!entry.up) {
      entry.readsDown++;
    }
    policy.onAccess(access.set(entry.key, entry.size, entry.size, nowNanos));
    if (entry.expected != ShufflePattern.UNKNOWN) {
      policy.onReferences(entry.key, entry.remaining());
    }
  }

  /** The file behind a name in the tree; null if no scan has found it yet. */
  @Nullable Entry find(Path path) throws IOException {
    FileMark mark = layout.mark(path);
    return mark == null ? null : byInode.get(mark.ino);
  }

  /** Records that a file was moved to the other tier. */
  void moved(Entry entry, long nowNanos) throws IOException {
    FileMark mark = layout.mark(entry.path);
    if (byInode.get(entry.mark.ino) == entry) {
      byInode.remove(entry.mark.ino);
    }
    if (mark == null || mark.isLink() != entry.up) {
      forget(entry);
      return;
    }
    if (entry.up) {
      policy.onRemoved(entry.key);
    }
    Entry seenAlready = byInode.put(mark.ino, entry);
    if (seenAlready != null && seenAlready != entry) {
      forget(seenAlready);
    }
    entry.up = !entry.up;
    entry.mark = mark;
    entry.readsDown = 0;
    entry.lookedNanos = nowNanos;
    entry.atimeMicros = Math.max(entry.atimeMicros, mark.isLink() ? 0 : mark.atimeMicros);
    if (entry.up) {
      policy.onAdmitted(entry.key, entry.size, nowNanos);
    }
  }

  /**
   * Files on the SSD in the order in which to move them down: files that will not be read again
   * come first, files that their task removes soon last; within each group the policy's order.
   */
  List<Entry> victims() {
    List<Entry> used = new ArrayList<>();
    List<Entry> others = new ArrayList<>();
    List<Entry> passing = new ArrayList<>();
    for (CacheKey key : policy.evictionOrder()) {
      Entry entry = byKey.get(key);
      if (entry != null && entry.up) {
        (entry.passing ? passing : entry.isUsedUp() ? used : others).add(entry);
      }
    }
    List<Entry> victims = new ArrayList<>(used);
    victims.addAll(others);
    victims.addAll(passing);
    return victims;
  }

  /** The policy's decision about moving a file up. */
  Decision decide(Entry entry, long freeBytes, long capacityBytes) {
    return policy.decide(
        new Candidate(
            entry.key, entry.size, Candidate.Trigger.READ_MISS, Math.max(0, entry.remaining())),
        freeBytes,
        capacityBytes);
  }

  @Nullable Entry get(CacheKey key) {
    return byKey.get(key);
  }

  long upFiles() {
    return upFiles;
  }

  long upBytes() {
    return upBytes;
  }

  /** Bytes of files on the SSD that their task removes soon. */
  long passingUpBytes() {
    return passingUpBytes;
  }

  long downFiles() {
    return downFiles;
  }

  long downBytes() {
    return downBytes;
  }
}
