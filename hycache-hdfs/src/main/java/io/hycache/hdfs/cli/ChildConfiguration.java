// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.escape.Escaper;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import com.google.common.xml.XmlEscapers;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/*
 * Hadoop's launchers put HADOOP_CONF_DIR at the head of the class path, Spark does so for its driver, and "java -cp" is
 * called with $(hadoop classpath), $HADOOP_CLASSPATH or $CLASSPATH. Of two core-site.xml on a class path the first is
 * read and the other is not; so ours is the whole file with some properties more. It stands wherever the original stands,
 * right ahead of it: the order of all else, of the user's own JARs above all, stays (HADOOP_USER_CLASSPATH_FIRST would
 * change it). HADOOP_CONF_DIR names one directory, from which the launchers also read hadoop-env.sh and log4j.properties:
 * therefore the links.
 *
 * The classes lie in the directory itself, because fs.hdfs.impl that names a missing class ends every program at its
 * first FileSystem.get: who finds the property finds the class.
 *
 * Files in it name others relative to it: hadoop-env.sh sources "$HADOOP_CONF_DIR/../common-env.sh", a site file includes
 * "../site.xml". All users can write to java.io.tmpdir, so no such name may lead there. Therefore the directory has the
 * original's whole path, below one that is the user's alone, with links to all else in each directory of that path.
 */
/**
 * A directory that stands in for a Hadoop configuration directory, in the environment of a child
 * process: its {@code core-site.xml} with further properties at its end, links to all else in it
 * and in the directories above it, and HyCache's classes. Nobody but the user may enter it. Not
 * thread-safe.
 */
final class ChildConfiguration implements Closeable {
  static final String CONF_DIR = "HADOOP_CONF_DIR";
  static final String CORE_SITE = "core-site.xml";

  /** Variables that name one directory. */
  private static final List<String> DIRECTORIES = List.of(CONF_DIR, "YARN_CONF_DIR");

  /** Variables that hold a class path. */
  private static final List<String> CLASS_PATHS = List.of("HADOOP_CLASSPATH", "CLASSPATH");

  /** What of the JAR is unpacked: all packages of HyCache, and its clients among Hadoop's. */
  private static final Pattern CLASSES =
      Pattern.compile("io/hycache/.*\\.class|org/apache/hadoop/hdfs/HyCache[^/]*\\.class");

  private static final String END = "</configuration>";
  private static final Pattern EMPTY = Pattern.compile("<configuration\\s*/>\\s*$");

  private static final Path ROOT = Path.of("/");

  /** Most links for a directory above the original, so that a command starts soon. */
  static final int MAX_LINKS = 10_000;

  private final Path base;

  /** The user's alone, and what is removed at the end. */
  private final Path top;

  private final Path directory;

  /** Directories above the original that have no links to what else is in them. */
  private final List<Path> withoutLinks = new ArrayList<>();

  private ChildConfiguration(Path base, Path top) {
    this.base = base;
    this.top = top;
    directory = top.resolve(ROOT.relativize(base));
  }

  /**
   * The configuration directory that a child with this environment reads: {@code HADOOP_CONF_DIR},
   * or else the first one on its class path. Null if there is none.
   */
  static @Nullable Path find(Map<String, String> environment) {
    String named = environment.get(CONF_DIR);
    if (named != null && !named.isEmpty()) {
      return isConfiguration(named) ? Path.of(named) : null;
    }
    for (String variable : CLASS_PATHS) {
      for (String entry : entries(environment.getOrDefault(variable, ""))) {
        if (isConfiguration(entry)) {
          return Path.of(entry);
        }
      }
    }
    return null;
  }

  private static boolean isConfiguration(String directory) {
    return !directory.isEmpty() && new File(directory, CORE_SITE).isFile();
  }

  private static List<String> entries(String classPath) {
    return List.of(classPath.split(Pattern.quote(File.pathSeparator), -1));
  }

  /**
   * Makes one.
   *
   * @param base from {@link #find}
   * @param parent where it is made
   * @param jar with HyCache's classes
   * @param properties to add to {@code core-site.xml}
   */
  static ChildConfiguration make(Path base, Path parent, Path jar, Map<String, String> properties)
      throws IOException {
    Path top =
        Files.createTempDirectory(
                parent.toAbsolutePath(),
                "hycache-conf-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
            .toRealPath();
    ChildConfiguration made = new ChildConfiguration(base.toRealPath(), top);
    try {
      made.checkName();
      Path unused = Files.createDirectories(made.directory);
      made.unpack(jar);
      made.linkAll();
      made.writeCoreSite(properties);
      return made;
    } catch (IOException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /** Hadoop's launchers split class paths at both. */
  private void checkName() throws IOException {
    if (directory.toString().matches("(?s).*[\\s" + File.pathSeparator + "].*")) {
      throw new IOException(
          "java.io.tmpdir and "
              + CONF_DIR
              + ": expected paths without white space and "
              + File.pathSeparator
              + ", found "
              + top.getParent()
              + " and "
              + base);
    }
  }

  private void unpack(Path jar) throws IOException {
    try (JarFile from = new JarFile(jar.toFile())) {
      for (JarEntry entry : Collections.list(from.entries())) {
        if (CLASSES.matcher(entry.getName()).matches()) {
          Path to = directory.resolve(entry.getName()).normalize();
          if (!to.startsWith(directory)) {
            throw new IOException("leads out of its directory: entry=" + entry.getName());
          }
          Files.createDirectories(to.getParent());
          try (InputStream in = from.getInputStream(entry)) {
            long unused = Files.copy(in, to);
          }
        }
      }
    }
  }

  /** A name that is there already, which would be that of a package, is refused. */
  private void linkAll() throws IOException {
    link(list(base, Path.of(CORE_SITE), Integer.MAX_VALUE), directory);
    Path from = ROOT;
    Path to = top;
    for (int i = 0; i < base.getNameCount(); i++) {
      Path name = base.getName(i);
      try {
        List<Path> others = list(from, name, MAX_LINKS + 1);
        if (others.size() <= MAX_LINKS) {
          link(others, to);
        } else {
          withoutLinks.add(from);
        }
      } catch (AccessDeniedException e) {
        withoutLinks.add(from); // the user may pass it and not list it
      }
      from = from.resolve(name);
      to = to.resolve(name);
    }
  }

  private static List<Path> list(Path from, Path except, int most) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(from, one -> !one.endsWith(except))) {
      return ImmutableList.copyOf(Iterables.limit(all, most));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static void link(List<Path> names, Path to) throws IOException {
    for (Path one : names) {
      Path unused = Files.createSymbolicLink(to.resolve(one.getFileName()), one);
    }
  }

  private void writeCoreSite(Map<String, String> properties) throws IOException {
    // Each byte is a character, so that all encodings that contain ASCII stay what they are.
    String text = Files.readString(base.resolve(CORE_SITE), StandardCharsets.ISO_8859_1);
    text = EMPTY.matcher(text).replaceFirst("<configuration>" + END);
    int end = text.lastIndexOf(END);
    if (end < 0) {
      throw new IOException(
          base.resolve(CORE_SITE) + ": expected " + END + " at its end, found none");
    }
    Escaper xml = XmlEscapers.xmlContentEscaper();
    StringBuilder out = new StringBuilder(text.substring(0, end));
    out.append("<!-- Added by hycache run. -->\n");
    properties.forEach(
        (name, value) ->
            out.append("<property><name>")
                .append(xml.escape(name))
                .append("</name><value>")
                .append(xml.escape(value))
                .append("</value></property>\n"));
    out.append(text.substring(end));
    Path unused =
        Files.writeString(
            directory.resolve(CORE_SITE), out.toString(), StandardCharsets.ISO_8859_1);
  }

  /**
   * Directories above the original that may not be listed or have too many names: paths with {@code
   * ..} do not lead to what is in them.
   */
  List<Path> withoutLinks() {
    return List.copyOf(withoutLinks);
  }

  Path directory() {
    return directory;
  }

  /** Puts it ahead of the original, in each variable that names that. */
  void addTo(Map<String, String> environment) {
    for (String variable : DIRECTORIES) {
      String value = environment.get(variable);
      if (value != null && isBase(value)) {
        environment.put(variable, directory.toString());
      }
    }
    for (String variable : CLASS_PATHS) {
      String value = environment.get(variable);
      if (value != null) {
        List<String> entries = new ArrayList<>();
        for (String entry : entries(value)) {
          if (isBase(entry)) {
            entries.add(directory.toString());
          }
          entries.add(entry);
        }
        environment.put(variable, String.join(File.pathSeparator, entries));
      }
    }
  }

  private boolean isBase(String entry) {
    try {
      return !entry.isEmpty() && Path.of(entry).toRealPath().equals(base);
    } catch (IOException | RuntimeException e) {
      return false; // nothing is there, as often on class paths
    }
  }

  /** Removes it. Idempotent. */
  @Override
  public void close() {
    try {
      // Never follows a link, not even one that cannot be removed.
      MoreFiles.deleteRecursively(top, RecursiveDeleteOption.ALLOW_INSECURE);
    } catch (IOException e) {
      // Removed already, or the command has changed its rights.
    }
  }
}
