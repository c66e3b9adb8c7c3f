package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.dataset.Suspects.Suspect;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Verifies clean copies against their replicas in the background.
 *
 * <p>A copy is good if its checksum file is, byte for byte, that of the replica on DISK, and its
 * data agrees with that. So a copy of another block that had the same id, generation stamp and
 * length (after a rollback), and a copy with a flipped bit, are both found. A bad copy is dropped
 * at once. Then the replica itself is verified, and if it is good it is reported as deleted and
 * received again: a client that was sent bad bytes has reported the replica as corrupt, and nothing
 * else makes the NameNode forget that.
 *
 * <p>Order: suspects (what a client read that then closed its connection, or reads again; what
 * HDFS's block scanner suspects; what a promotion found); then copies that an earlier process left,
 * which are not served until they were verified (checksum files without data only when they are
 * first read: there may be a million); then all copies in turn, each within HDFS's scan period.
 * Each SSD is read by a thread of its own, so that one that hangs holds up no other; the thread
 * ends when it has nothing to do. Reads are bounded to {@code hycache.scrub.bandwidth} for each
 * SSD, and between chunks users of the DISK go first. All but {@link #suspect} is done on these
 * threads. Thread-safe.
 */
final class CopyScrubber implements AutoCloseable {
  private static final long TICK_MILLIS = 100;

  /** What a client read last before the suspicion arose is verified first, and a little around. */
  private static final long AROUND_BYTES = 1 << 20;

  /** How far a DataNode may have sent ahead of what a client has looked at. */
  private static final long MOST_AHEAD_BYTES = 16 << 20;

  private final ScrubContext context;
  private final Map<String, CleanArea> areas;
  private final Map<CleanArea, ScrubLane> lanes = new ConcurrentHashMap<>();
  private final RecentReaders readers = new RecentReaders();
  private final ScheduledExecutorService timer;

  /**
   * @param areas clean area of each device, by its id; may grow while in use
   */
  CopyScrubber(ScrubContext context, Map<String, CleanArea> areas) {
    this.context = context;
    this.areas = areas;
    this.timer = Executors.newSingleThreadScheduledExecutor(Daemons.named("HyCacheScrubTimer"));
  }

  void start() {
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    lanes.values().forEach(ScrubLane::close);
  }

  /**
   * Asks for a copy to be verified soon, if it is not waiting for that already. Never waits; O(1).
   *
   * @param file of the copy
   * @param offset of the data that is suspicious
   */
  void suspect(CleanFile file, long offset) {
    long from = Math.max(0, offset - AROUND_BYTES);
    lane(file.area())
        .suspect(
            new Suspect(file.replica().block(), from, offset + 2 * AROUND_BYTES, false, false));
  }

  /** To be notified of each stream that is closed and of which there is a copy. */
  RecentReaders readers() {
    return readers;
  }

  private void hungUp(CleanCopies.Copy read, long fromBytes, long toBytes) {
    BlockKey block = read.replica().block();
    CleanCopies.Copy copy = context.copies.get(block);
    for (CleanFile file : read.files()) {
      if (copy == null || copy.files().stream().noneMatch(file::isSameFileAs)) {
        lane(file.area()).cameTooLate(block);
        return;
      }
    }
    long from = Math.max(fromBytes, toBytes - MOST_AHEAD_BYTES);
    for (CleanFile file : read.files()) {
      lane(file.area()).suspect(new Suspect(block, from, toBytes, true, true));
    }
  }

  /** A file was found that an earlier process left. */
  void found(CleanFile file) {
    lane(file.area()).found(file);
  }

  private ScrubLane lane(CleanArea area) {
    ScrubLane known = lanes.get(area);
    return known != null
        ? known
        : lanes.computeIfAbsent(area, added -> new ScrubLane(context, added));
  }

  private void tick() {
    try {
      readers.look(System.nanoTime(), this::hungUp);
      lanes.forEach(
          (area, lane) -> {
            if (!areas.containsValue(area)) {
              lane.close();
            }
          });
      lanes.keySet().retainAll(areas.values());
      areas.values().forEach(area -> lane(area).run());
    } catch (Throwable e) { // else there would be no other tick
      context.part.note(e);
    }
  }
}
