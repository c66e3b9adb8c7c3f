// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.AbstractIterator;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Base class of policies that fetch every block just read and evict in {@link #evictionOrder()}
 * until it fits.
 *
 * <p>They consider past reads only. A candidate from a hint ({@link Candidate.Trigger#HINT}) is
 * bypassed with {@link Reason#HINTS_NOT_USED}: fetched before its first read, it would be the next
 * victim or displace blocks in use. A candidate that is already resident is bypassed with {@link
 * Reason#ON_SSD_CLEAN}.
 */
abstract class ReadFetchPolicy implements CachePolicy {

  /** Iterates over residents in eviction order; valid until the next event. */
  interface Order {
    /** Advances to the first or next resident; false at the end. */
    boolean next();

    CacheKey key();

    long sizeBytes();
  }

  abstract boolean isResident(CacheKey key);

  /** Creates an iteration, positioned before the first resident. */
  abstract Order order();

  @Override
  public final Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Decision refused = refuse(candidate, isResident(candidate.key()), capacityBytes);
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
      return Decision.admit(List.of(order.key()));
    }
    List<CacheKey> victims = new ArrayList<>();
    for (; more && missingBytes > 0; more = order.next()) {
      victims.add(order.key());
      missingBytes -= order.sizeBytes();
    }
    return missingBytes > 0 ? Decision.bypass(Reason.NO_ROOM) : Decision.admit(victims);
  }

  /** A bypass that applies whatever the policy holds; null if the candidate may be fetched. */
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
  public final Iterable<CacheKey> evictionOrder() {
    return () -> keys(order());
  }

  /** The blocks of an order that is positioned before the first. */
  static Iterator<CacheKey> keys(Order order) {
    return new AbstractIterator<>() {
      @Override
      protected @Nullable CacheKey computeNext() {
        return order.next() ? order.key() : endOfData();
      }
    };
  }
}
