// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.lineage;

import io.hycache.hdfs.client.RunHints;
import io.hycache.hdfs.history.HdfsPath;
import io.openlineage.client.OpenLineage;
import io.openlineage.client.transports.Transport;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns lineage into hints: the inputs on HDFS of a {@code START} event are hinted as a workflow of
 * the process's user, which {@code COMPLETE}, {@code FAIL} or {@code ABORT} of the same run ends.
 * The workflow is named {@code JOB-NAMESPACE/JOB-NAME/PARENT-RUN/RUN}, without a parent where there
 * is none.
 *
 * <p>Nothing is sent anywhere else. Whoever wants the events elsewhere, too, names both transports
 * in OpenLineage's transport {@code composite}.
 *
 * <p>It never waits and never throws, see {@link RunHints}. Thread-safe; O(inputs) an event.
 */
final class HyCacheTransport extends Transport {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheTransport.class);

  private final RunHints hints;
  private final AtomicLong failures = new AtomicLong();

  HyCacheTransport(RunHints hints) {
    this.hints = hints;
  }

  @Override
  public void emit(OpenLineage.RunEvent event) {
    try {
      take(event);
    } catch (Throwable e) {
      // Lineage and its job go on, whatever is wrong with an event or with the class path.
      if (failures.getAndIncrement() == 0) {
        LOG.warn(
            "Could not submit or withdraw hints of a run; the run itself goes on, further failures"
                + " are not logged",
            e);
      }
    }
  }

  private void take(OpenLineage.RunEvent event) throws java.io.IOException {
    OpenLineage.RunEvent.EventType type = event.getEventType();
    if (type == null || event.getRun() == null || event.getJob() == null) {
      return;
    }
    switch (type) {
      case START:
        List<String> paths = inputs(event.getInputs());
        if (!paths.isEmpty()) {
          hints.begins(UserGroupInformation.getCurrentUser(), workflow(event), paths);
        }
        break;
      case COMPLETE:
      case FAIL:
      case ABORT:
        hints.ends(UserGroupInformation.getCurrentUser(), workflow(event));
        break;
      default:
        break;
    }
  }

  /** The first paths on HDFS, as many as are hinted. */
  private static List<String> inputs(@Nullable List<OpenLineage.InputDataset> datasets) {
    Set<String> paths = new LinkedHashSet<>();
    if (datasets != null) {
      for (OpenLineage.InputDataset dataset : datasets) {
        if (paths.size() == RunHints.MAX_PATHS) {
          break;
        }
        String path = HdfsPath.of(dataset.getNamespace(), dataset.getName());
        if (path != null) {
          paths.add(path);
        }
      }
    }
    return List.copyOf(paths);
  }

  /** A name that differs by run, however long the job's. */
  private static String workflow(OpenLineage.RunEvent event) {
    String job = event.getJob().getNamespace() + "/" + event.getJob().getName();
    OpenLineage.RunFacets facets = event.getRun().getFacets();
    OpenLineage.ParentRunFacet parent = facets == null ? null : facets.getParent();
    String run =
        (parent == null || parent.getRun() == null ? "" : "/" + parent.getRun().getRunId())
            + "/"
            + event.getRun().getRunId();
    return RunHints.workflow(job, run);
  }

  @Override
  public void emit(OpenLineage.DatasetEvent event) {
    // Of no run.
  }

  @Override
  public void emit(OpenLineage.JobEvent event) {
    // Of no run.
  }

  /** Events that could not be taken. */
  long failures() {
    return failures.get();
  }

  @Override
  public void close() {
    hints.close();
  }
}
