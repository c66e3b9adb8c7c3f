// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static io.hycache.hdfs.rpc.Thrown.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Manifest;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.LogLines;
import io.hycache.hdfs.client.ManifestResolver.Reads;
import io.hycache.hdfs.client.ManifestResolver.ResolvedJob;
import io.hycache.hdfs.rpc.BlockTokens;
import io.hycache.hdfs.rpc.HintCluster;
import io.hycache.hdfs.rpc.NodeClient;
import io.hycache.hdfs.rpc.RefusedException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Manifests all the way from the client to the DataNodes of a real NameNode's cluster. */
class RpcIT {
  private static final Duration TTL = Duration.ofHours(1);
  private static final ManifestPlaces PLACES =
      new ManifestPlaces() {
        @Override
        public String source() {
          return "test.json";
        }

        @Override
        public String path(String job, int read) {
          return "test.json: job \"" + job + "\" reads[" + read + "].path";
        }
      };

  private static HintCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = HintCluster.conf();
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    cluster = new HintCluster(conf);
    cluster.write("/in/b", 4);
    cluster.write("/in/a", 8);
    cluster.write("/in/_SUCCESS", 1);
    cluster.write("/in/sub/c", 3);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void forget() throws Exception {
    cluster.forgetAll();
  }

  @Test
  void submit_directoryWithRepetitions_everyBlockAtOneHolderInOrder() throws Exception {
    ResolvedManifest resolved =
        submit(
            "{'version':1,'workflow':'w','ttl':'1h','jobs':[{'name':'j','repeat':2,"
                + "'reads':[{'path':'/in','times':2},{'path':'/in/[ab]'}]}]}");
    assertEquals(3, resolved.files());
    assertEquals(15, resolved.blocks());
    assertEquals(15L * HintCluster.BLOCK_SIZE, resolved.bytes());
    assertEquals(2 * (2 * 15 + 12), resolved.references());
    assertEquals(List.of(), resolved.notes());
    List<Long> once = new ArrayList<>(ids("/in/a"));
    once.addAll(ids("/in/b"));
    List<Long> all = new ArrayList<>(once);
    all.addAll(ids("/in/sub/c"));
    List<Long> expected = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      expected.addAll(all);
      expected.addAll(all);
      expected.addAll(once);
    }
    Set<Long> seen = new TreeSet<>();
    for (int i = 0; i < 3; i++) {
      List<Long> references = cluster.references(i, "w");
      Set<Long> mine = new TreeSet<>(references);
      List<Long> mineExpected = new ArrayList<>(expected);
      mineExpected.retainAll(mine);
      assertEquals(mineExpected, references, "node " + i);
      mine.forEach(id -> assertTrue(seen.add(id), "block asked of two nodes: " + id));
      assertTrue(mine.size() >= 4 && mine.size() <= 6, "blocks=" + mine.size());
    }
    assertEquals(new TreeSet<>(all), seen);
  }

  @Test
  void submit_again_replacesTheFirstOnAllNodes() throws Exception {
    submit(reads("/in"));
    assertEquals(15, cluster.references("w"));
    submit(reads("/in/sub/c"));
    assertEquals(3, cluster.references("w"));
  }

  @Test
  void plan_twice_asksTheSameNodes() throws Exception {
    submit(reads("/in"));
    List<List<Long>> first = List.of(cluster.references(0, "w"), cluster.references(1, "w"));
    submit(reads("/in"));
    assertEquals(first, List.of(cluster.references(0, "w"), cluster.references(1, "w")));
  }

  @Test
  void submit_twoReplicas_askBothHolders() throws Exception {
    Configuration conf = cluster.clientConf();
    conf.setInt("hycache.hints.replicas", 2);
    HyCacheClient client = new HyCacheClient(conf, (what, done, total) -> {});
    client.submit(client.resolve(PLACES, HintCluster.manifest(reads("/in")), TTL));
    assertEquals(30, cluster.references("w"));
  }

  @Test
  void submit_inManyCalls_arrivesWhole() throws Exception {
    Configuration conf = cluster.clientConf();
    conf.setInt("hycache.hints.batch-size", 2);
    HyCacheClient client = new HyCacheClient(conf, (what, done, total) -> {});
    List<NodeAnswer<Optional<HintReceipt>>> answers =
        client.submit(client.resolve(PLACES, HintCluster.manifest(reads("/in")), TTL));
    assertEquals(
        15, answers.stream().mapToInt(a -> a.value().map(HintReceipt::accepted).orElse(0)).sum());
    assertEquals(15, cluster.references("w"));
  }

  @Test
  void plan_pathMissing_isOneErrorAndNothingIsSent() throws Exception {
    HintException e =
        assertThrows(
            HintException.class,
            () ->
                submit(
                    "{'version':1,'workflow':'w','ttl':'1h','jobs':[{'name':'j',"
                        + "'reads':[{'path':'/in'},{'path':'/nowhere/x'}]}]}"));
    assertEquals(
        "test.json: job \"j\" reads[1].path: expected an existing file, directory or glob,"
            + " found nothing at \"/nowhere/x\". Fix: correct the path, or remove the entry.",
        message(e));
    assertEquals(0, cluster.references("w"));
    assertThrows(HintException.class, () -> submit(reads("/in/z*")));
  }

  @Test
  void plan_pathThatAnEarlierJobWrites_isNoted() throws Exception {
    ResolvedManifest resolved =
        submit(
            "{'version':1,'workflow':'w','ttl':'1h','jobs':[{'name':'j',"
                + "'reads':[{'path':'/in'}],'writes':[{'path':'/mid','readsLater':1}]},"
                + "{'name':'k','after':['j'],'reads':[{'path':'/mid/part-*'}]}]}");
    assertEquals(1, resolved.notes().size());
    assertTrue(
        resolved.notes().get(0).contains("/mid/part-* is not there yet"), resolved.notes().get(0));
    assertEquals(15, cluster.references("w"));
  }

  @Test
  void resolveInputs_outputWithGlobCharacters_isLater() throws Exception {
    assertTrue(cluster.fs().mkdirs(new Path("/mid/k={1,2}")));
    Manifest manifest =
        HintCluster.manifest(
            "{'version':1,'workflow':'w','ttl':'1h','jobs':[{'name':'j',"
                + "'reads':[{'path':'/in'}],'writes':[{'path':'/mid/k={1,2}','readsLater':1}]},"
                + "{'name':'k','after':['j'],'reads':[{'path':'/mid/k=\\\\{1\\\\,2\\\\}'}]}]}");
    assertEquals(
        Set.copyOf(manifest.jobsInOrder().get(1).reads()),
        client().resolveInputs(PLACES, manifest, TTL, false).later());
  }

  @Test
  void resolveInputs_leavesOutWhatAnEarlierJobWrites_thoughItIsThere() throws Exception {
    cluster.write("/late/old", 2);
    Path home = cluster.fs().getHomeDirectory();
    cluster.fs().mkdirs(new Path(home, "empty"));
    Manifest manifest =
        HintCluster.manifest(
            "{'version':1,'workflow':'w','ttl':'1h','jobs':[{'name':'j',"
                + "'reads':[{'path':'/in'},{'path':'/late'}],'writes':[{'path':'/late','readsLater':0},"
                + "{'path':'"
                + home.toUri().getPath()
                + "/empty','readsLater':0}]},"
                + "{'name':'k','after':['j'],'reads':[{'path':'/late/o*'},{'path':'/late'},"
                + "{'path':'empty'},{'path':'/in/a'}]}]}");
    ResolvedManifest resolved = client().resolveInputs(PLACES, manifest, TTL, false);
    List<Manifest.Read> second = manifest.jobsInOrder().get(1).reads();
    assertEquals(Set.copyOf(second.subList(0, 3)), resolved.later());
    assertEquals(15 + 2 + 8, resolved.references(), "the first job reads what was there");
    assertEquals(
        "test.json: job \"k\" reads[0].path: /late/o* is hinted when an earlier job has written it",
        resolved.notes().get(0));
    ResolvedManifest present = client().resolve(PLACES, manifest, TTL);
    assertEquals(Set.of(), present.later());
    assertEquals(15 + 2 + 2 + 2 + 8, present.references());
  }

  @Test
  void output_isWritten_whenItsFilesAreOthers_closedAndCommitted() throws Exception {
    cluster.write("/day/part-0", 2);
    JobOutput output = client().output("/day");
    JobOutput part = client().output("/day/part-*");
    assertFalse(output.isWritten(), "of the day before");
    assertFalse(part.isWritten());
    Path uncommitted = new Path("/day/_temporary");
    cluster.fs().mkdirs(uncommitted);
    cluster.fs().delete(new Path("/day/part-0"), false);
    assertFalse(output.isWritten(), "no files");
    try (FSDataOutputStream out = cluster.fs().create(new Path("/day/part-0"))) {
      out.write(1);
      out.hsync();
      assertFalse(part.isWritten(), "open");
    }
    assertTrue(part.isWritten());
    assertFalse(output.isWritten(), "not committed");
    assertTrue(cluster.fs().delete(uncommitted, true));
    assertTrue(output.isWritten());
    JobOutput none = client().output("/day/none");
    assertFalse(none.isWritten());
    cluster.write("/day/none", 1);
    assertTrue(none.isWritten());
  }

  @Test
  void plan_pathForbidden_isOneErrorAndNothingIsSent() throws Exception {
    cluster.write("/private/dir/secret", 2);
    cluster.write("/open/secret", 2);
    cluster.fs().setPermission(new Path("/private"), new FsPermission("700"));
    cluster.fs().setPermission(new Path("/open/secret"), new FsPermission("600"));
    for (String path : List.of("/private/dir/secret", "/private", "/private/*", "/open")) {
      HintException e = assertThrows(HintException.class, () -> submitAs("bob", reads(path)), path);
      assertTrue(
          message(e)
              .startsWith("test.json: job \"j\" reads[0].path: expected a path that you may read"),
          message(e));
      assertTrue(message(e).contains("which you may not read"), message(e));
    }
    HintException e = assertThrows(HintException.class, () -> submitAs("bob", reads("/open")));
    assertTrue(message(e).contains("found \"/open/secret\""), message(e));
    assertEquals(0, cluster.references("w"));
    assertEquals(15, submitAs("bob", reads("/in")).references());
    assertEquals(15, cluster.references("w"));
  }

  /** More than the answers that are kept. */
  @Test
  void holdersOfManyBlocks_areAllKnown() throws Exception {
    int count = 150_000;
    try (HintCluster withoutTokens = new HintCluster(HintCluster.conf());
        SsdHolders holders = new SsdHolders(withoutTokens.clientConf(), Duration.ofSeconds(60))) {
      withoutTokens.onSsd = List.of();
      DataNode asked = new DataNode("uuid", "node", withoutTokens.ipcAddress(0));
      List<BlockReplicas> blocks = new ArrayList<>();
      for (int id = 1; id <= count; id++) {
        BlockKey key = new BlockKey("BP-1", id);
        blocks.add(new BlockReplicas(key, 0, 1, false, null, List.of(asked)));
      }
      assertEquals(count, holders.of(blocks).size());
    }
  }

  @Test
  void workflowsOfAClient_leaveOutWhatIsGoneOrForbidden() throws Exception {
    cluster.write("/mixed/secret", 2);
    cluster.write("/locked/dir/x", 2);
    cluster.fs().setPermission(new Path("/mixed/secret"), new FsPermission("600"));
    cluster.fs().setPermission(new Path("/locked"), new FsPermission("700"));
    workflows("bob")
        .submit("w", List.of("/gone", "/mixed/secret", "/locked/dir/x", "a:b:c", "/in/b"), false);
    assertEquals(4, cluster.references("w"));
  }

  /** Files, blocks and notes of a job that reads /in. */
  private static List<String> resolveJob(int maxFiles, int maxBlocks, BooleanSupplier isNeeded)
      throws IOException {
    Configuration conf = cluster.clientConf();
    try (FileLocator locator =
        new FileLocator(conf, new DataNodes(conf, new ClientSettings(conf)))) {
      ManifestResolver resolver =
          new ManifestResolver(
              locator,
              (what, done, total) -> {},
              PLACES,
              Reads.READABLE,
              maxFiles,
              maxBlocks,
              isNeeded);
      Manifest manifest = Manifest.ofFiles("w", TTL, List.of("/in", "/in/sub/c"), false);
      int blocks = 0;
      for (ResolvedJob job : resolver.resolve(manifest)) {
        blocks += job.reads.stream().mapToInt(read -> read.blocks.size()).sum();
      }
      List<String> out = new ArrayList<>(List.of(resolver.files() + " files, " + blocks));
      out.addAll(resolver.notes());
      return out;
    }
  }

  @Test
  void hintsOfOneJob_haveTheFirstFilesAndBlocks_andANoteOfTheOthers() throws Exception {
    assertEquals(List.of("3 files, 18"), resolveJob(4, 15, () -> true));
    assertEquals(
        List.of(
            "2 files, 12",
            "left out: test.json: job \"job\" reads[0].path: expected at most 2 files in a"
                + " submission, found file number 3. Fix: split the workflow."),
        resolveJob(2, 15, () -> true));
    assertEquals(
        List.of("0 files, 0", "left out: 3 files behind those of the first 0 blocks"),
        resolveJob(4, 0, () -> true));
  }

  @Test
  void hintsOfOneJob_thatHasEnded_areNotLookedUpAndNotSent() throws Exception {
    assertThrows(CancellationException.class, () -> resolveJob(4, 15, () -> false));
    workflows("bob").submit("w", List.of("/in"), false, () -> false);
    assertEquals(0, cluster.references("w"));
    workflows("bob").submit("w", List.of("/in"), false, () -> true);
    assertEquals(15, cluster.references("w"));
  }

  /** What is logged of a run that reads /in and is hinted. */
  private static List<String> warningsOfARun() throws Exception {
    UserGroupInformation bob =
        UserGroupInformation.createUserForTesting("bob", new String[] {"users"});
    LogLines log = new LogLines(RunHints.class.getName());
    try (RunHints hints = new RunHints(cluster.clientConf(), "hive")) {
      for (int run = 1; run <= 2; run++) {
        hints.begins(bob, "q" + run, List.of("/in"));
        hints.await();
        assertEquals(run, hints.failures());
      }
      return log.lines();
    } finally {
      log.close();
    }
  }

  private static void assertOneWarning(String expected) throws Exception {
    List<String> lines = warningsOfARun();
    assertEquals(1, lines.size(), "lines=" + lines);
    assertTrue(
        lines.get(0).startsWith("WARN Could not submit the hints of workflow q1; the job itself"),
        lines.get(0));
    assertTrue(lines.get(0).contains(" no DataNode accepted a hint: DataNode="), lines.get(0));
    assertTrue(lines.get(0).contains(expected), lines.get(0));
  }

  @Test
  void hintsOfARun_thatNoDataNodeTakes_areAFailure_withItsCause() throws Exception {
    cluster.nodes().forEach(node -> node.statusFails = true);
    try {
      assertOneWarning(" cause=");
    } finally {
      cluster.nodes().forEach(node -> node.statusFails = false);
    }
    cluster.nodes().forEach(node -> node.maxReferences = 0);
    try {
      assertOneWarning(" limits=[NODE_BLOCKS]");
    } finally {
      cluster.nodes().forEach(node -> node.maxReferences = Integer.MAX_VALUE);
    }
  }

  @Test
  void workflowsOfAClient_areWithdrawnWhereTheyWereSubmittedFirst() throws Exception {
    ClientWorkflows workflows = workflows("bob");
    workflows.submit("w", List.of("/in"), false);
    assertFalse(cluster.references(0, "w").isEmpty());
    cluster.nodes().get(0).statusFails = true;
    try {
      workflows.submit("w", List.of("/in/b"), false);
    } finally {
      cluster.nodes().get(0).statusFails = false;
    }
    workflows.withdraw("w");
    assertEquals(0, cluster.references("w"));
  }

  @Test
  void workflowsOfAClient_thatOneDataNodeDoesNotWithdraw_endOnTheOthers_andFail() throws Exception {
    ClientWorkflows workflows = workflows("bob");
    workflows.submit("w", List.of("/in"), false);
    cluster.nodes().get(0).withdrawFails = true;
    try {
      IOException e = assertThrows(IOException.class, () -> workflows.withdraw("w"));
      assertTrue(message(e).startsWith("not withdrawn: DataNode="), message(e));
    } finally {
      cluster.nodes().get(0).withdrawFails = false;
    }
    assertFalse(cluster.references(0, "w").isEmpty());
    assertEquals(cluster.references(0, "w").size(), cluster.references("w"));
  }

  @Test
  void plan_pathNotOnHdfs_isAManifestError() {
    HintException e = assertThrows(HintException.class, () -> submit(reads("file:///tmp")));
    assertTrue(
        message(e).contains("found \"file:///tmp\" (not on HDFS: fileSystem=file:///)"),
        message(e));
    assertThrows(HintException.class, () -> submit(reads("a:b:c")));
    HintException glob = assertThrows(HintException.class, () -> submit(reads("/in/[a")));
    assertTrue(message(glob).contains("\"/in/[a\""), message(glob));
    HintException scheme = assertThrows(HintException.class, () -> submit(reads("nofs://x/y")));
    assertTrue(message(scheme).contains("\"nofs://x/y\""), message(scheme));
  }

  @Test
  void plan_tooManyReads_isAManifestError() {
    HintException e =
        assertThrows(
            HintException.class,
            () ->
                submit(
                    "{'version':1,'workflow':'w','ttl':'1h','jobs':[{'name':'j','repeat':1000000,"
                        + "'reads':[{'path':'/in','times':1000000}]}]}"));
    assertTrue(message(e).contains("at most 10000000"), message(e));
  }

  @Test
  void plan_fileBeingWritten_skipsItsLastBlock() throws Exception {
    Path path = new Path("/open-file");
    try (FSDataOutputStream out = cluster.fs().create(path)) {
      out.write(new byte[HintCluster.BLOCK_SIZE + 100]);
      out.hsync();
      ResolvedManifest resolved = submit(reads("/open-file"));
      assertEquals(1, resolved.blocks());
      assertEquals(1, resolved.notes().size());
      assertTrue(resolved.notes().get(0).contains("is being written"), resolved.notes().get(0));
    }
    assertEquals(2, submit(reads("/open-file")).blocks());
  }

  @Test
  void submit_withoutTheRightToken_isRefused() throws Exception {
    List<LocatedBlock> blocks =
        cluster.fs().getClient().getLocatedBlocks("/in/a", 0).getLocatedBlocks();
    LocatedBlock block = blocks.get(0);
    BlockKey key = new BlockKey(block.getBlock().getBlockPoolId(), block.getBlock().getBlockId());
    Hints batch =
        new Hints("w", 1000, List.of(new Hints.Reference(key, HintCluster.BLOCK_SIZE, false)));
    try (NodeClient client =
        new NodeClient(
            NetUtils.createSocketAddr(cluster.ipcAddress(0)),
            cluster.clientConf(),
            Duration.ofSeconds(10),
            100)) {
      RefusedException none = assertThrows(RefusedException.class, () -> client.submitHints(batch));
      assertTrue(message(none).startsWith("block access token refused: block=" + key));
      RefusedException other =
          assertThrows(
              RefusedException.class,
              () -> client.submitHints(batch, b -> blocks.get(1).getBlockToken(), sent -> {}));
      assertTrue(message(other).contains("doesn't apply to block"), message(other));
      byte[] forged = block.getBlockToken().getPassword().clone();
      forged[0]++;
      var token = block.getBlockToken().copyToken();
      token.setPassword(forged);
      RefusedException password =
          assertThrows(
              RefusedException.class, () -> client.submitHints(batch, b -> token, sent -> {}));
      assertTrue(message(password).contains("correct token password"), message(password));
      assertTrue(cluster.references(0, "w").isEmpty());
      RefusedException locate =
          assertThrows(RefusedException.class, () -> client.locate(List.of(key), b -> token));
      assertTrue(message(locate).startsWith("block access token refused"), message(locate));
      assertThrows(RefusedException.class, () -> client.holders(List.of(key), BlockTokens.NONE));
      assertEquals(1, client.locate(List.of(key), b -> block.getBlockToken()).size());
      assertEquals(1, client.submitHints(batch, b -> block.getBlockToken(), sent -> {}).accepted());
    }
  }

  @Test
  void register_withServiceAuthorization_leavesHdfsOwnProtocolsIn() throws Exception {
    DFSAdmin admin = new DFSAdmin(cluster.clientConf());
    assertEquals(0, admin.run(new String[] {"-getDatanodeInfo", cluster.ipcAddress(0)}));
  }

  @Test
  void locate_tellsEveryReplica() throws Exception {
    submit(reads("/in/a"));
    List<FilePlaces> files = client().locate("/in/a");
    assertEquals(1, files.size());
    assertEquals(8, files.get(0).blocks().size());
    for (FilePlaces.BlockPlaces block : files.get(0).blocks()) {
      assertEquals(3, block.replicas().size());
      assertEquals(1, block.replicas().stream().mapToLong(r -> r.value().referencesLeft).sum());
    }
  }

  @Test
  void submit_oneDataNodeDown_othersTakeItsBlocks() throws Exception {
    try (HintCluster broken = new HintCluster(HintCluster.conf())) {
      broken.write("/in/a", 12);
      broken.stopNode(1);
      Configuration conf = broken.clientConf();
      conf.set("hycache.rpc.timeout", "3s");
      HyCacheClient client = new HyCacheClient(conf, (what, done, total) -> {});
      long start = System.nanoTime();
      ResolvedManifest resolved = client.resolve(PLACES, HintCluster.manifest(reads("/in/a")), TTL);
      List<NodeAnswer<Optional<HintReceipt>>> answers = client.submit(resolved);
      assertTrue(System.nanoTime() - start < Duration.ofSeconds(10).toNanos());
      assertEquals(1, resolved.unavailable().size());
      assertFalse(HyCacheClient.isNotActive(resolved.unavailable().get(0)));
      assertTrue(resolved.unavailable().get(0).failureText().contains("Connection refused"));
      assertEquals(0, resolved.unreachableBlocks());
      assertEquals(2, answers.size());
      assertEquals(12, broken.references("w"));
      assertEquals(0, broken.nodes().get(1).references("w").size());
    }
  }

  // ---- helpers

  private static HyCacheClient client() throws IOException {
    return new HyCacheClient(cluster.clientConf(), (what, done, total) -> {});
  }

  private static ResolvedManifest submit(String manifest) throws IOException {
    HyCacheClient client = client();
    Manifest parsed = HintCluster.manifest(manifest);
    ResolvedManifest resolved = client.resolve(PLACES, parsed, TTL);
    client.submit(resolved).forEach(a -> assertTrue(a.isAnswered(), a.failureText()));
    return resolved;
  }

  private static ResolvedManifest submitAs(String user, String manifest) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {"users"})
        .doAs((PrivilegedExceptionAction<ResolvedManifest>) () -> submit(manifest));
  }

  private static ClientWorkflows workflows(String user) throws IOException {
    return new ClientWorkflows(
        ClientWorkflows.configuration(cluster.clientConf(), cluster.fs().getUri()),
        UserGroupInformation.createUserForTesting(user, new String[] {"users"}),
        "auto");
  }

  private static String reads(String path) {
    return "{'version':1,'workflow':'w','ttl':'1h','jobs':[{'name':'j','reads':[{'path':'"
        + path
        + "'}]}]}";
  }

  private static List<Long> ids(String path) throws IOException {
    List<Long> out = new ArrayList<>();
    cluster
        .fs()
        .getClient()
        .getLocatedBlocks(path, 0)
        .getLocatedBlocks()
        .forEach(b -> out.add(b.getBlock().getBlockId()));
    return out;
  }
}
