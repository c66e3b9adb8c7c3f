package io.hycache.hdfs.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Reads the JAR that operators drop into a classpath against the list of what may be in it. */
class ShadedJarIT {
  private static final int JAVA_11 = 55;
  private static final Pattern ALLOWED =
      Pattern.compile(
          "io/hycache/.*"
              + "|org/apache/hadoop/hdfs/(server/datanode/(fsdataset/impl/)?)?HyCache[^/]*\\.class"
              + "|META-INF/MANIFEST\\.MF"
              + "|META-INF/services/[^/]+"
              + "|hycache-default\\.xml");
  private static final Pattern FOREIGN_SERVICE =
      Pattern.compile("META-INF/services/(?!io\\.hycache\\.).*");
  private static final Pattern OURS =
      Pattern.compile("(io/hycache/(?!shaded/)|org/apache/hadoop/).*\\.class");

  private static JarFile open() throws IOException {
    String path = System.getProperty("hycache.jar");
    assertNotNull(path, "system property hycache.jar");
    return new JarFile(path);
  }

  private static List<JarEntry> files(JarFile jar) {
    List<JarEntry> files = new ArrayList<>();
    for (JarEntry entry : Collections.list(jar.entries())) {
      if (!entry.isDirectory()) {
        files.add(entry);
      }
    }
    return files;
  }

  @Test
  void entries_areOnTheList() throws Exception {
    try (JarFile jar = open()) {
      List<String> others = new ArrayList<>();
      for (JarEntry entry : files(jar)) {
        if (!ALLOWED.matcher(entry.getName()).matches()
            || FOREIGN_SERVICE.matcher(entry.getName()).matches()) {
          others.add(entry.getName());
        }
      }
      assertEquals(List.of(), others);
      assertNotNull(jar.getEntry("hycache-default.xml"));
    }
  }

  @Test
  void packagesOfOurs_areTheKnownOnes() throws Exception {
    Pattern known =
        Pattern.compile(
            "io/hycache/(core/(config|cost|directory|engine|hint|localdir|model|move|policy|spi"
                + "|stats|table)"
                + "|hdfs(/(cli|client|conf|dataset|directory|localdir|metrics|move|rpc|volume))?"
                + "|shaded/.*)/[^/]+");
    try (JarFile jar = open()) {
      for (JarEntry entry : files(jar)) {
        if (entry.getName().startsWith("io/hycache/")) {
          assertTrue(known.matcher(entry.getName()).matches(), entry.getName());
        }
      }
    }
  }

  @Test
  void manifest_namesTheCommandLine() throws Exception {
    try (JarFile jar = open()) {
      Manifest manifest = jar.getManifest();
      assertNotNull(manifest);
      String main = manifest.getMainAttributes().getValue("Main-Class");
      assertEquals("io.hycache.hdfs.cli.HyCache", main);
      assertNotNull(jar.getEntry(main.replace('.', '/') + ".class"));
    }
  }

  @Test
  void classes_runOnJava11() throws Exception {
    int seen = 0;
    try (JarFile jar = open()) {
      for (JarEntry entry : files(jar)) {
        if (OURS.matcher(entry.getName()).matches()) {
          try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
            assertEquals(0xCAFEBABE, in.readInt(), entry.getName());
            in.readUnsignedShort();
            int major = in.readUnsignedShort();
            assertTrue(major <= JAVA_11, entry.getName() + " major=" + major);
          }
          seen++;
        }
      }
    }
    assertTrue(seen > 100, "seen=" + seen);
  }
}
