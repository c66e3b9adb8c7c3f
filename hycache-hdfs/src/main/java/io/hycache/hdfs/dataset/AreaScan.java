// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Scans the files of one block pool in an area. */
final class AreaScan {
  private static final int MAX_SCAN_THREADS = 8;

  private final CleanArea area;
  private final String pool;

  AreaScan(CleanArea area, String pool) {
    this.area = area;
    this.pool = pool;
  }

  /**
   * Returns all complete files of the pool and removes temporary and foreign files; files that are
   * being created are skipped. There may be a million files: checksum files are not opened, and the
   * lengths of data files, each a read from a cold device, are looked up by several threads.
   */
  List<CleanFile> files() throws IOException {
    List<CleanFile> found = new ArrayList<>();
    File dir = new File(new File(area.root(), CleanArea.DIRECTORY), pool);
    if (!dir.isDirectory()) {
      return found;
    }
    ExecutorService readers =
        Executors.newFixedThreadPool(
            Math.min(MAX_SCAN_THREADS, Runtime.getRuntime().availableProcessors()),
            Daemons.named("HyCacheScan"));
    try {
      List<Future<List<CleanFile>>> buckets = new ArrayList<>();
      for (String bucket : names(dir)) {
        buckets.add(readers.submit(() -> scanBucket(new File(dir, bucket))));
      }
      for (Future<List<CleanFile>> bucket : buckets) {
        found.addAll(await(bucket));
      }
      return found;
    } catch (ExecutionException e) {
      throw new IOException("can't scan " + dir + ": " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while scanning " + dir);
    } finally {
      readers.shutdownNow();
    }
  }

  private <T> T await(Future<T> answer)
      throws IOException, InterruptedException, ExecutionException {
    while (true) {
      try {
        return answer.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        if (area.watch().sick()) {
          throw new IOException("SSD went out of use during a scan: root=" + area.root(), e);
        }
      }
    }
  }

  private List<CleanFile> scanBucket(File bucket) throws IOException {
    List<CleanFile> found = new ArrayList<>();
    if (!bucket.isDirectory()) {
      area.remove(bucket);
      return found;
    }
    for (String name : names(bucket)) {
      if (area.isInTheMaking(bucket, name)) {
        continue;
      }
      CleanFile clean = CleanName.parse(area, pool, bucket, name);
      if (clean == null) {
        area.remove(new File(bucket, name));
      } else {
        found.add(clean);
      }
    }
    return found;
  }

  private static String[] names(File dir) throws IOException {
    FileOperation.LIST.before(dir);
    String[] names = dir.list();
    if (names == null) {
      throw new NotDirectoryException(dir.getPath());
    }
    return names;
  }
}
