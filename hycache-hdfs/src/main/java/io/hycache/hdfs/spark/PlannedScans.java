// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import io.hycache.hdfs.client.FileWorkflows.FileRead;
import java.util.ArrayList;
import java.util.List;

/** The scans of a query that is running, as its plan is now. Immutable. */
final class PlannedScans {
  /** Reads files. Equal scans of two plans of a query are one scan. */
  interface Scan {
    /**
     * The files, each once, about in the order in which tasks read them. May ask the file system or
     * a catalogue, never starts a job.
     */
    List<FileRead> files() throws Exception;
  }

  private final List<Scan> all;
  private final List<Scan> ahead;
  private final boolean waiting;

  /**
   * @param all the scans of the plan, those that are done among them, in the order of the plan
   * @param ahead of these, the ones that are not done
   * @param waiting there are more scans, of which files are known when subqueries have run
   */
  PlannedScans(List<? extends Scan> all, List<? extends Scan> ahead, boolean waiting) {
    this.all = List.copyOf(all);
    this.ahead = List.copyOf(ahead);
    this.waiting = waiting;
  }

  List<Scan> ahead() {
    return ahead;
  }

  boolean isWaiting() {
    return waiting;
  }

  /**
   * Returns true if the hints of an earlier plan are no longer right: the plan has lost a scan, or
   * has got one. A scan that is done is no difference: its reads have ended its hints.
   */
  boolean differsFrom(List<Scan> hinted) {
    return !containsAll(all, hinted) || !containsAll(hinted, ahead);
  }

  /** Each as often as it is there. */
  private static boolean containsAll(List<Scan> scans, List<Scan> others) {
    List<Scan> left = new ArrayList<>(scans);
    for (Scan other : others) {
      if (!left.remove(other)) {
        return false;
      }
    }
    return true;
  }
}
