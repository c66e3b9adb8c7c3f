package io.hycache.core.directory;

import io.hycache.core.directory.Operation.Kind;
import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/*
 * A zero-hop distributed hash table after ZHT (Li et al.: ZHT: A Light-weight Reliable Persistent
 * Dynamic Scalable Zero-hop Distributed Hash Table, IPDPS 2013), which the paper's middleware keeps
 * its metadata in: every node knows all members, so a request goes to the owner at once; insert,
 * lookup, remove, append and compare-and-swap.
 *
 * A write is applied by the shard's primary under the record's own lock, put into the queue of every
 * other replica under the same lock, so that these hear of it in order, and answered when they have
 * it. A replica that can't be asked is left out (no quorum) and pulls what it missed later. Versions
 * are microseconds of the primary's clock, or one more than the last: whatever has the greater
 * version is newer, so replicas agree by exchanging what they have. What is removed leaves its
 * version for some minutes.
 *
 * Guarantees, per key, as long as its primary is one of the members, over its restarts too if another
 * replica stayed or a journal is kept: GET, PUT, REMOVE, CAS and APPEND are linearizable, and those
 * with a token happen once however often they are asked for. GET from any replica and LIST may be
 * old. A primary that the NameNode drops, or that can't be asked when another takes over, may take
 * writes with it that no other replica had heard of.
 *
 * Soft state: records that a publisher put end with their TTL, and all at once when it announces a
 * later epoch, or is a member no longer.
 *
 * Memory: about 150 bytes a record besides key and entries. Cost: O(log n) each.
 */
/** One node's share of the directory. Starts no thread and waits for nothing; thread-safe. */
public final class DirectoryNode implements AutoCloseable {
  /** Between two {@link #tick}s; its owner sees to it. */
  public static final long TICK_MILLIS = 250;

  /** Most operations in one call. */
  public static final int MOST_OPERATIONS = 10_000;

  /** Publishers whose epochs are kept, besides those that are members. */
  static final int MOST_PUBLISHERS = 20_000;

  /** Operations that may wait for their replicas before more are shed. */
  private static final int MOST_UNFINISHED = 100_000;

  /** Questions of one call are answered until the answers reach this. */
  private static final long MOST_ANSWERS_BYTES = 8L << 20;

  private static final int PULL_BYTES = 1 << 20;
  private static final int MOST_PARTS = 4096;
  private static final int MOST_ASSEMBLING = 1000;
  private static final long MOST_RECORD_BYTES = 64L << 20;
  private static final long SWEEP_MILLIS = 30_000;
  private static final long REMOVED_KEPT_MILLIS = 600_000;
  private static final long FOREIGN_KEPT_MILLIS = 60_000;
  private static final long YIELD_MILLIS = 30_000;

  private final String id;
  private final int replicas;
  private final long mostBytes;
  private final Peers peers;
  private final RecordJournal journal;
  private final LongSupplier clock;

  private final ConcurrentSkipListMap<String, StoredRecord> records = new ConcurrentSkipListMap<>();
  private final Map<String, Long> epochs = new ConcurrentHashMap<>();
  private final Map<String, Follower> followers = new ConcurrentHashMap<>();
  private final Map<String, StoredRecord> assembling = new ConcurrentHashMap<>();
  private final RecentWrites recent = new RecentWrites();
  private final List<Refill> refills = new CopyOnWriteArrayList<>();
  private final AtomicInteger unfinished = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final LongAdder operations = new LongAdder();
  private final LongAdder shed = new LongAdder();
  private final LongAdder replicated = new LongAdder();

  private volatile Shares shares;
  private volatile long changedMillis;
  private volatile long yieldedMillis;
  private volatile long toldMillis;

  /** Became a member, and has not yet had its followers compare what they have. */
  private volatile boolean began;

  private long sweptMillis;

  /**
   * @param id of this node among the members
   * @param replicas copies of each record, 1 to {@link Ring#MOST_REPLICAS}
   * @param mostBytes keys and entries that this node holds at most; what would be more is refused.
   *     What other nodes tell it of theirs is kept up to twice as much
   * @param clockMillis the time, in milliseconds since 1970
   */
  public DirectoryNode(
      String id,
      int replicas,
      long mostBytes,
      Peers peers,
      RecordJournal journal,
      LongSupplier clockMillis) {
    this.id = id;
    this.replicas = replicas;
    this.mostBytes = mostBytes;
    this.peers = peers;
    this.journal = journal;
    this.clock = clockMillis;
    this.shares = Shares.nothing(replicas);
    journal.load(change -> take(change, "", false));
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
    View view = shares.view;
    return view.toldMillis() == toldMillis ? view : new View(toldMillis, view.members());
  }

  /** The placement that this node works with. */
  public Ring ring() {
    return shares.ring;
  }

  /**
   * Begins with members that all begin at the same time and hold nothing: there is nothing to pull.
   *
   * @param ring of these members with this node's number of replicas; the nodes of one process may
   *     share it
   */
  public synchronized void found(View view, Ring ring) {
    toldMillis = view.toldMillis();
    changedMillis = clock.getAsLong();
    shares = Shares.founded(view, ring, id);
  }

  /** Takes later news of the members; earlier ones are passed over. */
  public synchronized void learn(View view) {
    if (view.toldMillis() <= toldMillis) {
      return;
    }
    toldMillis = view.toldMillis();
    Shares before = shares;
    if (before.view.sameMembers(view)) {
      return;
    }
    List<Shares.Source> sources = new ArrayList<>();
    Shares next = before.next(view, id, replicas, sources);
    changedMillis = clock.getAsLong();
    shares = next;
    followers.values().removeIf(follower -> !follower.isOf(next.ring));
    refills.forEach(Refill::stop);
    refills.clear();
    sources.forEach(source -> refill(next, source));
    began |= before.self == null && next.self != null;
  }

  private void refill(Shares of, Shares.Source source) {
    Refill refill =
        new Refill(
            of,
            source,
            peers,
            clock,
            part -> {
              String from = "pull " + source.member.id();
              part.changes().forEach(change -> take(change, from, true));
              part.finished().forEach(recent::add);
            });
    refills.add(refill);
    refill.step();
  }

  /** Goes on with what has to be done from time to time. */
  public void tick() {
    refills.forEach(Refill::step);
    refills.removeIf(Refill::isDone);
    if (began && refills.isEmpty()) {
      began = false;
      // In an earlier life it may have told some what it did not get to tell the others.
      Shares now = shares;
      now.followers().forEach(member -> follower(member).miss());
    }
    followers.values().forEach(Follower::nudge);
    long now = clock.getAsLong();
    if (yieldedMillis > 0 && now - yieldedMillis > YIELD_MILLIS) {
      yieldedMillis = 0;
      shares.takeBack();
    }
    if (now - sweptMillis > SWEEP_MILLIS) {
      sweptMillis = now;
      sweep(now);
    }
  }

  private void sweep(long now) {
    Shares current = shares;
    assembling.values().removeIf(whole -> whole.endsMillis < now);
    boolean settled = now - changedMillis > FOREIGN_KEPT_MILLIS;
    for (StoredRecord record : records.values()) {
      synchronized (record) {
        boolean over =
            record.removed
                ? record.endsMillis <= now
                : !record.holds(now, epochOf(record.publisher));
        if (over || (settled && !(current.has(record.shard) && isTold(record, now)))) {
          forget(record);
        }
      }
    }
    if (settled) {
      // What such a publisher put is gone with the records above.
      epochs.keySet().removeIf(publisher -> !current.isMember(publisher));
    }
  }

  private void forget(StoredRecord record) {
    record.dead = true;
    bytes.addAndGet(-sizeOf(record));
    records.remove(record.key, record);
    journal.drop(record.key);
  }

  /** What it counts for; one that is only looked for counts nothing. */
  private static long sizeOf(StoredRecord record) {
    return record.version == 0 ? 0 : record.key.length() + record.bytes();
  }

  // ---- operations -------------------------------------------------------------------------------

  /** Whether a record is to be told: it holds, and whoever published it is a member. */
  private boolean isTold(StoredRecord record, long now) {
    return record.holds(now, epochOf(record.publisher))
        && (record.publisher.isEmpty() || shares.isMember(record.publisher));
  }

  /** What is no member's is kept only so far: a stranger may name itself anew each time. */
  private void announced(String publisher, long epoch) {
    if (epochs.size() < MOST_PUBLISHERS
        || epochs.containsKey(publisher)
        || shares.isMember(publisher)) {
      epochs.merge(publisher, epoch, Math::max);
    }
  }

  private long epochOf(String publisher) {
    return publisher.isEmpty() ? 0 : epochs.getOrDefault(publisher, 0L);
  }

  /** What a batch has told to others. */
  private static final class Told {
    final String publisher;
    final long epoch;
    final List<Follower> followers = new ArrayList<>(2);

    Told(String publisher, long epoch) {
      this.publisher = publisher;
      this.epoch = epoch;
    }
  }

  /**
   * Does operations in order, see {@link Peers#run}. Ends when all replicas that can be asked have
   * the changes.
   */
  public CompletableFuture<List<Outcome>> run(String publisher, long epoch, List<Operation> batch) {
    int count = batch.size();
    if (count > MOST_OPERATIONS) {
      return CompletableFuture.completedFuture(
          all(count, Outcome.failed(Status.REFUSED, "more than " + MOST_OPERATIONS + " at once")));
    }
    if (unfinished.addAndGet(count) > MOST_UNFINISHED) {
      unfinished.addAndGet(-count);
      shed.add(count);
      return CompletableFuture.completedFuture(
          all(count, Outcome.failed(Status.BUSY, "the directory has too much to do")));
    }
    operations.add(count);
    if (!publisher.isEmpty()) {
      peers.heard(publisher);
      announced(publisher, epoch);
    }
    Told told = new Told(publisher, epoch);
    List<Outcome> out = new ArrayList<>(count);
    try {
      long answered = 0;
      for (Operation operation : batch) {
        Outcome outcome =
            answered < MOST_ANSWERS_BYTES || operation.kind().writes()
                ? apply(operation, told)
                : Outcome.failed(Status.BUSY, "the answer is long enough; ask again");
        answered += outcome.bytes();
        out.add(outcome);
      }
    } finally {
      unfinished.addAndGet(-count);
    }
    if (told.followers.isEmpty()) {
      return CompletableFuture.completedFuture(out);
    }
    unfinished.addAndGet(count);
    CompletableFuture<List<Outcome>> done = new CompletableFuture<>();
    AtomicInteger left = new AtomicInteger(told.followers.size());
    for (Follower follower : told.followers) {
      follower.afterwards(
          () -> {
            if (left.decrementAndGet() == 0) {
              unfinished.addAndGet(-count);
              done.complete(out);
            }
          });
    }
    return done;
  }

  private static List<Outcome> all(int count, Outcome outcome) {
    List<Outcome> out = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      out.add(outcome);
    }
    return out;
  }

  private Outcome apply(Operation operation, Told told) {
    String fault = operation.fault();
    if (!fault.isEmpty()) {
      return Outcome.failed(Status.REFUSED, fault);
    }
    switch (operation.kind()) {
      case LIST:
        return list(operation);
      case GET:
        return get(operation, told);
      default:
        return write(operation, told);
    }
  }

  private Outcome get(Operation operation, Told told) {
    int shard = Ring.shardOf(operation.key());
    boolean any = operation.anyReplica();
    StoredRecord record = records.get(operation.key());
    if (record == null) {
      return answer(shard, any, told, Outcome.of(Status.ABSENT, 0, 0));
    }
    synchronized (record) {
      if (record.dead || !isTold(record, clock.getAsLong())) {
        return answer(shard, any, told, Outcome.of(Status.ABSENT, 0, 0));
      }
      List<byte[]> entries = record.entries(operation.from(), Operation.MOST_ANSWER_BYTES);
      boolean more = operation.from() + entries.size() < record.size();
      return answer(
          shard,
          any,
          told,
          new Outcome(Status.OK, record.version, record.size(), entries, List.of(), more, ""));
    }
  }

  /**
   * What was found, if this node is who to ask now that it was found. What a primary has found is
   * told when the other replicas have it: after a crash it would not have been there.
   */
  private Outcome answer(int shard, boolean any, Told told, Outcome found) {
    Shares now = shares;
    if (any ? !now.isReady(shard) : !now.isReadyPrimary(shard)) {
      return Outcome.of(Status.NOT_OWNER, 0, 0);
    }
    if (!any) {
      followersOf(shard, now, told);
    }
    return found;
  }

  private Outcome list(Operation operation) {
    String prefix = operation.key();
    Shares now = shares;
    if (Ring.tag(prefix) != null && !now.isReady(Ring.shardOf(prefix))) {
      return Outcome.of(Status.NOT_OWNER, 0, 0);
    }
    boolean behind = operation.after().compareTo(prefix) >= 0;
    List<Row> rows = new ArrayList<>();
    long millis = clock.getAsLong();
    int size = 0;
    for (StoredRecord record :
        records.tailMap(behind ? operation.after() : prefix, !behind).values()) {
      if (!record.key.startsWith(prefix)) {
        break;
      }
      synchronized (record) {
        if (record.dead || !now.has(record.shard) || !isTold(record, millis)) {
          continue;
        }
        if (rows.size() >= Operation.MOST_ROWS || size >= Operation.MOST_ANSWER_BYTES) {
          return Outcome.listed(rows, true);
        }
        Row row = new Row(record.key, record.version, record.first());
        rows.add(row);
        size += record.key.length() + row.value().length + 16;
      }
    }
    return Outcome.listed(rows, false);
  }

  private Outcome write(Operation operation, Told told) {
    while (true) {
      StoredRecord record = records.computeIfAbsent(operation.key(), StoredRecord::new);
      synchronized (record) {
        if (!record.dead) {
          return write(record, operation, told);
        }
      }
    }
  }

  private Outcome write(StoredRecord record, Operation operation, Told told) {
    Shares now = shares;
    if (!now.isReadyPrimary(record.shard)) {
      forgetIfNew(record);
      return Outcome.of(Status.NOT_OWNER, 0, 0);
    }
    Finished before = recent.get(operation.token());
    if (before != null) {
      followersOf(record.shard, now, told);
      return Outcome.of(Status.OK, before.version(), before.size());
    }
    if (told.epoch < epochOf(told.publisher)) {
      forgetIfNew(record);
      return Outcome.failed(Status.REFUSED, "the publisher announced a later epoch");
    }
    long millis = clock.getAsLong();
    boolean there = record.holds(millis, epochOf(record.publisher));
    long version = there ? record.version : 0;
    Kind kind = operation.kind();
    if (kind == Kind.CAS && operation.expected() != version) {
      forgetIfNew(record);
      followersOf(record.shard, now, told);
      return Outcome.of(Status.CONFLICT, version, there ? record.size() : 0);
    }
    if (kind == Kind.REMOVE && !there) {
      forgetIfNew(record);
      followersOf(record.shard, now, told);
      return Outcome.of(Status.ABSENT, 0, 0);
    }
    long grows = operation.value().length;
    if (kind != Kind.REMOVE && bytes.get() + grows > mostBytes) {
      forgetIfNew(record);
      shed.increment();
      return Outcome.failed(Status.BUSY, "the node's share of the directory is full");
    }
    if (kind == Kind.APPEND && there && record.bytes() + grows > MOST_RECORD_BYTES) {
      return Outcome.failed(
          Status.REFUSED, "the record would have more than " + MOST_RECORD_BYTES + " bytes");
    }
    return change(record, operation, told, now, millis, there);
  }

  private Outcome change(
      StoredRecord record, Operation operation, Told told, Shares now, long millis, boolean there) {
    Kind kind = operation.kind();
    long before = record.version;
    long sizeBefore = sizeOf(record);
    boolean adds = kind == Kind.APPEND && there;
    if (!adds) {
      record.clear();
      record.publisher = kind == Kind.PUT ? told.publisher : "";
      record.epoch = kind == Kind.PUT ? told.epoch : 0;
    }
    record.version = Math.max(before + 1, millis * 1000);
    record.removed = kind == Kind.REMOVE;
    if (record.removed) {
      record.endsMillis = millis + REMOVED_KEPT_MILLIS;
    } else {
      record.add(operation.value());
      if (!adds) {
        record.endsMillis =
            operation.ttlMillis() == 0 ? Long.MAX_VALUE : later(millis, operation.ttlMillis());
      }
    }
    bytes.addAndGet(sizeOf(record) - sizeBefore);
    int size = record.size();
    Change change =
        new Change(
            record.key,
            before,
            record.version,
            record.removed,
            adds ? size - 1 : 0,
            size,
            record.removed ? List.of() : List.of(operation.value()),
            operation.ttlMillis(),
            record.publisher,
            record.epoch,
            operation.token());
    recent.add(new Finished(operation.token(), record.shard, record.version, size));
    journal.write(change);
    for (Follower follower : followersOf(record.shard, now, told)) {
      follower.tell(change);
      replicated.increment();
    }
    return Outcome.of(Status.OK, record.version, size);
  }

  private static long later(long nowMillis, long ttlMillis) {
    return ttlMillis > Long.MAX_VALUE - nowMillis ? Long.MAX_VALUE : nowMillis + ttlMillis;
  }

  /** The shard's followers, which the batch's answer waits for from now on. */
  private List<Follower> followersOf(int shard, Shares now, Told told) {
    List<Follower> out = new ArrayList<>(2);
    for (int role = 1; role < now.ring.replicas(); role++) {
      Follower follower = follower(now.ring.owner(shard, role));
      out.add(follower);
      if (!told.followers.contains(follower)) {
        told.followers.add(follower);
      }
    }
    return out;
  }

  private Follower follower(Member member) {
    Follower known = followers.get(member.id());
    return known != null
        ? known
        : followers.computeIfAbsent(
            member.id(), unused -> new Follower(member, id, peers, this::whole, clock));
  }

  /** Leaves no trace of a record that was only looked for. */
  private void forgetIfNew(StoredRecord record) {
    if (record.version == 0) {
      record.dead = true;
      records.remove(record.key, record);
    }
  }

  // ---- from and for other replicas --------------------------------------------------------------

  private List<Change> whole(String key) {
    List<Change> out = new ArrayList<>();
    StoredRecord record = records.get(key);
    if (record != null) {
      synchronized (record) {
        long epoch = epochOf(record.publisher);
        int at = 0;
        Change part;
        do {
          part = record.part(at, PULL_BYTES, clock.getAsLong(), epoch);
          out.add(part);
          at += part.entries().size();
        } while (at < part.size());
      }
    }
    return out;
  }

  /**
   * Takes what a primary changed, see {@link Peers#replicate}.
   *
   * @return keys of which the whole is needed
   */
  public List<String> replicate(String from, boolean missed, List<Change> changes) {
    peers.heard(from);
    List<String> wanted = new ArrayList<>();
    for (Change change : changes) {
      if (!take(change, from, true)) {
        wanted.add(change.key());
      }
    }
    if (missed) {
      Shares now = shares;
      Shares.Source source = now.missedFrom(from);
      if (source != null) {
        refill(now, source);
      }
    }
    return wanted;
  }

  /** Returns false if only the whole record would help. */
  private boolean take(Change change, String from, boolean keep) {
    boolean taken = apply(change, from, keep);
    if (taken) {
      int shard = Ring.shardOf(change.key());
      recent.add(new Finished(change.token(), shard, change.version(), change.size()));
    }
    return taken;
  }

  private boolean apply(Change change, String from, boolean keep) {
    if (!change.publisher().isEmpty()) {
      announced(change.publisher(), change.epoch());
    }
    boolean complete = change.first() == 0 && change.entries().size() == change.size();
    while (true) {
      StoredRecord record = records.computeIfAbsent(change.key(), StoredRecord::new);
      synchronized (record) {
        if (record.dead) {
          continue;
        }
        if (record.version >= change.version()) {
          return true;
        }
        if (!change.removed() && (bytes.get() + change.bytes()) / 2 > mostBytes) {
          return isLeftOut(record);
        }
        if (change.before() == Change.WHOLE && !complete) {
          return assemble(record, change, from, keep);
        }
        if (!complete && (record.version != change.before() || record.removed)) {
          forgetIfNew(record);
          return false;
        }
        set(record, change, complete);
        if (keep) {
          journal.write(change);
        }
        return true;
      }
    }
  }

  /** What a replica has no room for it does not ask for again: nothing would change by that. */
  private boolean isLeftOut(StoredRecord record) {
    forgetIfNew(record);
    shed.increment();
    return true;
  }

  private void set(StoredRecord record, Change change, boolean complete) {
    long sizeBefore = sizeOf(record);
    if (complete) {
      record.clear();
    }
    change.entries().forEach(record::add);
    record.version = change.version();
    record.removed = change.removed();
    record.publisher = change.publisher();
    record.epoch = change.epoch();
    if (complete) {
      long now = clock.getAsLong();
      record.endsMillis =
          change.removed()
              ? now + REMOVED_KEPT_MILLIS
              : change.ttlMillis() == 0 ? Long.MAX_VALUE : later(now, change.ttlMillis());
    }
    bytes.addAndGet(sizeOf(record) - sizeBefore);
  }

  /**
   * A part of a long record: it counts when all of it is there. Replicas may have different
   * versions of it: those of each are put together apart.
   */
  private boolean assemble(StoredRecord record, Change part, String from, boolean keep) {
    String name = from + ' ' + part.key();
    StoredRecord whole = assembling.get(name);
    if (part.first() == 0 || whole == null || whole.version != part.version()) {
      whole = new StoredRecord(part.key());
      whole.version = part.version();
      assembling.put(name, whole);
    }
    whole.endsMillis = clock.getAsLong() + FOREIGN_KEPT_MILLIS;
    if (assembling.size() > MOST_ASSEMBLING || assemblingBytes() + part.bytes() > mostBytes) {
      assembling.remove(name);
      return isLeftOut(record);
    }
    if (part.first() != whole.size()) {
      forgetIfNew(record);
      return part.first() < whole.size();
    }
    part.entries().forEach(whole::add);
    if (whole.size() < part.size()) {
      forgetIfNew(record);
      return true;
    }
    assembling.remove(name);
    Change all =
        new Change(
            part.key(),
            Change.WHOLE,
            part.version(),
            part.removed(),
            0,
            part.size(),
            whole.entries(0, Integer.MAX_VALUE),
            part.ttlMillis(),
            part.publisher(),
            part.epoch(),
            part.token());
    set(record, all, true);
    if (keep) {
      journal.write(all);
    }
    return true;
  }

  /**
   * Has this node go by the asker's members, if those are later: what it changes from now on it
   * tells the asker, if that is another replica now. Not while others are learned: what is yielded
   * stays so.
   */
  private synchronized boolean yields(View view, BitSet takeOver) {
    learn(view);
    if (!shares.view.sameMembers(view) && view.toldMillis() < toldMillis) {
      return false;
    }
    if (!takeOver.isEmpty()) {
      yieldedMillis = clock.getAsLong();
      shares.giveUp(takeOver);
    }
    return true;
  }

  /**
   * Tells what this node holds of some shards, see {@link Peers#pull}; null if this node knows
   * later members than the asker.
   *
   * @throws IllegalArgumentException if it has told nobody to go on there
   */
  public Peers.@Nullable Pulled pull(View view, BitSet takeOver, BitSet wanted, String at) {
    PullPlace from = PullPlace.read(at);
    if (!yields(view, takeOver)) {
      return null;
    }
    List<Change> changes = new ArrayList<>();
    int size = 0;
    for (StoredRecord record : records.tailMap(from.key, true).values()) {
      if (!wanted.get(record.shard)) {
        continue;
      }
      synchronized (record) {
        if (record.dead || record.version == 0) {
          continue;
        }
        // One that has changed since its first parts is told anew.
        boolean goesOn = record.key.equals(from.key) && record.version == from.version;
        int place = goesOn ? from.entry : 0;
        long epoch = epochOf(record.publisher);
        Change part;
        do {
          if (size >= PULL_BYTES || changes.size() >= MOST_PARTS) {
            PullPlace next = new PullPlace(place, record.version, record.key);
            return new Peers.Pulled(changes, List.of(), next.toString());
          }
          part = record.part(place, PULL_BYTES - size, clock.getAsLong(), epoch);
          changes.add(part);
          place += part.entries().size();
          size += part.bytes();
        } while (place < part.size());
      }
    }
    return new Peers.Pulled(changes, recent.of(wanted), "");
  }

  // ---- looking at it ----------------------------------------------------------------------------

  /** Publishers whose epoch is known, for tests. */
  int publishers() {
    return epochs.size();
  }

  /** Of parts of long records that wait for their others. */
  long assemblingBytes() {
    return assembling.values().stream().mapToLong(StoredRecord::bytes).sum();
  }

  /** O(shards). */
  public DirectoryStatus status() {
    Shares now = shares;
    return new DirectoryStatus(
        now.view.members().size(),
        toldMillis == 0 ? 0 : Math.max(0, clock.getAsLong() - toldMillis),
        now.primaries(),
        now.pulling(),
        records.size(),
        bytes.get(),
        operations.sum(),
        shed.sum(),
        replicated.sum());
  }
}
