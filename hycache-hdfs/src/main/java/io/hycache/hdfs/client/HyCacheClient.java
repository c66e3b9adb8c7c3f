// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.ManifestResolver.Reads;
import io.hycache.hdfs.rpc.BlockDirectory;
import io.hycache.hdfs.rpc.BlockOnSsd;
import io.hycache.hdfs.rpc.NodeClient;
import io.hycache.hdfs.rpc.NotActiveException;
import io.hycache.hdfs.rpc.RefusedException;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's HyCache, from a client: submit and withdraw manifests, ask where blocks are and how
 * the DataNodes are doing. Everything is done as the current user; all DataNodes are asked at the
 * same time, and what one of them cannot answer says its {@link NodeAnswer}. Thread-safe.
 */
public final class HyCacheClient implements Closeable {
  /** Files of one question for places. */
  private static final int MAX_LOCATED_FILES = 100_000;

  private final Configuration conf;
  private final ClientSettings settings;
  private final Progress progress;
  private final DistributedFileSystem fs;
  private final DataNodes nodes;
  private final FileLocator locator;
  private final HintSubmitter submitter;

  /**
   * Connects lazily.
   *
   * @param conf its default file system is the cluster
   * @throws IOException if the default file system is not HDFS
   * @throws IllegalArgumentException if a setting is out of range
   */
  public HyCacheClient(Configuration conf, Progress progress) throws IOException {
    this.conf = conf;
    this.settings = new ClientSettings(conf);
    this.progress = progress;
    this.nodes = new DataNodes(conf, settings);
    this.locator = new FileLocator(conf, nodes);
    this.submitter = new HintSubmitter(conf, nodes, settings, progress);
    this.fs = hdfs(locator);
  }

  private static DistributedFileSystem hdfs(FileLocator locator) throws IOException {
    FileSystem defaultFs = locator.defaultFileSystem();
    if (defaultFs instanceof DistributedFileSystem) {
      return (DistributedFileSystem) defaultFs;
    }
    locator.close();
    throw new NotHdfsException(
        "fs.defaultFS: expected the URI of an HDFS, found "
            + defaultFs.getUri()
            + ". Fix: name the cluster with -fs hdfs://HOST:PORT");
  }

  /** Closes the file systems that the client has made because Hadoop's cache of them is off. */
  @Override
  public void close() {
    locator.close();
  }

  /**
   * Keeps a token that authenticates a user without a Kerberos ticket until a file is located.
   *
   * @param token of any block that the user may read; null: none is known
   */
  void authenticateBy(@Nullable Token<BlockTokenIdentifier> token) {
    if (token != null) {
      nodes.authenticateBy(token);
    }
  }

  /** The token that authenticates a user without a Kerberos ticket; null if none is known. */
  @Nullable Token<BlockTokenIdentifier> token() {
    return nodes.token();
  }

  /**
   * The DataNodes that the NameNode takes for alive, by name.
   *
   * @throws AccessControlException if the user is no HDFS superuser: the NameNode lists its
   *     DataNodes to no one else. Others know the {@link #holders} of what they may read.
   */
  public List<DataNode> liveNodes() throws IOException {
    return nodes.live(fs);
  }

  /**
   * The DataNodes that hold a block of a file, of the matches of a glob, or of any file below a
   * directory, by name.
   *
   * @param notes receives what is left out, and why; one line each
   * @throws FileNotFoundException if there is nothing at the path
   */
  public List<DataNode> holders(String path, Consumer<String> notes) throws IOException {
    TreeSet<DataNode> out = new TreeSet<>();
    for (LocatedFile file : locateFiles(path)) {
      file.blocks.forEach(b -> out.addAll(b.holders));
      file.notes.forEach(notes);
    }
    return List.copyOf(out);
  }

  /**
   * Resolves a manifest to hints for every DataNode; nothing is sent. What a superuser resolves
   * covers all DataNodes; what others resolve, the holders of the manifest's blocks, which is
   * enough unless an earlier submission of the same name had blocks elsewhere: those end with its
   * TTL.
   *
   * @param ttl how long the hints live, &gt; 0
   * @throws HintException if the manifest cannot be submitted as it is
   */
  public ResolvedManifest resolve(ManifestPlaces places, Manifest manifest, Duration ttl)
      throws IOException {
    return resolve(places, manifest, ttl, Long.MAX_VALUE);
  }

  /**
   * As {@link #resolve(ManifestPlaces, Manifest, Duration)}.
   *
   * @param atMostBytes only the first blocks, of so many bytes together
   */
  public ResolvedManifest resolve(
      ManifestPlaces places, Manifest manifest, Duration ttl, long atMostBytes) throws IOException {
    return submitter.resolve(
        resolver(places, Reads.ALL), manifest, ttl, liveNodesOrNone(), node -> false, atMostBytes);
  }

  /**
   * As {@link #resolve(ManifestPlaces, Manifest, Duration)}, for a caller that waits for what the
   * jobs write, see {@link ResolvedManifest#later}: their reads of what an earlier job writes are
   * left out, even where there are files, which an earlier run has written.
   *
   * @param readHere whether plain HDFS clients on this host will read what the manifest names: they
   *     turn to a DataNode on this host first
   */
  public ResolvedManifest resolveInputs(
      ManifestPlaces places, Manifest manifest, Duration ttl, boolean readHere) throws IOException {
    return submitter.resolve(
        resolver(places, Reads.INPUTS),
        manifest,
        ttl,
        liveNodesOrNone(),
        node -> readHere && isOnThisHost(node),
        Long.MAX_VALUE);
  }

  private ManifestResolver resolver(ManifestPlaces places, Reads wanted) {
    return new ManifestResolver(locator, progress, places, wanted);
  }

  private List<DataNode> liveNodesOrNone() throws IOException {
    try {
      return liveNodes();
    } catch (AccessControlException e) {
      return List.of();
    }
  }

  /**
   * As {@link #resolve(ManifestPlaces, Manifest, Duration)}, for what is known of one job as it
   * begins: paths that are missing or may not be read are left out, with a note; so are files
   * beyond {@link ManifestResolver#MAX_JOB_FILES} and those behind {@link
   * ManifestResolver#MAX_JOB_BLOCKS}. Does not ask the NameNode for its DataNodes, as it refuses
   * that to ordinary users, and each refusal is a line in its audit log.
   *
   * @param before DataNodes that got hints of an earlier submission of the same name
   * @param isNeeded asked between files
   * @throws java.util.concurrent.CancellationException if that is false
   */
  ResolvedManifest resolveJob(
      ManifestPlaces places,
      Manifest manifest,
      Duration ttl,
      List<DataNode> before,
      BooleanSupplier isNeeded)
      throws IOException {
    ManifestResolver resolver =
        new ManifestResolver(
            locator,
            progress,
            places,
            Reads.READABLE,
            ManifestResolver.MAX_JOB_FILES,
            ManifestResolver.MAX_JOB_BLOCKS,
            isNeeded);
    return submitter.resolve(resolver, manifest, ttl, before, node -> false, Long.MAX_VALUE);
  }

  /**
   * The paths of a manifest at which nothing is, and that no earlier job of it writes. Asks the
   * NameNode for each path.
   */
  public Set<String> nowhere(Manifest manifest) throws IOException {
    return locator.nowhere(manifest);
  }

  /** One path for all that name the same directory or file, without a slash at its end. */
  public String absolute(String path) throws IOException {
    return locator.absolute(path);
  }

  /** Looks at a path before a job writes there. What is there now is not the job's output. */
  public JobOutput output(String path) throws IOException {
    return locator.output(new Path(path));
  }

  private static boolean isOnThisHost(DataNode node) {
    InetAddress address = node.socketAddress().getAddress();
    return address != null && NetUtils.isLocalAddress(address);
  }

  /**
   * Sends the hints of a resolved manifest. One answer for each of its {@code nodes}: the receipt;
   * empty if the DataNode gets no hints.
   */
  public List<NodeAnswer<Optional<HintReceipt>>> submit(ResolvedManifest resolved)
      throws IOException {
    return submit(resolved, "");
  }

  /**
   * As {@link #submit(ResolvedManifest)}.
   *
   * @param by what submits it, as lists of workflows show it, such as {@code hive}; at most {@link
   *     Hints#MAX_BY_CHARS} characters; empty if that is not known
   */
  public List<NodeAnswer<Optional<HintReceipt>>> submit(ResolvedManifest resolved, String by)
      throws IOException {
    return submitter.submit(resolved, hints -> hints.by(by));
  }

  /**
   * As {@link #submit(ResolvedManifest, String)}, for what is known of one job as it begins: the
   * DataNodes themselves estimate whether later jobs read the same.
   */
  public List<NodeAnswer<Optional<HintReceipt>>> submitJob(ResolvedManifest resolved, String by)
      throws IOException {
    return submitter.submit(resolved, hints -> hints.by(by).ofOneJob());
  }

  /** Where the blocks are that the hints of a submission name, each asked of who was hinted. */
  public List<NodeAnswer<List<BlockStatus>>> hinted(ResolvedManifest resolved) throws IOException {
    Map<DataNode, List<BlockKey>> blocks = new TreeMap<>();
    for (ResolvedManifest.NodeHints hints : resolved.nodes()) {
      if (hints.blocks() > 0) {
        blocks.put(hints.node(), hints.hintedBlocks());
      }
    }
    return nodes.ask(
        blocks.keySet(),
        (node, client) -> client.locate(blocks.getOrDefault(node, List.of()), resolved.tokens()));
  }

  /**
   * Forgets a workflow on these DataNodes. The answers are the references that were left; empty
   * where there was no such workflow.
   *
   * @param user whose it is; empty: the calling user's. Those of others are for administrators
   */
  public List<NodeAnswer<OptionalInt>> withdraw(String workflow, String user, List<DataNode> from)
      throws IOException {
    return nodes.ask(from, (node, client) -> client.withdraw(workflow, user));
  }

  /** The user's workflows on these DataNodes; of an administrator, everybody's. */
  public List<NodeAnswer<List<WorkflowStatus>>> workflows(List<DataNode> of) throws IOException {
    return nodes.ask(
        of,
        (node, client) ->
            client.workflows().stream().filter(w -> !w.isOver()).collect(Collectors.toList()));
  }

  /** As {@link #workflows}, with those that have ended in the last hour. */
  public List<NodeAnswer<List<WorkflowStatus>>> recentWorkflows(List<DataNode> of)
      throws IOException {
    return nodes.ask(of, (node, client) -> client.workflows());
  }

  /**
   * What became of a workflow's hints on these DataNodes, block by block.
   *
   * @param user whose it is; empty: the calling user's. Those of others are for administrators
   */
  public List<NodeAnswer<List<HintedBlock>>> explain(
      String workflow, String user, List<DataNode> of) throws IOException {
    return nodes.ask(of, (node, client) -> client.explain(workflow, user));
  }

  /** The live DataNodes as the NameNode's web server shows them, by address. */
  public List<DataNode> shownNodes() throws IOException {
    return nodes.shown();
  }

  /** How these DataNodes are doing. */
  public List<NodeAnswer<NodeStatus>> status(List<DataNode> of) throws IOException {
    return nodes.ask(of, (node, client) -> client.status());
  }

  /**
   * Changes settings of these DataNodes until they restart; each takes all changes or none. The
   * answers are what the changeable settings are now.
   *
   * @param changes new values by key; empty: only ask
   */
  public List<NodeAnswer<Map<String, String>>> settings(
      List<DataNode> of, Map<String, String> changes) throws IOException {
    return nodes.ask(of, (node, client) -> client.settings(changes));
  }

  /**
   * Asks for the places of all blocks of a file, of the matches of a glob, or of all files below a
   * directory.
   *
   * @throws FileNotFoundException if there is nothing at the path
   */
  public List<FilePlaces> locate(String path) throws IOException {
    List<LocatedFile> files = locateFiles(path);
    Map<DataNode, Map<BlockKey, NodeAnswer<BlockStatus>>> answers = askPlaces(files);
    List<FilePlaces> out = new ArrayList<>();
    for (LocatedFile file : files) {
      List<FilePlaces.BlockPlaces> blocks = new ArrayList<>();
      for (BlockReplicas block : file.blocks) {
        List<NodeAnswer<BlockStatus>> replicas = new ArrayList<>();
        for (DataNode holder : block.holders) {
          NodeAnswer<BlockStatus> answer = answers.getOrDefault(holder, Map.of()).get(block.block);
          replicas.add(
              answer != null
                  ? answer
                  : NodeAnswer.failed(holder, new IOException("no answer for this block")));
        }
        blocks.add(
            new FilePlaces.BlockPlaces(
                block.block.pool(), block.block.id(), block.offset, block.lengthBytes, replicas));
      }
      out.add(new FilePlaces(file.path.toUri().getPath(), blocks, file.notes));
    }
    return out;
  }

  /**
   * What is on the SSDs of the whole cluster, as the directory has it; no DataNode is asked for its
   * own blocks, and the NameNode for none. For administrators.
   *
   * @param nodes DataNodes that may have a part in the directory; the first that answers is asked
   * @throws RefusedException if a DataNode, or this client, refuses: the others would, too
   * @throws IOException if the directory can't be asked
   */
  public SsdUse ssdUse(List<DataNode> nodes) throws IOException {
    IOException failure = new IOException("there is no DataNode that could be asked");
    for (DataNode node : nodes) {
      NodeAnswer<SsdUse> answer =
          this.nodes.ask(List.of(node), (n, client) -> new SsdUse(all(client))).get(0);
      IOException failed = answer.failure();
      if (failed == null) {
        return answer.value();
      }
      if (failed instanceof RefusedException) {
        throw failed;
      }
      failure = failed;
    }
    throw failure;
  }

  private static List<BlockOnSsd> all(NodeClient client) throws IOException {
    List<BlockOnSsd> out = new ArrayList<>();
    String at = "";
    do {
      BlockDirectory.Page page = client.list(at);
      out.addAll(page.blocks());
      at = page.next();
    } while (!at.isEmpty());
    return out;
  }

  /** How much of a file is on SSD. Immutable. */
  public static final class FileOnSsd {
    public final String path;

    /** Length of the file, with what {@link #notes} leave out. */
    public final long bytes;

    /** Of these, bytes of blocks that some DataNode has on SSD. */
    public final long ssdBytes;

    /**
     * Of the file's bytes, those of blocks that the NameNode lists as cached: a cache directive
     * pins them, or they are advertised.
     */
    public final long cachedBytes;

    public final int blocks;

    /** Of these, blocks that some DataNode has on SSD. */
    public final int ssdBlocks;

    /** Blocks of which the directory did not answer. */
    public final int unknownBlocks;

    /** Blocks that are left out, and why; one line each. */
    public final List<String> notes;

    FileOnSsd(
        String path,
        long bytes,
        long ssdBytes,
        long cachedBytes,
        int blocks,
        int ssdBlocks,
        int unknownBlocks,
        List<String> notes) {
      this.path = path;
      this.bytes = bytes;
      this.ssdBytes = ssdBytes;
      this.cachedBytes = cachedBytes;
      this.blocks = blocks;
      this.ssdBlocks = ssdBlocks;
      this.unknownBlocks = unknownBlocks;
      this.notes = List.copyOf(notes);
    }
  }

  /**
   * How much of each file is on SSD, of the directory.
   *
   * @param path a file, a directory, all of whose files are meant, or a glob
   * @throws FileNotFoundException if there is nothing at the path
   */
  public List<FileOnSsd> list(String path) throws IOException {
    List<FileOnSsd> out = new ArrayList<>();
    try (SsdHolders holders = new SsdHolders(conf, settings.timeout)) {
      for (LocatedFile file : locateFiles(path)) {
        Map<BlockKey, Set<String>> known = holders.of(file.blocks);
        long fast = 0;
        long cached = 0;
        int fastBlocks = 0;
        int unknown = 0;
        for (BlockReplicas block : file.blocks) {
          Set<String> on = known.get(block.block);
          boolean isFast = on != null && !on.isEmpty();
          fast += isFast ? block.lengthBytes : 0;
          cached += block.cached ? block.lengthBytes : 0;
          fastBlocks += isFast ? 1 : 0;
          unknown += on == null ? 1 : 0;
        }
        out.add(
            new FileOnSsd(
                file.path.toUri().getPath(),
                file.lengthBytes,
                fast,
                cached,
                file.blocks.size(),
                fastBlocks,
                unknown,
                file.notes));
      }
    }
    return out;
  }

  private List<LocatedFile> locateFiles(String path) throws IOException {
    List<FileStatus> statuses = locator.files(new Path(path), name -> true, MAX_LOCATED_FILES);
    if (statuses.size() > MAX_LOCATED_FILES) {
      throw new IOException(
          path
              + ": expected at most "
              + MAX_LOCATED_FILES
              + " files, found more. Fix: name directories below it");
    }
    List<LocatedFile> files = new ArrayList<>();
    for (FileStatus status : statuses) {
      files.add(located(status, statuses.size() == 1));
      progress.at("files located", files.size(), statuses.size());
    }
    return files;
  }

  /**
   * Locates a file. One of many that was deleted since it was listed has no blocks, and a note says
   * so.
   */
  private LocatedFile located(FileStatus file, boolean only) throws IOException {
    try {
      return locator.locate(file);
    } catch (FileNotFoundException e) {
      if (only) {
        throw e;
      }
      String note = "deleted while it was located, skipped: path=" + file.getPath();
      return new LocatedFile(file.getPath(), file.getLen(), List.of(), List.of(note));
    }
  }

  private Map<DataNode, Map<BlockKey, NodeAnswer<BlockStatus>>> askPlaces(List<LocatedFile> files)
      throws IOException {
    Map<DataNode, Set<BlockKey>> questions = new TreeMap<>();
    Map<BlockKey, BlockReplicas> blocks = new HashMap<>();
    for (LocatedFile file : files) {
      for (BlockReplicas block : file.blocks) {
        blocks.put(block.block, block);
        for (DataNode holder : block.holders) {
          questions.computeIfAbsent(holder, h -> new LinkedHashSet<>()).add(block.block);
        }
      }
    }
    Map<DataNode, Map<BlockKey, NodeAnswer<BlockStatus>>> out = new HashMap<>();
    for (NodeAnswer<List<BlockStatus>> answer :
        nodes.ask(
            questions.keySet(),
            (node, client) ->
                client.locate(
                    List.copyOf(questions.getOrDefault(node, Set.of())),
                    key -> {
                      BlockReplicas block = blocks.get(key);
                      return block == null ? null : block.token;
                    }))) {
      DataNode node = answer.node();
      IOException failure = answer.failure();
      Map<BlockKey, NodeAnswer<BlockStatus>> byBlock = new HashMap<>();
      if (failure == null) {
        answer.value().forEach(s -> byBlock.put(s.block, NodeAnswer.of(node, s)));
      } else {
        questions
            .getOrDefault(node, Set.of())
            .forEach(b -> byBlock.put(b, NodeAnswer.failed(node, failure)));
      }
      out.put(node, byBlock);
    }
    return out;
  }

  /** True if a DataNode is there but has no plugin: worth a line, but nothing failed. */
  public static boolean isNotActive(NodeAnswer<?> answer) {
    return answer.failure() instanceof NotActiveException;
  }
}
