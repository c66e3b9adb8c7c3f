// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.directory.Member;
import io.hycache.core.directory.View;
import io.hycache.hdfs.rpc.PluginProbe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveDataNodesTest {
  private static final Member A = new Member("a", "host1:9867");
  private static final Member B = new Member("b", "host2:9867");

  private static final Member C = new Member("c", "host3:9867");

  private final AtomicLong nanos = new AtomicLong();
  private final FakeProbe probe = new FakeProbe();

  /** Answers a list, or fails; counts how often it was asked. */
  private static final class Answers<T> implements LiveDataNodes.Report<T> {
    private final @Nullable List<T> list;
    private final IOException failure;
    String doubt = "";
    int asked;

    Answers(@Nullable List<T> list, IOException failure) {
      this.list = list;
      this.failure = failure;
    }

    @Override
    public List<T> get(Collection<Member> members) throws IOException {
      asked++;
      if (list == null) {
        throw failure;
      }
      return list;
    }

    @Override
    public String doubt() {
      return doubt;
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

  /** DataNodes of which some have the plugin; counts its calls. */
  private static final class FakeProbe implements PluginProbe {
    final Map<Member, View> views = new HashMap<>(Map.of(A, View.NONE, B, View.NONE));
    final Set<Member> plain = new HashSet<>();
    final Set<Member> silent = new HashSet<>();
    final Set<Member> resting = new HashSet<>();
    final List<CompletableFuture<View>> unanswered = new ArrayList<>();
    int calls;

    @Override
    public CompletableFuture<Member> identity(String address) {
      return views.keySet().stream()
          .filter(node -> node.address().equals(address))
          .findFirst()
          .map(CompletableFuture::completedFuture)
          .orElseGet(() -> failed(address));
    }

    @Override
    public CompletableFuture<View> membersOf(Member node) {
      calls++;
      if (silent.contains(node)) {
        CompletableFuture<View> later = new CompletableFuture<>();
        unanswered.add(later);
        return later;
      }
      View view = views.get(node);
      if (view == null) {
        plain.add(node);
        return failed(node.address());
      }
      plain.remove(node);
      return CompletableFuture.completedFuture(view);
    }

    private static <T> CompletableFuture<T> failed(String address) {
      return CompletableFuture.failedFuture(new IOException("no plugin: " + address));
    }

    @Override
    public boolean hadNoPlugin(Member node) {
      return plain.contains(node);
    }

    @Override
    public boolean isResting(Member node) {
      return resting.contains(node);
    }
  }

  private LiveDataNodes source(
      List<String> configured, Answers<Member> report, Answers<String> pages) {
    return new LiveDataNodes(A.id(), configured, report, () -> pages, probe, nanos::get);
  }

  @Test
  void report_thatIsGiven_isAllThatIsAsked() throws Exception {
    Answers<Member> report = answering(List.of(A, B));
    Answers<String> pages = answering(List.of());
    assertEquals(List.of(A, B), source(List.of(), report, pages).live(List.of(A, B)));
    assertEquals(0, pages.asked);
  }

  @Test
  void report_dataNodeWithoutThePlugin_isNoMember_untilItHasIt() throws Exception {
    LiveDataNodes source = source(List.of(), answering(List.of(A, B, C)), answering(List.of()));
    assertEquals(List.of(A, B), source.live(List.of()));
    assertEquals(2, probe.calls, "B and C; A is this DataNode");
    probe.resting.add(C);
    assertEquals(List.of(A, B), source.live(List.of(A, B)));
    assertEquals(2, probe.calls, "none is called while C rests");
    probe.resting.clear();
    probe.views.put(C, View.NONE);
    assertEquals(List.of(A, B, C), source.live(List.of(A, B)));
    assertEquals(3, probe.calls, "C");
  }

  @Test
  void report_memberWithoutThePluginAnyMore_isNoMember() throws Exception {
    LiveDataNodes source = source(List.of(), answering(List.of(A, B, C)), answering(List.of()));
    assertEquals(List.of(A, B, C), source.live(List.of(A, B, C)));
    assertEquals(0, probe.calls, "all are members");
    probe.plain.add(C); // as another call found
    assertEquals(List.of(A, B), source.live(List.of(A, B, C)));
    probe.views.put(C, View.NONE);
    assertEquals(List.of(A, B, C), source.live(List.of(A, B, C)));
  }

  @Test
  void report_dataNodeThatIsSilent_countsAsBefore_andWhenItAnswers() throws Exception {
    LiveDataNodes source = source(List.of(), answering(List.of(A, B, C)), answering(List.of()));
    probe.silent.add(C);
    assertEquals(List.of(A, B, C), source.live(List.of(A, B, C)));
    assertEquals(List.of(A, B), source.live(List.of(A, B)));
    probe.resting.add(C);
    probe.unanswered.get(0).complete(View.NONE);
    assertEquals(List.of(A, B, C), source.live(List.of(A, B)));
  }

  /** A DataNode that has just started in a large cluster learns of the others from a few. */
  @Test
  void report_manyDataNodes_fewAreAsked() throws Exception {
    List<Member> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      all.add(new Member("dn" + i, "host" + i + ":1"));
    }
    all.add(A);
    LiveDataNodes source = source(List.of(), answering(all), answering(List.of()));
    assertEquals(List.of(A), source.live(List.of()));
    assertEquals(LiveDataNodes.FIRST_ASKED + LiveDataNodes.MOST_ASKED, probe.calls, "no plugins");
    probe.calls = 0;
    probe.plain.clear();
    View view = new View(1, all);
    all.forEach(node -> probe.views.put(node, view));
    assertEquals(all, source.live(List.of()));
    assertEquals(LiveDataNodes.FIRST_ASKED, probe.calls, "their members are all");
    assertEquals(all, source.live(all));
    assertEquals(LiveDataNodes.FIRST_ASKED, probe.calls);
  }

  /** As when this DataNode alone can't reach it. */
  @Test
  void pages_memberThatIsSilent_staysWhileItIsListed() throws Exception {
    Answers<String> pages = answering(List.of(A.address(), B.address(), C.address()));
    LiveDataNodes source = source(List.of(), refused(), pages);
    probe.views.remove(B);
    assertEquals(List.of(A, B), source.live(List.of(A, B)), "C is no member");
    probe.plain.add(B); // as another call found
    assertEquals(List.of(A), source.live(List.of(A, B)));
    probe.plain.clear();
    pages = answering(List.of(A.address()));
    assertEquals(List.of(A), source(List.of(), refused(), pages).live(List.of(A, B)));
  }

  @Test
  void pages_anotherDataNodeAtAMembersAddress_takesItsPlace() throws Exception {
    Answers<String> pages = answering(List.of(A.address(), B.address()));
    Member old = new Member("old", B.address());
    assertEquals(List.of(A, B), source(List.of(), refused(), pages).live(List.of(A, old)));
  }

  @Test
  void configuredMember_thatIsSilent_isNoMember() throws Exception {
    List<String> configured = List.of(A.address(), B.address());
    LiveDataNodes source = source(configured, refused(), answering(List.of()));
    probe.views.remove(B);
    assertEquals(List.of(A), source.live(List.of(A, B)));
  }

  @Test
  void report_thatIsRefused_isAskedForOnceAnHour() throws Exception {
    Answers<Member> report = refused();
    Answers<String> pages = answering(List.of(A.address(), "host3:9867", B.address()));
    LiveDataNodes source = source(List.of(), report, pages);
    for (int second = 0; second < 3600; second += 3) {
      assertEquals(List.of(A, B), source.live(List.of()));
      nanos.addAndGet(3_000_000_000L);
    }
    assertEquals(1, report.asked);
    assertEquals(List.of(A, B), source.live(List.of()));
    assertEquals(2, report.asked);
  }

  @Test
  void list_thatMayLackDataNodes_keepsTheMembers_andSaysWhy() throws Exception {
    probe.views.put(C, View.NONE);
    Answers<Member> report = answering(List.of(B));
    LiveDataNodes source = source(List.of(), report, answering(List.of()));
    report.doubt = "ns2 is silent";
    assertEquals(Set.of(A, B, C), Set.copyOf(source.live(List.of(A, C))));
    assertEquals("ns2 is silent", source.doubt());
    probe.plain.add(C);
    probe.views.remove(C);
    assertEquals(Set.of(A, B), Set.copyOf(source.live(List.of(A, C))), "has no plugin any more");
    report.doubt = "";
    assertEquals(List.of(B), source.live(List.of(A, C)));
    assertEquals("", source.doubt());

    Answers<String> pages = answering(List.of(B.address()));
    pages.doubt = "ns2 is silent";
    source = source(List.of(), refused(), pages);
    assertEquals(Set.of(A, B), Set.copyOf(source.live(List.of(A))));
    assertEquals("ns2 is silent", source.doubt());
  }

  @Test
  void nameNode_thatDoesNotAnswer_isNotTakenForARefusal() {
    Answers<Member> report = new Answers<>(null, new IOException("connection refused"));
    Answers<String> pages = answering(List.of(A.address()));
    LiveDataNodes source = source(List.of(), report, pages);
    IOException e = assertThrows(IOException.class, () -> source.live(List.of()));
    assertEquals("connection refused", e.getMessage());
    assertThrows(IOException.class, () -> source.live(List.of()));
    assertEquals(2, report.asked);
    assertEquals(0, pages.asked);
  }

  @Test
  void configuredMembers_areAskedInsteadOfTheNameNode() throws Exception {
    Answers<Member> report = answering(List.of());
    Answers<String> pages = answering(List.of());
    assertEquals(
        List.of(B), source(List.of(B.address(), "host3:9867"), report, pages).live(List.of()));
    assertEquals(0, report.asked + pages.asked);
  }

  @Test
  void allRefused_saysWhyAndWhatToDo() {
    Answers<String> pages = new Answers<>(null, new IOException("not let in"));
    IOException e =
        assertThrows(IOException.class, () -> source(List.of(), refused(), pages).live(List.of()));
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
            IOException.class,
            () -> source(List.of("host3:9867"), refused(), refused()).live(List.of()));
    assertEquals("no DataNode says who it is: asked=[host3:9867]", e.getMessage());
  }
}
