// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import com.google.common.base.Splitter;
import java.io.File;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** HyCache's JAR on class paths. Stateless. */
final class ClassPathChecks {
  /** The plug-in's JAR, renamed or not; those of sources, documentation and tests are others. */
  private static final Pattern JAR =
      Pattern.compile("hycache(?!-core|-bench).*(?<!-sources|-javadoc|-tests)\\.jar");

  /** Names the JAR that the launcher adds to the class path of a command, and of nothing else. */
  private static final String LAUNCHER_JAR = "HYCACHE_LAUNCHER_JAR";

  private static final Pattern VERSION = Pattern.compile("hycache-hdfs-(.+)\\.jar");

  private ClassPathChecks() {}

  /** The class path of this process. */
  static Finding here() {
    CodeSource source = Finding.class.getProtectionDomain().getCodeSource();
    return ofProcess(
        without(System.getProperty("java.class.path", ""), System.getenv(LAUNCHER_JAR)),
        source == null ? "" : source.getLocation().getPath());
  }

  /** A class path without the JAR that the launcher added; the DataNode may have the same one. */
  static String without(String classPath, @Nullable String launcherJar) {
    List<String> entries =
        new ArrayList<>(Splitter.on(File.pathSeparatorChar).splitToList(classPath));
    entries.remove(launcherJar);
    return String.join(File.pathSeparator, entries);
  }

  /**
   * The class path that a process was started with. What {@code hadoop jar} adds does not count: a
   * DataNode does not have it.
   *
   * @param loadedFrom the JAR, of whatever name, or directory of these classes
   */
  static Finding ofProcess(String classPath, String loadedFrom) {
    List<String> jars = jars(classPath);
    if (!jars.contains(loadedFrom)
        && Splitter.on(File.pathSeparatorChar).splitToList(classPath).contains(loadedFrom)) {
      jars.add(loadedFrom);
    }
    return jars.isEmpty()
        ? Finding.warning(
            Check.CLASS_PATH,
            "expected a HyCache JAR on Hadoop's class path here, found none; this command comes"
                + " from "
                + loadedFrom
                + ". Fix: put the JAR into share/hadoop/hdfs/lib, unless the DataNode's class path"
                + " has it in another way, such as by HADOOP_CLASSPATH")
        : of(jars);
  }

  /** The JARs of HyCache on a class path, in order, each path once. */
  static List<String> jars(String classPath) {
    List<String> jars = new ArrayList<>();
    for (String entry : Splitter.on(File.pathSeparatorChar).split(classPath)) {
      if (JAR.matcher(name(entry)).matches() && !jars.contains(entry)) {
        jars.add(entry);
      }
    }
    return jars;
  }

  /** The class path of a DataNode with one JAR of HyCache or more. */
  static Finding of(List<String> jars) {
    return jars.size() == 1
        ? Finding.ok(Check.CLASS_PATH, jars.get(0))
        : Finding.error(
            Check.CLASS_PATH,
            "expected one HyCache JAR, found "
                + jars.size()
                + ": "
                + String.join(", ", jars)
                + "; classes of both are mixed. Fix: remove all but one and restart the DataNode");
  }

  /** The DataNode has no JAR of HyCache. */
  static Finding missing() {
    return Finding.error(
        Check.CLASS_PATH,
        "expected a HyCache JAR, found none: this DataNode is plain HDFS. Fix: put"
            + " hycache-hdfs-VERSION.jar into share/hadoop/hdfs/lib and restart the DataNode");
  }

  /** The version in a JAR's name; the name if it has none. */
  static String version(String jar) {
    String name = name(jar);
    Matcher matcher = VERSION.matcher(name);
    return matcher.matches() ? matcher.group(1) : name;
  }

  private static String name(String entry) {
    return new File(entry).getName();
  }
}
