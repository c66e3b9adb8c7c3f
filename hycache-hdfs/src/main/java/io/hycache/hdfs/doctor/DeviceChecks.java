// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.conf.StartAdvice;
import io.hycache.hdfs.conf.StorageTiers;
import io.hycache.hdfs.doctor.DeviceCheck.Role;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;

/**
 * The directories of a DataNode, each by a {@link DeviceCheck}. A device that hangs holds up no
 * check of another. Stateless.
 */
final class DeviceChecks {
  /** Time within which a directory must have answered. */
  static final int MAX_SECONDS = 10;

  private DeviceChecks() {}

  /**
   * @param thorough whether devices are read from, and their inodes counted
   */
  static List<Finding> of(Configuration conf, DirectoryProbe probe, boolean thorough) {
    return of(conf, probe, thorough, Duration.ofSeconds(MAX_SECONDS));
  }

  static List<Finding> of(
      Configuration conf, DirectoryProbe probe, boolean thorough, Duration limit) {
    Map<File, Role> roles = roles(conf);
    if (roles.isEmpty()) {
      return List.of(
          Finding.notChecked(
              Check.DEVICES, "no directory is configured here: dfs.datanode.data.dir"));
    }
    ExecutorService threads =
        Executors.newCachedThreadPool(
            new ThreadFactoryBuilder().setDaemon(true).setNameFormat("hycache-doctor-%d").build());
    try {
      Limited limited = new Limited(threads, limit);
      Map<File, Finding> silent = new LinkedHashMap<>();
      Map<File, Long> fileSystems = fileSystems(roles, probe, limited, silent);
      DeviceCheck check =
          new DeviceCheck(new HyCacheConf(conf), probe, roles, fileSystems, thorough);
      List<Finding> all = new ArrayList<>();
      roles.forEach(
          (dir, role) -> {
            Finding hangs = silent.get(dir);
            all.addAll(
                hangs != null
                    ? List.of(hangs)
                    : limited.ask(dir, () -> check.of(dir, role), List::of));
          });
      return all;
    } finally {
      threads.shutdownNow();
    }
  }

  /** The directories in the order of the configuration; those of the cache last. */
  private static Map<File, Role> roles(Configuration conf) {
    Map<File, Role> roles = new LinkedHashMap<>();
    StorageTiers tiers = StorageTiers.of(conf);
    try {
      for (StorageLocation location : StartAdvice.locations(conf)) {
        if ("file".equals(location.getUri().getScheme())) {
          roles.put(
              new File(location.getUri()),
              tiers.isFast(location.getStorageType())
                  ? Role.FAST
                  : location.getStorageType() == tiers.slow() ? Role.SLOW : Role.OTHER);
        }
      }
    } catch (IllegalArgumentException e) {
      // An error of Check.VOLUMES.
    }
    for (String dir : conf.getTrimmedStringCollection(HyCacheKeys.CACHE_DIRS)) {
      roles.put(new File(dir), Role.CACHE);
    }
    return roles;
  }

  /** The file systems of the directories that are there and answer. */
  private static Map<File, Long> fileSystems(
      Map<File, Role> roles, DirectoryProbe probe, Limited limited, Map<File, Finding> silent) {
    Map<File, Long> numbers = new LinkedHashMap<>();
    for (File dir : roles.keySet()) {
      Path path = dir.toPath();
      Object found =
          limited.ask(
              dir,
              () -> probe.isDirectory(path) ? probe.fileSystem(path) : Long.valueOf(0),
              finding -> finding);
      if (found instanceof Finding) {
        silent.put(dir, (Finding) found);
      } else {
        numbers.put(dir, (Long) found);
      }
    }
    return numbers;
  }

  /** Questions to directories, which have so long to answer. */
  private static final class Limited {
    private final ExecutorService threads;
    private final Duration limit;

    Limited(ExecutorService threads, Duration limit) {
      this.threads = threads;
      this.limit = limit;
    }

    /** What a directory answers, or what its silence or its error amounts to. */
    <T> T ask(File dir, Callable<T> question, Function<Finding, T> otherwise) {
      Future<T> answer = threads.submit(question);
      try {
        return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        return otherwise.apply(
            Finding.error(
                Check.DEVICES,
                dir
                    + ": expected an answer of its device within "
                    + limit.toSeconds()
                    + " s, found none. Fix: look for I/O errors in the kernel's log (dmesg) and"
                    + " replace the device"));
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return otherwise.apply(
            Finding.error(
                Check.DEVICES,
                dir
                    + ": could not be looked at: "
                    + ErrorText.of(cause)
                    + ". Fix: look for I/O errors in the kernel's log (dmesg)"));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return otherwise.apply(Finding.notChecked(Check.DEVICES, dir + ": interrupted"));
      }
    }
  }
}
