package io.hycache.core.policy;

import com.google.common.collect.AbstractIterator;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.List;
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

  /** Residents one after the other, as they would go; good until the next event. */
  interface Order {
    /** Goes to the first or the next resident; false if there is none. */
    boolean next();

    BlockKey block();

    long sizeBytes();
  }

  abstract boolean isResident(BlockKey block);

  /** A new one, before the first resident. */
  abstract Order order();

  @Override
  public final Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Decision refused = refuse(candidate, isResident(candidate.block()), capacityBytes);
    if (refused != null) {
      return refused;
    }
    long missingBytes = candidate.sizeBytes() - freeBytes;
    if (missingBytes <= 0) {
      return Decision.admit(List.of());
    }
    Order order = order();
    boolean more = order.next();
    if (more && order.sizeBytes() >= missingBytes) {
      return Decision.admit(List.of(order.block()));
    }
    List<BlockKey> victims = new ArrayList<>();
    for (; more && missingBytes > 0; more = order.next()) {
      victims.add(order.block());
      missingBytes -= order.sizeBytes();
    }
    return missingBytes > 0 ? Decision.bypass(Reason.NO_ROOM) : Decision.admit(victims);
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
  public final Iterable<BlockKey> evictionOrder() {
    return () ->
        new AbstractIterator<>() {
          private final Order order = order();

          @Override
          protected @Nullable BlockKey computeNext() {
            return order.next() ? order.block() : endOfData();
          }
        };
  }
}
