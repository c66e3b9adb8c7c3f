// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.apache.hadoop.util.VersionUtil;
import org.junit.jupiter.api.Test;

/** Reads the JAR that operators drop into a classpath against the list of what may be in it. */
class ShadedJarIT {
  private static final int JAVA_11 = 55;
  private static final Pattern ALLOWED =
      Pattern.compile(
          "io/hycache/.*"
              + "|org/apache/hadoop/hdfs/(server/datanode/(fsdataset/impl/)?)?HyCache[^/]*\\.class"
              + "|META-INF/MANIFEST\\.MF"
              + "|META-INF/(LICENSE|NOTICE)"
              + "|META-INF/licenses/[a-z-]+/[A-Za-z-]*(LICENSE|NOTICE)"
              + "|META-INF/services/[^/]+"
              + "|META-INF/maven/[^/]+/[^/]+/pom\\.(xml|properties)"
              + "|META-INF/sbom/hycache-hdfs\\.cdx\\.json"
              + "|hycache-default\\.xml");
  private static final Pattern FOREIGN_SERVICE =
      Pattern.compile(
          "META-INF/services/"
              + "(?!io\\.hycache\\.|io\\.openlineage\\.client\\.transports\\.TransportBuilder$"
              + "|org\\.apache\\.spark\\.sql\\.SparkSessionExtensionsProvider$).*");
  private static final Pattern DESCRIPTOR =
      Pattern.compile("META-INF/maven/([^/]+)/([^/]+)/pom\\.properties");
  private static final String OURS = "io.hycache:";

  /** The libraries in the JAR, and the oldest version of each that no known vulnerability is in. */
  private static final Map<String, String> OLDEST =
      Map.of(
          "com.fasterxml.jackson.core:jackson-annotations", "2.20",
          "com.fasterxml.jackson.core:jackson-core", "2.22.1", // CVE-2026-68494
          "com.fasterxml.jackson.core:jackson-databind", "2.22.1", // CVE-2026-54515
          "com.github.ben-manes.caffeine:caffeine", "3.0.0",
          "com.google.guava:failureaccess", "1.0.1",
          "com.google.guava:guava", "32.0.1-jre", // CVE-2023-2976
          "org.ow2.asm:asm", "9.0",
          "org.webjars.npm:uplot", "1.6.0");

  /** What the licence of a library has, if it is not Apache's. */
  private static final Map<String, String> LICENCES =
      Map.of("asm", "INRIA, France Telecom", "uplot", "The MIT License");

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
                + "|hdfs(/(cli|client|conf|dataset|device|directory|doctor|history|hive|lineage|localdir"
                + "|metrics|page|rpc|spark|volume))?"
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
        if (entry.getName().endsWith(".class")) {
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

  /** Versions by coordinates, as the libraries' own descriptors have them. */
  private static Map<String, String> descriptors(JarFile jar) throws IOException {
    Map<String, String> versions = new TreeMap<>();
    for (JarEntry entry : files(jar)) {
      Matcher descriptor = DESCRIPTOR.matcher(entry.getName());
      if (descriptor.matches()) {
        Properties values = new Properties();
        try (InputStream in = jar.getInputStream(entry)) {
          values.load(in);
        }
        String coordinates = values.getProperty("groupId") + ":" + values.getProperty("artifactId");
        assertEquals(descriptor.group(1) + ":" + descriptor.group(2), coordinates);
        versions.put(coordinates, values.getProperty("version"));
      }
    }
    return versions;
  }

  /** Versions by coordinates, as the bill of materials has them. */
  private static Map<String, String> billOfMaterials(JarFile jar) throws IOException {
    String location = jar.getManifest().getMainAttributes().getValue("Sbom-Location");
    ZipEntry entry = jar.getEntry(location);
    assertNotNull(entry, "expected " + location + ", found none: Maven makes it online only");
    JsonNode bom;
    try (InputStream in = jar.getInputStream(entry)) {
      bom = new ObjectMapper().readTree(in);
    }
    assertEquals("CycloneDX", bom.path("bomFormat").asText());
    assertEquals("hycache-hdfs", bom.path("metadata").path("component").path("name").asText());
    Map<String, String> versions = new TreeMap<>();
    for (JsonNode component : bom.path("components")) {
      versions.put(
          component.path("group").asText() + ":" + component.path("name").asText(),
          component.path("version").asText());
    }
    return versions;
  }

  @Test
  void libraries_areListedForScanners_andNoOthers() throws Exception {
    try (JarFile jar = open()) {
      Map<String, String> listed = billOfMaterials(jar);
      Map<String, String> described = descriptors(jar);
      assertTrue(described.keySet().remove("io.hycache:hycache-hdfs"), described.toString());
      assertEquals(described, listed);
      assertTrue(listed.keySet().removeIf(name -> name.startsWith(OURS)), listed.toString());
      assertEquals(new TreeSet<>(OLDEST.keySet()), listed.keySet());
    }
  }

  @Test
  void libraries_areOfTheVersionsThatTheBuildNames() throws Exception {
    String named = System.getProperty("hycache.versions");
    assertNotNull(named, "system property hycache.versions");
    try (JarFile jar = open()) {
      List<String> found = new ArrayList<>();
      descriptors(jar)
          .forEach(
              (coordinates, version) ->
                  found.add(coordinates.substring(coordinates.indexOf(':') + 1) + "=" + version));
      for (String library : named.split(" ", -1)) {
        assertTrue(found.contains(library), library + " in " + found);
      }
    }
  }

  /** A scanner would stop the JAR. */
  @Test
  void libraries_areNotOlderThanTheLastKnownVulnerability() throws Exception {
    try (JarFile jar = open()) {
      Map<String, String> found = descriptors(jar);
      OLDEST.forEach(
          (coordinates, oldest) ->
              assertTrue(
                  VersionUtil.compareVersions(found.get(coordinates), oldest) >= 0,
                  coordinates + ": expected " + oldest + " or later, found " + found));
    }
  }

  /** Our licence and notice, and at least the licence of each library in the JAR. */
  @Test
  void licences_areThoseOfThePluginAndOfEachLibrary() throws Exception {
    try (JarFile jar = open()) {
      assertTrue(text(jar, "META-INF/LICENSE").contains("Apache License"));
      assertTrue(text(jar, "META-INF/NOTICE").startsWith("HyCache for HDFS"));
      for (String coordinates : OLDEST.keySet()) {
        String library = coordinates.substring(coordinates.indexOf(':') + 1);
        String licence = text(jar, "META-INF/licenses/" + library + "/LICENSE");
        assertTrue(licence.contains(LICENCES.getOrDefault(library, "Apache License")), library);
      }
      // What jackson-core itself carries of others.
      text(jar, "META-INF/licenses/jackson-core/FastDoubleParser-LICENSE");
      text(jar, "META-INF/licenses/jackson-core/Schubfach-LICENSE");
    }
  }

  private static String text(JarFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    assertNotNull(entry, "expected " + name + " in the JAR, found none");
    try (InputStream in = jar.getInputStream(entry)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** What the descriptors say is one thing, what runs another. */
  @Test
  void jackson_thatRuns_isTheOneThatIsListed() throws Exception {
    try (JarFile jar = open()) {
      Map<String, String> found = descriptors(jar);
      for (String[] library :
          new String[][] {{"jackson-core", "core.json"}, {"jackson-databind", "databind.cfg"}}) {
        Object version =
            Class.forName(
                    "io.hycache.shaded.com.fasterxml.jackson." + library[1] + ".PackageVersion")
                .getField("VERSION")
                .get(null);
        assertEquals(
            found.get("com.fasterxml.jackson.core:" + library[0]), String.valueOf(version));
      }
    }
  }
}
