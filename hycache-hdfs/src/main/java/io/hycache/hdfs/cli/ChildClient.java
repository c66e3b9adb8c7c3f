// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.google.common.base.Joiner;
import io.hycache.hdfs.HyCacheFileSystem;
import io.hycache.hdfs.client.SsdHolders;
import io.hycache.hdfs.client.SsdHolders.Locality;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/**
 * The HDFS client of {@code run}'s command: {@link HyCacheFileSystem} where its classes are sure to
 * be found, HDFS's own client elsewhere. It is set by the environment of the command, in which a
 * {@link ChildConfiguration} takes the place of the configuration directory, and goes on to
 * MapReduce's tasks on YARN as {@link TaskClient} describes. Programs that find their configuration
 * otherwise, users of {@code FileContext} and of {@code fs.AbstractFileSystem.hdfs.impl}, and tasks
 * of other frameworks keep HDFS's own client.
 */
final class ChildClient implements Closeable {
  /** The property that names the client. */
  static final String PROPERTY = "fs.hdfs.impl";

  /** What is needed for a directory with the command's configuration. */
  private static final class Plan {
    final Path base;
    final Path parent;
    final Path jar;
    final Map<String, String> properties;

    Plan(Path base, Path parent, Path jar, Map<String, String> properties) {
      this.base = base;
      this.parent = parent;
      this.jar = jar;
      this.properties = properties;
    }
  }

  /** Null if the command keeps the client that it has. */
  private final @Nullable Plan plan;

  private final String text;
  private @Nullable ChildConfiguration made;

  private ChildClient(@Nullable Plan plan, String text) {
    this.plan = plan;
    this.text = text;
  }

  /**
   * Chooses a command's client, and stores the JAR in HDFS if tasks will need it. Nothing to {@link
   * #close} is made yet.
   *
   * @param conf of this process, which asked the cluster
   * @param environment that the command will have
   */
  static ChildClient choose(Configuration conf, Map<String, String> environment) {
    return choose(
        conf, environment, Path.of(System.getProperty("java.io.tmpdir", "/tmp")), findJar());
  }

  /**
   * As {@link #choose(Configuration, Map)}.
   *
   * @param parent directory for the command's configuration
   * @param jar with HyCache's classes; null if there is none
   */
  static ChildClient choose(
      Configuration conf, Map<String, String> environment, Path parent, @Nullable Path jar) {
    try {
      String set = conf.getTrimmed(PROPERTY, DistributedFileSystem.class.getName());
      if (set.equals(HyCacheFileSystem.class.getName())) {
        return new ChildClient(null, "the configuration has HyCacheFileSystem as " + PROPERTY);
      }
      if (!set.equals(DistributedFileSystem.class.getName())) {
        return plain(PROPERTY + " is " + set + " in the configuration");
      }
      if (SsdHolders.locality(conf) == Locality.OFF) {
        return plain(HyCacheKeys.CLIENT_LOCALITY + " is off");
      }
      Path base = ChildConfiguration.find(environment);
      if (base == null) {
        return plain(
            "no "
                + ChildConfiguration.CORE_SITE
                + " in "
                + ChildConfiguration.CONF_DIR
                + ", HADOOP_CLASSPATH or CLASSPATH");
      }
      if (jar == null) {
        return plain("hycache does not run from its JAR");
      }
      Map<String, String> properties = new TreeMap<>();
      properties.put(PROPERTY, TaskClient.FILE_SYSTEM);
      String of = "the command" + addTasks(jobs(conf, base), jar, properties);
      return new ChildClient(
          new Plan(base, parent, jar, properties),
          "HyCacheFileSystem is the HDFS client of " + of + "; --plain-client prevents that");
    } catch (RuntimeException e) {
      return plain(ErrorText.of(e));
    }
  }

  /** True if MapReduce jobs of this process's environment run on YARN. */
  static boolean isOnYarn(Configuration conf) {
    Path base = ChildConfiguration.find(System.getenv());
    return TaskClient.isNeeded(base == null ? conf : jobs(conf, base));
  }

  /** Returns what is to be said of the tasks. */
  private static String addTasks(Configuration jobs, Path jar, Map<String, String> properties) {
    if (!TaskClient.isNeeded(jobs)) {
      return "";
    }
    try {
      properties.putAll(TaskClient.properties(jobs, jar));
      return " and its MapReduce tasks";
    } catch (IOException | RuntimeException e) {
      return ", not of its tasks (" + ErrorText.of(e) + ")";
    }
  }

  private static ChildClient plain(String why) {
    return new ChildClient(null, "the command has the plain HDFS client: " + why);
  }

  /** The configuration of a MapReduce client that the command starts. */
  private static Configuration jobs(Configuration conf, Path base) {
    Configuration out = new Configuration(conf);
    File site = base.resolve("mapred-site.xml").toFile();
    if (site.isFile()) {
      out.addResource(new org.apache.hadoop.fs.Path(site.toURI()));
    }
    return out;
  }

  /** The JAR that this class comes from; null if it comes from directories alone. */
  private static @Nullable Path findJar() {
    String name = HyCacheFileSystem.class.getName().replace('.', '/') + ".class";
    try {
      // hadoop jar puts a directory with the JAR's content ahead of the JAR.
      for (URL url :
          Collections.list(HyCacheFileSystem.class.getClassLoader().getResources(name))) {
        URLConnection connection = url.openConnection();
        if (connection instanceof JarURLConnection) {
          return Path.of(((JarURLConnection) connection).getJarFileURL().toURI());
        }
      }
    } catch (IOException | URISyntaxException | RuntimeException e) {
      return null;
    }
    return null;
  }

  /**
   * Changes the environment of the command. Returns one line for the user: what the command's
   * client is, and why. To be followed by {@link #close} when the command has ended.
   */
  String addTo(Map<String, String> environment) {
    if (plan == null) {
      return text;
    }
    try {
      ChildConfiguration configuration =
          ChildConfiguration.make(plan.base, plan.parent, plan.jar, plan.properties);
      made = configuration;
      environment.put(TaskClient.VARIABLE, HyCacheFileSystem.class.getName());
      configuration.addTo(environment);
      return text + withoutLinks(configuration.withoutLinks());
    } catch (IOException | RuntimeException e) {
      return plain(ErrorText.of(e)).text;
    }
  }

  private static String withoutLinks(List<Path> directories) {
    return directories.isEmpty()
        ? ""
        : "; paths with .. in "
            + ChildConfiguration.CONF_DIR
            + " do not lead to what is in "
            + Joiner.on(", ").join(directories)
            + " (this user may not list it, or it has more than "
            + Text.count(ChildConfiguration.MAX_LINKS)
            + " names)";
  }

  /** Removes what was made. Idempotent. */
  @Override
  public void close() {
    if (made != null) {
      made.close();
    }
  }
}
