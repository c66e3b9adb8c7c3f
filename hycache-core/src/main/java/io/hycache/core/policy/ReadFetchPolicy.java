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
import org.jspecify.annotations.Nullable;

/**
 * The part that policies by use have in common: whatever was just read is fetched, and the first
 * residents of {@link #evictionOrder()} go until it fits.
 *
 * <p>They know the past only. A candidate that hints brought up ({@link Candidate.Trigger#HINT}) is
 * bypassed with {@link Reason#HINTS_NOT_USED}: fetched ahead of its first read it would be the next
 * to go, or push out what is in use. A candidate that turns out to be resident is bypassed with
 * {@link Reason#ON_SSD_CLEAN}.
 */
abstract class ReadFetchPolicy implements CachePolicy {
  private final BlockMap<Resident> residents = new BlockMap<>();

  /** Puts a new resident into the order. */
  abstract void link(Resident resident);

  /** Takes a resident out of the order. */
  abstract void unlink(Resident resident);

  /** A resident was read. */
  abstract void touch(Resident resident);

  /** The resident that goes first, null if there is none. */
  abstract @Nullable Resident first();

  /** The resident that goes after {@code resident}, null if there is none. */
  abstract @Nullable Resident after(Resident resident);

  @Override
  public final void onAccess(BlockKey block, long sizeBytes, long nowNanos) {
    Resident resident = residents.get(block);
    if (resident != null) {
      touch(resident);
    }
  }

  @Override
  public final void onAdmitted(BlockKey block, long sizeBytes, long nowNanos) {
    Resident resident = residents.get(block);
    if (resident != null) {
      resident.sizeBytes = sizeBytes;
      return;
    }
    Resident added = new Resident(block, sizeBytes);
    residents.add(added);
    link(added);
  }

  @Override
  public final void onRemoved(BlockKey block) {
    Resident resident = residents.remove(block);
    if (resident != null) {
      unlink(resident);
    }
  }

  @Override
  public final Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Decision refused = refuse(candidate, residents.get(candidate.block()) != null, capacityBytes);
    if (refused != null) {
      return refused;
    }
    long missingBytes = candidate.sizeBytes() - freeBytes;
    if (missingBytes <= 0) {
      return Decision.admit(List.of());
    }
    Resident victim = first();
    if (victim != null && victim.sizeBytes >= missingBytes) {
      return Decision.admit(List.of(victim.block));
    }
    List<BlockKey> victims = new ArrayList<>();
    while (victim != null) {
      victims.add(victim.block);
      missingBytes -= victim.sizeBytes;
      if (missingBytes <= 0) {
        return Decision.admit(victims);
      }
      victim = after(victim);
    }
    return Decision.bypass(Reason.NO_ROOM);
  }

  /** Why a policy that fetches on reads leaves a candidate whatever else it holds, or null. */
  static @Nullable Decision refuse(Candidate candidate, boolean resident, long capacityBytes) {
    if (candidate.trigger() == Candidate.Trigger.HINT) {
      return Decision.bypass(Reason.HINTS_NOT_USED);
    }
    if (resident) {
      return Decision.bypass(Reason.ON_SSD_CLEAN);
    }
    return candidate.sizeBytes() > capacityBytes ? Decision.bypass(Reason.TOO_LARGE) : null;
  }

  @Override
  public final int residents() {
    return residents.size();
  }

  @Override
  public final Iterable<BlockKey> evictionOrder() {
    return () ->
        new Iterator<>() {
          private @Nullable Resident next = first();

          @Override
          public boolean hasNext() {
            return next != null;
          }

          @Override
          public BlockKey next() {
            Resident current = next;
            if (current == null) {
              throw new NoSuchElementException();
            }
            next = after(current);
            return current.block;
          }
        };
  }
}
