package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.jspecify.annotations.Nullable;

/**
 * HDFS looks a replica up, and opens its files after: a local move may have taken them away in
 * between. Then what it looked up is not what the replica map names now, and it is looked up again;
 * a replica whose files are where the map says is not missing.
 *
 * <p>Thread-safe; takes no lock, so none is held while files are looked for.
 */
final class HyCacheLookAgain {
  /** A move takes longer than a look: who meets more of them than this has another trouble. */
  private static final int MOST_LOOKS = 3;

  /** A look-up of HDFS and what it does with what it found. */
  interface Look<T> {
    @Nullable T at() throws IOException;
  }

  private final FsDatasetImpl dataset;
  private final Runnable lookedAgain;

  /**
   * @param lookedAgain called for each look that had to be repeated
   */
  HyCacheLookAgain(FsDatasetImpl dataset, Runnable lookedAgain) {
    this.dataset = dataset;
    this.lookedAgain = lookedAgain;
  }

  private @Nullable ReplicaInfo now(BlockKey block) {
    return dataset.volumeMap.get(block.pool(), block.id());
  }

  /**
   * What the look gives; it is repeated as long as it fails or gives nothing, and the block has
   * another replica than before.
   *
   * @return null if the look gives null
   */
  @SuppressWarnings("ReferenceEquality") // blocks are equal by their id; another object has moved
  <T> @Nullable T at(BlockKey block, Look<T> look) throws IOException {
    for (int looks = 1; ; looks++) {
      ReplicaInfo before = now(block);
      IOException missing = null;
      try {
        T found = look.at();
        if (found != null) {
          return found;
        }
      } catch (IOException e) {
        missing = e;
      }
      ReplicaInfo after = now(block);
      if (looks < MOST_LOOKS && after != null && after != before) {
        lookedAgain.run();
      } else if (missing != null) {
        throw missing;
      } else {
        return null;
      }
    }
  }

  /**
   * Is there nothing missing of this block's replica? Also true if no replica of this generation
   * stamp is known, because there is none that could be.
   */
  @SuppressWarnings("ReferenceEquality") // see above
  boolean isHere(String pool, Block block) {
    ReplicaInfo replica = dataset.volumeMap.get(pool, block);
    while (replica != null && !(replica.blockDataExists() && replica.metadataExists())) {
      ReplicaInfo now = dataset.volumeMap.get(pool, block);
      if (now == replica) {
        return false;
      }
      replica = now;
    }
    return true;
  }
}
