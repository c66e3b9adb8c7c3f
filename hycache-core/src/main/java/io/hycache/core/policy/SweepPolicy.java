package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part that policies have in common whose search for a victim changes their state: a hand that
 * moves, bits that are cleared, queues that are turned over.
 *
 * <p>Idea: a victim that was found is taken out of the policy's lists and waits among the condemned
 * until it leaves; the next decision takes those first, so deciding twice gives the same answer.
 * One that is read while it waits goes back as the policy says. Whatever was just read is fetched;
 * hints are not used (see {@link ReadFetchPolicy}).
 *
 * <p>Complexity: O(1) for each event, and O(k) amortized for a decision with k victims, besides
 * what the policy itself does.
 */
abstract class SweepPolicy implements CachePolicy {
  private final BlockMap<Resident> residents = new BlockMap<>();
  private final ResidentList condemned = new ResidentList();
  private long bytes;

  /** Puts a new resident into the lists. */
  abstract void insert(Resident resident);

  /** A resident in the lists was read. */
  abstract void touch(Resident resident);

  /** Takes a resident out of the lists. */
  void forget(Resident resident) {
    ResidentList list = resident.list;
    if (list != null) {
      list.remove(resident);
    }
  }

  /** Finds the next victim and takes it out of the lists; null if they are empty. */
  abstract @Nullable Resident condemn();

  /** All in the lists, in the order in which they would be found if nothing were read. */
  abstract Iterable<Resident> order();

  /** A victim was read before it left: puts it back. */
  void reprieve(Resident resident) {
    insert(resident);
  }

  /** A victim has left. */
  void left(Resident resident) {}

  /** A block that is not resident was read. */
  void missed(BlockKey block, long sizeBytes) {}

  /** Told before victims are looked for. */
  void prepare(Candidate candidate, long freeBytes, long capacityBytes) {}

  @Override
  public final void onAccess(BlockKey block, long sizeBytes, long nowNanos) {
    Resident resident = residents.get(block);
    if (resident == null) {
      missed(block, sizeBytes);
    } else if (condemned.has(resident)) {
      condemned.remove(resident);
      reprieve(resident);
    } else {
      touch(resident);
    }
  }

  @Override
  public final void onAdmitted(BlockKey block, long sizeBytes, long nowNanos) {
    Resident resident = residents.get(block);
    if (resident == null) {
      resident = new Resident(block, sizeBytes);
      residents.add(resident);
      bytes += sizeBytes;
      insert(resident);
      return;
    }
    bytes += sizeBytes - resident.sizeBytes;
    if (resident.list != null) {
      resident.list.resized(sizeBytes - resident.sizeBytes);
    }
    resident.sizeBytes = sizeBytes;
  }

  @Override
  public final void onRemoved(BlockKey block) {
    Resident resident = residents.remove(block);
    if (resident == null) {
      return;
    }
    bytes -= resident.sizeBytes;
    if (condemned.has(resident)) {
      condemned.remove(resident);
      left(resident);
    } else {
      forget(resident);
    }
  }

  @Override
  public final Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Decision refused =
        ReadFetchPolicy.refuse(candidate, residents.get(candidate.block()) != null, capacityBytes);
    if (refused != null) {
      return refused;
    }
    prepare(candidate, freeBytes, capacityBytes);
    long missingBytes = candidate.sizeBytes() - freeBytes;
    if (missingBytes > bytes) {
      return Decision.bypass(Reason.NO_ROOM);
    }
    List<BlockKey> victims = new ArrayList<>();
    Resident victim = condemned.first();
    while (missingBytes > 0) {
      if (victim == null) {
        victim = condemn();
        if (victim == null) {
          return Decision.bypass(Reason.NO_ROOM);
        }
        condemned.addLast(victim);
      }
      victims.add(victim.block);
      missingBytes -= victim.sizeBytes;
      victim = condemned.after(victim);
    }
    return Decision.admit(victims);
  }

  @Override
  public final Iterable<BlockKey> evictionOrder() {
    return Iterables.transform(Iterables.concat(condemned, order()), resident -> resident.block);
  }

  @Override
  public final int residents() {
    return residents.size();
  }

  /** What all residents take. */
  final long bytes() {
    return bytes;
  }
}
