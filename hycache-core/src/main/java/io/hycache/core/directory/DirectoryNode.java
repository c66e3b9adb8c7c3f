// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/*
 * A zero-hop distributed hash table after ZHT (Li et al.: ZHT: A Light-weight Reliable Persistent
 * Dynamic Scalable Zero-hop Distributed Hash Table, IPDPS 2013), in which the paper's middleware
 * keeps its metadata: every node knows all members, so a request goes directly to the owner; insert,
 * lookup, remove, append and compare-and-swap.
 *
 * A write is applied by the shard's primary under the record's own lock, put into the queue of every
 * other replica under the same lock, so that these receive the writes in order, and answered when
 * they have it. A replica that can't be reached is left out (no quorum) and pulls what it missed
 * later. Versions are microseconds of the primary's clock, or the last version plus one: the greater
 * version is newer, so replicas agree by exchanging what they have. A removed record leaves its
 * version for ten minutes, so that a replica that missed the removal does not bring the record back.
 *
 * Guarantees, per key, as long as its primary is one of the members, over its restarts too if another
 * replica stayed or its journal took all changes: GET, PUT, REMOVE, CAS and APPEND are linearizable, and those
 * with a token happen once however often they are sent. GET from any replica and LIST may be old. A
 * primary that the NameNode drops, or that can't be reached when another takes over, may take writes
 * with it that no other replica had received.
 *
 * Soft state: records that a publisher put end with their TTL, and all at once when it announces a
 * later epoch, or is no longer a member.
 *
 * Memory: about 150 bytes a record besides key and entries, a removed one included until its version
 * is forgotten. The keys of removed records count as those of others, so that writes are refused
 * before there are too many. Cost: O(log n) each.
 *
 * The parts, each using only those below it:
 *
 *   DirectoryNode    bounds on batches; the front
 *   PrimaryWrites    writes on the primary; RecordReads: reads
 *   Followers        the queues of changes to other replicas; Batch: whom a batch awaits
 *   ReplicaWrites    changes by other replicas; long records in parts
 *   RecordStore      records, tokens, journal
 *   PublisherEpochs  epochs of publishers
 *   Membership       members, shares, pulls; reports to the front through its listener
 *
 * Locks: a record's lock around each operation on that record (see RecordStore), and the
 * membership's lock around changes of the members, yields, and beginnings of pulls. Order:
 * membership, then record (a pull that is answered at once on the same thread); under a record's
 * lock the membership's is never taken. Under both, Followers takes a lock of its own, which is the last.
 */
/** One node's share of the directory. Starts no thread and waits for nothing; thread-safe. */
public final class DirectoryNode implements AutoCloseable {
  /** Between two {@link #tick}s; the node's owner calls it. */
  public static final long TICK_MILLIS = 250;

  /** Between two calls of {@link #tick} after one that has nothing more to do. */
  public static final long IDLE_TICK_MILLIS = 1000;

  /** Most operations in one call. */
  public static final int MAX_CALL_OPERATIONS = 10_000;

  /** Operations of unanswered batches, at most; more are shed. */
  private static final int MAX_UNANSWERED_OPERATIONS = 100_000;

  /** The reads of one call are answered until the answers reach this size. */
  private static final long MAX_ANSWER_BYTES = 8L << 20;

  private final String id;
  private final Peers peers;
  private final RecordJournal journal;
  private final LongSupplier steady;
  private final DirectoryCounters counters = new DirectoryCounters();
  private final Membership membership;
  private final RecordStore store;
  private final Followers followers;
  private final PrimaryWrites primaryWrites;
  private final ReplicaWrites replicaWrites;
  private final RecordReads reads;
  private final AtomicInteger unanswered = new AtomicInteger();

  /**
   * @param id of this node among the members
   * @param replicas copies of each record, 1 to {@link Ring#MAX_REPLICAS}
   * @param maxBytes keys and entries that this node holds at most; writes beyond it are refused.
   *     Changes by other replicas are applied up to twice as much
   * @param clockMillis the time, in milliseconds since 1970, of a clock that is never set
   */
  public DirectoryNode(
      String id,
      int replicas,
      long maxBytes,
      Peers peers,
      RecordJournal journal,
      LongSupplier clockMillis) {
    this(id, replicas, maxBytes, peers, journal, clockMillis, clockMillis);
  }

  /**
   * As above.
   *
   * @param wallMillis the time, in milliseconds since 1970, for what other nodes compare with their
   *     own: versions of records, and times of reports of the members
   * @param steadyMillis a clock that is never set, &gt;= 0, for pauses, deadlines and the ends of
   *     records
   */
  public DirectoryNode(
      String id,
      int replicas,
      long maxBytes,
      Peers peers,
      RecordJournal journal,
      LongSupplier wallMillis,
      LongSupplier steadyMillis) {
    this.id = id;
    this.peers = peers;
    this.journal = journal;
    this.steady = steadyMillis;
    this.membership =
        new Membership(id, replicas, peers, wallMillis, steadyMillis, new MembershipListener());
    this.store =
        new RecordStore(
            new PublisherEpochs(membership), membership, journal, wallMillis, steadyMillis);
    this.followers = new Followers(id, peers, store, membership, steadyMillis);
    this.replicaWrites = new ReplicaWrites(store, maxBytes, counters, steadyMillis);
    this.primaryWrites =
        new PrimaryWrites(
            store, membership, followers, counters, maxBytes, wallMillis, steadyMillis);
    this.reads = new RecordReads(store, membership, followers, steadyMillis);
    journal.load(change -> replicaWrites.take(store.fromJournal(change), "", false));
  }

  @Override
  public void close() {
    journal.close();
  }

  // ---- members ----------------------------------------------------------------------------------

  /** This node's id among the members. */
  public String id() {
    return id;
  }

  /** The members as this node knows them. */
  public View view() {
    return membership.view();
  }

  /** The placement that this node works with. */
  public Ring ring() {
    return membership.shares().ring;
  }

  /**
   * Begins with members that all begin at the same time and hold nothing: there is nothing to pull.
   *
   * @param ring of these members with this node's number of replicas; the nodes of one process may
   *     share it
   */
  public void found(View view, Ring ring) {
    membership.found(view, ring);
  }

  /** Takes later news of the members; earlier ones are ignored. */
  public void learn(View view) {
    membership.learn(view);
  }

  private final class MembershipListener implements Membership.Listener {
    @Override
    public void membersChanged(Ring ring) {
      followers.retainMembers(ring);
    }

    @Override
    public void pulled(Member source, Peers.Pulled part) {
      String from = "pull " + source.id();
      part.changes().forEach(change -> replicaWrites.take(change, from, true));
      part.finished().forEach(store.recent::add);
    }
  }

  /**
   * Continues pulls, notifies replicas, and sweeps. Called every {@link #TICK_MILLIS}, or every
   * {@link #IDLE_TICK_MILLIS} after a call that returned false.
   *
   * @return whether there is more to do
   */
  public boolean tick() {
    followers.miss(membership.stepRefills());
    boolean missed = followers.nudge();
    long now = steady.getAsLong();
    membership.endYield(now);
    if (store.sweepIfDue(now)) {
      replicaWrites.sweep(now);
    }
    return missed || membership.isRefilling();
  }

  // ---- operations -------------------------------------------------------------------------------

  /**
   * Does operations in order, see {@link Peers#run}. Completes when all replicas that can be
   * reached have the changes. A call without operations, or one that is shed, announces the
   * publisher's epoch all the same.
   */
  public CompletableFuture<List<Outcome>> run(
      String publisher, long epoch, List<Operation> operations) {
    if (!publisher.isEmpty()) {
      peers.heard(publisher);
      store.epochs.announce(publisher, epoch);
    }
    int count = operations.size();
    if (count > MAX_CALL_OPERATIONS) {
      return failed(count, Status.REFUSED, "more than " + MAX_CALL_OPERATIONS + " at once");
    }
    if (unanswered.addAndGet(count) > MAX_UNANSWERED_OPERATIONS) {
      unanswered.addAndGet(-count);
      counters.shed.add(count);
      return failed(count, Status.BUSY, "the directory has too much to do");
    }
    counters.operations.add(count);
    Batch batch = new Batch(publisher, epoch);
    List<Outcome> out;
    try {
      out = apply(operations, batch);
    } finally {
      unanswered.addAndGet(-count);
    }
    if (batch.isAcknowledged()) {
      return CompletableFuture.completedFuture(out);
    }
    unanswered.addAndGet(count);
    CompletableFuture<List<Outcome>> done = new CompletableFuture<>();
    batch.whenAcknowledged(
        () -> {
          unanswered.addAndGet(-count);
          done.complete(out);
        });
    return done;
  }

  private static CompletableFuture<List<Outcome>> failed(int count, Status status, String why) {
    List<Outcome> out = new ArrayList<>(Collections.nCopies(count, Outcome.failed(status, why)));
    return CompletableFuture.completedFuture(out);
  }

  private List<Outcome> apply(List<Operation> operations, Batch batch) {
    List<Outcome> out = new ArrayList<>(operations.size());
    long answerBytes = 0;
    for (Operation operation : operations) {
      Outcome outcome =
          answerBytes < MAX_ANSWER_BYTES || operation.kind().writes()
              ? apply(operation, batch)
              : Outcome.failed(Status.BUSY, "the answer is long enough; ask again");
      answerBytes += outcome.bytes();
      out.add(outcome);
    }
    return out;
  }

  private Outcome apply(Operation operation, Batch batch) {
    String fault = operation.fault();
    if (!fault.isEmpty()) {
      return Outcome.failed(Status.REFUSED, fault);
    }
    switch (operation.kind()) {
      case LIST:
        return reads.list(operation);
      case GET:
        return reads.get(operation, batch);
      default:
        return primaryWrites.write(operation, batch);
    }
  }

  // ---- from and for other replicas --------------------------------------------------------------

  /**
   * Applies what a primary changed, see {@link Peers#replicate}.
   *
   * @return keys of which the whole record is needed
   */
  public List<String> replicate(String from, boolean missed, List<Change> changes) {
    peers.heard(from);
    List<String> wanted = new ArrayList<>();
    for (Change change : changes) {
      if (!replicaWrites.take(change, from, true)) {
        wanted.add(change.key());
      }
    }
    membership.replicatedFrom(from, missed);
    return wanted;
  }

  /**
   * Returns a part of the records of some shards, see {@link Peers#pull}; null if this node has
   * later members than the caller.
   *
   * @throws IllegalArgumentException if {@code at} is no place that an earlier part ended with
   */
  public Peers.@Nullable Pulled pull(View view, BitSet takeOver, BitSet wanted, String at) {
    PullPlace from = PullPlace.read(at);
    return membership.yieldTo(view, takeOver) ? store.pull(wanted, from) : null;
  }

  // ---- status -----------------------------------------------------------------------------------

  /** Publishers whose epoch is kept, for tests. */
  int publishers() {
    return store.epochs.size();
  }

  /** Bytes of long records of which parts are missing, for tests. */
  long assemblingBytes() {
    return replicaWrites.assemblingBytes();
  }

  /** O(shards). */
  public DirectoryStatus status() {
    Shares shares = membership.shares();
    return new DirectoryStatus(
        shares.view.members().size(),
        membership.viewAgeMillis(),
        shares.primaries(),
        shares.pulling(),
        store.size(),
        store.bytes(),
        counters.operations.sum(),
        counters.shed.sum(),
        counters.replicated.sum());
  }
}
