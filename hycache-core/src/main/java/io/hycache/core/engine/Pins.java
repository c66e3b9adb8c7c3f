// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.ImmutableSet;
import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.Host;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that cache directives pin to the fast tier, and the bytes reserved for them.
 *
 * <p>A pin takes the length of its block, rounded up to whole pages as HDFS does, from the capacity
 * for pins: {@code hycache.pins.share} of the devices that are usable, rounded down. It takes them
 * when it begins, before a byte is copied, and until it ends; a pin for which they are not left
 * does not begin. Checksum files are not counted: they have {@code hycache.checksum.share}. The
 * NameNode gets another sum, without the pins that wait: it deducts what it has asked for and not
 * seen in a report by itself, and would deduct them twice.
 *
 * <p>A pin waits until the block's data is on a fast device, as the replica itself or as a clean
 * copy, and then is <i>here</i>. It waits again if the copy is lost. It is of one state of the
 * replica: with another generation stamp or length it ends. {@link Pinner} ends one that waits, or
 * is on a device out of use, and is not asked for any more: neither is in a report, so the NameNode
 * sends no order to uncache it.
 *
 * <p>What is pinned belongs to no policy and to no user, and {@link Departures} lets it stay. O(1)
 * an event; about 260 bytes for each pin. Owned by the planner's thread, which publishes {@link
 * PinnedBlocks} to others.
 */
final class Pins {
  private static final class Pin {
    final Replica replica;
    final long reservedBytes;

    /** The data is on a fast device, with the figures below; all are 0 while it waits. */
    boolean here;

    @Nullable String device;

    /** Size of the data if a policy would manage it otherwise. */
    long residentBytes;

    /** Size of the data if it is a clean copy, and what the copy takes on its device. */
    long cleanBytes;

    long allocatedBytes;

    /** A copy that began for the pin is under way. */
    boolean copying;

    /** The bytes count as cached. */
    boolean cached;

    /** When the pin was last asked for, or was here, on a usable device, for the last time. */
    long askedNanos;

    Pin(Replica replica, long reservedBytes, long askedNanos) {
      this.replica = replica;
      this.reservedBytes = reservedBytes;
      this.askedNanos = askedNanos;
    }
  }

  private final LiveConfig config;
  private final FastSpace space;
  private final Host host;
  private final RoundClock clock;
  private final long pageBytes;
  private final PinnedBlocks published;
  private final Map<BlockKey, Pin> pins = new LinkedHashMap<>();

  /** The pins that wait for their copy, in turn. */
  private final Set<BlockKey> waiting = new LinkedHashSet<>();

  private Set<String> usable = Set.of();
  private long capacityBytes;
  private long usedBytes;

  /** Of these: of pins that are here, or whose copy is under way. */
  private long cachedBytes;

  /** Reserved bytes of the pins that are here. */
  private final BytesByDevice hereBytes = new BytesByDevice();

  private final BytesByDevice residentBytes = new BytesByDevice();
  private final BytesByDevice cleanBytes = new BytesByDevice();

  /** Copies of pinned blocks under way to each device. */
  private final BytesByDevice fetches = new BytesByDevice();

  /**
   * @param host is notified when a pinned block comes to a fast device or leaves it
   * @param published receives every change
   */
  Pins(LiveConfig config, FastSpace space, Host host, PinnedBlocks published, RoundClock clock) {
    this.config = config;
    this.space = space;
    this.host = host;
    this.clock = clock;
    this.pageBytes = host.pageBytes();
    this.published = published;
  }

  // ---- begin and end ----------------------------------------------------------------------------

  /** After a look at the devices: their capacity, or the share, may have changed. */
  void devicesChanged() {
    HyCacheConfig now = config.get();
    double share = now.directives() && now.mode() == Mode.ACTIVE ? now.pinsShare() : 0;
    long bytes = (long) (space.capacityBytes() * share);
    capacityBytes = bytes - bytes % pageBytes;
    published.setCapacity(capacityBytes);
    Set<String> found = ImmutableSet.copyOf(space.ids());
    if (!found.containsAll(usable)) {
      for (Pin pin : pins.values()) {
        if (pin.device != null && usable.contains(pin.device) && !found.contains(pin.device)) {
          pin.askedNanos = clock.now(); // as in leave: the NameNode asks for it from now on
        }
      }
    }
    usable = found;
    published.setCached(countedCachedBytes());
  }

  /**
   * Reserved bytes of the pins on devices out of use, which are no part of the capacity either, so
   * that they take nothing from the share of the others.
   */
  private long outOfUseBytes() {
    return hereBytes.total() - hereBytes.on(space.ids());
  }

  private long countedCachedBytes() {
    return cachedBytes - outOfUseBytes();
  }

  /** Reserves the bytes of a block and pins it. Returns false if they are not left. */
  boolean begin(Replica replica) {
    long bytes = FastDevice.allocatedBytes(replica.lengthBytes(), pageBytes);
    if (bytes > capacityBytes - (usedBytes - outOfUseBytes())) {
      return false;
    }
    pins.put(replica.block(), new Pin(replica, bytes, clock.now()));
    waiting.add(replica.block());
    use(bytes);
    return true;
  }

  /**
   * True if the copy of a pin that waits fits the capacity, beside the pins that are here or being
   * copied. It did when the pin began; SSDs, or the share, may have become smaller since.
   */
  boolean hasRoomFor(BlockKey block) {
    Pin pin = pins.get(block);
    return pin != null && countedCachedBytes() + pin.reservedBytes <= capacityBytes;
  }

  /** A directive asks for a block again. Returns false if it is not pinned. */
  boolean asked(BlockKey block) {
    Pin pin = pins.isEmpty() ? null : pins.get(block);
    if (pin == null) {
      return false;
    }
    pin.askedNanos = clock.now();
    return true;
  }

  /** Ends a pin and gives its bytes back. Returns false if there was none. */
  boolean end(BlockKey block) {
    Pin pin = pins.remove(block);
    if (pin == null) {
      return false;
    }
    waiting.remove(block);
    pin.copying = false;
    boolean unused = leave(pin);
    recount(pin);
    publish(block, false);
    use(-pin.reservedBytes);
    return true;
  }

  private void use(long bytes) {
    usedBytes += bytes;
    published.setUsed(usedBytes);
  }

  /** The pin may have begun or ceased to count as cached. */
  private void recount(Pin pin) {
    boolean cached = pin.here || pin.copying;
    if (cached != pin.cached) {
      pin.cached = cached;
      cachedBytes += cached ? pin.reservedBytes : -pin.reservedBytes;
    }
    published.setCached(countedCachedBytes());
  }

  // ---- events -----------------------------------------------------------------------------------

  /** The place or the move of a block may have changed. */
  void refresh(BlockEntry entry) {
    Pin pin = pins.isEmpty() ? null : pins.get(entry.key());
    if (pin == null) {
      return;
    }
    String device = entry.device();
    boolean here = device != null && isHere(pin, entry);
    boolean was = leave(pin);
    if (here && device != null) {
      arrive(pin, entry, device);
    } else if (was) {
      pin.askedNanos = clock.now(); // the NameNode asks for it when it is not reported any more
    }
    recount(pin);
    publish(pin.replica.block(), pin.here);
  }

  /** Publishes that the block came to a fast device, or left it, if that was not done yet. */
  private void publish(BlockKey block, boolean here) {
    if (published.contains(block) == here) {
      return;
    }
    host.pinned(block, here);
    if (here) {
      published.add(block);
    } else {
      published.remove(block);
    }
  }

  /** A replica that is being demoted may end without a copy, unless it was pinned before. */
  private static boolean isHere(Pin pin, BlockEntry entry) {
    Moving moving = entry.moving();
    return entry.fast()
        && entry.replica().equals(pin.replica)
        && moving != Moving.EVICTING
        && (moving != Moving.DEMOTING || pin.here);
  }

  private void arrive(Pin pin, BlockEntry entry, String device) {
    locate(pin, entry, device);
    count(pin, device, 1);
    waiting.remove(pin.replica.block());
  }

  private void locate(Pin pin, BlockEntry entry, String device) {
    long bytes = entry.sizeBytes();
    boolean clean = entry.home() == Home.DISK;
    pin.here = true;
    pin.device = device;
    pin.residentBytes = entry.isResident() ? bytes : 0;
    pin.cleanBytes = clean ? bytes : 0;
    pin.allocatedBytes = clean ? space.allocatedBytes(device, bytes) : 0;
  }

  /** The data is on no fast device any more: the pin waits. Returns false if it did before. */
  private boolean leave(Pin pin) {
    String device = pin.device;
    if (!pin.here || device == null) {
      return false;
    }
    count(pin, device, -1);
    pin.here = false;
    pin.device = null;
    if (pins.get(pin.replica.block()) == pin) {
      waiting.add(pin.replica.block());
    }
    return true;
  }

  private void count(Pin pin, String device, int sign) {
    hereBytes.add(device, sign * pin.reservedBytes);
    residentBytes.add(device, sign * pin.residentBytes);
    cleanBytes.add(device, sign * pin.cleanBytes);
    published.addCopyBytes(device, sign * pin.allocatedBytes);
  }

  /** The block is in no table any more, or in none yet. */
  void away(BlockKey block) {
    Pin pin = pins.isEmpty() ? null : pins.get(block);
    if (pin != null) {
      if (leave(pin)) {
        pin.askedNanos = clock.now();
      }
      recount(pin);
      publish(block, false);
    }
  }

  /** As {@link BytesByDevice#prepare}: {@link #fetching} can't fail after it. */
  void prepare(String device) {
    fetches.prepare(device);
  }

  /** A copy of a pinned block begins to be made; {@link #fetched} must follow. */
  void fetching(BlockKey block, String device) {
    fetches.add(device, 1);
    copying(block, true);
  }

  void fetched(BlockKey block, String device) {
    fetches.add(device, -1);
    copying(block, false);
  }

  private void copying(BlockKey block, boolean copying) {
    Pin pin = pins.get(block);
    if (pin != null) {
      pin.copying = copying;
      recount(pin);
    }
  }

  // ---- questions --------------------------------------------------------------------------------

  /** Bytes allocated to the data of pinned clean copies on a device. */
  long cleanBytes(String device) {
    return cleanBytes.on(List.of(device));
  }

  /** True for a block that is pinned, whether it is here or not. */
  boolean holds(BlockKey block) {
    return !pins.isEmpty() && pins.containsKey(block);
  }

  /** As {@link #holds(BlockKey)}; makes no key while there are no pins. */
  boolean holds(BlockEntry entry) {
    return !pins.isEmpty() && pins.containsKey(entry.key());
  }

  /** True for a pinned block whose data is on a fast device. */
  boolean isHere(BlockKey block) {
    Pin pin = pins.isEmpty() ? null : pins.get(block);
    return pin != null && pin.here;
  }

  /** True if the block is pinned in this state of its replica; null stands for no replica. */
  boolean isOf(BlockKey block, @Nullable Replica state) {
    Pin pin = pins.isEmpty() ? null : pins.get(block);
    return pin != null && state != null && pin.replica.equals(state);
  }

  /** All pinned blocks, the oldest pin first; not to be walked while pins begin or end. */
  Iterable<BlockKey> blocks() {
    return pins.keySet();
  }

  /** Number of pins that wait. */
  int waiting() {
    return waiting.size();
  }

  /** The next of the pins that wait, in turn; null if none does. */
  @Nullable BlockKey nextWaiting() {
    if (waiting.isEmpty()) {
      return null;
    }
    BlockKey next = waiting.iterator().next();
    waiting.remove(next);
    waiting.add(next);
    return next;
  }

  /**
   * The pins that wait, or are on a device out of use, and were last asked for before some time.
   * O(pins).
   */
  List<BlockKey> unasked(long sinceNanos) {
    List<BlockKey> unasked = new ArrayList<>();
    pins.forEach(
        (block, pin) -> {
          if (pin.askedNanos - sinceNanos < 0 && (!pin.here || !space.usable(pin.device))) {
            unasked.add(block);
          }
        });
    return unasked;
  }

  /** Copies of pinned blocks under way to usable devices. */
  long underWay() {
    return fetches.on(space.ids());
  }

  /** Sizes of the pinned blocks on usable devices that a policy would manage otherwise. */
  long residentBytes() {
    return residentBytes.on(space.ids());
  }

  /** Sizes of the pinned clean copies on usable devices. */
  long cleanBytes() {
    return cleanBytes.on(space.ids());
  }

  long capacityBytes() {
    return capacityBytes;
  }

  long usedBytes() {
    return usedBytes;
  }

  /** Number of pinned blocks whose data is on a fast device. */
  int count() {
    return pins.size() - waiting.size();
  }

  // ---- errors and tests -------------------------------------------------------------------------

  /**
   * Makes sums, the order of waiting pins and what is published agree with pins and table again,
   * after an Error may have interrupted a change of them. O(pins).
   */
  void repair(BlockTable table) {
    hereBytes.clear();
    residentBytes.clear();
    cleanBytes.clear();
    waiting.clear();
    long reserved = 0;
    long cached = 0;
    Map<String, Long> copies = new HashMap<>();
    for (Pin pin : pins.values()) {
      reserved += pin.reservedBytes;
      BlockEntry entry = table.get(pin.replica.block());
      String device = entry == null ? null : entry.device();
      if (entry != null && device != null && isHere(pin, entry)) {
        locate(pin, entry, device);
        hereBytes.add(device, pin.reservedBytes);
        residentBytes.add(device, pin.residentBytes);
        cleanBytes.add(device, pin.cleanBytes);
        copies.merge(device, pin.allocatedBytes, Long::sum);
      } else {
        pin.askedNanos = pin.here ? clock.now() : pin.askedNanos;
        pin.here = false;
        pin.device = null;
        waiting.add(pin.replica.block());
      }
      pin.cached = pin.here || pin.copying;
      cached += pin.cached ? pin.reservedBytes : 0;
    }
    use(reserved - usedBytes);
    cachedBytes = cached;
    published.setCached(countedCachedBytes());
    published.setCopyBytes(copies);
    pins.forEach((block, pin) -> publish(block, pin.here));
    for (BlockKey block : published.all()) {
      publish(block, isHere(block));
    }
  }

  /**
   * Checks the sums, and that each pin is where the table says, while nothing moves. O(pins).
   *
   * @throws IllegalStateException naming what is wrong
   */
  void checkInvariants(BlockTable table) {
    List<String> wrong = new ArrayList<>();
    long reserved = 0;
    long cached = 0;
    Set<String> devices = new HashSet<>(space.ids());
    for (Pin pin : pins.values()) {
      BlockKey block = pin.replica.block();
      BlockEntry entry = table.get(block);
      boolean here = entry != null && entry.fast() && entry.replica().equals(pin.replica);
      reserved += pin.reservedBytes;
      cached += pin.here ? pin.reservedBytes : 0;
      if (pin.here != here
          || waiting.contains(block) == here
          || published.contains(block) != here) {
        wrong.add("block=" + block + " pinHere=" + pin.here + " tableHere=" + here);
      }
      if (pin.device != null) {
        devices.add(pin.device);
      }
    }
    devices.forEach(device -> checkSums(device, wrong));
    if (reserved != usedBytes
        || published.usedBytes() != usedBytes
        || cached != cachedBytes
        || published.cachedBytes() != countedCachedBytes()
        || published.count() != count()) {
      wrong.add("reserved=" + reserved + " used=" + usedBytes + " here=" + count());
      wrong.add("cached=" + cached + "/" + cachedBytes + "/" + published.cachedBytes());
    }
    if (!wrong.isEmpty()) {
      throw new IllegalStateException("pins broken: " + wrong);
    }
  }

  private void checkSums(String device, List<String> wrong) {
    long here = 0;
    long resident = 0;
    long clean = 0;
    long allocated = 0;
    for (Pin pin : pins.values()) {
      if (pin.here && device.equals(pin.device)) {
        here += pin.reservedBytes;
        resident += pin.residentBytes;
        clean += pin.cleanBytes;
        allocated += pin.allocatedBytes;
      }
    }
    if (hereBytes.on(List.of(device)) != here
        || residentBytes.on(List.of(device)) != resident
        || cleanBytes(device) != clean
        || published.copyBytes(device) != allocated) {
      wrong.add(
          "device="
              + device
              + (" here=" + here + "/" + hereBytes.on(List.of(device)))
              + (" resident=" + resident + "/" + residentBytes.on(List.of(device)))
              + (" clean=" + clean + "/" + cleanBytes(device))
              + (" allocated=" + allocated + "/" + published.copyBytes(device)));
    }
  }
}
