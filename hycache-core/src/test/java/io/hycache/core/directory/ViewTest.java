// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ViewTest {
  private static final Member A = new Member("a", "host1:9867");
  private static final Member B = new Member("b", "host2:9867");

  private final View view = new View(1, List.of(B, A));

  @Test
  void sameMembers_inAnyOrderAtTheSameAddresses_true() {
    assertTrue(view.sameMembers(view));
    assertTrue(view.sameMembers(new View(2, List.of(A, new Member("b", "host2:9867")))));
  }

  @Test
  void sameMembers_otherIdAddressOrNumber_false() {
    assertFalse(view.sameMembers(new View(1, List.of(A, new Member("b", "host3:9867")))));
    assertFalse(view.sameMembers(new View(1, List.of(A, new Member("c", "host2:9867")))));
    assertFalse(view.sameMembers(new View(1, List.of(A))));
    assertFalse(view.sameMembers(View.NONE));
    assertFalse(View.NONE.sameMembers(view));
  }

  @Test
  void reportedAt_otherTime_sameMembersInTheirOrder() {
    View later = view.reportedAt(2);

    assertEquals(2, later.reportedMillis());
    assertEquals(List.of(A, B), later.members());
    assertTrue(view.sameMembers(later));
    assertSame(view, view.reportedAt(1));
  }
}
