// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.HyCacheFileSystem;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The environment of run's command. */
class ChildClientTest {
  private static final String SITE =
      "<?xml version=\"1.0\"?>\n<configuration>\n"
          + "<property><name>fs.defaultFS</name><value>hdfs://nn:8020</value></property>\n"
          + "</configuration>\n";

  @TempDir Path dir;

  @SuppressWarnings("NullAway.Init")
  private Path base;

  @SuppressWarnings("NullAway.Init")
  private Path tmp;

  @SuppressWarnings("NullAway.Init")
  private Path jar;

  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void files() throws IOException {
    base = Files.createDirectories(dir.toRealPath().resolve("conf"));
    tmp = Files.createDirectories(dir.resolve("tmp"));
    Files.writeString(base.resolve("core-site.xml"), SITE);
    Files.writeString(base.resolve("hadoop-env.sh"), "export A=1\n");
    Files.createDirectories(base.resolve("shellprofile.d"));
    jar = dir.resolve("hycache.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (String name :
          List.of(
              "META-INF/services/x",
              "io/hycache/hdfs/HyCacheFileSystem.class",
              "org/apache/hadoop/hdfs/HyCacheDfsClient.class",
              "org/apache/hadoop/hdfs/server/datanode/HyCacheClients.class")) {
        out.putNextEntry(new JarEntry(name));
        out.write(name.getBytes(StandardCharsets.UTF_8));
      }
    }
    environment.put("HADOOP_CONF_DIR", base.toString());
  }

  private ChildClient choose(Configuration conf) {
    return ChildClient.choose(conf, environment, tmp, jar);
  }

  private List<Path> made() throws IOException {
    try (Stream<Path> all = Files.list(tmp)) {
      return all.collect(Collectors.toList());
    }
  }

  /** The directory that the command reads. */
  private Path own() throws IOException {
    return made().get(0).resolve(Path.of("/").relativize(base));
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(p -> p.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String classPath(Object... entries) {
    return Arrays.stream(entries)
        .map(String::valueOf)
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void configuration_isTheOriginalWithTheClientAndItsClasses() throws Exception {
    try (ChildClient client = choose(new Configuration(false))) {
      assertEquals(List.of(), made(), "nothing is made before the command starts");
      assertEquals(
          "HyCacheFileSystem is the HDFS client of the command; --plain-client prevents that",
          client.addTo(environment));
      Path own = Path.of(environment.get("HADOOP_CONF_DIR"));
      assertEquals(own(), own);
      assertEquals(
          "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made().get(0))));
      assertEquals(
          Set.of("core-site.xml", "hadoop-env.sh", "io", "org", "shellprofile.d"), names(own));
      assertEquals("export A=1\n", Files.readString(own.resolve("hadoop-env.sh")));
      assertEquals(
          "io/hycache/hdfs/HyCacheFileSystem.class",
          Files.readString(own.resolve("io/hycache/hdfs/HyCacheFileSystem.class")));
      assertEquals(Set.of("HyCacheDfsClient.class"), names(own.resolve("org/apache/hadoop/hdfs")));

      Configuration read = new Configuration(false);
      read.addResource(own.resolve("core-site.xml").toUri().toURL());
      assertEquals("hdfs://nn:8020", read.get("fs.defaultFS"));
      assertEquals(HyCacheFileSystem.class.getName(), environment.get("HYCACHE_FS_IMPL"));
      // Here the variable is not set, as in tasks that the JAR does not get to.
      assertEquals(DistributedFileSystem.class, FileSystem.getFileSystemClass("hdfs", read));
      ByteArrayOutputStream jobXml = new ByteArrayOutputStream();
      read.writeXml(jobXml);
      assertTrue(
          jobXml.toString(StandardCharsets.UTF_8).contains("<value>${env.HYCACHE_FS_IMPL:-org."),
          jobXml::toString);
      assertEquals(null, read.get("mapreduce.job.cache.files"));
    }
    assertEquals(List.of(), made());
    assertEquals(
        Set.of("core-site.xml", "hadoop-env.sh", "shellprofile.d"),
        names(base),
        "what the links lead to stays");
    assertEquals(SITE, Files.readString(base.resolve("core-site.xml")));
  }

  @Test
  void environment_ownDirectoryIsRightAheadOfTheOriginal() throws Exception {
    Path other = Files.createDirectories(dir.resolve("other"));
    environment.put("YARN_CONF_DIR", other.toString());
    environment.put("HADOOP_CLASSPATH", classPath("/user/own.jar", base, "/lib/*"));
    environment.put("CLASSPATH", classPath(other, dir.resolve("tmp/../conf"), ""));
    environment.put("PATH", base.toString());
    try (ChildClient client = choose(new Configuration(false))) {
      assertFalse(client.addTo(environment).isEmpty());
      Path own = own();
      assertEquals(other.toString(), environment.get("YARN_CONF_DIR"));
      assertEquals(
          classPath("/user/own.jar", own, base, "/lib/*"), environment.get("HADOOP_CLASSPATH"));
      assertEquals(
          classPath(other, own, dir.resolve("tmp/../conf"), ""), environment.get("CLASSPATH"));
      assertEquals(base.toString(), environment.get("PATH"));
    }
  }

  /** What others put into the directory for temporary files must not be read in their place. */
  @Test
  void pathsUpFromTheConfiguration_leadWhereTheyLed() throws Exception {
    String site =
        "<configuration><property><name>x</name><value>%s</value></property></configuration>";
    Files.writeString(
        base.resolve("hdfs-site.xml"),
        "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
            + "<xi:include href=\"../site.xml\"/></configuration>");
    Files.writeString(dir.resolve("site.xml"), String.format(Locale.ROOT, site, "of the site"));
    for (Path foreign : List.of(tmp.resolve("site.xml"), tmp.resolve("foreign.xml"))) {
      Files.writeString(foreign, String.format(Locale.ROOT, site, "of another user"));
    }
    Path own;
    try (ChildClient client = choose(new Configuration(false))) {
      assertFalse(client.addTo(environment).isEmpty());
      own = Path.of(environment.get("HADOOP_CONF_DIR"));
      Configuration read = new Configuration(false);
      read.addResource(new org.apache.hadoop.fs.Path(own.resolve("hdfs-site.xml").toUri()));
      assertEquals("of the site", read.get("x"));
      String twoUp = "../../" + dir.getFileName() + "/site.xml";
      assertTrue(Files.isSameFile(dir.resolve("site.xml"), own.resolve(twoUp)));
      for (int up = 1; up <= base.getNameCount(); up++) {
        Path above = own.resolve("../".repeat(up));
        assertFalse(Files.exists(above.resolve("foreign.xml")), above.toString());
      }
      assertTrue(Files.isSameFile(tmp, own.resolve("../tmp")));
    }
    assertFalse(Files.exists(own));
    assertEquals(Set.of("conf", "hycache.jar", "site.xml", "tmp"), names(dir));
    assertEquals(Set.of("foreign.xml", "site.xml"), names(tmp));
  }

  /** As the directory of all home directories. */
  @Test
  void directoryAboveTheConfiguration_withTooManyNames_isLeftOutAndNamed() throws Exception {
    Path many = Files.createDirectory(dir.toRealPath().resolve("many"));
    for (int i = 0; i <= ChildConfiguration.MAX_LINKS; i++) {
      Files.createFile(many.resolve(String.valueOf(i)));
    }
    base = Files.move(base, many.resolve("conf"));
    environment.put("HADOOP_CONF_DIR", base.toString());
    try (ChildClient client = choose(new Configuration(false))) {
      assertEquals(
          "HyCacheFileSystem is the HDFS client of the command; --plain-client prevents that;"
              + " paths with .. in HADOOP_CONF_DIR do not lead to what is in "
              + many
              + " (this user may not list it, or it has more than 10,000 names)",
          client.addTo(environment));
      assertEquals(Set.of("conf"), names(own().resolve("..")));
      assertTrue(Files.exists(own().resolve("../../hycache.jar")));
      assertTrue(Files.exists(own().resolve("hadoop-env.sh")));
    }
  }

  /** It fails as there is no such file only. */
  @Test
  void rootAsConfiguration_isLinkedOnce() {
    NoSuchFileException failed =
        assertThrows(
            NoSuchFileException.class,
            () -> ChildConfiguration.make(Path.of("/"), tmp, jar, Map.of()));
    assertEquals("/core-site.xml", failed.getMessage());
  }

  @Test
  void environment_withoutConfDir_classPathsOnly() throws Exception {
    environment.clear();
    environment.put("HADOOP_CLASSPATH", classPath("/lib/*", base));
    try (ChildClient client = choose(new Configuration(false))) {
      assertFalse(client.addTo(environment).isEmpty());
      assertEquals(classPath("/lib/*", own(), base), environment.get("HADOOP_CLASSPATH"));
      assertEquals(Set.of("HADOOP_CLASSPATH", "HYCACHE_FS_IMPL"), environment.keySet());
    }
  }

  @Test
  void coreSite_emptyElement_isFilled() throws Exception {
    Files.writeString(base.resolve("core-site.xml"), "<configuration/>\n");
    try (ChildClient client = choose(new Configuration(false))) {
      assertFalse(client.addTo(environment).isEmpty());
      Configuration read = new Configuration(false);
      read.addResource(own().resolve("core-site.xml").toUri().toURL());
      assertEquals(DistributedFileSystem.class.getName(), read.get("fs.hdfs.impl"));
    }
  }

  @Test
  void tasksOnYarn_clusterCannotStoreTheJar_keepThePlainClient() throws Exception {
    Files.writeString(
        base.resolve("mapred-site.xml"),
        "<configuration><property><name>mapreduce.framework.name</name><value>yarn</value>"
            + "</property><property><name>mapreduce.job.classloader</name><value>true</value>"
            + "</property></configuration>");
    try (ChildClient client = choose(new Configuration(false))) {
      assertEquals(
          "HyCacheFileSystem is the HDFS client of the command, not of its tasks"
              + " (mapreduce.job.classloader is true in the configuration); --plain-client"
              + " prevents that",
          client.addTo(environment));
      Configuration read = new Configuration(false);
      read.addResource(own().resolve("core-site.xml").toUri().toURL());
      assertEquals(null, read.get("mapreduce.map.env.HYCACHE_FS_IMPL"));
    }
  }

  @Test
  void plainClient_environmentStaysAsItIs() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("fs.hdfs.impl", "com.example.Audited");
    assertPlain(choose(conf), "fs.hdfs.impl is com.example.Audited in the configuration");
    conf.clear();
    conf.set("hycache.client.locality", "off");
    assertPlain(choose(conf), "hycache.client.locality is off");
    conf.clear();
    assertPlain(
        ChildClient.choose(conf, environment, tmp, null), "hycache does not run from its JAR");
    assertPlain(
        ChildClient.choose(conf, environment, dir.resolve("none"), jar),
        dir.resolve("none").toString());
    Files.createDirectories(base.resolve("org"));
    assertPlain(choose(conf), "/org");
    Files.delete(base.resolve("org"));
    Files.writeString(base.resolve("core-site.xml"), "<configuration>");
    assertPlain(choose(conf), "core-site.xml: expected </configuration> at its end, found none");
    Files.delete(base.resolve("core-site.xml"));
    assertPlain(choose(conf), "no core-site.xml in HADOOP_CONF_DIR, HADOOP_CLASSPATH or CLASSPATH");
  }

  private void assertPlain(ChildClient client, String why) throws IOException {
    try (client) {
      String text = client.addTo(environment);
      assertTrue(text.startsWith("the command has the plain HDFS client: "), text);
      assertTrue(text.contains(why), text);
      assertEquals(Map.of("HADOOP_CONF_DIR", base.toString()), environment);
      assertEquals(List.of(), made());
    }
  }
}
