// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.google.common.hash.Hashing;
import io.hycache.hdfs.HyCacheFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/*
 * fs.hdfs.impl travels to the tasks in job.xml, whether the class is there or not. So it names the class by a variable of
 * the environment, with HDFS's own client where there is no such variable: job.xml and Spark's copy of the configuration
 * hold the expression, each process evaluates it. The variable is set for MapReduce's tasks alone, together with the JAR
 * in the distributed cache, whose links are on each task's class path (PWD/*). The JAR is not among tmpjars, which
 * -libjars replaces. The ApplicationMaster gets no variable: it reads no input. Classes of Hadoop's packages are not
 * looked for in a job's own class loader (mapreduce.job.classloader), so that there the variable names HDFS's client.
 *
 * The JAR stays in HDFS, named by its content: tasks of a job that outlives run still find it, and the next run need not
 * send it.
 */
/**
 * Brings HyCache's client to the tasks of MapReduce jobs on YARN.
 *
 * <p>What is in the directory runs in the tasks with the user's tokens, so the directory must be
 * the user's own, and no one else may write there.
 */
final class TaskClient {
  /** Variable of the environment that names the class. */
  static final String VARIABLE = "HYCACHE_FS_IMPL";

  /** Value of {@code fs.hdfs.impl}. */
  static final String FILE_SYSTEM =
      "${env." + VARIABLE + ":-" + DistributedFileSystem.class.getName() + "}";

  static final String CACHE_FILES = "mapreduce.job.cache.files";
  private static final String FRAMEWORK = "mapreduce.framework.name";
  private static final String CLASS_LOADER = "mapreduce.job.classloader";
  private static final String BY_CLASS_LOADER = "hycache-tasks-";
  private static final String DIRECTORY = ".hycache";
  private static final int NAME_CHARS = 16;
  private static final FsPermission PRIVATE = new FsPermission("700");

  private TaskClient() {}

  /** True if MapReduce jobs run on YARN, so that their tasks are other processes elsewhere. */
  static boolean isNeeded(Configuration jobs) {
    return "yarn".equals(jobs.get(FRAMEWORK));
  }

  /**
   * The properties of a job whose tasks use it; stores the JAR in the user's home directory if it
   * is not there.
   *
   * @param jobs a client's configuration, {@code mapred-site.xml} included
   * @throws IOException if they can't; the message says why
   */
  static Map<String, String> properties(Configuration jobs, Path jar) throws IOException {
    for (String taken : new String[] {CACHE_FILES, "mapreduce.map.env." + VARIABLE}) {
      if (jobs.get(taken) != null) {
        throw new IOException(taken + " is set in the configuration");
      }
    }
    if (jobs.getBoolean(CLASS_LOADER, false)) {
      throw new IOException(CLASS_LOADER + " is true in the configuration");
    }
    Map<String, String> out = new TreeMap<>();
    out.put(CACHE_FILES, store(FileSystem.get(jobs), jar).toUri().toString());
    for (String tasks : new String[] {"map", "reduce"}) {
      out.put(
          "mapreduce." + tasks + ".env." + VARIABLE,
          "${" + BY_CLASS_LOADER + "${" + CLASS_LOADER + "}}");
    }
    out.put(BY_CLASS_LOADER + false, HyCacheFileSystem.class.getName());
    out.put(BY_CLASS_LOADER + true, DistributedFileSystem.class.getName());
    return out;
  }

  private static org.apache.hadoop.fs.Path store(FileSystem fs, Path jar) throws IOException {
    String hash =
        com.google.common.io.Files.asByteSource(jar.toFile())
            .hash(Hashing.sha256())
            .toString()
            .substring(0, NAME_CHARS);
    org.apache.hadoop.fs.Path home = fs.makeQualified(fs.getHomeDirectory());
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(home, DIRECTORY);
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(directory, "hycache-client-" + hash + ".jar");
    if (!fs.exists(directory)) {
      if (!fs.exists(home)) {
        throw new IOException(home + ": expected your home directory, found nothing");
      }
      boolean unused = fs.mkdirs(directory, PRIVATE);
    }
    requirePrivate(fs, directory);
    if (isStored(fs, file, jar)) {
      return file;
    }
    org.apache.hadoop.fs.Path part =
        new org.apache.hadoop.fs.Path(directory, "part-" + UUID.randomUUID());
    try {
      fs.copyFromLocalFile(new org.apache.hadoop.fs.Path(jar.toUri()), part);
      if (!fs.rename(part, file) && !isStored(fs, file, jar)) {
        throw new IOException(file + ": the JAR could not be stored");
      }
    } finally {
      fs.delete(part, false);
    }
    return file;
  }

  /** Throws if another user could have put a JAR into the directory, or may do so. */
  private static void requirePrivate(FileSystem fs, org.apache.hadoop.fs.Path directory)
      throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    FileStatus status = fs.getFileStatus(directory);
    boolean othersWrite =
        status.getPermission().getGroupAction().implies(FsAction.WRITE)
            || status.getPermission().getOtherAction().implies(FsAction.WRITE);
    if (!status.isDirectory() || !status.getOwner().equals(user) || othersWrite) {
      throw new IOException(
          String.format(
              "%s: expected a directory of %s that no one else may write to, found owner=%s"
                  + " permission=%s. Fix: remove it",
              directory, user, status.getOwner(), status.getPermission()));
    }
  }

  private static boolean isStored(FileSystem fs, org.apache.hadoop.fs.Path file, Path jar)
      throws IOException {
    try {
      FileStatus status = fs.getFileStatus(file);
      return status.getLen() == Files.size(jar);
    } catch (java.io.FileNotFoundException e) {
      return false;
    }
  }
}
