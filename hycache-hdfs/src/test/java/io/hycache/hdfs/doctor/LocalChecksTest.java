// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import static io.hycache.hdfs.doctor.Findings.assertMistake;
import static io.hycache.hdfs.doctor.Findings.assertWell;
import static io.hycache.hdfs.doctor.Findings.only;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.doctor.Finding.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checks that need neither a device nor another machine. */
class LocalChecksTest {
  private final Configuration conf = complete();

  static Configuration complete() {
    Configuration conf = new Configuration(false);
    conf.set(
        "dfs.datanode.fsdataset.factory",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HyCacheDatasetFactory");
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        "io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy");
    conf.set("dfs.datanode.plugins", "a.Plugin , io.hycache.hdfs.dataset.HyCachePlugin");
    conf.set("dfs.datanode.data.dir", "[SSD]/data/ssd0,[DISK]/data/hdd0,/data/hdd1");
    conf.set("dfs.datanode.failed.volumes.tolerated", "1");
    return conf;
  }

  private Finding wrong(Check check, Result result) {
    return only(ConfigurationChecks.of(conf), check, result);
  }

  @ParameterizedTest
  @CsvSource({
    "17, 3.4.2, OK",
    "11, 3.4.2, OK",
    "8, 3.4.2, ERROR",
    "11, 3.5.0, ERROR",
    "17, 3.5.0, OK",
    "17, 4.0.0-SNAPSHOT, OK",
    "11, 4.0.0-SNAPSHOT, ERROR",
    "11, trunk, OK"
  })
  void java_byHadoop(int java, String hadoop, Result expected) {
    assertEquals(expected, VersionChecks.java(java, hadoop).result());
  }

  @Test
  void java_feature_ofOldAndNewForm() {
    assertEquals(8, VersionChecks.feature("1.8"));
    assertEquals(17, VersionChecks.feature("17"));
  }

  @ParameterizedTest
  @CsvSource({
    "3.3.6, OK",
    "3.4.2, OK",
    "3.4.2.7.1.9-1, OK",
    "3.4.3-vendor, OK",
    "3.4.20, WARNING",
    "3.4.0, WARNING",
    "3.6.0, WARNING",
    "3.3.5, ERROR",
    "2.10.2, ERROR",
    "trunk, ERROR"
  })
  void hadoop_byVersion(String version, Result expected) {
    assertEquals(expected, VersionChecks.hadoop(version).result());
  }

  @Test
  void jars_areKnownByName() {
    assertEquals(
        List.of("/lib/hycache-hdfs-0.1.0.jar", "/opt/hycache.jar"),
        ClassPathChecks.jars(
            "/etc/hadoop:/lib/hycache-hdfs-0.1.0.jar:/opt/hycache.jar:/lib/hycache-hdfs-0.1.0.jar"
                + ":/lib/hycache-core-0.1.0.jar:/lib/hycache-bench-0.1.0.jar"
                + ":/lib/hycache-hdfs-0.1.0-sources.jar:/hycache/lib/hadoop-hdfs-3.4.2.jar"));
    assertEquals("0.1.0", ClassPathChecks.version("/lib/hycache-hdfs-0.1.0.jar"));
    assertEquals("hycache.jar", ClassPathChecks.version("/opt/hycache.jar"));
    assertEquals(Result.OK, ClassPathChecks.of(List.of("/a/hycache.jar")).result());
    assertMistake(
        Result.ERROR,
        "found 2: /a/hycache.jar, /b/hycache.jar",
        ClassPathChecks.of(List.of("/a/hycache.jar", "/b/hycache.jar")));
  }

  @Test
  void classPathOfThisProcess_whatHadoopJarAddsDoesNotCount() {
    String jar = "/lib/hycache-hdfs-0.1.0.jar";
    assertEquals(jar, ClassPathChecks.ofProcess("/etc:" + jar, "/tmp/hadoop-unjar1/").text());
    assertEquals(
        "/x/fast.jar", ClassPathChecks.ofProcess("/etc:/x/fast.jar", "/x/fast.jar").text());
    assertMistake(
        Result.ERROR,
        "found 2: " + jar + ", /x/fast.jar",
        ClassPathChecks.ofProcess(jar + ":/x/fast.jar", "/x/fast.jar"));
    assertMistake(
        Result.WARNING,
        "found none; this command comes from /home/me/hycache.jar",
        ClassPathChecks.ofProcess("/etc", "/home/me/hycache.jar"));
    assertEquals(Check.CLASS_PATH, ClassPathChecks.here().check());
  }

  @Test
  void classPathOfThisProcess_jarOfTheLauncherDoesNotCountOnce() {
    String own = "/opt/hycache-0.1.0/lib/hycache-hdfs-0.1.0.jar";
    String ofDataNode = "/lib/hycache-hdfs-0.1.0.jar";
    String both = own + ":/etc:" + ofDataNode;
    assertMistake(Result.ERROR, "found 2: ", ClassPathChecks.ofProcess(both, own));
    assertEquals("/etc:" + ofDataNode, ClassPathChecks.without(both, own));
    assertEquals(both, ClassPathChecks.without(both, null));
    assertEquals(both, ClassPathChecks.without(own + ":" + both, own));
    assertEquals(ofDataNode, ClassPathChecks.ofProcess("/etc:" + ofDataNode, own).text());
  }

  @Test
  void configuration_complete_isWell() {
    List<Finding> all = ConfigurationChecks.of(conf);
    assertWell(all);
    assertEquals(3, all.size(), all::toString);
    assertEquals("SSD: 1, DISK: 2, cache directories: 0", all.get(2).text());
  }

  @Test
  void plugIn_eachMissing_isFound() {
    conf.unset("dfs.datanode.fsdataset.volume.choosing.policy");
    assertMistake(
        Result.WARNING,
        "dfs.datanode.fsdataset.volume.choosing.policy: expected",
        wrong(Check.PLUG_IN, Result.WARNING));
    conf.set("dfs.datanode.plugins", "a.Plugin");
    assertMistake(
        Result.ERROR, "dfs.datanode.plugins: expected", wrong(Check.PLUG_IN, Result.ERROR));
    conf.set("dfs.datanode.plugins", "io.hycache.hdfs.dataset.HyCachePlugin");
    conf.set("dfs.datanode.fsdataset.factory", "not.on.the.ClassPath");
    assertMistake(
        Result.ERROR,
        "dfs.datanode.fsdataset.factory: expected",
        wrong(Check.PLUG_IN, Result.ERROR));
  }

  @Test
  void keys_unknownAndInvalid_areFound() {
    conf.set("hycache.polcy", "lru");
    Finding unknown = wrong(Check.KEYS, Result.WARNING);
    assertMistake(Result.WARNING, "hycache.polcy: expected a property of HyCache", unknown);
    assertTrue(unknown.fix().contains("hycache.policy"), unknown::toString);
    conf.set("hycache.write.share", "2");
    assertMistake(Result.ERROR, "HyCache is in pass-through", wrong(Check.KEYS, Result.ERROR));
    conf.unset("hycache.write.share");
    conf.unset("hycache.polcy");
    conf.set("hycache.directory.replicas", "99");
    assertMistake(
        Result.WARNING, "hycache.directory.replicas: ", wrong(Check.KEYS, Result.WARNING));
  }

  @Test
  void keys_directivesAgainstHdfssCache_isAWarning() {
    conf.set("hycache.directives", "true");
    conf.set("dfs.datanode.max.locked.memory", "1000000");
    assertMistake(
        Result.WARNING, "hycache.directives: expected", wrong(Check.KEYS, Result.WARNING));
  }

  @Test
  void volumes_noSsdNoDiskOrNoneMayFail_areFound() {
    conf.set("dfs.datanode.failed.volumes.tolerated", "0");
    assertMistake(
        Result.WARNING,
        "dfs.datanode.failed.volumes.tolerated is 0",
        wrong(Check.VOLUMES, Result.WARNING));
    conf.set("dfs.datanode.data.dir", "/data/hdd0");
    assertMistake(Result.ERROR, "no SSD: ", wrong(Check.VOLUMES, Result.ERROR));
    conf.set("hycache.cache.dirs", "/nvme0");
    assertWell(ConfigurationChecks.of(conf));
    conf.set("dfs.datanode.data.dir", "[SSD]/data/ssd0");
    assertMistake(Result.ERROR, "no DISK: ", wrong(Check.VOLUMES, Result.ERROR));
    conf.set("hycache.mode", "off");
    assertWell(ConfigurationChecks.of(conf));
  }

  @Test
  void volumes_noSsdInModeObserve_isWell_andSaysWhatItIsGoodFor() {
    conf.set("hycache.mode", "observe");
    conf.set("dfs.datanode.data.dir", "/data/hdd0");
    assertEquals(
        "SSD: 0, DISK: 1, cache directories: 0: mode observe estimates for the command advise, and"
            + " does nothing else",
        wrong(Check.VOLUMES, Result.OK).text());
    conf.set("dfs.datanode.data.dir", "[ARCHIVE]/data/hdd0");
    assertMistake(Result.ERROR, "no DISK: ", wrong(Check.VOLUMES, Result.ERROR));
  }

  @Test
  void volumes_unknownStorageType_isAnError() {
    conf.set("dfs.datanode.data.dir", "[SDD]/data/ssd0,/data/hdd0");
    assertMistake(
        Result.ERROR, "dfs.datanode.data.dir: expected", wrong(Check.VOLUMES, Result.ERROR));
  }

  @Test
  void kerberos_off_isNotChecked() {
    assertEquals(Result.NOT_CHECKED, KerberosChecks.of(conf, principal -> "hdfs").get(0).result());
    assertEquals(List.of(), KerberosChecks.keytab(conf));
  }

  @Test
  void kerberos_dataTransferIsEncryptedAndCallsAreNot_isAWarning() {
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("dfs.block.access.token.enable", "true");
    conf.set("dfs.datanode.kerberos.principal", "dn/_HOST@EXAMPLE.COM");
    conf.set("dfs.namenode.kerberos.principal", "nn/_HOST@EXAMPLE.COM");
    conf.set("dfs.data.transfer.protection", "authentication, integrity");
    assertWell(KerberosChecks.of(conf, principal -> "hdfs"));
    for (String encrypts : List.of("dfs.encrypt.data.transfer", "dfs.data.transfer.protection")) {
      Configuration with = new Configuration(conf);
      with.set(encrypts, encrypts.endsWith("protection") ? "integrity, privacy" : "true");
      with.set("hadoop.rpc.protection", "privacy,authentication");
      assertMistake(
          Result.WARNING,
          "hadoop.rpc.protection: expected privacy, because data transfer is encrypted, found"
              + " privacy,authentication",
          KerberosChecks.of(with, principal -> "hdfs").get(0));
      with.set("hadoop.rpc.protection", "privacy");
      assertWell(KerberosChecks.of(with, principal -> "hdfs"));
    }
  }

  @Test
  void kerberos_mappingTokensAndKeytab(@TempDir Path dir) throws Exception {
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("dfs.block.access.token.enable", "true");
    conf.set("dfs.datanode.kerberos.principal", "dn/_HOST@EXAMPLE.COM");
    conf.set("dfs.namenode.kerberos.principal", "nn/_HOST@EXAMPLE.COM");
    Set<String> mapped = new HashSet<>();
    KerberosChecks.Mapping toOne =
        principal -> {
          mapped.add(principal);
          return "hdfs";
        };
    assertWell(KerberosChecks.of(conf, toOne));
    assertEquals(Set.of("dn/localhost@EXAMPLE.COM", "nn/localhost@EXAMPLE.COM"), mapped);
    assertMistake(
        Result.WARNING,
        "expected one user for DataNode and NameNode, found dn for dn/_HOST@EXAMPLE.COM and nn",
        KerberosChecks.of(conf, principal -> principal.substring(0, 2)).get(0));
    assertMistake(
        Result.ERROR,
        "expected a rule for dn/_HOST@EXAMPLE.COM",
        KerberosChecks.of(
                conf,
                principal -> {
                  throw new IOException("No rules applied to " + principal);
                })
            .get(0));
    conf.set("dfs.block.access.token.enable", "false");
    assertMistake(
        Result.ERROR,
        "dfs.block.access.token.enable: expected true",
        KerberosChecks.of(conf, toOne).get(0));
    conf.unset("dfs.datanode.kerberos.principal");
    assertMistake(
        Result.ERROR,
        "dfs.datanode.kerberos.principal: expected a principal",
        KerberosChecks.of(conf, toOne).get(1));
    assertMistake(Result.WARNING, "dfs.datanode.keytab.file: ", KerberosChecks.keytab(conf).get(0));
    conf.set("dfs.datanode.keytab.file", Files.createFile(dir.resolve("dn.keytab")).toString());
    assertEquals(List.of(), KerberosChecks.keytab(conf));
  }

  @Test
  void ports_allSomeNone() {
    assertEquals(Result.OK, PortChecks.of(conf, address -> true).result());
    Finding none =
        PortChecks.of(
            conf,
            address -> {
              throw new IOException("refused");
            });
    assertMistake(Result.WARNING, "found none of its ports open: data transfer ", none);
    Finding some =
        PortChecks.of(
            conf,
            address -> {
              if (address.getPort() == 9867) {
                throw new IOException("refused");
              }
              return true;
            });
    assertMistake(Result.ERROR, "found closed: IPC ", some);
    conf.set("dfs.datanode.address", "127.0.0.1:0");
    assertEquals(Result.NOT_CHECKED, PortChecks.of(conf, address -> true).result());
    conf.set("dfs.datanode.ipc.address", "dn1");
    assertMistake(
        Result.ERROR,
        "dfs.datanode.ipc.address: expected host:port, found 'dn1': the DataNode does not start.",
        PortChecks.of(conf, address -> true));
  }

  /** The entry point of what the DataNode shows of itself. */
  @Test
  void local_hasEachCheap_andReadsNoDevice(@TempDir Path dir) throws Exception {
    Path ssd = Files.createDirectory(dir.resolve("ssd"));
    conf.set("dfs.datanode.data.dir", "[SSD]" + ssd + ",[DISK]" + dir.resolve("gone"));
    List<Finding> all = DoctorChecks.local(conf);
    for (Check check :
        List.of(
            Check.JAVA,
            Check.HADOOP,
            Check.CLASS_PATH,
            Check.PLUG_IN,
            Check.KEYS,
            Check.VOLUMES,
            Check.DEVICES,
            Check.KERBEROS)) {
      assertTrue(all.stream().anyMatch(finding -> finding.check() == check), check + ": " + all);
    }
    assertTrue(all.stream().allMatch(finding -> finding.node().isEmpty()), all::toString);
    assertTrue(
        all.stream().anyMatch(finding -> finding.text().startsWith(dir.resolve("gone") + ": ")));
    assertEquals(0, ssd.toFile().list().length);
    assertTrue(!Files.exists(dir.resolve("gone")));
  }
}
