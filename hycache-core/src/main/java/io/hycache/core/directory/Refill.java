// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Pulls the records of one source, part by part. A source that does not answer, or refuses because
 * it has later members, is asked again at every tick until it is given up. Thread-safe.
 */
final class Refill {
  /** How long after its last answer a source is given up. */
  static final long MAX_SILENCE_MILLIS = 10_000;

  private final Shares shares;
  private final Shares.Source source;
  private final Peers peers;
  private final LongSupplier clock;
  private long endsMillis;
  private final Consumer<Peers.Pulled> to;
  private String at = "";
  private boolean busy;
  private boolean done;

  Refill(
      Shares shares,
      Shares.Source source,
      Peers peers,
      LongSupplier clockMillis,
      Consumer<Peers.Pulled> to) {
    this.shares = shares;
    this.source = source;
    this.peers = peers;
    this.clock = clockMillis;
    this.endsMillis = clockMillis.getAsLong() + MAX_SILENCE_MILLIS;
    this.to = to;
  }

  synchronized boolean isDone() {
    return done;
  }

  /** Ends the pull: there are later members. */
  synchronized void stop() {
    done = true;
  }

  /** Asks for the next part, unless a call is under way. */
  void step() {
    String from;
    synchronized (this) {
      if (busy || done) {
        return;
      }
      busy = true;
      from = at;
    }
    CompletableFuture<?> unused =
        SafeCall.of(
                () -> peers.pull(source.member, shares.view, source.takeOver, source.shards, from))
            .whenComplete(
                (part, why) -> {
                  boolean taken = why == null && SafeCall.run(() -> to.accept(part));
                  boolean ended;
                  synchronized (this) {
                    busy = false;
                    if (done) {
                      return;
                    }
                    long now = clock.getAsLong();
                    if (taken) {
                      endsMillis = now + MAX_SILENCE_MILLIS;
                      at = part.next();
                    }
                    ended = taken ? at.isEmpty() : now >= endsMillis;
                    done = ended;
                  }
                  if (ended) {
                    shares.done(source, taken);
                  } else if (taken) {
                    step();
                  }
                });
  }
}
