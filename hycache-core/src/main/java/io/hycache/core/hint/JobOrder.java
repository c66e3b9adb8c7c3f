// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Sorts jobs topologically: among the jobs whose predecessors are all placed, the one listed first
 * comes next. O((jobs + edges) log jobs). The names in {@code after} must exist, each at most once
 * per job.
 */
final class JobOrder {
  private final List<Manifest.Job> listed;
  private final Map<String, Integer> indexOf = new HashMap<>();
  private final int[] waitingFor;

  JobOrder(List<Manifest.Job> listed) {
    this.listed = listed;
    this.waitingFor = new int[listed.size()];
    for (int i = 0; i < listed.size(); i++) {
      indexOf.put(listed.get(i).name(), i);
    }
  }

  /** The jobs in order; fewer than listed if there is a cycle. */
  List<Manifest.Job> sort() {
    List<List<Integer>> followers = new ArrayList<>();
    for (int i = 0; i < listed.size(); i++) {
      followers.add(new ArrayList<>());
    }
    PriorityQueue<Integer> ready = new PriorityQueue<>();
    for (int i = 0; i < listed.size(); i++) {
      List<String> after = listed.get(i).after();
      waitingFor[i] = after.size();
      for (String name : after) {
        followers.get(index(name)).add(i);
      }
      if (after.isEmpty()) {
        ready.add(i);
      }
    }
    List<Manifest.Job> order = new ArrayList<>();
    while (!ready.isEmpty()) {
      int job = ready.remove();
      order.add(listed.get(job));
      for (int follower : followers.get(job)) {
        if (--waitingFor[follower] == 0) {
          ready.add(follower);
        }
      }
    }
    return order;
  }

  /**
   * The names along a cycle, the first repeated at the end. Requires that {@link #sort} found a
   * cycle.
   */
  List<String> cycle() {
    int job = 0;
    while (waitingFor[job] == 0) {
      job++;
    }
    Set<Integer> path = new LinkedHashSet<>();
    while (path.add(job)) {
      job = unplacedPredecessor(job);
    }
    List<String> names = new ArrayList<>();
    boolean onCycle = false;
    for (int passed : path) {
      onCycle |= passed == job;
      if (onCycle) {
        names.add(listed.get(passed).name());
      }
    }
    names.add(listed.get(job).name());
    return names;
  }

  private int unplacedPredecessor(int job) {
    for (String name : listed.get(job).after()) {
      if (waitingFor[index(name)] > 0) {
        return index(name);
      }
    }
    throw new IllegalStateException("job is on no cycle: name=" + listed.get(job).name());
  }

  private int index(String name) {
    Integer index = indexOf.get(name);
    if (index == null) {
      throw new IllegalArgumentException("no such job: name=" + name);
    }
    return index;
  }
}
