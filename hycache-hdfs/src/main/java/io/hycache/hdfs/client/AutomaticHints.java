// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import com.google.common.annotations.VisibleForTesting;
import io.hycache.core.model.LatestEntries;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits what a job is about to read as the job's workflow, without a manifest.
 *
 * <p>Every job first locates its input: {@code listLocatedStatus}, {@code getFileBlockLocations}. A
 * program that only looks at a directory may do that, too. So located files are hinted only when
 * one of two things shows that they will be read:
 *
 * <ul>
 *   <li>a MapReduce client writes {@code job.split} into the staging directory of a job. All files
 *       located since the last one are that job's; the workflow has the job's id as its name.
 *   <li>this process opens one of them itself, and writes no {@code job.split} within {@link
 *       #OWN_DELAY_NANOS}. Those that it has not opened yet are the process's own workflow, which
 *       is submitted again when it opens one after others were located.
 * </ul>
 *
 * <p>A workflow is withdrawn when the file system is closed; that of a MapReduce job only if the
 * job has ended, which is when its staging directory is gone. What is not withdrawn ends with its
 * TTL; so do all but the last 1000 workflows. Nothing is done on the caller's thread but to note a
 * path, and nothing is done in tasks and application masters, whose job has been hinted already. A
 * failure is logged once; the job goes on as without hints.
 *
 * <p>Thread-safe; O(1) for each located file. One daemon thread, which ends when there is nothing
 * to submit.
 */
public final class AutomaticHints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AutomaticHints.class);

  /**
   * Time between the first open of a located file and the submission of the others. Clients of
   * MapReduce that sample their input open files, too, right before they write {@code job.split}.
   */
  static final long OWN_DELAY_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Set by MapReduce in the configuration of tasks and of application masters. */
  private static final List<String> PART_OF_A_JOB =
      List.of("mapreduce.task.attempt.id", "mapreduce.job.application.attempt.id");

  private static final Pattern JOB_SPLIT =
      Pattern.compile("(?<directory>.*/(?<job>job_[^/]+))/job\\.split");

  /** Submits and withdraws workflows. */
  interface Workflows {
    /**
     * Submits the reads of some files, each once and in this order, under a name. An earlier
     * submission of the same name is replaced.
     *
     * @param random whether small parts of the files are read
     */
    void submit(String name, List<String> paths, boolean random) throws IOException;

    void withdraw(String name) throws IOException;
  }

  /** Asks the NameNode. */
  public interface Files {
    /** Returns true if there is a file or directory at a path. */
    boolean exists(String path) throws IOException;
  }

  private final Workflows workflows;
  private final Files files;
  private final String ownName;
  private final long ownDelayNanos;
  private final JobPlan plan;
  private final ScheduledThreadPoolExecutor executor;

  /**
   * Staging directory by workflow; empty for the process's own. Used by the executor's thread only.
   */
  private final Map<String, String> submitted = LatestEntries.map(ClientWorkflows.MAX_WORKFLOWS);

  /** The process's own submission is due. Guarded by this. */
  private boolean ownScheduled;

  private volatile boolean random;
  private final HintFailures failures = new HintFailures(LOG);

  /**
   * @param files used until {@link #close} returns
   * @param ownName workflow of what this process reads itself
   * @param ownDelayNanos time from its first open to the submission of that workflow
   */
  AutomaticHints(
      Workflows workflows, Files files, String ownName, long ownDelayNanos, LongSupplier nanoTime) {
    this.workflows = workflows;
    this.files = files;
    this.ownName = ownName;
    this.ownDelayNanos = ownDelayNanos;
    this.plan = new JobPlan(nanoTime);
    this.executor = new ScheduledThreadPoolExecutor(1, DataNodes::daemon);
    executor.setKeepAliveTime(1, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /**
   * Returns null if {@link HyCacheKeys#CLIENT_HINTS} is not {@code auto}, or if this process is
   * part of a MapReduce job.
   *
   * @param clientName the HDFS client's name, unique in the cluster
   * @param files of this file system itself, without {@code FileSystem.get}: the file system is
   *     closed by the cache of file systems, which is locked meanwhile
   * @throws IllegalArgumentException if a setting is out of range
   */
  public static @Nullable AutomaticHints from(
      URI fileSystem, Configuration conf, String clientName, Files files) throws IOException {
    if (!ClientSettings.isHintingAutomatically(conf)
        || PART_OF_A_JOB.stream().anyMatch(key -> conf.get(key) != null)) {
      return null;
    }
    return new AutomaticHints(
        new ClientWorkflows(
            ClientWorkflows.configuration(conf, fileSystem),
            UserGroupInformation.getCurrentUser(),
            "auto"),
        files,
        clientName,
        OWN_DELAY_NANOS,
        System::nanoTime);
  }

  /** Notes that the blocks of a file were located. Jobs pass over hidden files. */
  public void located(String path) {
    if (!FileLocator.isHidden(path.substring(path.lastIndexOf('/') + 1))) {
      plan.located(path);
    }
  }

  /** Notes that a file is being created. */
  public void created(String path) {
    Matcher split = path.endsWith("/job.split") ? JOB_SPLIT.matcher(path) : null;
    if (split != null && split.matches()) {
      List<String> files = plan.claim();
      String name = split.group("job");
      String directory = split.group("directory");
      if (!files.isEmpty()) {
        submit(
            () -> {
              withdrawOwn();
              send(name, directory, files, false);
            },
            0);
      }
    }
  }

  /**
   * Notes that a file is opened for reading.
   *
   * @param isRandom whether the reader has said that it will not read from front to back
   */
  public void opened(String path, boolean isRandom) {
    if (!plan.opened(path)) {
      return;
    }
    random |= isRandom;
    synchronized (this) {
      if (ownScheduled) {
        return;
      }
      ownScheduled = true;
    }
    submit(this::sendOwn, ownDelayNanos);
  }

  private void sendOwn() {
    synchronized (this) {
      ownScheduled = false;
    }
    List<String> files = plan.unopened();
    if (!files.isEmpty()) {
      send(ownName, "", files, random);
    }
  }

  private void withdrawOwn() {
    if (submitted.remove(ownName) != null) {
      withdraw(ownName);
    }
  }

  private void send(String name, String directory, List<String> files, boolean isRandom) {
    submitted.put(name, directory); // of a submission that fails, a part may have arrived
    try {
      workflows.submit(name, files, isRandom);
    } catch (IOException | RuntimeException | LinkageError e) {
      failures.failed("submit", name, e);
    }
  }

  private void withdraw(String name) {
    try {
      workflows.withdraw(name);
    } catch (IOException | RuntimeException | LinkageError e) {
      failures.failed("withdraw", name, e);
    }
  }

  private void submit(Runnable task, long delayNanos) {
    try {
      Future<?> unused = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed: nothing is hinted", e);
    } catch (OutOfMemoryError e) {
      failures.failed("submit", ownName, e); // no thread could be started
    }
  }

  private void withdrawAll() {
    submitted.forEach(
        (name, directory) -> {
          try {
            if (directory.isEmpty() || !files.exists(directory)) {
              withdraw(name);
            }
          } catch (IOException | RuntimeException e) {
            LOG.debug("is the job over? Its hints end with their TTL: workflow={}", name, e);
          }
        });
    submitted.clear();
  }

  /** Withdraws the workflows that have ended, in a bounded time. Idempotent. */
  @Override
  public void close() {
    LastTask.thenShutDown(executor, this::withdrawAll);
  }

  /** Waits until all that was submitted so far has been done. */
  @VisibleForTesting
  void await() throws InterruptedException, ExecutionException {
    executor.submit(() -> {}).get();
  }
}
