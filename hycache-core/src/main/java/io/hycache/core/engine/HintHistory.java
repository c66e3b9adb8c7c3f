// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowProgress;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What became of the hints of each workflow, block by block, for users who ask. It is kept while
 * the workflow is active, which it is until its last recorded block is read as often as expected,
 * and for an hour after, unless running workflows need the room or {@link #MAX_OVER_OF_USER} later
 * ones of its user have ended. It decides nothing.
 *
 * <p>A read counts for the workflow submitted first among those with an expected read left, as in
 * {@link io.hycache.core.hint.ReferenceSequences}, which reports it.
 *
 * <p>A block is recorded only while its user's records are fewer than the unused ones, so that one
 * user never takes the room of all others: alone a user has up to half of it, a second one half of
 * what is left, and so on.
 *
 * <p>Complexity: O(references) for a submission; O(workflows of the block) for a read or a fetch.
 * Memory: about 150 bytes for each block and workflow, fewer than {@link #MAX_BLOCKS} of them;
 * further blocks of a workflow are not recorded. About 1 KB for each workflow. Owned by the
 * planner's thread.
 *
 * <p>Source of the limit for a user: A. K. Choudhury, E. L. Hahne, "Dynamic queue length thresholds
 * for shared-memory packet switches" (IEEE/ACM Transactions on Networking 6(2), 1998), section II,
 * with alpha = 1.
 */
final class HintHistory {
  static final int MAX_BLOCKS = 200_000;

  /** Workflows that are over in one answer. */
  static final int MAX_OVER = 1000;

  /** Workflows of one user that are over and kept: a part of an answer on those of all users. */
  static final int MAX_OVER_OF_USER = 500;

  static final long KEPT_NANOS = TimeUnit.HOURS.toNanos(1);

  private final BlockTable table;
  private final RoundClock clock;

  /** Records by block, in order of submission; of active workflows with expected reads left. */
  private final Map<BlockKey, List<Row>> open = new HashMap<>();

  private final Map<WorkflowId, Workflow> active = new LinkedHashMap<>();

  /** In the order in which they ended. */
  private final Map<WorkflowId, Workflow> over = new LinkedHashMap<>();

  /** Recorded blocks, and of these those of active workflows. */
  private int blocks;

  private int activeBlocks;

  /** Those that have a recorded block. */
  private final Map<String, User> users = new HashMap<>();

  private static final class User {
    int blocks;
    int activeBlocks;

    /** Workflows that are over, in the order in which they ended. */
    final ArrayDeque<Workflow> over = new ArrayDeque<>();
  }

  private static final class Row {
    final Workflow workflow;
    final BlockKey block;
    final boolean wasOnSsd;
    int expected;
    int fromSsd;
    int fromDisk;
    int elsewhere;
    boolean fetched;
    long fetchedNanos;
    boolean read;
    long readNanos;

    /** A part of it was read since the last full read, from SSD or from DISK. */
    boolean readInPart;

    boolean partFromSsd;
    long partNanos;

    Row(Workflow workflow, BlockKey block, boolean wasOnSsd) {
      this.workflow = workflow;
      this.block = block;
      this.wasOnSsd = wasOnSsd;
    }

    int left() {
      return expected - fromSsd - fromDisk - elsewhere;
    }
  }

  private static final class Workflow {
    final Map<BlockKey, Row> rows = new LinkedHashMap<>();
    final HintReceipt receipt;
    final String by;
    final long ttlEndMillis;
    final long submittedNanos;

    /** Rows with expected reads left. */
    int open;

    long overNanos;

    Workflow(HintReceipt receipt, String by, long ttlEndMillis, long submittedNanos) {
      this.receipt = receipt;
      this.by = by;
      this.ttlEndMillis = ttlEndMillis;
      this.submittedNanos = submittedNanos;
    }

    WorkflowId id() {
      return receipt.workflow();
    }

    String user() {
      return id().user();
    }
  }

  HintHistory(BlockTable table, RoundClock clock) {
    this.table = table;
    this.clock = clock;
  }

  /** Hints were accepted, in place of earlier ones of the workflow. */
  void submitted(Hints hints, HintReceipt receipt) {
    forget(receipt.workflow());
    if (receipt.accepted() == 0) {
      return;
    }
    long end = clock.millis() + receipt.ttlMillis();
    Workflow workflow =
        new Workflow(receipt, hints.by(), end < 0 ? Long.MAX_VALUE : end, clock.now());
    String user = receipt.workflow().user();
    int most = mostBlocks(user);
    boolean full = false;
    for (Hints.Reference reference : hints.references().subList(0, receipt.accepted())) {
      Row row = workflow.rows.get(reference.block());
      if (row == null) {
        full = full || workflow.rows.size() >= most || !makeRoom(user);
        if (full) {
          continue;
        }
        BlockEntry entry = table.get(reference.block());
        row = new Row(workflow, reference.block(), entry != null && entry.fast());
        workflow.rows.put(row.block, row);
        open.computeIfAbsent(row.block, block -> new ArrayList<>(1)).add(row);
        count(user, 1);
      }
      row.expected++;
    }
    workflow.open = workflow.rows.size();
    if (workflow.open > 0) {
      active.put(workflow.id(), workflow);
      countActive(workflow, workflow.rows.size());
    }
  }

  /** Blocks that a user may have recorded beside the active ones, if all others are forgotten. */
  private int mostBlocks(String user) {
    User known = users.get(user);
    int own = known == null ? 0 : known.activeBlocks;
    return (MAX_BLOCKS - activeBlocks - own + 1) / 2;
  }

  /**
   * Forgets the workflows that ended first until a user may record a block more. Returns false if
   * these are too few.
   */
  private boolean makeRoom(String user) {
    while (!hasRoom(user) && !over.isEmpty()) {
      forgetOver(oldestOver());
    }
    return hasRoom(user);
  }

  /** The one that ended first. There must be one. */
  private Workflow oldestOver() {
    return over.values().iterator().next();
  }

  private boolean hasRoom(String user) {
    User known = users.get(user);
    return (known == null ? 0 : known.blocks) < MAX_BLOCKS - blocks;
  }

  private void forget(WorkflowId id) {
    Workflow running = active.get(id);
    if (running != null) {
      stop(running);
      count(id.user(), -running.rows.size());
    }
    Workflow ended = over.get(id);
    if (ended != null) {
      forgetOver(ended);
    }
  }

  private void forgetOver(Workflow workflow) {
    over.remove(workflow.id());
    user(workflow.user()).over.remove(workflow);
    count(workflow.user(), -workflow.rows.size());
  }

  private User user(String name) {
    return users.computeIfAbsent(name, first -> new User());
  }

  private void count(String name, int more) {
    User user = user(name);
    user.blocks += more;
    blocks += more;
    if (user.blocks == 0) {
      users.remove(name);
    }
  }

  private void countActive(Workflow workflow, int more) {
    user(workflow.user()).activeBlocks += more;
    activeBlocks += more;
  }

  /** An active workflow is over. */
  private void end(Workflow workflow) {
    stop(workflow);
    workflow.overNanos = clock.now();
    over.put(workflow.id(), workflow);
    User user = user(workflow.user());
    user.over.add(workflow);
    if (user.over.size() > MAX_OVER_OF_USER) {
      forgetOver(user.over.element());
    }
  }

  /** An active workflow is active no more; its blocks stay counted. */
  private void stop(Workflow workflow) {
    active.remove(workflow.id());
    countActive(workflow, -workflow.rows.size());
    for (Row row : workflow.rows.values()) {
      countPart(row);
      close(row);
    }
  }

  /** Counts the read of a part, such as some columns, as one of the expected reads. */
  private static void countPart(Row row) {
    if (row.readInPart && row.left() > 0) {
      row.fromSsd += row.partFromSsd ? 1 : 0;
      row.fromDisk += row.partFromSsd ? 0 : 1;
      row.read = true;
      row.readNanos = row.partNanos;
    }
  }

  private void close(Row row) {
    List<Row> rows = open.get(row.block);
    if (rows != null && rows.remove(row) && rows.isEmpty()) {
      open.remove(row.block);
    }
  }

  /** The workflow was withdrawn: nothing more is expected. */
  void withdrawn(WorkflowId id) {
    Workflow workflow = active.get(id);
    if (workflow != null) {
      end(workflow);
    }
  }

  /** Ends workflows whose TTL is over, and forgets those that have been over for long. */
  void expire() {
    for (Workflow workflow : List.copyOf(active.values())) {
      if (clock.millis() >= workflow.ttlEndMillis) {
        end(workflow);
      }
    }
    while (!over.isEmpty() && clock.now() - oldestOver().overNanos > KEPT_NANOS) {
      forgetOver(oldestOver());
    }
  }

  /** A copy of a block was made. */
  void fetched(BlockKey block) {
    for (Row row : open.getOrDefault(block, List.of())) {
      if (!row.fetched) {
        row.fetched = true;
        row.fetchedNanos = clock.now();
      }
    }
  }

  /** A read here used up a reference. */
  void read(BlockKey block, boolean fast) {
    Row row = next(block);
    if (row != null) {
      row.fromSsd += fast ? 1 : 0;
      row.fromDisk += fast ? 0 : 1;
      counted(row);
    }
  }

  /** A part of a block was read here that uses up no reference, unless more is read. */
  void readInPart(BlockKey block, boolean fast) {
    Row row = next(block);
    if (row != null) {
      row.readInPart = true;
      row.partFromSsd = fast;
      row.partNanos = clock.now();
    }
  }

  /** A read on another DataNode used up a reference. */
  void readElsewhere(BlockKey block) {
    Row row = next(block);
    if (row != null) {
      row.elsewhere++;
      counted(row);
    }
  }

  private @Nullable Row next(BlockKey block) {
    List<Row> rows = open.get(block);
    return rows == null ? null : rows.get(0);
  }

  private void counted(Row row) {
    row.read = true;
    row.readInPart = false;
    row.readNanos = clock.now();
    if (row.left() == 0) {
      close(row);
      if (--row.workflow.open == 0) {
        end(row.workflow);
      }
    }
  }

  private @Nullable Workflow find(WorkflowId id) {
    Workflow running = active.get(id);
    return running == null ? over.get(id) : running;
  }

  /**
   * A workflow's blocks in the order of their first reference.
   *
   * @param from how many to pass over
   * @param most of the result
   * @param why the reason why a block is, or is not, on SSD
   */
  List<HintedBlock> blocks(WorkflowId id, int from, int most, Function<BlockEntry, Reason> why) {
    List<HintedBlock> out = new ArrayList<>();
    Workflow workflow = find(id);
    if (workflow == null) {
      return out;
    }
    long now = clock.now();
    workflow.rows.values().stream()
        .skip(from)
        .limit(most)
        .forEach(row -> out.add(described(row, now, why)));
    return out;
  }

  /** Blocks of a workflow with expected reads left that meet a condition. O(blocks). */
  int open(WorkflowId id, Predicate<BlockKey> condition) {
    Workflow workflow = find(id);
    return workflow == null
        ? 0
        : (int)
            workflow.rows.values().stream()
                .filter(row -> row.left() > 0 && condition.test(row.block))
                .count();
  }

  /**
   * What became of the hints of a workflow that is active, though all that is recorded of it may be
   * read; null if nothing is recorded. O(blocks).
   */
  @Nullable WorkflowProgress progress(WorkflowId id) {
    Workflow workflow = find(id);
    return workflow == null ? null : progress(workflow, WorkflowProgress.ACTIVE);
  }

  private WorkflowProgress progress(Workflow workflow, long overAgoMillis) {
    int fromSsd = 0;
    int fromDisk = 0;
    int elsewhere = 0;
    int onSsd = 0;
    for (Row row : workflow.rows.values()) {
      fromSsd += row.fromSsd;
      fromDisk += row.fromDisk;
      elsewhere += row.elsewhere;
      if (row.left() > 0) {
        BlockEntry entry = table.get(row.block);
        onSsd += entry != null && entry.fast() ? 1 : 0;
      }
    }
    return new WorkflowProgress(workflow.by, fromSsd, fromDisk, elsewhere, onSsd, overAgoMillis);
  }

  /**
   * The last workflows that are over, at most {@link #MAX_OVER}, in the order in which they ended.
   * O(workflows that are over, and the blocks of those in the result).
   *
   * @param which of them
   */
  List<WorkflowStatus> over(Predicate<WorkflowId> which) {
    ArrayDeque<Workflow> last = new ArrayDeque<>();
    for (Workflow workflow : over.values()) {
      if (which.test(workflow.id())) {
        if (last.size() == MAX_OVER) {
          last.removeFirst();
        }
        last.addLast(workflow);
      }
    }
    List<WorkflowStatus> out = new ArrayList<>(last.size());
    for (Workflow workflow : last) {
      long overAgo = TimeUnit.NANOSECONDS.toMillis(clock.now() - workflow.overNanos);
      WorkflowProgress progress = progress(workflow, Math.max(0, overAgo));
      int left = Math.max(0, workflow.receipt.accepted() - progress.read());
      long age = TimeUnit.NANOSECONDS.toMillis(clock.now() - workflow.submittedNanos);
      out.add(new WorkflowStatus(workflow.receipt, left, age, 0).with(progress));
    }
    return out;
  }

  private HintedBlock described(Row row, long now, Function<BlockEntry, Reason> why) {
    BlockEntry entry = table.get(row.block);
    return new HintedBlock(
        row.block,
        entry == null ? 0 : entry.sizeBytes(),
        row.expected,
        row.fromSsd,
        row.fromDisk,
        row.elsewhere,
        row.wasOnSsd,
        row.fetched ? TimeUnit.NANOSECONDS.toMillis(now - row.fetchedNanos) : HintedBlock.NEVER,
        row.read ? TimeUnit.NANOSECONDS.toMillis(now - row.readNanos) : HintedBlock.NEVER,
        entry == null ? Reason.NOT_TRACKED : why.apply(entry));
  }

  /** Recorded blocks of all workflows. */
  int size() {
    return blocks;
  }
}
