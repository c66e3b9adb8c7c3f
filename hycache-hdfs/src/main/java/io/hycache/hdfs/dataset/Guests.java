package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import java.io.File;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which replicas on SSD are HyCache's guests: those that it placed there itself. Their files are
 * marked; what HDFS is just giving another file is remembered until that one can be. Thread-safe.
 */
final class Guests {
  private final Set<BlockKey> remembered = ConcurrentHashMap.newKeySet();
  private final GuestMark mark = new GuestMark();

  /** A new replica was created on SSD as our guest. */
  void placed(BlockKey block, File data) {
    remembered.add(block);
    mark.set(data);
  }

  /** HDFS may give the replica another file: to append to a hard link, or on another volume. */
  void changing(@Nullable ReplicaView view) {
    if (view != null && isMarked(view)) {
      remembered.add(view.replica().block());
    }
  }

  /** HDFS made a new replica of a part of one. */
  void copied(@Nullable ReplicaView from, BlockKey to) {
    if (from != null && isMarked(from)) {
      remembered.add(to);
    }
  }

  void gone(BlockKey block) {
    remembered.remove(block);
  }

  /** Whose a finalized replica is; marks a guest's file that has no mark yet. */
  Home home(ReplicaView view) {
    boolean wasGuest = remembered.remove(view.replica().block());
    if (!view.onSsd()) {
      return Home.DISK;
    }
    boolean marked = isMarked(view);
    if (wasGuest && !marked) {
      mark.set(view.data());
    }
    return wasGuest || marked ? Home.SSD_GUEST : Home.SSD_OWNER;
  }

  /** True if a replica on SSD is a guest, as far as is known. */
  boolean isGuest(ReplicaView view) {
    return view.onSsd() && (remembered.contains(view.replica().block()) || isMarked(view));
  }

  private boolean isMarked(ReplicaView view) {
    return view.onSsd() && mark.isSet(view.data());
  }
}
