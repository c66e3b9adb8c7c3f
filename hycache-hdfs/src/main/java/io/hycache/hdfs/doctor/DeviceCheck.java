// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.conf.HyCacheConf;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.device.FileSystemNumber;
import io.hycache.hdfs.doctor.DirectoryProbe.Inodes;
import io.hycache.hdfs.doctor.DirectoryProbe.Reads;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks one directory: the mistakes, or one line with all that is well. Whether a device is an SSD
 * follows from the kernel's flag and, where there is something to read, from the time that reads
 * take: behind RAID controllers and in virtual machines the flag is often wrong.
 */
final class DeviceCheck {
  /** What a directory is for. */
  enum Role {
    /** A volume of a fast tier. */
    FAST("SSD"),
    /** One of {@code hycache.cache.dirs}. */
    CACHE("cache directory"),
    /** A volume of the slow tier. */
    SLOW("DISK"),
    /** A volume that HyCache leaves to HDFS. */
    OTHER("left to HDFS");

    private final String label;

    Role(String label) {
      this.label = label;
    }

    boolean isFast() {
      return this == FAST || this == CACHE;
    }
  }

  /** No HDD reads in less: half a turn at 15,000 a minute, without any seek. */
  private static final long MIN_HDD_NANOS = 2_000_000;

  private static final double GIB = 1L << 30;
  private static final double MIN_FREE_SHARE = 0.01;
  private static final double MIN_FREE_INODES_SHARE = 0.05;

  private final HyCacheConf conf;
  private final DirectoryProbe probe;
  private final Map<File, Role> roles;
  private final Map<File, Long> fileSystems;
  private final boolean thorough;

  /**
   * @param roles of all directories of the DataNode; not copied
   * @param fileSystems number of the file system of each directory that is there; 0 if unknown. Not
   *     copied
   */
  DeviceCheck(
      HyCacheConf conf,
      DirectoryProbe probe,
      Map<File, Role> roles,
      Map<File, Long> fileSystems,
      boolean thorough) {
    this.conf = conf;
    this.probe = probe;
    this.roles = roles;
    this.fileSystems = fileSystems;
    this.thorough = thorough;
  }

  /** Collects what is wrong and what is well with a directory. */
  private static final class Result {
    final String dir;
    final List<Finding> wrong = new ArrayList<>();
    final List<String> well = new ArrayList<>();

    Result(File dir, Role role) {
      this.dir = dir + ": ";
      well.add(role.label);
    }

    void error(String message) {
      wrong.add(Finding.error(Check.DEVICES, dir + message));
    }

    void warning(String message) {
      wrong.add(Finding.warning(Check.DEVICES, dir + message));
    }
  }

  List<Finding> of(File dir, Role role) throws IOException {
    Path path = dir.toPath();
    Result result = new Result(dir, role);
    if (!probe.isDirectory(path)) {
      result.error(
          role == Role.CACHE
              ? "expected a directory on a mounted SSD, found none: it is not used. Fix: mount the"
                  + " SSD, or make the directory on it"
              : "expected a directory, found none: HDFS makes it at the next start, wherever that"
                  + " is, or counts a failed volume. Fix: mount its device");
      return result.wrong;
    }
    if (!probe.isAccessible(path)) {
      return List.of(inaccessible(result, path));
    }
    if (role == Role.CACHE) {
      mode(result, path);
    }
    mount(result, dir, role);
    device(result, path, role, fileSystem(dir));
    if (role == Role.FAST && !probe.keepsUserAttributes(path)) {
      result.error(
          "expected extended attributes user.*, found none: after a restart, replicas that HyCache"
              + " placed here count as their owner's and stay. Fix: mount it with user_xattr, or"
              + " use ext4 or xfs");
    }
    room(result, path);
    if (thorough) {
      inodes(result, path);
    }
    return result.wrong.isEmpty()
        ? List.of(Finding.ok(Check.DEVICES, result.dir + String.join(", ", result.well)))
        : result.wrong;
  }

  private Finding inaccessible(Result result, Path path) throws IOException {
    String owner = probe.owner(path);
    return owner.equals(probe.user())
        ? Finding.error(
            Check.DEVICES,
            result.dir
                + "expected to be read, written and entered by its owner "
                + owner
                + ", found otherwise. Fix: chmod 700 "
                + path
                + "; if it is mounted read-only, look into the kernel's log (dmesg)")
        : Finding.notChecked(
            Check.DEVICES,
            result.dir
                + "only its owner may enter it. Fix: run doctor as "
                + owner
                + ", as the DataNode does");
  }

  private void mode(Result result, Path path) throws IOException {
    try {
      probe.requireMode(path, allowed());
    } catch (DataDirMode.TooWideException e) {
      result.error("it is not used: " + e.getReason());
    }
  }

  private DataDirMode allowed() {
    try {
      return conf.dataDirMode();
    } catch (IllegalArgumentException e) {
      return DataDirMode.OWNER_ONLY; // an error of Check.KEYS
    }
  }

  private long fileSystem(File dir) {
    return fileSystems.getOrDefault(dir, 0L);
  }

  private void mount(Result result, File dir, Role role) throws IOException {
    long number = fileSystem(dir);
    Map<File, Long> disks = new LinkedHashMap<>();
    if (role.isFast()) {
      roles.forEach(
          (other, its) -> {
            if (its == Role.SLOW) {
              disks.put(other, fileSystem(other));
            }
          });
    }
    String shared = FileSystemNumber.sharedWith(number, probe.rootFileSystem(), disks);
    if (shared != null && role == Role.CACHE && allowsRoot()) {
      result.well.add("on " + shared);
    } else if (shared != null && role == Role.CACHE) {
      result.error(
          "expected a directory on a mounted SSD, found one on "
              + shared
              + ": it is not used. Fix: mount the SSD, or set "
              + HyCacheKeys.CACHE_DIRS_ALLOW_ROOT
              + "=true");
    } else if (shared != null) {
      String message =
          "expected a file system of its own, found it on " + shared + ", which it fills. Fix: ";
      if (role == Role.FAST) {
        result.error(message + "mount its SSD, or move it to one");
      } else {
        result.warning(message + "mount its disk, or move it to one");
      }
    } else {
      File twin = twin(dir, number);
      if (twin == null) {
        result.well.add(number == 0 ? "mount unknown" : "a mount of its own");
      } else {
        result.warning(
            "expected a file system of its own, found it on that of "
                + twin
                + ": its space is counted twice. Fix: keep one of the two");
      }
    }
  }

  private boolean allowsRoot() {
    try {
      return conf.cacheDirsAllowRoot();
    } catch (IllegalArgumentException e) {
      return false; // an error of Check.KEYS
    }
  }

  /** Another directory of a like device; one of the cache may lie beside a volume. */
  private @Nullable File twin(File dir, long number) {
    Role role = roles.get(dir);
    for (Map.Entry<File, Long> other : fileSystems.entrySet()) {
      if (number != 0
          && other.getValue() == number
          && !other.getKey().equals(dir)
          && roles.get(other.getKey()) == role) {
        return other.getKey();
      }
    }
    return null;
  }

  private void device(Result result, Path path, Role role, long number) throws IOException {
    Boolean rotational = probe.isRotational(number);
    Reads reads = thorough ? probe.randomReads(path) : Reads.none("");
    boolean measured = reads.count > 0;
    boolean slow = measured && reads.medianNanos >= MIN_HDD_NANOS;
    String found =
        flag(rotational)
            + (measured ? ", random 4 KiB reads take " + millis(reads.medianNanos) : "")
            + (reads.notRead.isEmpty() ? "" : ", not read from: " + reads.notRead);
    if (!role.isFast()) {
      result.well.add(found);
    } else if (slow) {
      String message = "expected an SSD, found " + found + ". Fix: ";
      if (Boolean.FALSE.equals(rotational)) {
        result.warning(
            message + "if it is not busy just now, tag the directory [DISK], or replace the SSD");
      } else {
        result.error(message + hdd(role));
      }
    } else if (Boolean.TRUE.equals(rotational) && !measured) {
      result.warning(
          "expected an SSD, found "
              + found
              + ". Fix: if it is one behind a RAID controller or in a virtual machine, nothing; if"
              + " not, "
              + hdd(role));
    } else if (rotational == null && !measured) {
      result.wrong.add(
          Finding.notChecked(
              Check.DEVICES,
              result.dir
                  + "whether it is on an SSD is not known: "
                  + found
                  + ". Fix: findmnt -T "
                  + path
                  + " shows the device; run doctor again as the DataNode's user when blocks are"
                  + " there"));
    } else {
      result.well.add(found);
    }
  }

  private static String hdd(Role role) {
    return role == Role.CACHE
        ? "take it out of " + HyCacheKeys.CACHE_DIRS
        : "tag the directory [DISK] in dfs.datanode.data.dir";
  }

  private static String flag(@Nullable Boolean rotational) {
    return rotational == null
        ? "no flag of the kernel"
        : rotational ? "a spinning disk to the kernel" : "an SSD to the kernel";
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
  }

  private void room(Result result, Path path) throws IOException {
    long size = probe.sizeBytes(path);
    long free = probe.freeBytes(path);
    String found = String.format(Locale.ROOT, "%.1f of %.1f GiB free", free / GIB, size / GIB);
    if (free < MIN_FREE_SHARE * size) {
      result.warning(
          "expected 1 % of free space or more, found "
              + found
              + ". Fix: remove what is not HDFS's, or raise dfs.datanode.du.reserved");
    } else {
      result.well.add(found);
    }
  }

  private void inodes(Result result, Path path) {
    Inodes inodes;
    try {
      inodes = probe.inodes(path);
    } catch (IOException e) {
      result.well.add("inodes unknown");
      return;
    }
    if (inodes.all > 0 && inodes.free < MIN_FREE_INODES_SHARE * inodes.all) {
      result.warning(
          "expected 5 % of free inodes or more, found "
              + inodes.free
              + " of "
              + inodes.all
              + ": no file can be made without one. Fix: remove small files, or format it with"
              + " more inodes");
    } else if (inodes.all > 0) {
      result.well.add(Math.round(100.0 * inodes.free / inodes.all) + " % of inodes free");
    }
  }
}
