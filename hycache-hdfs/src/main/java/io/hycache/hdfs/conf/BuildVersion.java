// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

/** The version of the JAR that the classes come from. */
public final class BuildVersion {
  private BuildVersion() {}

  /** As in the JAR's manifest; {@code unknown} if the classes are not in a JAR. */
  public static String text() {
    String version = BuildVersion.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }
}
