// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The blocks fetched ahead of a reference: which are on their way, which wait for their read, and
 * which are done with.
 *
 * <p>Rules:
 *
 * <ul>
 *   <li>A copy is done with when the block's last reference is used up, withdrawn or expired. If
 *       one is used up by a read here and later ones are left, the copy is the policy's from then
 *       on.
 *   <li>A copy whose read has not come {@link #OVERDUE_NANOS} after it was due is overdue.
 *   <li>A copy that has waited for {@link #OUTSTAY_NANOS} outstays if its user holds more than a
 *       part of the share. The due time is not considered, because it comes from the user's own
 *       hints.
 *   <li>A block whose copy made way unread is passed over until its references end or it is hinted
 *       anew: what was fetched in vain once is not fetched again. One whose copy was lost, as with
 *       its device, is fetched again.
 * </ul>
 *
 * <p>O(1) an event; O(copies that wait) for the overdue ones. About 150 bytes for each block, which
 * is forgotten at the latest when its references end. Owned by the planner's thread.
 */
final class AheadCopies {
  /** How long a copy waits for its read after the time at which that was expected. */
  static final long OVERDUE_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** How long a copy above its user's part may wait for its read while others want the room. */
  static final long OUTSTAY_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Assumed rate of a slow device from which nothing was fetched yet, in bytes per second. */
  private static final double INITIAL_BYTES_PER_SEC = 100e6;

  /** Arrivals that are settled in the same round say nothing about the rate of a device. */
  private static final long MIN_SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Each new fetch weighs 1 in this many in the smoothed rate of its slow device. */
  private static final double RATE_SMOOTHING = 4;

  private enum State {
    ARRIVING,
    /** On the fast tier, before its read. */
    WAITING,
    /** On the fast tier or on its way there, and needed no more. */
    DONE,
    /** Made way unread. */
    PASSED_OVER
  }

  private static final class Copy {
    final String user;
    final long bytes;
    final String slowDevice;
    final String fastDevice;
    State state = State.ARRIVING;

    /** References left at the last change. */
    long left;

    /** A read here used up a reference while the copy was on its way. */
    boolean read;

    /** Being removed since a time at which it waited for its read. */
    boolean makesWay;

    final long begunNanos;

    /** Expected time of the read, when the copy began. */
    final long dueNanos;

    Copy(
        String user,
        long bytes,
        String slowDevice,
        String fastDevice,
        long left,
        long begunNanos,
        long dueNanos) {
      this.user = user;
      this.bytes = bytes;
      this.slowDevice = slowDevice;
      this.fastDevice = fastDevice;
      this.left = left;
      this.begunNanos = begunNanos;
      this.dueNanos = dueNanos;
    }

    boolean takesSpace() {
      return state != State.PASSED_OVER;
    }
  }

  /** In the order in which they began. */
  private final Map<BlockKey, Copy> copies = new LinkedHashMap<>();

  /** Bytes of the copies that take space, by fast device. */
  private final BytesByDevice bytes = new BytesByDevice();

  /** The same of each user who has some. */
  private final Map<String, BytesByDevice> bytesOfUser = new HashMap<>();

  private final Set<BlockKey> done = new LinkedHashSet<>();
  private long releases;

  /** Copies on their way by slow device, in the order in which they began. */
  private final Map<String, List<Copy>> arriving = new HashMap<>();

  /** Observed rate of fetches by slow device, in bytes per second. */
  private final Map<String, Double> rates = new HashMap<>();

  /** Time of the last arrival by slow device. */
  private final Map<String, Long> landedNanos = new HashMap<>();

  // ---- events -----------------------------------------------------------------------------------

  /**
   * A block is on its way. {@link #arrived} or {@link #left} follows.
   *
   * @param left references to the block, &gt; 0
   * @param dueNanos expected time of its read
   */
  void begins(
      BlockKey block,
      String user,
      long blockBytes,
      String slowDevice,
      String fastDevice,
      long left,
      long nowNanos,
      long dueNanos) {
    left(block);
    Copy copy = new Copy(user, blockBytes, slowDevice, fastDevice, left, nowNanos, dueNanos);
    copies.put(block, copy);
    count(copy);
    arriving.computeIfAbsent(slowDevice, id -> new ArrayList<>(1)).add(copy);
  }

  /** The copy is on the fast tier. */
  void arrived(BlockKey block, long nowNanos) {
    Copy copy = copies.get(block);
    if (copy == null) {
      return;
    }
    if (landed(copy)) {
      // It waited for the one before it, which came from the same device.
      long begun =
          Math.max(copy.begunNanos, landedNanos.getOrDefault(copy.slowDevice, Long.MIN_VALUE));
      landedNanos.put(copy.slowDevice, nowNanos);
      if (nowNanos - begun >= MIN_SAMPLE_NANOS) {
        double rate = (double) copy.bytes * 1e9 / (double) (nowNanos - begun);
        rates.merge(copy.slowDevice, rate, (known, one) -> known + (one - known) / RATE_SMOOTHING);
      }
    }
    copy.makesWay = false;
    if (copy.state == State.ARRIVING) {
      if (copy.read) {
        drop(block, copy);
      } else {
        copy.state = State.WAITING;
      }
    } else if (copy.state == State.DONE) {
      done.add(block);
    }
  }

  /** Returns false if the copy was on its way no more. */
  private boolean landed(Copy copy) {
    List<Copy> others = arriving.get(copy.slowDevice);
    if (others == null || !others.remove(copy)) {
      return false;
    }
    if (others.isEmpty()) {
      arriving.remove(copy.slowDevice);
    }
    return true;
  }

  /** The copy is being removed to make room. {@link #left}, or {@link #arrived} again, follows. */
  void leaves(BlockKey block) {
    Copy copy = copies.get(block);
    if (copy != null) {
      copy.makesWay = copy.state == State.WAITING;
    }
  }

  /** The block is neither on the fast tier nor on its way there. */
  void left(BlockKey block) {
    Copy copy = copies.get(block);
    if (copy == null || copy.state == State.PASSED_OVER) {
      return;
    }
    // One that was done with, and is hinted anew while it is being removed, was not fetched in
    // vain.
    boolean unread = copy.state == State.WAITING && copy.makesWay;
    drop(block, copy);
    if (unread) {
      copy.state = State.PASSED_OVER;
      copies.put(block, copy);
    }
  }

  /** The block was pinned: it takes none of the share any more, and stays, read or not. */
  void pinned(BlockKey block) {
    Copy copy = copies.get(block);
    if (copy != null && copy.takesSpace()) {
      drop(block, copy);
    } else {
      copies.remove(block);
    }
  }

  private void drop(BlockKey block, Copy copy) {
    copies.remove(block);
    boolean unused = landed(copy);
    discount(copy);
    releases++;
  }

  private void count(Copy copy) {
    bytes.add(copy.fastDevice, copy.bytes);
    bytesOfUser
        .computeIfAbsent(copy.user, user -> new BytesByDevice())
        .add(copy.fastDevice, copy.bytes);
  }

  private void discount(Copy copy) {
    bytes.add(copy.fastDevice, -copy.bytes);
    BytesByDevice ofUser = bytesOfUser.get(copy.user);
    if (ofUser != null) {
      ofUser.add(copy.fastDevice, -copy.bytes);
      if (ofUser.total() == 0) {
        bytesOfUser.remove(copy.user);
      }
    }
  }

  /** The number of references left to a block changed. */
  void references(BlockKey block, long left) {
    Copy copy = copies.get(block);
    if (copy == null) {
      return;
    }
    copy.left = left;
    if (copy.state == State.PASSED_OVER) {
      if (left == 0) {
        copies.remove(block);
      }
    } else if (left == 0) {
      if (copy.state == State.WAITING) {
        done.add(block);
      }
      copy.state = State.DONE;
    } else if (copy.state == State.DONE) {
      // Hinted again before it left.
      boolean onItsWay = arriving.getOrDefault(copy.slowDevice, List.of()).contains(copy);
      copy.state = onItsWay ? State.ARRIVING : State.WAITING;
    }
  }

  /**
   * Leaves the block's copy to the policy if references are left: a read here used up one, or none
   * is left but a guess, which has no claim to the share. To be called after {@link #references}.
   */
  void leaveToPolicy(BlockKey block) {
    Copy copy = copies.get(block);
    if (copy == null || copy.left == 0) {
      return;
    }
    if (copy.state == State.WAITING) {
      drop(block, copy);
    } else if (copy.state == State.ARRIVING) {
      copy.read = true;
    }
  }

  /** The block is hinted anew: it is passed over no longer. */
  void hintedAnew(BlockKey block) {
    if (isPassedOver(block)) {
      copies.remove(block);
    }
  }

  // ---- questions --------------------------------------------------------------------------------

  /** True for a block that takes space here, from the start of its fetch to its end. */
  boolean has(BlockKey block) {
    Copy copy = copies.get(block);
    return copy != null && copy.takesSpace();
  }

  /** True for a block that was fetched once in vain. */
  boolean isPassedOver(BlockKey block) {
    Copy copy = copies.get(block);
    return copy != null && copy.state == State.PASSED_OVER;
  }

  /**
   * Bytes of all copies on usable devices, those on their way to them included. O(devices).
   *
   * @param usable the fast devices that are usable: the share is one of these
   */
  long bytes(Iterable<String> usable) {
    return bytes.on(usable);
  }

  /** How often space was given back so far. */
  long releases() {
    return releases;
  }

  /** As {@link #bytes(Iterable)}, of the copies that a user's hints asked for. */
  long bytes(String user, Iterable<String> usable) {
    BytesByDevice ofUser = bytesOfUser.get(user);
    return ofUser == null ? 0 : ofUser.on(usable);
  }

  /**
   * Copies on their way to usable devices.
   *
   * @param usable whether a fast device is usable
   */
  int arriving(Predicate<String> usable) {
    return arriving.keySet().stream().mapToInt(slow -> fetchedFrom(slow, usable)).sum();
  }

  /**
   * Number of blocks that are being fetched from a slow device.
   *
   * @param usable whether a fast device is usable: fetches to others hang, and keep no disk busy
   */
  int fetchedFrom(String slowDevice, Predicate<String> usable) {
    List<Copy> from = arriving.getOrDefault(slowDevice, List.of());
    return (int) from.stream().filter(copy -> usable.test(copy.fastDevice)).count();
  }

  /** The usable fast device to which blocks are being fetched from a slow one; null if none. */
  @Nullable String fetchedTo(String slowDevice, Predicate<String> usable) {
    for (Copy copy : arriving.getOrDefault(slowDevice, List.of())) {
      if (usable.test(copy.fastDevice)) {
        return copy.fastDevice;
      }
    }
    return null;
  }

  /** Expected rate of a fetch from a slow device that nobody uses, in bytes per second. */
  double bytesPerSec(String slowDevice) {
    return rates.getOrDefault(slowDevice, INITIAL_BYTES_PER_SEC);
  }

  /** Copies that {@link #pollDone} has not returned yet, at most. */
  int doneCount() {
    return done.size();
  }

  /** Removes and returns a block whose copy is done with; null if there is none. */
  @Nullable BlockKey pollDone() {
    Iterator<BlockKey> blocks = done.iterator();
    while (blocks.hasNext()) {
      BlockKey block = blocks.next();
      blocks.remove();
      Copy copy = copies.get(block);
      if (copy != null && copy.state == State.DONE) {
        return block;
      }
    }
    return null;
  }

  /** The copy could not be removed now: it is returned by {@link #pollDone} once more. */
  void again(BlockKey block) {
    done.add(block);
  }

  /**
   * The blocks whose read is overdue, in the order in which they were fetched.
   *
   * @param mayGo asked with each of them, and the user whose hints brought it
   */
  List<BlockKey> overdue(long nowNanos, BiPredicate<BlockKey, String> mayGo) {
    List<BlockKey> late = new ArrayList<>();
    copies.forEach(
        (block, copy) -> {
          if (copy.state == State.WAITING
              && nowNanos - copy.dueNanos > OVERDUE_NANOS
              && mayGo.test(block, copy.user)) {
            late.add(block);
          }
        });
    return late;
  }

  /**
   * Blocks that wait for their read for longer than {@link #OUTSTAY_NANOS}, of users that hold more
   * than their part: as many as are above it, those of latest expected read first, but never a
   * user's last one. O(n log n).
   *
   * @param partOf bytes that a user may hold
   * @param usable the fast devices that are usable: others neither count nor give anything back
   */
  List<BlockKey> outstaying(
      long nowNanos, ToLongFunction<String> partOf, Collection<String> usable) {
    Map<String, Long> held = new HashMap<>();
    bytesOfUser.forEach((user, ofUser) -> held.put(user, ofUser.on(usable)));
    List<Map.Entry<BlockKey, Copy>> waiting = new ArrayList<>();
    for (Map.Entry<BlockKey, Copy> each : copies.entrySet()) {
      Copy copy = each.getValue();
      if (copy.state == State.WAITING
          && nowNanos - copy.begunNanos > OUTSTAY_NANOS
          && usable.contains(copy.fastDevice)) {
        waiting.add(each);
      }
    }
    waiting.sort(Comparator.comparingLong(copy -> -copy.getValue().dueNanos));
    List<BlockKey> out = new ArrayList<>();
    for (Map.Entry<BlockKey, Copy> each : waiting) {
      Copy copy = each.getValue();
      long all = held.getOrDefault(copy.user, 0L);
      if (all > copy.bytes && all > partOf.applyAsLong(copy.user)) {
        held.put(copy.user, all - copy.bytes);
        out.add(each.getKey());
      }
    }
    return out;
  }

  /** Forgets the blocks that fail the test, and counts the others anew. O(n). */
  void retain(Predicate<BlockKey> known) {
    for (BlockKey block : List.copyOf(copies.keySet())) {
      if (!known.test(block)) {
        left(block);
      }
    }
    bytes.clear();
    bytesOfUser.clear();
    for (Copy copy : copies.values()) {
      if (copy.takesSpace()) {
        count(copy);
      }
    }
  }

  // ---- tests ------------------------------------------------------------------------------------

  /**
   * Recounts everything, while nothing moves. O(n); for tests.
   *
   * @param resident whether a block is on a fast device
   * @throws IllegalStateException naming what is wrong
   */
  void checkInvariants(Predicate<BlockKey> resident) {
    long counted = 0;
    for (Map.Entry<BlockKey, Copy> e : copies.entrySet()) {
      Copy copy = e.getValue();
      if (copy.takesSpace() != resident.test(e.getKey()) || copy.state == State.ARRIVING) {
        throw new IllegalStateException(
            "read-ahead broken: block=" + e.getKey() + " state=" + copy.state);
      }
      counted += copy.takesSpace() ? copy.bytes : 0;
    }
    long total = bytes.total();
    long ofUsers = bytesOfUser.values().stream().mapToLong(BytesByDevice::total).sum();
    if (counted != total || counted != ofUsers || !arriving.isEmpty()) {
      throw new IllegalStateException(
          "read-ahead broken: bytes=" + total + " counted=" + counted + " ofUsers=" + ofUsers);
    }
  }
}
