package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Keeps what was read last.
 *
 * <p>Idea: residents stand in order of use ({@link RecencyTable}); a read or an admission moves a
 * block to the end, victims come from the front. A changed size is no use. What it fetches and what
 * not: {@link ReadFetchPolicy}.
 *
 * <p>Complexity: O(1) amortized for each event, O(k) for a decision with k victims.
 *
 * <p>Memory: 60 to 120 bytes for each resident besides its key; none for blocks that are not
 * resident.
 *
 * <p>Approximate: nothing. Known weakness: a scan longer than the fast tier flushes it.
 *
 * <p>Source: the LRU of HyCache (Zhao, Raicu, IPDPSW'13), there for files, here for block replicas.
 */
final class LruPolicy implements CachePolicy, Warmable {
  private final RecencyTable residents = new RecencyTable();

  @Override
  public void onAccess(BlockKey block, long sizeBytes, long nowNanos) {
    int row = residents.find(block);
    if (row != RecencyTable.ABSENT) {
      residents.use(row);
    }
  }

  @Override
  public void onAdmitted(BlockKey block, long sizeBytes, long nowNanos) {
    int row = residents.find(block);
    if (row != RecencyTable.ABSENT) {
      residents.setSizeBytes(row, sizeBytes);
    } else {
      residents.add(block, sizeBytes);
    }
  }

  @Override
  public void onRemoved(BlockKey block) {
    int row = residents.findOnce(block);
    if (row != RecencyTable.ABSENT) {
      residents.remove(row);
    }
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    boolean resident = residents.find(candidate.block()) != RecencyTable.ABSENT;
    Decision refused = ReadFetchPolicy.refuse(candidate, resident, capacityBytes);
    if (refused != null) {
      return refused;
    }
    long missingBytes = candidate.sizeBytes() - freeBytes;
    if (missingBytes <= 0) {
      return Decision.admit(List.of());
    }
    long turn = residents.first();
    if (turn != residents.end() && residents.sizeBytes(turn) >= missingBytes) {
      return Decision.admit(List.of(residents.block(turn)));
    }
    List<BlockKey> victims = new ArrayList<>();
    for (; missingBytes > 0 && turn != residents.end(); turn = residents.after(turn)) {
      victims.add(residents.block(turn));
      missingBytes -= residents.sizeBytes(turn);
    }
    return missingBytes > 0 ? Decision.bypass(Reason.NO_ROOM) : Decision.admit(victims);
  }

  @Override
  public int residents() {
    return residents.size();
  }

  @Override
  public Iterable<BlockKey> evictionOrder() {
    return () ->
        new Iterator<>() {
          private long turn = residents.first();

          @Override
          public boolean hasNext() {
            return turn != residents.end();
          }

          @Override
          public BlockKey next() {
            if (!hasNext()) {
              throw new NoSuchElementException();
            }
            BlockKey block = residents.block(turn);
            turn = residents.after(turn);
            return block;
          }
        };
  }

  @Override
  public int warm(BlockKey[] blocks, int count) {
    return residents.warm(blocks, count);
  }

  @Override
  public int nextToGo(BlockKey[] into, int count) {
    return residents.soonFirst(into, count);
  }
}
