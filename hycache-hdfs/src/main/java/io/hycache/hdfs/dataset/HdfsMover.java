package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.MoveAbandonedException;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Promotes, demotes and evicts with HDFS's own local move and files of the clean area. At every
 * instant the replica that the NameNode believes in is readable. Thread-safe; one move per block at
 * a time (the planner sees to it; where HDFS's own moves come in, {@link BlockMoves}).
 */
final class HdfsMover implements BlockMover {
  private final ReplicaStore store;
  private final Function<File, DiskUse> useOf;
  private final IndexedFiles index;
  private final Promoter promoter;
  private final Demoter demoter;

  /**
   * @param areas clean area of each device, by its id; may grow while in use
   * @param useOf what users do on the DISK volume with this root
   * @param doubt asks for a copy to be verified whose checksum file does not agree with the DISK
   * @param stopped true once no move of ours may begin or be completed
   */
  HdfsMover(
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      Function<File, DiskUse> useOf,
      Consumer<CleanFile> doubt,
      BooleanSupplier stopped) {
    this.store = store;
    this.useOf = useOf;
    this.index = new IndexedFiles(store, copies, stopped);
    this.promoter = new Promoter(store, copies, areas, useOf, doubt, index);
    this.demoter = new Demoter(store, areas, index);
  }

  @Override
  public long promote(Replica replica, Part part, String device, Pace pace, Progress progress)
      throws IOException, InterruptedException {
    try {
      index.refuseIfStopped(replica);
      return promoter.promote(replica, part, device, pace, progress);
    } catch (IOException e) {
      throw abandonedIfChanged(replica, e);
    }
  }

  @Override
  public boolean demote(
      Replica replica, String slowDevice, boolean keepClean, Throttle throttle, Progress progress)
      throws IOException, InterruptedException {
    try {
      Throttle pace = new GivingWay(throttle, useOf.apply(new File(slowDevice)));
      return demoter.demote(replica, slowDevice, keepClean, pace, progress);
    } catch (IOException e) {
      throw abandonedIfChanged(replica, e);
    }
  }

  /** What fails because a writer came for the block is no failure of the move. */
  private IOException abandonedIfChanged(Replica replica, IOException e) {
    ReplicaView now = store.finalized(replica.block());
    return e instanceof MoveAbandonedException || (now != null && now.replica().equals(replica))
        ? e
        : new MoveAbandonedException("replica changed while it was moved: replica=" + replica, e);
  }

  @Override
  public void evict(BlockKey block, Part part) {
    index.evict(block, part);
  }

  @Override
  public void discard(Replica copied) {
    index.discard(copied);
  }

  /**
   * Takes a copy out of the index at once; its files are removed soon after. Never waits. Returns
   * true if there was one.
   */
  boolean drop(BlockKey block) {
    return index.drop(block);
  }

  /** Who moves what between volumes, HDFS's own moves too. */
  BlockMoves moves() {
    return demoter.moves();
  }

  /** The demotions under way, as HDFS's local moves. */
  Demoter demoter() {
    return demoter;
  }
}
