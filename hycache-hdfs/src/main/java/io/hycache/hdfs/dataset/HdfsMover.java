package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.hdfs.move.FileOperation;
import io.hycache.hdfs.move.VerifiedCopy;
import io.hycache.hdfs.move.VerifiedCopy.Checksums;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Promotes, demotes and evicts with HDFS's own local move and files of the clean area.
 *
 * <p>Order of a promotion: copy under a temporary name, verifying; sync; rename; sync the
 * directory; enter into the index only if the replica is still the one that was copied, and look
 * again after. Order of a demotion: HDFS copies to a temporary place on DISK through {@link
 * #copyReplica} (verified, synced); the directories are synced, the replica map is switched unless
 * a writer came for the block; the clean hard link is made, the NameNode is notified, the source is
 * unlinked; then the link enters the index. At every instant the replica that the NameNode believes
 * in is readable.
 *
 * <p>Thread-safe; one move per block at a time (the planner sees to it; where HDFS's own moves come
 * in, {@link BlockMoves}).
 */
final class HdfsMover implements BlockMover {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsMover.class);

  /** A demotion of ours that HDFS's local move is carrying out. */
  private static final class Demotion {
    final Throttle throttle;
    final Progress progress;
    final boolean keepClean;

    /** What was copied, if its bytes are to stay as a clean copy. */
    volatile @Nullable ReplicaView source;

    volatile @Nullable CleanFile linkedData;
    volatile @Nullable CleanFile linkedChecksums;

    Demotion(Throttle throttle, Progress progress, boolean keepClean) {
      this.throttle = throttle;
      this.progress = progress;
      this.keepClean = keepClean;
    }

    /** They are in the index, or were removed. */
    void linksAreMade() {
      for (CleanFile file : new CleanFile[] {linkedData, linkedChecksums}) {
        if (file != null) {
          file.area().made(file.path());
        }
      }
    }
  }

  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Map<String, CleanArea> areas;
  private final Function<File, DiskUse> useOf;
  private final Consumer<CleanFile> doubt;
  private final BooleanSupplier stopped;
  private final Map<BlockKey, Demotion> demotions = new ConcurrentHashMap<>();
  private final BlockMoves moves = new BlockMoves();

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
    this.copies = copies;
    this.areas = areas;
    this.useOf = useOf;
    this.doubt = doubt;
    this.stopped = stopped;
  }

  @Override
  public long promote(Replica replica, Part part, String device, Pace pace, Progress progress)
      throws IOException, InterruptedException {
    try {
      refuseIfStopped(replica);
      return copyToArea(replica, part, device, pace, progress);
    } catch (IOException e) {
      throw abandonedIfChanged(replica, e);
    }
  }

  /** Ends a move of ours that must not go on. */
  private void refuseIfStopped(Replica replica) throws IOException {
    if (stopped.getAsBoolean()) {
      throw new IOException("no moves are made in pass-through: replica=" + replica);
    }
  }

  /** What fails because a writer came for the block is no failure of the move. */
  private IOException abandonedIfChanged(Replica replica, IOException e) {
    ReplicaView now = store.finalized(replica.block());
    return e instanceof MoveAbandonedException || (now != null && now.replica().equals(replica))
        ? e
        : new MoveAbandonedException("replica changed while it was moved: replica=" + replica, e);
  }

  private long copyToArea(Replica replica, Part part, String device, Pace pace, Progress progress)
      throws IOException, InterruptedException {
    CleanArea area = area(device);
    List<Copied> files = new ArrayList<>(2);
    try (Closeable held = store.hold(replica)) {
      ReplicaView view = store.finalized(replica.block());
      if (view == null || view.onSsd() || !view.replica().equals(replica)) {
        throw new MoveAbandonedException("replica is gone or changed: replica=" + replica);
      }
      CleanCopies.Copy known = copies.get(replica.block());
      CleanFile have = known != null && known.replica().equals(replica) ? known.checksums() : null;
      if (have != null && !have.isVerified()) {
        have = null; // it is replaced
      }
      Checksums sums =
          VerifiedCopy.read(have != null ? have.path() : view.checksums(), replica.lengthBytes());
      long bytes =
          (have == null ? sums.lengthBytes() : 0) + (part == Part.DATA ? replica.lengthBytes() : 0);
      try (Closeable room = store.reserve(area.root(), bytes)) {
        CleanFile checksums = null;
        if (have == null) {
          Copied copied = begin(area, replica, Part.CHECKSUM, sums.lengthBytes(), files);
          VerifiedCopy.write(sums, copied.temporary, area.mode().fileAttributes());
          checksums = copied.file;
        }
        CleanFile data = null;
        if (part == Part.DATA) {
          Copied copied = begin(area, replica, Part.DATA, replica.lengthBytes(), files);
          try {
            VerifiedCopy.copyData(
                view.data(),
                copied.temporary,
                replica.lengthBytes(),
                sums,
                givingWay(pace.from(view.volumeRoot().getPath()), view.volumeRoot()),
                area.mode().fileAttributes());
          } catch (ChecksumException e) {
            if (have != null) {
              doubt.accept(have);
            }
            throw e;
          }
          data = copied.file;
        }
        progress.reached(MoveState.COPIED);
        long written = 0;
        for (Copied copied : files) {
          verifyLength(copied.temporary, copied.file.lengthBytes());
          written += copied.file.lengthBytes();
        }
        progress.reached(MoveState.VERIFIED);
        refuseIfStopped(replica);
        for (Copied copied : files) {
          VerifiedCopy.sync(copied.temporary);
          copied.named = true;
          area.publish(copied.temporary, copied.file.path());
        }
        progress.reached(MoveState.SYNCED);
        publish(new CleanCopies.Copy(replica, data, checksums));
        progress.reached(MoveState.COMMITTED);
        return written;
      }
    } catch (Throwable e) {
      for (Copied copied : files) {
        area.remove(copied.temporary);
        if (copied.named) {
          area.remove(copied.file.path());
        }
      }
      throw e;
    } finally {
      files.forEach(copied -> area.made(copied.file.path()));
    }
  }

  /** The pace of a copy from or to a DISK volume; between its chunks users go first. */
  private Throttle givingWay(Throttle pace, File volumeRoot) {
    DiskUse use = useOf.apply(volumeRoot);
    return new Throttle() {
      @Override
      public void take(long bytes) throws InterruptedException {
        pace.take(bytes);
        use.giveWay();
      }

      @Override
      public int chunkBytes(int mostBytes) {
        return pace.chunkBytes(mostBytes);
      }
    };
  }

  /** A file that is being copied into the clean area: written as temporary, then renamed. */
  private static final class Copied {
    final File temporary;
    final CleanFile file;

    /** It got its final name, or was about to: what lies there is ours. */
    boolean named;

    Copied(CleanFile file) {
      this.file = file;
      this.temporary = CleanArea.temporary(file.path());
    }
  }

  private static Copied begin(
      CleanArea area, Replica replica, Part part, long lengthBytes, List<Copied> files)
      throws IOException {
    Copied copied = new Copied(new CleanFile(area, replica, part, lengthBytes));
    files.add(copied);
    area.prepare(copied.file.path());
    return copied;
  }

  private static void verifyLength(File file, long wanted) throws IOException {
    if (file.length() != wanted) {
      throw new IOException(
          "copy has another length: file="
              + file
              + " lengthBytes="
              + file.length()
              + " expectedBytes="
              + wanted);
    }
  }

  /** Enters a complete copy into the index unless its replica has changed meanwhile. */
  private void publish(CleanCopies.Copy copy) throws IOException {
    Replica replica = copy.replica();
    if (!store.isFinalizedOnDisk(replica)) {
      copy.files().forEach(HdfsMover::unlinkIfSet);
      throw new MoveAbandonedException("replica changed while it was copied: replica=" + replica);
    }
    copies.add(copy).forEach(HdfsMover::unlinkIfSet);
    // Looked at after it is in the index: who stops us drops what is there after he said so.
    if (stopped.getAsBoolean() || !store.isFinalizedOnDisk(replica)) {
      discard(replica);
      throw new MoveAbandonedException("replica changed while it was copied: replica=" + replica);
    }
  }

  @Override
  public boolean demote(
      Replica replica, String slowDevice, boolean keepClean, Throttle throttle, Progress progress)
      throws IOException, InterruptedException {
    try {
      Throttle pace = givingWay(throttle, new File(slowDevice));
      return moveToDisk(replica, slowDevice, new Demotion(pace, progress, keepClean));
    } catch (IOException e) {
      throw abandonedIfChanged(replica, e);
    }
  }

  private boolean moveToDisk(Replica replica, String slowDevice, Demotion demotion)
      throws IOException {
    try {
      return moveAndKeep(replica, slowDevice, demotion);
    } finally {
      demotion.linksAreMade();
    }
  }

  private boolean moveAndKeep(Replica replica, String slowDevice, Demotion demotion)
      throws IOException {
    BlockKey block = replica.block();
    try (BlockMoves.Hold hold = moves.begin(block)) {
      refuseIfStopped(replica);
      demotions.put(block, demotion);
      try {
        store.moveToDisk(replica, slowDevice);
      } finally {
        demotions.remove(block);
      }
    } catch (Throwable e) {
      unlinkIfSet(demotion.linkedData);
      unlinkIfSet(demotion.linkedChecksums);
      throw e;
    }
    demotion.progress.reached(MoveState.SOURCE_REMOVED);
    CleanFile data = demotion.linkedData;
    CleanFile checksums = demotion.linkedChecksums;
    if (data == null || checksums == null) {
      return false;
    }
    boolean kept = false;
    try {
      publish(new CleanCopies.Copy(replica, data, checksums));
      kept = true;
    } catch (IOException e) {
      LOG.debug("replica changed right after it was demoted: replica={}", replica, e);
    } finally {
      if (!kept) { // an Error goes on
        unlinkIfSet(data);
        unlinkIfSet(checksums);
      }
    }
    return kept;
  }

  /** Who moves what between volumes, HDFS's own moves too. */
  BlockMoves moves() {
    return moves;
  }

  /** True while a demotion of ours moves the block. */
  boolean isDemoting(BlockKey block) {
    return demotions.containsKey(block);
  }

  /**
   * HDFS's replica map names the copy on DISK now. Only here the SSD bytes get their second name:
   * an append to a replica with two names would begin by copying it.
   */
  void committed(BlockKey block) {
    Demotion demotion = demotions.get(block);
    if (demotion != null) {
      demotion.progress.reached(MoveState.COMMITTED);
      ReplicaView source = demotion.source;
      if (source != null) {
        link(source, demotion);
      }
    }
  }

  /**
   * The copying step of HDFS's local move, for a demotion of ours: verified, synced, throttled. The
   * targets are removed when it fails. They become the replica's files and so have the modes that
   * HDFS gives them, behind its data directory's.
   *
   * @param source the replica as HDFS holds it
   */
  void copyReplica(ReplicaView source, File targetData, File targetChecksums) throws IOException {
    Demotion demotion = demotions.get(source.replica().block());
    if (demotion == null) {
      throw new IOException("no demotion is under way: replica=" + source.replica());
    }
    long length = source.replica().lengthBytes();
    settle(
        source,
        targetData,
        targetChecksums,
        () -> {
          FileOperation.MKDIR.before(targetData.getParentFile());
          Files.createDirectories(targetData.getParentFile().toPath());
          Files.deleteIfExists(targetData.toPath());
          Files.deleteIfExists(targetChecksums.toPath());
          Checksums sums = VerifiedCopy.read(source.checksums(), length);
          VerifiedCopy.write(sums, targetChecksums);
          VerifiedCopy.copyDataDirect(
              source.data(),
              targetData,
              length,
              sums,
              untilWritten(source.replica().block(), demotion.throttle));
          demotion.progress.reached(MoveState.COPIED);
          verifyLength(targetData, length);
          verifyLength(targetChecksums, sums.lengthBytes());
          demotion.progress.reached(MoveState.VERIFIED);
          sync(targetData, targetChecksums);
          refuseIfStopped(source.replica());
          demotion.progress.reached(MoveState.SYNCED);
          if (moves.isAbandoned(source.replica().block())) {
            throw abandoned(source.replica().block());
          }
          if (demotion.keepClean) {
            VerifiedCopy.sync(source.data());
            VerifiedCopy.sync(source.checksums());
            demotion.source = source;
          }
        });
  }

  private static MoveAbandonedException abandoned(BlockKey block) {
    return new MoveAbandonedException("a writer came for the block: block=" + block);
  }

  /** The same pace; ends the copy when a writer comes for the block. */
  private Throttle untilWritten(BlockKey block, Throttle pace) {
    return new Throttle() {
      @Override
      public void take(long bytes) throws InterruptedException {
        if (!moves.isAbandoned(block)) {
          pace.take(bytes);
        }
        if (moves.isAbandoned(block)) {
          throw new UncheckedIOException(abandoned(block));
        }
      }

      @Override
      public int chunkBytes(int mostBytes) {
        return pace.chunkBytes(mostBytes);
      }
    };
  }

  /**
   * The same for a move of HDFS's own, after HDFS has copied: it neither verifies nor syncs.
   *
   * @param source the replica as HDFS holds it
   */
  void settleCopy(ReplicaView source, File targetData, File targetChecksums) throws IOException {
    long length = source.replica().lengthBytes();
    settle(
        source,
        targetData,
        targetChecksums,
        () -> {
          verifyLength(targetData, length);
          VerifiedCopy.verifyData(targetData, length, VerifiedCopy.read(targetChecksums, length));
          sync(targetData, targetChecksums);
        });
  }

  private static void sync(File data, File checksums) throws IOException {
    VerifiedCopy.sync(data);
    VerifiedCopy.sync(checksums);
    FileOperation.SYNC.before(data.getParentFile());
    IOUtils.fsync(data.getParentFile());
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private static void settle(ReplicaView source, File targetData, File targetChecksums, Step step)
      throws IOException {
    boolean settled = false;
    try {
      step.run();
      settled = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("move stopped: replica=" + source.replica(), e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      if (!settled) {
        CleanArea.unlink(targetData);
        CleanArea.unlink(targetChecksums);
      }
    }
  }

  /** Keeps the SSD bytes under a second name; without it the move goes on, nothing stays clean. */
  private void link(ReplicaView source, Demotion demotion) {
    CleanArea area = areas.get(source.volumeRoot().getPath());
    if (area == null) {
      return;
    }
    Replica replica = source.replica();
    CleanFile cleanData = new CleanFile(area, replica, Part.DATA, replica.lengthBytes());
    CleanFile cleanChecksums =
        new CleanFile(area, replica, Part.CHECKSUM, source.checksums().length());
    File data = cleanData.path();
    File checksums = cleanChecksums.path();
    boolean linked = false;
    try {
      area.prepare(data);
      area.prepare(checksums);
      FileOperation.LINK.before(checksums);
      Files.createLink(checksums.toPath(), source.checksums().toPath());
      FileOperation.LINK.before(data);
      Files.createLink(data.toPath(), source.data().toPath());
      linked = true;
    } catch (IOException e) {
      LOG.debug("the SSD bytes of a demoted replica are not kept: replica={}", replica, e);
    } finally { // a RuntimeException or an Error goes on, and counts as a failure of ours
      if (linked) {
        demotion.linkedChecksums = cleanChecksums;
        demotion.linkedData = cleanData;
      } else {
        area.remove(data);
        area.remove(checksums);
        area.made(data);
        area.made(checksums);
      }
    }
  }

  @Override
  public void evict(BlockKey block, Part part) {
    if (part == Part.DATA) {
      unlinkIfSet(copies.removeData(block));
    } else {
      CleanCopies.Copy gone = copies.remove(block);
      if (gone != null) {
        gone.files().forEach(HdfsMover::unlinkIfSet);
      }
    }
    store.revokeShortCircuit(block);
  }

  /**
   * Takes a copy out of the index at once; its files are removed soon after. Never waits. Returns
   * true if there was one.
   */
  boolean drop(BlockKey block) {
    return removeSoon(copies.remove(block));
  }

  @Override
  public void discard(Replica copied) {
    var unused = removeSoon(copies.remove(copied));
  }

  private boolean removeSoon(CleanCopies.@Nullable Copy gone) {
    if (gone == null) {
      return false;
    }
    gone.files().forEach(file -> file.area().unlinkLater(file.path()));
    store.revokeShortCircuit(gone.replica().block());
    return true;
  }

  private CleanArea area(String device) throws IOException {
    CleanArea area = areas.get(device);
    if (area == null) {
      throw new IOException("fast device is gone: device=" + device);
    }
    return area;
  }

  private static void unlinkIfSet(@Nullable CleanFile file) {
    if (file != null) {
      file.area().remove(file.path());
    }
  }
}
