package io.hycache.hdfs.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Who submitted which workflow: only they, or a superuser, may replace or withdraw it while it
 * lives. Forgotten with the workflow's TTL. Thread-safe.
 */
final class WorkflowOwners {
  static final int MAX_WORKFLOWS = 1000;

  private final LongSupplier nowMillis;

  @GuardedBy("this")
  private final Map<String, Owner> owners = new HashMap<>();

  private static final class Owner {
    final String user;
    final long untilMillis;

    Owner(String user, long untilMillis) {
      this.user = user;
      this.untilMillis = untilMillis;
    }
  }

  /** Milliseconds of a clock that only goes forward. */
  WorkflowOwners(LongSupplier nowMillis) {
    this.nowMillis = nowMillis;
  }

  /**
   * @throws RefusedException if someone else's workflow has this name, or there are too many
   */
  synchronized void check(String workflow, String user, boolean superuser) throws RefusedException {
    expire();
    Owner owner = owners.get(workflow);
    if (owner != null && !superuser && !owner.user.equals(user)) {
      throw new RefusedException(
          "the workflow belongs to someone else: workflow="
              + workflow
              + " owner="
              + owner.user
              + " user="
              + user);
    }
    if (owner == null && owners.size() >= MAX_WORKFLOWS) {
      throw new RefusedException("too many workflows: allowed=" + MAX_WORKFLOWS);
    }
  }

  synchronized void put(String workflow, String user, long ttlMillis) {
    owners.put(workflow, new Owner(user, nowMillis.getAsLong() + ttlMillis));
  }

  synchronized void remove(String workflow) {
    owners.remove(workflow);
  }

  private synchronized void expire() {
    long now = nowMillis.getAsLong();
    owners.values().removeIf(o -> o.untilMillis <= now);
  }
}
