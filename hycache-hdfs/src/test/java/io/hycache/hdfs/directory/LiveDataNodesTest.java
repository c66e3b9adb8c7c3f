// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.directory.Member;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveDataNodesTest {
  private static final Member A = new Member("a", "host1:9867");
  private static final Member B = new Member("b", "host2:9867");

  private final AtomicLong nanos = new AtomicLong();

  /** Answers a list, or fails; counts how often it was asked. */
  private static final class Answers<T> implements LiveDataNodes.Report<T> {
    private final @Nullable List<T> list;
    private final IOException failure;
    int asked;

    Answers(@Nullable List<T> list, IOException failure) {
      this.list = list;
      this.failure = failure;
    }

    @Override
    public List<T> get() throws IOException {
      asked++;
      if (list == null) {
        throw failure;
      }
      return list;
    }

    @Override
    public void close() {}
  }

  private static <T> Answers<T> refused() {
    return new Answers<>(
        null,
        new AccessControlException("Access denied for user dn. Superuser privilege is needed"));
  }

  private static <T> Answers<T> answering(List<T> list) {
    return new Answers<>(list, new IOException());
  }

  private static CompletableFuture<Member> identity(String address) {
    return address.equals(A.address())
        ? CompletableFuture.completedFuture(A)
        : address.equals(B.address())
            ? CompletableFuture.completedFuture(B)
            : CompletableFuture.failedFuture(new IOException("no plugin: " + address));
  }

  private LiveDataNodes source(
      List<String> configured, Answers<Member> report, Answers<String> pages) {
    return new LiveDataNodes(
        configured, report, () -> pages, LiveDataNodesTest::identity, nanos::get);
  }

  @Test
  void report_thatIsGiven_isAllThatIsAsked() throws Exception {
    Answers<Member> report = answering(List.of(A, B));
    Answers<String> pages = answering(List.of());
    assertEquals(List.of(A, B), source(List.of(), report, pages).live());
    assertEquals(0, pages.asked);
  }

  @Test
  void report_thatIsRefused_isAskedForOnceAnHour() throws Exception {
    Answers<Member> report = refused();
    Answers<String> pages = answering(List.of(A.address(), "host3:9867", B.address()));
    LiveDataNodes source = source(List.of(), report, pages);
    for (int second = 0; second < 3600; second += 3) {
      assertEquals(List.of(A, B), source.live());
      nanos.addAndGet(3_000_000_000L);
    }
    assertEquals(1, report.asked);
    assertEquals(List.of(A, B), source.live());
    assertEquals(2, report.asked);
  }

  @Test
  void nameNode_thatDoesNotAnswer_isNotTakenForARefusal() {
    Answers<Member> report = new Answers<>(null, new IOException("connection refused"));
    Answers<String> pages = answering(List.of(A.address()));
    LiveDataNodes source = source(List.of(), report, pages);
    IOException e = assertThrows(IOException.class, source::live);
    assertEquals("connection refused", e.getMessage());
    assertThrows(IOException.class, source::live);
    assertEquals(2, report.asked);
    assertEquals(0, pages.asked);
  }

  @Test
  void configuredMembers_areAskedInsteadOfTheNameNode() throws Exception {
    Answers<Member> report = answering(List.of());
    Answers<String> pages = answering(List.of());
    assertEquals(List.of(B), source(List.of(B.address(), "host3:9867"), report, pages).live());
    assertEquals(0, report.asked + pages.asked);
  }

  @Test
  void allRefused_saysWhyAndWhatToDo() {
    Answers<String> pages = new Answers<>(null, new IOException("not let in"));
    IOException e =
        assertThrows(IOException.class, () -> source(List.of(), refused(), pages).live());
    assertEquals(
        "the NameNode refuses this DataNode the list of DataNodes (Access denied for user dn."
            + " Superuser privilege is needed), and its web server does not show it (not let in)."
            + " Fix: list the DataNodes in hycache.directory.members",
        e.getMessage());
  }

  @Test
  void nobodyIdentified_isAFailure() {
    IOException e =
        assertThrows(
            IOException.class, () -> source(List.of("host3:9867"), refused(), refused()).live());
    assertEquals("no DataNode says who it is: asked=[host3:9867]", e.getMessage());
  }
}
