// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import com.google.common.annotations.VisibleForTesting;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.LatestEntries;
import java.io.IOException;
import java.net.URI;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits what a run reads when it begins, as a workflow of its own, and withdraws that when the
 * run ends: for listeners and hooks of programs that know the files and directories of a query or
 * job.
 *
 * <p>No method waits or throws, but {@link #close}, which waits a second at most. A bounded queue
 * and one daemon thread do the work, in the order of the calls; a run that finds the queue full
 * when it begins is left out and counted. An end needs no room in the queue: the thread looks at
 * what has ended before each task. What fails, an {@code Error} included, is counted and logged
 * once, and the run goes on as without hints. What is not withdrawn ends with its TTL, two hours.
 * Thread-safe; O(1), and O(paths) to keep them.
 */
public final class RunHints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunHints.class);

  /** Tasks that wait for the thread. */
  static final int MAX_WAITING = 1000;

  /** Paths of all runs that wait. */
  static final int MAX_WAITING_PATHS = 200_000;

  /** Paths of one run; further ones are left out. */
  public static final int MAX_PATHS = 10_000;

  /** Runs that can be withdrawn; the hints of the oldest ones beyond end with their TTL. */
  static final int MAX_RUNS = 1000;

  /** Of these a configuration is kept, which is large. */
  private static final int MAX_FILE_SYSTEMS = 10;

  /** The submissions of one run. Used by one thread. */
  interface Submissions {
    /**
     * Submits the reads of some paths.
     *
     * @param isOpen false when the run has ended: nothing needs to be sent
     */
    void submit(String workflow, List<String> paths, BooleanSupplier isOpen) throws IOException;

    void withdraw(String workflow) throws IOException;
  }

  /** Makes the submissions of a run. */
  interface Connector {
    /** Returns those of a run of a user that reads this path first. */
    Submissions connect(UserGroupInformation user, String path) throws IOException;
  }

  private final Connector connector;
  private final HintFailures failures = new HintFailures(LOG);
  private final AtomicLong leftOut = new AtomicLong();
  private final AtomicInteger waitingPaths = new AtomicInteger();
  private final ThreadPoolExecutor executor;

  /** A run that has begun and not ended. */
  private static final class Run {
    /** Null until it is hinted. Used by the thread only. */
    @Nullable Submissions submissions;
  }

  /** By user and workflow, the run that began last, if its beginning was accepted. */
  private final Map<String, Run> open = new ConcurrentHashMap<>();

  /** User and workflow of runs that were open and have ended since the thread looked. */
  private final Set<String> ended = ConcurrentHashMap.newKeySet();

  /** Runs with hints, by user and workflow, the oldest first. Used by the thread only. */
  private final Map<String, Run> running = new LinkedHashMap<>();

  private volatile boolean closed;

  RunHints(Connector connector) {
    this.connector = connector;
    this.executor =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            DataNodes::daemon,
            new ThreadPoolExecutor.AbortPolicy()) {
          @Override
          protected void beforeExecute(Thread thread, Runnable task) {
            endThoseThatHaveEnded();
          }
        };
    executor.allowCoreThreadTimeOut(true);
  }

  /**
   * Connects with the first submission.
   *
   * @param conf of the clusters; the default file system is that of paths without one
   * @param by what submits, see {@link HyCacheClient#submit(ResolvedManifest, String)}
   */
  public RunHints(Configuration conf, String by) {
    this(new ToClusters(conf, by));
  }

  /** Makes submissions to HDFS. Runs on one file system share a configuration. */
  private static final class ToClusters implements Connector {
    private final Configuration conf;
    private final String by;
    private final Map<URI, Configuration> byFileSystem = LatestEntries.map(MAX_FILE_SYSTEMS);

    ToClusters(Configuration conf, String by) {
      this.conf = conf;
      this.by = by;
    }

    @Override
    public Submissions connect(UserGroupInformation user, String path) {
      URI uri = new Path(path).toUri();
      URI fileSystem =
          uri.getAuthority() == null
              ? FileSystem.getDefaultUri(conf)
              : URI.create(uri.getScheme() + "://" + uri.getAuthority());
      ClientWorkflows workflows =
          new ClientWorkflows(
              byFileSystem.computeIfAbsent(
                  fileSystem, of -> ClientWorkflows.configuration(conf, of)),
              user,
              by);
      return new Submissions() {
        @Override
        public void submit(String workflow, List<String> paths, BooleanSupplier isOpen)
            throws IOException {
          workflows.submit(workflow, paths, false, isOpen);
        }

        @Override
        public void withdraw(String workflow) throws IOException {
          workflows.withdraw(workflow);
        }
      };
    }
  }

  /**
   * A run begins; one of the same user and name is replaced.
   *
   * @param user who reads
   * @param workflow 1 to 256 characters
   * @param paths files and directories on HDFS, in the expected order of their reads; those that
   *     are missing or may not be read are left out; if none, the call does nothing
   */
  public void begins(UserGroupInformation user, String workflow, List<String> paths) {
    if (paths.isEmpty()) {
      return;
    }
    List<String> first = List.copyOf(paths.subList(0, Math.min(paths.size(), MAX_PATHS)));
    String key = key(user, workflow);
    Run run = new Run();
    Run before = open.put(key, run);
    if (!enqueueBegin(key, run, user, workflow, first)) {
      if (before == null) {
        open.remove(key, run);
      } else {
        open.replace(key, run, before); // what is hinted of it still has an end
      }
    }
  }

  /** A run has ended; does nothing if its beginning was not accepted. */
  public void ends(UserGroupInformation user, String workflow) {
    String key = key(user, workflow);
    if (open.remove(key) != null) {
      ended.add(key);
      if (executor.getQueue().isEmpty()) { // else another task is still to come
        boolean unused = enqueue(workflow, () -> {});
      }
    }
  }

  /**
   * Returns the name of a run's workflow: what it has in common with others, as far as there is
   * room for it, and what distinguishes it. Control characters become spaces.
   *
   * @param run at most 100 characters
   */
  public static String workflow(String job, String run) {
    int most = WorkflowId.MAX_NAME_CHARS - run.length();
    String start = job.length() <= most ? job : job.substring(0, most);
    StringBuilder out = new StringBuilder(WorkflowId.MAX_NAME_CHARS);
    (start + run)
        .codePoints()
        .map(c -> Character.isISOControl(c) || isSurrogate(c) ? ' ' : c)
        .forEach(out::appendCodePoint);
    return out.toString();
  }

  /** A half of a character, which no text in UTF-8 can hold. */
  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  private static String key(UserGroupInformation user, String workflow) {
    return user.getUserName() + '\n' + workflow;
  }

  private static String workflowOf(String key) {
    return key.substring(key.indexOf('\n') + 1);
  }

  /** Returns false if there is no room for the run. */
  private boolean enqueueBegin(
      String key, Run run, UserGroupInformation user, String workflow, List<String> paths) {
    if (waitingPaths.addAndGet(paths.size()) > MAX_WAITING_PATHS) {
      waitingPaths.addAndGet(-paths.size());
      leftOut(workflow);
      return false;
    }
    boolean taken =
        enqueue(
            workflow,
            () -> {
              waitingPaths.addAndGet(-paths.size());
              begin(key, run, user, workflow, paths);
            });
    if (!taken) {
      waitingPaths.addAndGet(-paths.size());
    }
    return taken;
  }

  private boolean isOpen(String key, Run run) {
    return !closed && open.get(key) == run;
  }

  private void begin(
      String key, Run run, UserGroupInformation user, String workflow, List<String> paths) {
    if (!isOpen(key, run)) {
      return; // it has ended, or begun again
    }
    try {
      Run before = running.get(key);
      Submissions submissions =
          before != null && before.submissions != null
              ? before.submissions
              : connector.connect(user, paths.get(0));
      run.submissions = submissions;
      running.remove(key); // it would keep its place
      running.put(key, run);
      if (running.size() > MAX_RUNS) {
        dropOldest();
      }
      submissions.submit(workflow, paths, () -> isOpen(key, run));
    } catch (Throwable e) {
      failures.failed("submit", workflow, e);
      if (running.get(key) != run) {
        open.remove(key, run);
      }
    }
  }

  private void dropOldest() {
    Map.Entry<String, Run> oldest = running.entrySet().iterator().next();
    running.remove(oldest.getKey());
    open.remove(oldest.getKey(), oldest.getValue());
  }

  private void endThoseThatHaveEnded() {
    for (Iterator<String> keys = ended.iterator(); keys.hasNext(); ) {
      String key = keys.next();
      keys.remove();
      if (running.get(key) != open.get(key)) { // else it has begun again meanwhile
        end(key);
      }
    }
  }

  private void end(String key) {
    Run run = running.remove(key);
    Submissions submissions = run == null ? null : run.submissions;
    if (submissions != null) {
      try {
        submissions.withdraw(workflowOf(key));
      } catch (Throwable e) {
        failures.failed("withdraw", workflowOf(key), e);
      }
    }
  }

  /** Returns false if there is no room for the task. */
  private boolean enqueue(String workflow, Runnable task) {
    try {
      executor.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      leftOut(workflow);
    } catch (Throwable e) {
      failures.failed("submit", workflow, e); // no thread could be started
    }
    return false;
  }

  private void leftOut(String workflow) {
    if (leftOut.getAndIncrement() == 0) {
      LOG.warn(
          "More than {} runs or {} paths wait for their hints; those beyond run without, the first"
              + " is {}",
          MAX_WAITING,
          MAX_WAITING_PATHS,
          workflow);
    }
  }

  /** Returns the number of submissions and withdrawals that failed. */
  public long failures() {
    return failures.count();
  }

  /** Returns the number of runs for which there was no room when they began. */
  public long leftOut() {
    return leftOut.get();
  }

  /** Withdraws what still runs, in a bounded time; what waits is not submitted. Idempotent. */
  @Override
  public void close() {
    closed = true;
    executor.getQueue().clear();
    LastTask.thenShutDown(executor, this::endAll);
  }

  private void endAll() {
    List.copyOf(running.keySet()).forEach(this::end);
  }

  /** Waits until all that was passed so far has been done. */
  @VisibleForTesting
  public void await() throws InterruptedException, ExecutionException {
    Future<?> done = executor.submit(() -> {});
    Object unused = done.get();
  }
}
