// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import java.util.List;

/** Findings for tests of what is printed. */
public final class SampleFindings {
  private SampleFindings() {}

  /** One of each result, and one that three DataNodes have in common. */
  public static List<Finding> all() {
    Finding java = Finding.ok(Check.JAVA, "Java 17");
    return List.of(
        java.on("dn3:9866"),
        java.on("dn1:9866"),
        java.on("dn2:9866"),
        Finding.notChecked(Check.KERBEROS, "security is off"),
        Finding.warning(
            Check.KEYS,
            "hycache.polcy: expected a property of HyCache, found an unknown name. Fix: correct it"),
        Finding.error(
                Check.DEVICES,
                "/a/directory/with/a/name/that/is/longer/than/a/line/of/the/table/has/room/for:"
                    + " expected a directory, found none. Fix: mount its device")
            .on("dn2:9866"));
  }
}
