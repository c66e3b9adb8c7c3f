// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;

/**
 * The checks of a DataNode's machine that are cheap: they read the configuration, the class path,
 * and what the kernel says of each directory and its device. They ask no other machine, start no
 * process and read no block.
 */
public final class DoctorChecks {
  private DoctorChecks() {}

  /**
   * Runs them, in the order of {@link Check}. Java, Hadoop and class path are those of the calling
   * process: of the DataNode if it calls.
   *
   * <p>Each directory is looked at on a thread of its own; one that does not answer within {@link
   * DeviceChecks#MAX_SECONDS} seconds is an error, and its thread, a daemon, is left behind. So
   * call this from a thread that may wait, and not often. Thread-safe.
   *
   * @param conf of the DataNode; not changed
   * @return one finding or more for each check; never empty
   */
  public static List<Finding> local(Configuration conf) {
    return local(conf, new LocalDirectories(), false);
  }

  /**
   * @param thorough whether devices are read from, and their inodes counted
   */
  static List<Finding> local(Configuration conf, DirectoryProbe probe, boolean thorough) {
    String hadoop = VersionInfo.getVersion();
    List<Finding> all = new ArrayList<>();
    all.add(VersionChecks.java(Runtime.version().feature(), hadoop));
    all.add(VersionChecks.hadoop(hadoop));
    all.add(ClassPathChecks.here());
    all.addAll(ConfigurationChecks.of(conf));
    all.addAll(DeviceChecks.of(conf, probe, thorough));
    all.addAll(KerberosChecks.of(conf, KerberosChecks.OF_THIS_PROCESS));
    all.addAll(KerberosChecks.keytab(conf));
    return all;
  }
}
