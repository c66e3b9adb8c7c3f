package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room for an append to a guest on an SSD that has none left, where plain HDFS would have had the
 * replica on DISK: clean copies of that SSD make way, or else the replica goes to DISK.
 *
 * <p>Used on the thread that appends, and only where the append fails otherwise. Thread-safe.
 */
final class AppendRoom {
  private static final Logger LOG = LoggerFactory.getLogger(AppendRoom.class);

  /** A move that is under way was given up for this writer; it ends after its next chunk. */
  private static final long LONGEST_WAIT_MILLIS = 10_000;

  private final ReplicaStore store;
  private final Function<String, @Nullable BlockKey> nextToMakeWay;
  private final Map<String, CleanArea> areas;
  private final BlockMoves moves;
  private final Guests guests;
  private final Consumer<BlockKey> giveUpData;

  /**
   * @param nextToMakeWay the clean copy on a device that makes way next; null if there is none
   * @param giveUpData removes the data of a clean copy
   */
  AppendRoom(
      ReplicaStore store,
      Function<String, @Nullable BlockKey> nextToMakeWay,
      Map<String, CleanArea> areas,
      BlockMoves moves,
      Guests guests,
      Consumer<BlockKey> giveUpData) {
    this.store = store;
    this.nextToMakeWay = nextToMakeWay;
    this.areas = areas;
    this.moves = moves;
    this.guests = guests;
    this.giveUpData = giveUpData;
  }

  /**
   * Gives up clean copies on an SSD until it has so much room.
   *
   * @param root of the volume
   * @return true if it has the room now
   */
  boolean makeRoomFor(File root, long bytes) throws IOException {
    CleanArea area = areas.get(root.getPath());
    Optional<ReplicaStore.Volume> found = volume(store.ssdVolumes(), root);
    if (area == null || found.isEmpty() || area.watch().sick()) {
      return false;
    }
    ReplicaStore.Volume volume = found.get();
    if (volume.availableBytes() + area.dataBytes() <= bytes) {
      return false;
    }
    long missing = bytes - volume.availableBytes();
    long given = 0;
    while (volume.availableBytes() <= bytes) {
      if (given > missing) {
        return false; // it is still open somewhere: giving up more frees nothing, either
      }
      long before = area.dataBytes();
      BlockKey next = nextToMakeWay.apply(root.getPath());
      if (next == null) {
        return false;
      }
      giveUpData.accept(next);
      given += Math.max(0, before - area.dataBytes());
    }
    return true;
  }

  private static Optional<ReplicaStore.Volume> volume(List<ReplicaStore.Volume> of, File root) {
    return of.stream().filter(volume -> volume.root().equals(root)).findFirst();
  }

  /**
   * Moves a guest to the DISK volume with most room, verified and synced, at no limited pace.
   *
   * @param bytes what the block may grow to
   * @return true if the replica is on DISK now
   */
  boolean moveToDisk(BlockKey block, long bytes) throws IOException {
    if (!moves.awaitNoMove(block, LONGEST_WAIT_MILLIS)) {
      return false;
    }
    ReplicaView view = store.finalized(block);
    if (view == null || !view.onSsd()) {
      return view != null;
    }
    Replica replica = view.replica();
    if (!guests.isGuest(view)) {
      return false;
    }
    ReplicaStore.Volume roomiest = null;
    for (ReplicaStore.Volume volume : store.diskVolumes()) {
      if (volume.availableBytes() > bytes
          && (roomiest == null || volume.availableBytes() > roomiest.availableBytes())) {
        roomiest = volume;
      }
    }
    if (roomiest == null) {
      return false;
    }
    LOG.info(
        "an SSD has no room for an append, its replica goes to DISK: replica={} volume={}",
        replica,
        roomiest.root());
    store.moveToDisk(replica, roomiest.root().getPath());
    return true;
  }
}
