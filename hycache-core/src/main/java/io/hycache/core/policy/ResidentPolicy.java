// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import org.jspecify.annotations.Nullable;

/** Base class of read-fetch policies that keep residents in linked lists. */
abstract class ResidentPolicy extends ReadFetchPolicy {
  private final BlockMap<Resident> residents = new BlockMap<>();

  /** Adds a new resident to the order. */
  abstract void link(Resident resident);

  /** Removes a resident from the order. */
  abstract void unlink(Resident resident);

  /** Handles a read of a resident. */
  abstract void touch(Resident resident);

  /** The next victim; null if there is no resident. */
  abstract @Nullable Resident first();

  /** The resident after {@code resident} in eviction order; null at the end. */
  abstract @Nullable Resident after(Resident resident);

  @Override
  public final void onAccess(Access access) {
    Resident resident = residents.get(access.key());
    if (resident != null) {
      touch(resident);
    }
  }

  @Override
  public final void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    Resident resident = residents.get(key);
    if (resident != null) {
      resident.sizeBytes = sizeBytes;
      return;
    }
    Resident added = new Resident(key, sizeBytes);
    residents.add(added);
    link(added);
  }

  @Override
  public final void onRemoved(CacheKey key) {
    Resident resident = residents.remove(key);
    if (resident != null) {
      unlink(resident);
    }
  }

  @Override
  public final int residents() {
    return residents.size();
  }

  @Override
  final boolean isResident(CacheKey key) {
    return residents.get(key) != null;
  }

  @Override
  final Order order() {
    return new Order() {
      private @Nullable Resident current;
      private boolean begun;

      @Override
      public boolean next() {
        current = current != null ? after(current) : begun ? null : first();
        begun = true;
        return current != null;
      }

      @Override
      public CacheKey key() {
        return at().key;
      }

      @Override
      public long sizeBytes() {
        return at().sizeBytes;
      }

      private Resident at() {
        if (current == null) {
          throw new IllegalStateException("not positioned at a resident");
        }
        return current;
      }
    };
  }
}
