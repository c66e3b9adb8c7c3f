// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.hdfs.HyCacheFileSystem;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** File systems that no call connects. */
class FileLocatorTest {
  private static final URI CLUSTER = URI.create("hdfs://localhost:1");

  private static FileLocator locator(Configuration conf) {
    return new FileLocator(conf, new DataNodes(conf, new ClientSettings(conf)));
  }

  private static void assertClosed(DistributedFileSystem fs) {
    IOException e = assertThrows(IOException.class, () -> fs.getClient().getFileInfo("/"));
    assertEquals("Filesystem closed", e.getMessage());
  }

  /** Hadoop's defaults name the classes of object stores, whose JARs are elsewhere. */
  @Test
  void fileSystemsWithoutTheirClass_areNotHdfs() {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.nosuch.impl", "com.example.NoSuchFileSystem");
    NotHdfsException e =
        assertThrows(
            NotHdfsException.class, () -> locator(conf).fileSystem(new Path("nosuch://b/x")));
    assertEquals("not on HDFS: Class com.example.NoSuchFileSystem not found", e.getMessage());
    conf.set("fs.defaultFS", "nosuch://b");
    assertThrows(NotHdfsException.class, () -> locator(conf).defaultFileSystem());
  }

  @Test
  void aClientsFileSystems_areItsOwn_plain_oneForEachPlace_andClosedWithIt() throws Exception {
    Configuration jobs = new HdfsConfiguration();
    jobs.set("fs.hdfs.impl", HyCacheFileSystem.class.getName());
    jobs.set(HyCacheKeys.CLIENT_HINTS, "auto");
    FileSystem cached = FileSystem.get(CLUSTER, jobs);
    FileLocator locator = locator(ClientWorkflows.configuration(jobs, CLUSTER));
    DistributedFileSystem fs = locator.fileSystem(new Path("/a"));
    assertSame(fs, locator.fileSystem(new Path("hdfs://localhost:1/b")));
    assertSame(fs, locator.fileSystem(new Path("hdfs:/c")));
    assertSame(fs, locator.defaultFileSystem());
    DistributedFileSystem other = locator.fileSystem(new Path("hdfs://localhost:2/b"));
    assertNotSame(fs, other);
    assertNotSame(cached, fs);
    assertEquals("off", fs.getConf().get(HyCacheKeys.CLIENT_HINTS));
    locator.close();
    assertClosed(fs);
    assertClosed(other);
    assertThrows(IOException.class, () -> locator.fileSystem(new Path("/a")));
    assertSame(cached, FileSystem.get(CLUSTER, jobs));
    cached.close();
  }

  /** Another file system than HDFS. */
  public static final class Other extends RawLocalFileSystem {
    static final AtomicInteger CLOSED = new AtomicInteger();

    @Override
    public void close() throws IOException {
      CLOSED.incrementAndGet();
      super.close();
    }
  }

  @Test
  void aClientOfAnotherFileSystem_failsAndClosesIt() throws Exception {
    URI uri = URI.create("other://x");
    Configuration jobs = new HdfsConfiguration();
    jobs.set("fs.other.impl", Other.class.getName());
    int before = Other.CLOSED.get();
    assertThrows(
        NotHdfsException.class,
        () -> new HyCacheClient(ClientWorkflows.configuration(jobs, uri), (what, done, all) -> {}));
    assertEquals(before + 1, Other.CLOSED.get());
  }

  /** As it comes from the NameNode: with texts of its own. */
  private static LocatedBlock located(int pool, long id) {
    DatanodeID node =
        new DatanodeID("127.0.0.1", "host" + pool, "uuid-" + pool, 9866, 9864, 9865, 9867);
    return new LocatedBlock(
        new ExtendedBlock("BP-" + pool, id),
        new DatanodeInfo[] {new DatanodeInfo.DatanodeInfoBuilder().setNodeID(node).build()});
  }

  @Test
  void replicas_ofManyBlocks_shareDataNodesAndPools() throws Exception {
    try (FileLocator locator = locator(new Configuration(false))) {
      BlockReplicas first = locator.replicas(located(1, 1));
      BlockReplicas second = locator.replicas(located(1, 2));
      assertSame(first.holders.get(0), second.holders.get(0));
      assertSame(first.block.pool(), second.block.pool());
      assertNotSame(first.holders.get(0), locator.replicas(located(2, 3)).holders.get(0));
    }
  }

  @Test
  void close_leavesHadoopsFileSystemsOpen() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.defaultFS", CLUSTER.toString());
    FileSystem cached = FileSystem.get(conf);
    try (FileLocator locator = locator(conf)) {
      assertSame(cached, locator.fileSystem(new Path("/a")));
    }
    assertSame(cached, FileSystem.get(conf));
    cached.close();
  }
}
