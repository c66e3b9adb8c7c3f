// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions of Java and Hadoop. Stateless. */
final class VersionChecks {
  private static final int MIN_JAVA = 11;
  private static final int MIN_JAVA_OF_HADOOP_3_5 = 17;

  /** As the guide lists them under Compatibility. */
  private static final List<String> TESTED = List.of("3.3.6", "3.4.2", "3.4.3", "3.5.0");

  private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

  private VersionChecks() {}

  /**
   * @param feature of the Java version, such as 17
   * @param hadoop version of Hadoop that it runs
   */
  static Finding java(int feature, String hadoop) {
    int least = isAtLeast(hadoop, 3, 5, 0) ? MIN_JAVA_OF_HADOOP_3_5 : MIN_JAVA;
    return feature >= least
        ? Finding.ok(Check.JAVA, "Java " + feature)
        : Finding.error(
            Check.JAVA,
            "expected Java "
                + least
                + " or later for Hadoop "
                + hadoop
                + " with HyCache, found "
                + feature
                + ". Fix: set JAVA_HOME in hadoop-env.sh to a later one and restart the DataNode");
  }

  /**
   * The number that counts of {@code java.specification.version}, such as 8 of 1.8.
   *
   * @throws NumberFormatException if it is of another form
   */
  static int feature(String specification) {
    return Integer.parseInt(
        specification.startsWith("1.") ? specification.substring(2) : specification);
  }

  static Finding hadoop(String version) {
    String tested = String.join(", ", TESTED);
    if (TESTED.stream().anyMatch(each -> isOrBuildOf(version, each))) {
      return Finding.ok(Check.HADOOP, "Hadoop " + version);
    }
    return isAtLeast(version, 3, 3, 6)
        ? Finding.warning(
            Check.HADOOP,
            "expected one of the versions that HyCache was tested with ("
                + tested
                + "), found "
                + version
                + ". Fix: try it on one DataNode; its log says if a class or method is missing")
        : Finding.error(
            Check.HADOOP,
            "expected Hadoop 3.3.6 or later, found "
                + version
                + ". Fix: upgrade Hadoop to one of "
                + tested
                + ", or remove HyCache");
  }

  /** Vendors append to the version, as in 3.4.2.7.1-12. */
  private static boolean isOrBuildOf(String version, String tested) {
    return version.equals(tested)
        || version.startsWith(tested + ".")
        || version.startsWith(tested + "-");
  }

  private static boolean isAtLeast(String version, int... least) {
    Matcher numbers = NUMBERS.matcher(version);
    if (!numbers.matches()) {
      return false;
    }
    for (int i = 0; i < least.length; i++) {
      int number = Integer.parseInt(numbers.group(i + 1));
      if (number != least[i]) {
        return number > least[i];
      }
    }
    return true;
  }
}
