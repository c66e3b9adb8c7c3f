// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Member;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.HyCacheFileSystem;
import io.hycache.hdfs.client.FileWorkflows;
import io.hycache.hdfs.client.FileWorkflows.FileRead;
import io.hycache.hdfs.client.SsdHolders;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.directory.NameNodePages;
import io.hycache.hdfs.rpc.BlockAccess;
import io.hycache.hdfs.rpc.BlockTokens;
import io.hycache.hdfs.rpc.DirectoryPeers;
import io.hycache.hdfs.rpc.NodeClient;
import io.hycache.hdfs.rpc.RefusedException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster with Kerberos, block tokens and encryption: who may do what, and with which token. */
@Timeout(300)
class SecureIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @TempDir static File directory;

  private static MiniKdc kdc;
  private static EmbeddedCluster c;
  private static UserGroupInformation alice;
  private static UserGroupInformation bob;

  /** What a task of alice's has in a YARN container: a delegation token, and no ticket. */
  private static UserGroupInformation container;

  @BeforeAll
  static void start() throws Exception {
    Properties kdcConf = MiniKdc.createConf();
    kdc = new MiniKdc(kdcConf, directory);
    kdc.start();
    File keytab = new File(directory, "all.keytab");
    kdc.createPrincipal(keytab, "hdfs/localhost", "HTTP/localhost", "alice", "bob");
    Configuration conf = EmbeddedCluster.conf();
    String hdfs = "hdfs/localhost@" + kdc.getRealm();
    conf.set(CommonConfigurationKeys.HADOOP_SECURITY_AUTHENTICATION, "kerberos");
    conf.set("hadoop.rpc.protection", "privacy");
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, hdfs);
    conf.set(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, hdfs);
    conf.set(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY, keytab.getPath());
    conf.set(DFSConfigKeys.DFS_DATANODE_KEYTAB_FILE_KEY, keytab.getPath());
    conf.set(
        DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_PRINCIPAL_KEY,
        "HTTP/localhost@" + kdc.getRealm());
    File secret = new File(directory, "http.secret");
    Files.writeString(secret.toPath(), "not much of a secret");
    conf.set(
        HttpServer2.FILTER_INITIALIZER_PROPERTY, AuthenticationFilterInitializer.class.getName());
    conf.set("hadoop.http.authentication.type", "kerberos");
    conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@" + kdc.getRealm());
    conf.set("hadoop.http.authentication.kerberos.keytab", keytab.getPath());
    conf.set("hadoop.http.authentication.signature.secret.file", secret.getPath());
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.set(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "privacy");
    conf.setBoolean(DFSConfigKeys.IGNORE_SECURE_PORTS_FOR_TESTING_KEY, true);
    conf.setInt("dfs.replication", 2);
    conf.set(HyCacheKeys.RPC_TIMEOUT, "20s");
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab(hdfs, keytab.getPath());
    c = EmbeddedCluster.start(conf, 2);
    c.fs.setPermission(new Path("/"), new FsPermission("777"));
    c.await("members", () -> members(0) == 2 && members(1) == 2);
    alice =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(
            "alice@" + kdc.getRealm(), keytab.getPath());
    bob =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(
            "bob@" + kdc.getRealm(), keytab.getPath());
    Token<?> delegation = alice.doAs((PrivilegedExceptionAction<Token<?>>) SecureIT::delegation);
    container = UserGroupInformation.createRemoteUser("alice");
    container.addToken(delegation);
    alice.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (DistributedFileSystem fs = connect();
                  OutputStream out = fs.create(new Path("/private"))) {
                out.write(EmbeddedCluster.content(1, 2 * BLOCK));
                fs.setPermission(new Path("/private"), new FsPermission("600"));
              }
              return null;
            });
  }

  @AfterAll
  static void stop() throws Exception {
    if (c != null) {
      c.close();
    }
    if (kdc != null) {
      kdc.stop();
    }
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  private static int members(int node) throws Exception {
    return c.node(node).status().directoryMembers();
  }

  private static Token<?> delegation() throws Exception {
    try (DistributedFileSystem fs = connect()) {
      return fs.getDelegationToken("yarn");
    }
  }

  private static DistributedFileSystem connect() throws Exception {
    return (DistributedFileSystem) FileSystem.newInstance(c.fs.getUri(), c.fs.getConf());
  }

  /** Blocks of the file and their tokens, as the calling user gets them. */
  private static Map<BlockKey, Token<BlockTokenIdentifier>> tokens() throws Exception {
    Map<BlockKey, Token<BlockTokenIdentifier>> out = new HashMap<>();
    try (DistributedFileSystem fs = connect()) {
      for (LocatedBlock block : fs.getClient().getLocatedBlocks("/private", 0).getLocatedBlocks()) {
        out.put(
            new BlockKey(block.getBlock().getBlockPoolId(), block.getBlock().getBlockId()),
            block.getBlockToken());
      }
    }
    return out;
  }

  private interface Question<T> {
    T ask(NodeClient client) throws Exception;
  }

  /** Asks the first DataNode, as a user who may have a block's token. */
  private static <T> T ask(
      UserGroupInformation user, Token<BlockTokenIdentifier> token, Question<T> question)
      throws Exception {
    InetSocketAddress address =
        NetUtils.createSocketAddr("127.0.0.1:" + c.dataNode(0).getIpcPort());
    return NodeClient.caller(user, token)
        .doAs(
            (PrivilegedExceptionAction<T>)
                () -> {
                  try (NodeClient client = new NodeClient(address, c.fs.getConf(), TIMEOUT, 100)) {
                    return question.ask(client);
                  }
                });
  }

  private static List<String> seeds() {
    List<String> out = new ArrayList<>();
    for (DataNode node : c.cluster.getDataNodes()) {
      out.add("127.0.0.1:" + node.getIpcPort());
    }
    return out;
  }

  @Test
  void container_withTokensOnly_hintsAndLocates() throws Exception {
    var tokens =
        container.doAs(
            (PrivilegedExceptionAction<Map<BlockKey, Token<BlockTokenIdentifier>>>)
                SecureIT::tokens);
    List<Reference> references = new ArrayList<>();
    tokens.keySet().forEach(block -> references.add(new Reference(block, BLOCK, false)));
    Token<BlockTokenIdentifier> any = tokens.values().iterator().next();
    HintReceipt receipt =
        ask(
            container,
            any,
            client ->
                client.submitHints(
                    new Hints("container", 60_000, references), tokens::get, sent -> {}));
    assertEquals(2, receipt.accepted());
    // The name that the NameNode put into the token.
    assertEquals(new WorkflowId("alice", "container"), receipt.workflow());
    List<BlockStatus> places =
        ask(container, any, client -> client.locate(List.copyOf(tokens.keySet()), tokens::get));
    assertEquals(2, places.size());
    assertTrue(ask(bob, any, NodeClient::workflows).isEmpty());
    assertThrows(
        RefusedException.class,
        () -> ask(bob, any, client -> client.withdraw("container", "alice")));
    assertTrue(ask(alice, any, client -> client.withdraw("container", "")).isPresent());
  }

  @Test
  void proxyUser_withTokens_hintsAsTheUserActedFor_withoutProxySettingsOfDataNodes()
      throws Exception {
    var tokens =
        container.doAs(
            (PrivilegedExceptionAction<Map<BlockKey, Token<BlockTokenIdentifier>>>)
                SecureIT::tokens);
    List<Reference> references = new ArrayList<>();
    tokens.keySet().forEach(block -> references.add(new Reference(block, BLOCK, false)));
    UserGroupInformation proxied = UserGroupInformation.createProxyUser("alice", bob);
    HintReceipt receipt =
        ask(
            proxied,
            tokens.values().iterator().next(),
            client ->
                client.submitHints(
                    new Hints("proxied", 60_000, references), tokens::get, sent -> {}));
    assertEquals(2, receipt.accepted());
    assertEquals(new WorkflowId("alice", "proxied"), receipt.workflow());
    assertTrue(ask(alice, new Token<>(), client -> client.withdraw("proxied", "")).isPresent());
  }

  /** Workflows of a name that have hints left, on both DataNodes. */
  private static long active(String workflow) throws Exception {
    long count = 0;
    for (int i = 0; i < 2; i++) {
      count +=
          c.node(i).workflows(any -> true).stream()
              .filter(w -> w.id().name().equals(workflow))
              .count();
    }
    return count;
  }

  @Test
  void workflowOfAContainer_withTokensOnly_isWithdrawn() throws Exception {
    FileWorkflows workflows = new FileWorkflows(c.fs.getConf(), container, "test");
    Path file = new Path(c.fs.getUri() + "/private");
    assertEquals(
        FileWorkflows.Outcome.TAKEN,
        workflows.submit("files", List.of(new FileRead(file, false)), () -> true));
    assertTrue(active("files") > 0);
    workflows.withdraw("files");
    assertEquals(0, active("files"));
  }

  @Test
  void container_withTokensOnly_learnsWhoHasItsBlocksOnSsd() throws Exception {
    c.await(
        "published",
        () ->
            container.doAs(
                (PrivilegedExceptionAction<Boolean>)
                    () -> {
                      var tokens = tokens();
                      try (SsdHolders holders = new SsdHolders(c.fs.getConf(), TIMEOUT)) {
                        Map<BlockKey, Set<String>> known =
                            holders.of(tokens.keySet(), tokens::get, seeds());
                        assertEquals(tokens.keySet(), known.keySet());
                        return known.values().stream().noneMatch(Set::isEmpty);
                      }
                    }));
  }

  @Test
  void listing_hasNoTokens_clientGetsThemAndIsAnswered() throws Exception {
    for (int i = 0; i < 2; i++) {
      c.node(i).settings(Map.of(HyCacheKeys.PARTITION, "0.9:0"));
    }
    for (int i = 0; i < 3; i++) {
      c.write("/listed/" + i, i, BLOCK);
      String file = "/listed/" + i;
      c.hint(0, "listed" + i, file, 2);
      c.await("on one SSD", () -> c.locate(0, file).stream().allMatch(b -> b.cleanData));
    }
    // Hadoop's own listing, which is why the client has to ask for them.
    HdfsLocatedFileStatus plain =
        (HdfsLocatedFileStatus)
            c.fs
                .getClient()
                .listPaths("/listed", HdfsFileStatus.EMPTY_NAME, true)
                .getPartialListing()[0];
    assertNull(SsdHolders.token(plain.getLocatedBlocks().get(0)));

    Configuration conf = new Configuration(c.fs.getConf());
    conf.set("fs.hdfs.impl", HyCacheFileSystem.class.getName());
    conf.set(HyCacheKeys.CLIENT_LOCALITY, "only");
    conf.set(HyCacheKeys.CLIENT_LOCALITY_TIMEOUT, "5s");
    c.await(
        "a listing with the holders only",
        () ->
            container.doAs(
                (PrivilegedExceptionAction<Boolean>)
                    () -> {
                      List<Integer> hosts = new ArrayList<>();
                      try (FileSystem fs = FileSystem.newInstance(c.fs.getUri(), conf)) {
                        var listing = fs.listLocatedStatus(new Path("/listed"));
                        while (listing.hasNext()) {
                          hosts.add(listing.next().getBlockLocations()[0].getHosts().length);
                        }
                      }
                      return hosts.equals(List.of(1, 1, 1));
                    }));
    for (int i = 0; i < 2; i++) {
      c.node(i).settings(Map.of(HyCacheKeys.PARTITION, "shared"));
    }
  }

  /** The first DataNode, as the NameNode's web server shows it. */
  private static boolean isShown() throws IOException {
    DataNode first = c.dataNode(0);
    try (NameNodePages pages =
        new NameNodePages(
            c.cluster.getConfiguration(0), first.getIpcPort(), first.getInfoPort(), false)) {
      return pages.get(List.of()).contains("127.0.0.1:" + first.getIpcPort());
    }
  }

  @Test
  void webPages_withSpnego_listDataNodesToWhoHasATicket() throws Exception {
    // As a DataNode: its own user, on a thread that is in no doAs.
    assertTrue(isShown());
    UserGroupInformation proxied = UserGroupInformation.createProxyUser("bob", alice);
    for (UserGroupInformation user : List.of(alice, proxied)) {
      assertTrue(user.doAs((PrivilegedExceptionAction<Boolean>) SecureIT::isShown));
    }
    assertThrows(
        IOException.class,
        () -> container.doAs((PrivilegedExceptionAction<Boolean>) SecureIT::isShown));
  }

  @Test
  void otherUser_withoutTokens_isRefused() throws Exception {
    List<BlockKey> guessed = c.keys("/private");
    for (Question<?> question :
        List.<Question<?>>of(
            client -> client.locate(guessed, BlockTokens.NONE),
            client -> client.holders(guessed, BlockTokens.NONE),
            client ->
                client.submitHints(
                    new Hints("w", 60_000, List.of(new Reference(guessed.get(0), 1, false)))),
            client -> client.list(""),
            client -> client.settings(Map.of()))) {
      assertThrows(
          RefusedException.class, () -> ask(bob, new Token<>(), question), question.toString());
    }
    NodeStatus status = ask(bob, new Token<>(), NodeClient::status);
    assertEquals(List.of(), status.devices());
    assertFalse(c.node(0).status().devices().isEmpty());
  }

  @Test
  void dataNode_withoutBlockTokens_refusesEveryBlockWithTheReason() throws Exception {
    BlockAccess access =
        BlockAccess.tokens(new Configuration(false), new BlockPoolTokenSecretManager());
    RefusedException e =
        assertThrows(
            RefusedException.class,
            () -> access.check(new BlockKey("BP-1", 7), new byte[0], new byte[0]));
    assertEquals(
        "Kerberos is on and block access tokens are off, so that no caller can prove that it"
            + " may read a block. Fix: set dfs.block.access.token.enable to true",
        e.getMessage());
  }

  @Test
  void user_isNoDataNode() throws Exception {
    Member member = new Member(c.dataNode(0).getDatanodeUuid(), seeds().get(0));
    try (DirectoryPeers peers =
        alice.doAs(
            (PrivilegedExceptionAction<DirectoryPeers>)
                () -> new DirectoryPeers(c.fs.getConf(), TIMEOUT, 1))) {
      ExecutionException e = assertThrows(ExecutionException.class, () -> peers.view(member).get());
      // Hadoop's own check, by the whole principal, comes first.
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains("is not authorized for protocol"), message);
    }
  }
}
