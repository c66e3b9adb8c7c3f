// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.Census;
import io.hycache.core.spi.Sighting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of a block from the replica map and the index of clean copies, for the engine's
 * reconciliation. Whether a replica on SSD is a guest is read from its file, on the device's own
 * thread. Thread-safe.
 */
final class NodeCensus implements Census {
  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Map<String, CleanArea> areas;
  private final Guests guests;
  private final Set<String> pools;

  /**
   * @param areas clean area of each device, by device id; a live view
   * @param pools block pools whose replica map is loaded; a live view
   */
  NodeCensus(
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      Guests guests,
      Set<String> pools) {
    this.store = store;
    this.copies = copies;
    this.areas = areas;
    this.guests = guests;
    this.pools = pools;
  }

  @Override
  public @Nullable Sighting look(BlockKey block) {
    ReplicaView view = store.finalized(block);
    if (view == null) {
      return null;
    }
    CleanCopies.Copy copy = copies.get(block);
    boolean same = copy != null && copy.replica().equals(view.replica());
    CleanFile data = same && copy != null ? copy.data() : null;
    CleanFile checksums = same && copy != null ? copy.checksums() : null;
    return new Sighting(
        view.replica(),
        () -> guests.home(view, areas),
        view.onSsd() ? view.volumeRoot().getPath() : null,
        device(data),
        device(checksums),
        checksums == null ? 0 : checksums.allocatedBytes());
  }

  private static @Nullable String device(@Nullable CleanFile file) {
    return file == null ? null : file.area().root().getPath();
  }

  @Override
  public List<BlockKey> blocks() {
    List<BlockKey> blocks = new ArrayList<>();
    for (String pool : pools) {
      try {
        store.all(
            pool,
            replica -> blocks.add(replica.block()),
            view -> blocks.add(view.replica().block()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return blocks;
  }
}
