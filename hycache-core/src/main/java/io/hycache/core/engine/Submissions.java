// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.OptionalInt;

/**
 * Passes the beginning and the end of a workflow to all parts that hold something of it. Owned by
 * the planner's thread.
 */
final class Submissions {
  private final BlockTable table;
  private final HintPacer hints;
  private final AheadCopies ahead;
  private final ReadReports reports;
  private final HintHistory history;
  private final ChecksumKeeper checksums;

  Submissions(
      BlockTable table,
      HintPacer hints,
      AheadCopies ahead,
      ReadReports reports,
      HintHistory history,
      ChecksumKeeper checksums) {
    this.table = table;
    this.hints = hints;
    this.ahead = ahead;
    this.reports = reports;
    this.history = history;
    this.checksums = checksums;
  }

  HintReceipt submit(Hints submitted, String user, boolean exempt) {
    HintReceipt receipt = hints.submit(submitted, user, exempt);
    reports.submit(submitted, user, exempt);
    history.submitted(submitted, receipt);
    for (Hints.Reference reference : submitted.references().subList(0, receipt.accepted())) {
      ahead.hintedAnew(reference.block());
      BlockEntry entry = table.get(reference.block());
      if (entry != null) {
        checksums.wantFirst(entry);
      }
    }
    return receipt;
  }

  OptionalInt withdraw(WorkflowId workflow) {
    reports.withdraw(workflow);
    history.withdrawn(workflow);
    return hints.withdraw(workflow);
  }

  /** Ends workflows whose TTL is over. */
  void expire() {
    hints.expire();
    reports.expire();
    history.expire();
  }
}
