// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HintLimits;
import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.localdir.LocalDirConfig;
import io.hycache.core.policy.Policies;
import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.ServicePlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Holds code, {@code conf/hycache-default.xml} and the sample for operators against each other. */
class ConfigKeysTest {
  private static final File CONF = new File("../conf");
  private static final Pattern KEY = Pattern.compile("\"(hycache\\.[a-z.-]+[a-z])\"");

  private static Set<String> constants() throws IllegalAccessException {
    Set<String> keys = new TreeSet<>();
    for (Field field : HyCacheKeys.class.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
        assertTrue(keys.add((String) field.get(null)), "twice in HyCacheKeys: " + field);
      }
    }
    return keys;
  }

  private static Map<String, Element> properties(String file) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File(CONF, file));
    NodeList list = document.getElementsByTagName("property");
    Map<String, Element> found = new LinkedHashMap<>();
    for (int i = 0; i < list.getLength(); i++) {
      Element property = (Element) list.item(i);
      String name = child(property, "name");
      assertFalse(found.containsKey(name), "twice in " + file + ": " + name);
      found.put(name, property);
    }
    return found;
  }

  private static String child(Element property, String tag) {
    NodeList children = property.getElementsByTagName(tag);
    return children.getLength() == 0 ? "" : children.item(0).getTextContent().trim();
  }

  private static HyCacheConf with(String key, String value) {
    Configuration conf = new Configuration(false);
    conf.set(key, value);
    return new HyCacheConf(conf);
  }

  @Test
  void everyKey_isInTheDefaultsWithADescription_andNoOther() throws Exception {
    Map<String, Element> defaults = properties("hycache-default.xml");
    assertEquals(constants(), new TreeSet<>(defaults.keySet()));
    defaults.forEach(
        (name, property) ->
            assertFalse(child(property, "description").isEmpty(), "no description: " + name));
  }

  @Test
  void defaults_tellWhichCanChange() throws Exception {
    List<String> changeable = new ArrayList<>();
    properties("hycache-default.xml")
        .forEach(
            (name, property) -> {
              if (child(property, "description").contains("Can change while DataNodes run.")) {
                changeable.add(name);
              }
            });
    changeable.sort(null);
    assertEquals(HyCacheConf.CHANGEABLE, changeable);
  }

  @Test
  void keys_inTheSources_standInHyCacheKeysOnly() throws Exception {
    List<String> elsewhere = new ArrayList<>();
    Set<String> known = constants();
    try (Stream<Path> files = Files.walk(new File("src/main/java").toPath())) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (!file.toString().endsWith(".java") || file.endsWith("HyCacheKeys.java")) {
          continue;
        }
        Matcher m = KEY.matcher(Files.readString(file));
        while (m.find()) {
          if (known.contains(m.group(1))) {
            elsewhere.add(file.getFileName() + ": " + m.group(1));
          }
        }
      }
    }
    assertEquals(List.of(), elsewhere);
  }

  @Test
  void defaultsOfTheXml_equalThoseOfTheCode() throws Exception {
    HyCacheConfig code = HyCacheConfig.builder().build();
    HyCacheConfig xml = new HyCacheConf(new Configuration(false)).engine();
    int compared = 0;
    for (Method getter : HyCacheConfig.class.getDeclaredMethods()) {
      if (Modifier.isPublic(getter.getModifiers())
          && !Modifier.isStatic(getter.getModifiers())
          && getter.getParameterCount() == 0) {
        assertEquals(getter.invoke(code), getter.invoke(xml), getter.getName());
        compared++;
      }
    }
    assertTrue(compared >= 16, "compared=" + compared);
    assertDoesNotThrow(() -> Policies.create(xml.policy()));
  }

  @Test
  void defaultsOutsideTheEngine_areRead() {
    HyCacheConf conf = new HyCacheConf(new Configuration(false));
    assertEquals(Long.MAX_VALUE, conf.ssdCapacityBytes());
    assertEquals(List.of(), conf.cacheDirs());
    assertEquals(20, conf.failuresToPassThrough());
  }

  @Test
  void defaultsOfTempDirectories_equalThoseOfTheCode() {
    Path ssd = Path.of("/ssd");
    List<Path> hdds = List.of(Path.of("/hdd0"), Path.of("/hdd1"));
    HyCacheConf xml = new HyCacheConf(new Configuration(false));
    assertEquals(List.of(), xml.localDirs());
    assertEquals(
        LocalDirConfig.builder(ssd).hdds(hdds).build().toString(),
        xml.localDir(ssd, hdds).toString());
  }

  @Test
  void tempDirectories_areReadAsOperatorsWriteThem() {
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.LOCALDIR_SSD, "/ssd0/yarn, /ssd1/yarn");
    conf.set(HyCacheKeys.LOCALDIR_HDD, "/hdd0/yarn ,/hdd1/yarn");
    conf.set(HyCacheKeys.LOCALDIR_POLICY, "lru");
    conf.set(HyCacheKeys.LOCALDIR_HIGH, "80%");
    conf.set(HyCacheKeys.LOCALDIR_LOW, "0.25");
    conf.set(HyCacheKeys.LOCALDIR_CAPACITY, "200GB");
    conf.set(HyCacheKeys.LOCALDIR_BANDWIDTH, "40m");
    conf.set(HyCacheKeys.LOCALDIR_LEAST_SIZE, "1MB");
    conf.set(HyCacheKeys.LOCALDIR_GRACE, "3s");
    conf.set(HyCacheKeys.LOCALDIR_SWEEP_GRACE, "5m");
    List<LocalDirConfig> trees = new HyCacheConf(conf).localDirs();
    assertEquals(2, trees.size());
    LocalDirConfig second = trees.get(1);
    assertEquals(Path.of("/ssd1/yarn"), second.ssd());
    assertEquals(List.of(Path.of("/hdd0/yarn"), Path.of("/hdd1/yarn")), second.hdds());
    assertEquals(List.of(Path.of("/ssd0/yarn"), Path.of("/ssd1/yarn")), second.neighbours());
    assertEquals("lru", second.policy());
    assertEquals(0.8, second.high());
    assertEquals(0.25, second.low());
    assertEquals(200L << 30, second.capacityBytes());
    assertEquals(40L << 20, second.bandwidthBytesPerSec());
    assertEquals(1L << 20, second.leastBytes());
    assertEquals(Duration.ofSeconds(3), second.grace());
    assertEquals(Duration.ofMinutes(5), second.sweepGrace());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hycache.localdir.high|7"
            + "|hycache.localdir.high: expected more than 0 (0%) up to 1 (100%), found 7.0",
        "hycache.localdir.low|%|hycache.localdir.low: expected a share such as 0.7 or 70%, found"
            + " '%'",
        "hycache.localdir.policy|best|hycache.localdir.policy: expected lru, ",
        "hycache.localdir.policy|belady|hycache.localdir.policy: expected a policy that does"
            + " without all future accesses, found 'belady', for the simulator only",
        "hycache.localdir.capacity|-1|hycache.localdir.capacity: expected 0 or more, found -1",
        "hycache.localdir.grace|200000d"
            + "|hycache.localdir.grace: expected at most 3650d, found '200000d'",
        "hycache.localdir.hdd|''|hycache.localdir.hdd: expected at least one directory on an HDD"
            + " for ssd=/a,",
        "hycache.localdir.hdd|/a/b|hycache.localdir.hdd: expected a directory outside of ssd=/a"
            + " that",
        "hycache.localdir.ssd|/a,/a/c|hycache.localdir.ssd: expected directories of which none is"
            + " inside another, found /a and /a/c",
      })
  void tempDirectories_badValue_namesKeyFoundAndAllowed(String key, String value, String message) {
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.LOCALDIR_SSD, "/a");
    conf.set(HyCacheKeys.LOCALDIR_HDD, "/h");
    conf.set(key, value);
    HyCacheConf read = new HyCacheConf(conf);
    String found =
        String.valueOf(assertThrows(IllegalArgumentException.class, read::localDirs).getMessage());
    assertTrue(found.startsWith(message), found);
  }

  @Test
  void tempDirectories_oneInsideAnotherByALink_areRefused(@TempDir Path dir) throws Exception {
    Path ssd = Files.createDirectory(dir.resolve("ssd"));
    Files.createDirectory(ssd.resolve("inside"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), ssd.resolve("inside"));
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.LOCALDIR_SSD, ssd + "," + link);
    conf.set(HyCacheKeys.LOCALDIR_HDD, "/h");
    HyCacheConf read = new HyCacheConf(conf);
    String found =
        String.valueOf(assertThrows(IllegalArgumentException.class, read::localDirs).getMessage());
    assertTrue(found.endsWith("found " + ssd + " and " + link), found);
  }

  @Test
  void tempDirectories_ofTheGuide_areKnownKeys() throws Exception {
    Set<String> named = keysIn("README.md");
    named.removeIf(key -> !key.startsWith(HyCacheConf.LOCALDIR));
    Set<String> keys = constants();
    keys.removeIf(key -> !key.startsWith(HyCacheConf.LOCALDIR));
    assertTrue(keys.containsAll(named), "unknown in the guide: " + named);
    assertTrue(named.contains(HyCacheKeys.LOCALDIR_SSD), named.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "../README.md",
        "../hycache-core/README.md",
        "../hycache-bench/README.md",
        "../src-it/RESULTS.md",
        "../src-it/README.md"
      })
  void properties_ofThePapers_areKnownKeys(String paper) throws Exception {
    Set<String> unknown = keysIn(paper);
    unknown.removeAll(constants());
    assertEquals(Set.of(), unknown);
  }

  /** The properties that a paper names in code style, with a value or without. */
  private static Set<String> keysIn(String paper) throws Exception {
    Matcher m =
        Pattern.compile("`(hycache\\.[A-Za-z.-]+)(=[^`]*)?`")
            .matcher(Files.readString(Path.of(paper)));
    Set<String> named = new TreeSet<>();
    while (m.find()) {
      named.add(
          m.group(1)
              .replaceFirst("^hycache\\.users\\..+\\.weight$", HyCacheKeys.USERS_NAME_WEIGHT));
    }
    return named;
  }

  @Test
  void values_ofTheOperator_winOverTheDefaults() {
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.SSD_CAPACITY, "2g");
    conf.set(HyCacheKeys.CACHE_DIRS, " /ssd/a , /ssd/b ");
    conf.set(HyCacheKeys.WRITE_MIN_BLOCK_SIZE, "8MB");
    HyCacheConf read = new HyCacheConf(conf);
    assertEquals(2L << 30, read.ssdCapacityBytes());
    assertEquals(List.of(new File("/ssd/a"), new File("/ssd/b")), read.cacheDirs());
    assertEquals(8L << 20, read.engine().minBlockBytes());
  }

  @ParameterizedTest
  @CsvSource({
    "dfs.datanode.max.locked.memory, 64k",
    "dfs.datanode.pmem.cache.dirs, /mnt/pmem0",
  })
  void directives_besideACacheOfHdfs_areRefusedWithTheKeyAndTheFix(String key, String value) {
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.DIRECTIVES, "true");
    conf.set("dfs.datanode.max.locked.memory", "0");
    HyCacheConf pins = new HyCacheConf(conf);
    assertTrue(pins.engine().directives());
    assertNull(pins.directivesRefused());

    conf.set(key, value);
    HyCacheConf refused = new HyCacheConf(conf);
    assertFalse(refused.engine().directives());
    assertEquals(
        "hycache.directives: expected "
            + key
            + " to be unset, found '"
            + value
            + "': cache directives keep HDFS's own meaning, and nothing is pinned on SSD. Fix: unset"
            + " one of the two and restart the DataNode",
        refused.directivesRefused());
    conf.set(HyCacheKeys.DIRECTIVES, "false");
    assertNull(new HyCacheConf(conf).directivesRefused());
  }

  @Test
  void weights_areReadByUser_andThePatternSetsNone() {
    Configuration conf = new Configuration(false);
    conf.set("hycache.users.etl.weight", "3");
    conf.set("hycache.users.first.last.weight", "0.5");
    assertEquals(
        Map.of("etl", 3.0, "first.last", 0.5), new HyCacheConf(conf).engine().userWeights());
    assertEquals(Map.of(), new HyCacheConf(new Configuration(false)).engine().userWeights());
  }

  @Test
  void hintLimits_areReadAsOperatorsWriteThem() {
    Configuration conf = new Configuration(false);
    conf.set(HyCacheKeys.HINTS_USER_MAX_BLOCKS, "1000");
    conf.set(HyCacheKeys.HINTS_USER_MAX_WORKFLOWS, "5");
    conf.set(HyCacheKeys.HINTS_USER_MAX_TTL, "90m");
    assertEquals(
        new HintLimits(1000, 5, Duration.ofMinutes(90)),
        new HyCacheConf(conf).engine().hintLimits());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hycache.mode|on|hycache.mode: expected active, observe or off, found 'on'",
        "hycache.mode|''|hycache.mode: expected a value, found none",
        "hycache.policy|belady-size|hycache.policy: expected a policy that does without all future"
            + " accesses, found 'belady-size', for the simulator only",
        "hycache.write.share|1.5|hycache.write.share: expected 0 to 1, found 1.5",
        "hycache.write.share|NaN|hycache.write.share: expected 0 to 1, found NaN",
        "hycache.reserve.share|-0.1|hycache.reserve.share: expected 0 to 1, found -0.1",
        "hycache.checksum.share|x|hycache.checksum.share: expected a number such as 0.5,"
            + " found 'x'",
        "hycache.demote.low|0.8"
            + "|hycache.demote.low: expected at most hycache.demote.high=0.5, found 0.8",
        "hycache.demote.bandwidth|0|hycache.demote.bandwidth: expected 1 or more, found 0",
        "hycache.demote.bandwidth.busy|-1g"
            + "|hycache.demote.bandwidth.busy: expected 1 or more, found -1073741824",
        "hycache.promote.bandwidth|fast"
            + "|hycache.promote.bandwidth: expected a size such as 0, 64MB or 1g, found 'fast'",
        "hycache.write.min-block-size|-1"
            + "|hycache.write.min-block-size: expected 0 or more, found -1",
        "hycache.prefetch.share|1.1|hycache.prefetch.share: expected 0 to 1, found 1.1",
        "hycache.pins.share|2|hycache.pins.share: expected 0 to 1, found 2.0",
        "hycache.directives|yes|hycache.directives: expected true or false, found 'yes'",
        "hycache.mover.threads|0|hycache.mover.threads: expected 1 or more, found 0",
        "hycache.mover.threads|2.5|hycache.mover.threads: expected a whole number, found '2.5'",
        "hycache.mover.queue-length|0|hycache.mover.queue-length: expected 1 or more, found 0",
        "hycache.events.buffer-length|63"
            + "|hycache.events.buffer-length: expected 64 or more, found 63",
        "hycache.hints.max-blocks|0|hycache.hints.max-blocks: expected 1 or more, found 0",
        "hycache.hints.user.max-blocks|0"
            + "|hycache.hints.user.max-blocks: expected 1 or more, found 0",
        "hycache.hints.user.max-workflows|-1"
            + "|hycache.hints.user.max-workflows: expected 1 or more, found -1",
        "hycache.hints.user.max-ttl|0"
            + "|hycache.hints.user.max-ttl: expected more than 0, found PT0S",
        "hycache.hints.user.max-ttl|99999999999999d"
            + "|hycache.hints.user.max-ttl: expected at most 3650d, found '99999999999999d'",
        "hycache.partition.period|0|hycache.partition.period: expected more than 0, found PT0S",
        "hycache.partition.period|200000d"
            + "|hycache.partition.period: expected at most 3650d, found '200000d'",
        "hycache.users.first.last.weight|0"
            + "|hycache.users.first.last.weight: expected more than 0 and at most 1000, found 0.0",
        "hycache.users.etl.weight|much"
            + "|hycache.users.etl.weight: expected a number such as 0.5, found 'much'",
      })
  void engine_badValue_namesKeyFoundAndAllowed(String key, String value, String message) {
    HyCacheConf conf = with(key, value);
    assertEquals(message, assertThrows(IllegalArgumentException.class, conf::engine).getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"${user.home}", "${env.PATH}", "lru${a.secret}"})
  void change_withVariables_isRefusedWithoutTheirValues(String value) {
    HyCacheConf conf = with("a.secret", "0");
    assertEquals(
        "hycache.policy: expected a value without variables, found '" + value + "'",
        assertThrows(
                IllegalArgumentException.class, () -> conf.with(Map.of(HyCacheKeys.POLICY, value)))
            .getMessage());
  }

  @Test
  void change_toAPolicyForTheSimulatorOnly_isRefused() {
    HyCacheConf conf = new HyCacheConf(new Configuration(false));
    for (String name : Policies.names()) {
      Map<String, String> change = Map.of(HyCacheKeys.POLICY, name);
      if (name.startsWith("belady")) {
        assertThrows(IllegalArgumentException.class, () -> conf.with(change), name);
      } else {
        assertEquals(name, conf.with(change).engine().policy());
      }
    }
  }

  @Test
  void badValues_outsideTheEngine_nameKeyFoundAndAllowed() {
    assertEquals(
        "hycache.ssd.capacity: expected 0 or more, found -5",
        assertThrows(
                IllegalArgumentException.class,
                () -> with(HyCacheKeys.SSD_CAPACITY, "-5").ssdCapacityBytes())
            .getMessage());
    assertEquals(
        "hycache.failures.to-pass-through: expected 1 or more, found 0",
        assertThrows(
                IllegalArgumentException.class,
                () -> with(HyCacheKeys.FAILURES_TO_PASS_THROUGH, "0").failuresToPassThrough())
            .getMessage());
    assertEquals(
        "hycache.directory.republish: expected at most 3650d, found '3651d'",
        assertThrows(
                IllegalArgumentException.class,
                () -> with(HyCacheKeys.DIRECTORY_REPUBLISH, "3651d").directoryRepublish())
            .getMessage());
    assertEquals(
        Duration.ofDays(3650), with(HyCacheKeys.DIRECTORY_REPUBLISH, "3650d").directoryRepublish());
  }

  @Test
  void sampleSite_namesExistingClassesAndKnownKeys() throws Exception {
    Configuration conf = new Configuration(false);
    conf.addResource(new File(CONF, "hdfs-site.xml").toURI().toURL());
    Set<String> known = constants();
    int ours = 0;
    for (String name : properties("hdfs-site.xml").keySet()) {
      if (name.startsWith("hycache.")) {
        assertTrue(known.contains(name), "unknown key in hdfs-site.xml: " + name);
        ours++;
      }
    }
    assertTrue(ours >= 2, "ours=" + ours);
    assertEquals("HyCacheDatasetFactory", factory(conf).getSimpleName());
    assertTrue(
        VolumeChoosingPolicy.class.isAssignableFrom(
            conf.getClassByName(conf.get("dfs.datanode.fsdataset.volume.choosing.policy"))));
    assertTrue(
        ServicePlugin.class.isAssignableFrom(
            conf.getClassByName(conf.get("dfs.datanode.plugins"))));
    String dirs = conf.get("dfs.datanode.data.dir");
    assertTrue(dirs.contains("[SSD]") && dirs.contains("[DISK]"), dirs);
    assertEquals(HyCacheConfig.Mode.ACTIVE, new HyCacheConf(conf).engine().mode());
  }

  private static Class<?> factory(Configuration conf) throws ClassNotFoundException {
    Class<?> type = conf.getClassByName(conf.get("dfs.datanode.fsdataset.factory"));
    assertTrue(FsDatasetSpi.Factory.class.isAssignableFrom(type), type.getName());
    return type;
  }
}
