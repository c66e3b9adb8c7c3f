package io.hycache.core.directory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/*
 * One call is under way at a time, and takes along all that was told meanwhile: so the order of the
 * changes is kept, and the more there is to do the larger the calls get. A call that fails is not
 * repeated: what waits for it goes on with one copy less, the next call says that something was
 * missed, and until some time has gone by none is made.
 */
/** What a primary has to tell to one other replica, in order. Thread-safe; nothing waits. */
final class Follower {
  /** Waiting changes beyond this are not told: the replica will have to pull. */
  static final int MOST_WAITING = 200_000;

  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_CHANGES = 4096;
  private static final int MOST_WHOLE_BYTES = 8 << 20;
  private static final long REST_MILLIS = 1000;

  private final Member member;
  private final String self;
  private final Peers peers;
  private final Function<String, List<Change>> whole;
  private final LongSupplier clock;

  /** Changes, and what to run when all before it were told or given up. */
  private final Queue<Object> waiting = new ArrayDeque<>();

  private boolean busy;

  /** Times that something was not told since the replica last heard of it. */
  private int missed;

  private long restUntilMillis;

  /**
   * @param self id of this node
   * @param whole the whole record of a key
   */
  Follower(
      Member member,
      String self,
      Peers peers,
      Function<String, List<Change>> whole,
      LongSupplier clockMillis) {
    this.member = member;
    this.self = self;
    this.peers = peers;
    this.whole = whole;
    this.clock = clockMillis;
  }

  /** Whether its replica is a member still, at the same address. */
  boolean isOf(Ring ring) {
    Member now = ring.member(member.id());
    return now != null && now.address().equals(member.address());
  }

  /** Changes that wait to be told. */
  synchronized int waiting() {
    return waiting.size();
  }

  synchronized void tell(Change change) {
    if (clock.getAsLong() < restUntilMillis || waiting.size() >= MOST_WAITING) {
      missed++;
    } else {
      waiting.add(change);
    }
  }

  /** Runs something when all that was told so far is there, or given up. */
  void afterwards(Runnable action) {
    synchronized (this) {
      waiting.add(action);
    }
    pump();
  }

  private void pump() {
    List<Change> changes = new ArrayList<>();
    List<Runnable> then = new ArrayList<>();
    int late;
    synchronized (this) {
      if (busy || waiting.isEmpty()) {
        return;
      }
      int bytes = 0;
      while (!waiting.isEmpty() && bytes < MOST_BYTES && changes.size() < MOST_CHANGES) {
        Object next = waiting.remove();
        if (next instanceof Change) {
          changes.add((Change) next);
          bytes += ((Change) next).bytes();
        } else {
          then.add((Runnable) next);
        }
      }
      busy = true;
      late = missed;
    }
    if (changes.isEmpty()) {
      ended(then);
    } else {
      send(late, changes, then, true);
    }
  }

  private void send(int late, List<Change> changes, List<Runnable> then, boolean again) {
    CompletableFuture<?> unused =
        SafeCall.of(() -> peers.replicate(member, self, late > 0, changes))
            .whenComplete(
                (wanted, failure) -> {
                  List<Change> wholes = List.of();
                  boolean failed = failure != null;
                  if (!failed && again && !wanted.isEmpty()) {
                    try {
                      wholes = wholes(wanted, changes);
                    } catch (RuntimeException | Error e) {
                      failed = true;
                    }
                  }
                  if (failed) {
                    failed();
                    ended(then);
                    return;
                  }
                  told(late);
                  if (wanted.isEmpty()) {
                    ended(then);
                  } else if (again) {
                    send(0, wholes, then, false);
                  } else {
                    miss();
                    ended(then);
                  }
                });
  }

  /**
   * The whole of some records, as long as they go into one call: what doesn't is pulled. Behind
   * them the changes that found no record to change, for their tokens.
   */
  private List<Change> wholes(List<String> wanted, List<Change> changes) {
    Set<String> keys = new LinkedHashSet<>(wanted);
    List<Change> out = new ArrayList<>();
    int bytes = 0;
    for (String key : keys) {
      List<Change> parts = whole.apply(key);
      bytes += parts.stream().mapToInt(Change::bytes).sum();
      if (bytes > MOST_WHOLE_BYTES) {
        miss();
        return out;
      }
      out.addAll(parts);
    }
    changes.stream().filter(change -> keys.contains(change.key())).forEach(out::add);
    return out;
  }

  /** Something is not told: the replica will have to pull. */
  synchronized void miss() {
    missed++;
  }

  private synchronized void told(int times) {
    missed -= times;
  }

  private synchronized void failed() {
    missed++;
    restUntilMillis = clock.getAsLong() + REST_MILLIS;
    waiting.removeIf(waits -> waits instanceof Change);
  }

  private void ended(List<Runnable> then) {
    synchronized (this) {
      busy = false;
    }
    then.forEach(SafeCall::run);
    pump();
  }

  /** Says that changes were missed, if that is so and could not be said yet. */
  void nudge() {
    int late;
    synchronized (this) {
      if (missed == 0 || busy || clock.getAsLong() < restUntilMillis) {
        return;
      }
      busy = true;
      late = missed;
    }
    send(late, List.of(), List.of(), false);
  }
}
