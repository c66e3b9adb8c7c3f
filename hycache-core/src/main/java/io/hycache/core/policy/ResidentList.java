// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A list of residents with their total bytes; all operations O(1). A resident is in at most one
 * list.
 */
final class ResidentList implements Iterable<Resident> {
  private final Resident ends = Resident.listEnds();
  private long bytes;
  private int size;

  boolean has(Resident resident) {
    return resident.list == this;
  }

  void addLast(Resident resident) {
    resident.list = this;
    resident.linkBefore(ends);
    bytes += resident.sizeBytes;
    size++;
  }

  void remove(Resident resident) {
    resident.list = null;
    resident.unlink();
    bytes -= resident.sizeBytes;
    size--;
  }

  /** Adjusts the total after the size of a resident in the list changed. */
  void resized(long byBytes) {
    bytes += byBytes;
  }

  @Nullable Resident first() {
    return ends.next == ends ? null : ends.next;
  }

  @Nullable Resident last() {
    return ends.previous == ends ? null : ends.previous;
  }

  /** The next resident; null at the end. */
  @Nullable Resident after(Resident resident) {
    return resident.next == ends ? null : resident.next;
  }

  @Nullable Resident pollFirst() {
    Resident first = first();
    if (first != null) {
      remove(first);
    }
    return first;
  }

  long bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  @Override
  public Iterator<Resident> iterator() {
    return new Iterator<>() {
      private Resident next = ends.next;

      @Override
      public boolean hasNext() {
        return next != ends;
      }

      @Override
      public Resident next() {
        if (next == ends) {
          throw new NoSuchElementException();
        }
        Resident current = next;
        next = current.next;
        return current;
      }
    };
  }
}
