// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import io.hycache.core.hint.LaterReads;
import io.hycache.core.hint.Manifest;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Paths to files to located blocks, asked of the NameNode as the calling user. Blocks are asked for
 * with the call that an ordinary read makes, so a user that may not read a file learns no block of
 * it, and gets the block tokens with the blocks. Thread-safe.
 */
final class FileLocator implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FileLocator.class);

  private static final int BLOCKS_PER_CALL = 1000;

  /** Directory of the output that FileOutputCommitter has not committed. */
  private static final String UNCOMMITTED = "_temporary";

  /** Files of an output that are looked at; the others are taken to be written, and closed. */
  private static final int MAX_CHECKED_FILES = 1000;

  private final Configuration conf;
  private final DataNodes nodes;
  private final Interner<String> pools = Interners.newStrongInterner();

  /** By scheme and authority, of those schemes that Hadoop's cache is off for. Guarded by this. */
  private final Map<String, FileSystem> own = new HashMap<>();

  /** Guarded by this. */
  private boolean closed;

  FileLocator(Configuration conf, DataNodes nodes) {
    this.conf = conf;
    this.nodes = nodes;
  }

  /**
   * The file system of a path.
   *
   * @throws NotHdfsException if it is another one
   */
  DistributedFileSystem fileSystem(Path path) throws IOException {
    FileSystem fs = get(path.toUri());
    if (!(fs instanceof DistributedFileSystem)) {
      throw new NotHdfsException("not on HDFS: fileSystem=" + fs.getUri());
    }
    return (DistributedFileSystem) fs;
  }

  /** The file system of the configuration's default URI. */
  FileSystem defaultFileSystem() throws IOException {
    return get(FileSystem.getDefaultUri(conf));
  }

  /**
   * @throws NotHdfsException if no such file system is configured, or its class is missing, as
   *     those of object stores are on the class path of HDFS
   */
  private FileSystem get(URI uri) throws IOException {
    try {
      return connect(uri);
    } catch (UnsupportedFileSystemException e) {
      throw new NotHdfsException(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      if (e.getCause() instanceof ClassNotFoundException) {
        throw new NotHdfsException("not on HDFS: " + e.getCause().getMessage());
      }
      throw e;
    }
  }

  private FileSystem connect(URI uri) throws IOException {
    URI otherwise = FileSystem.getDefaultUri(conf);
    String scheme = uri.getScheme() == null ? otherwise.getScheme() : uri.getScheme();
    if (!conf.getBoolean(disableCacheKey(scheme), false)) {
      return FileSystem.get(uri, conf);
    }
    boolean isDefault = uri.getAuthority() == null && scheme.equals(otherwise.getScheme());
    return own(isDefault ? otherwise : uri);
  }

  /** Property that has {@code FileSystem.get} make a file system with each call. */
  static String disableCacheKey(String scheme) {
    return "fs." + scheme + ".impl.disable.cache";
  }

  private synchronized FileSystem own(URI uri) throws IOException {
    if (closed) {
      throw new IOException("the client is closed");
    }
    String place = uri.getScheme() + "://" + uri.getAuthority();
    FileSystem known = own.get(place);
    if (known == null) {
      known = FileSystem.get(uri, conf);
      own.put(place, known);
    }
    return known;
  }

  /**
   * Closes the file systems that Hadoop's cache does not have. Those of HDFS by their client,
   * because {@code FileSystem.close} takes the lock of Hadoop's cache: a thread that closes all
   * file systems holds it, and may be waiting for the calling thread.
   */
  @Override
  public synchronized void close() {
    closed = true;
    for (FileSystem fs : own.values()) {
      IOUtils.closeStream(
          fs instanceof DistributedFileSystem ? ((DistributedFileSystem) fs).getClient() : fs);
    }
    own.clear();
  }

  /** True for names that MapReduce and Spark, too, pass over when they read a directory. */
  static boolean isHidden(String name) {
    return name.startsWith("_") || name.startsWith(".");
  }

  /**
   * The files that a path stands for: itself, the matches of a glob, all below a directory; by
   * name. Directories below it that are deleted meanwhile are passed over.
   *
   * @param wanted names to take of what lies in directories
   * @param limit stops when more than that many are found
   * @throws FileNotFoundException if there is nothing at the path
   * @throws IllegalArgumentException if it is a broken glob
   */
  List<FileStatus> files(Path path, Predicate<String> wanted, int limit) throws IOException {
    DistributedFileSystem fs = fileSystem(path);
    FileStatus[] matches = glob(fs, path);
    if (matches.length == 0) {
      throw new FileNotFoundException(
          path + ": expected an existing file, directory or glob, found nothing");
    }
    List<FileStatus> out = new ArrayList<>();
    for (FileStatus match : matches) {
      collect(fs, match, wanted, limit, out);
    }
    return out;
  }

  /** Returns true if a file or directory matches a path. */
  boolean exists(Path path) throws IOException {
    FileStatus[] matches = glob(fileSystem(path), path);
    return matches.length > 0;
  }

  /** The paths of a manifest at which nothing is, and that no earlier job of it writes. */
  Set<String> nowhere(Manifest manifest) throws IOException {
    Set<String> out = new HashSet<>();
    Set<Manifest.Read> later = readsOfOutputs(manifest);
    for (Manifest.Job job : manifest.jobsInOrder()) {
      for (Manifest.Read read : job.reads()) {
        if (!later.contains(read) && !exists(new Path(read.path()))) {
          out.add(read.path());
        }
      }
    }
    return out;
  }

  /**
   * The reads of a manifest, these objects, at or below a path that an earlier job of it writes.
   * Asks nothing of the NameNode. O(paths).
   */
  Set<Manifest.Read> readsOfOutputs(Manifest manifest) throws IOException {
    Set<Manifest.Read> out = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<String> written = new HashSet<>();
    for (Manifest.Job job : manifest.jobsInOrder()) {
      for (Manifest.Read read : job.reads()) {
        if (!written.isEmpty()
            && LaterReads.isWithinOne(absolute(Manifest.unescaped(read.path())), written)) {
          out.add(read);
        }
      }
      for (Manifest.Write write : job.writes()) {
        written.add(absolute(write.path()));
      }
    }
    return out;
  }

  /**
   * As the NameNode knows it, without a slash at its end: a relative path is in the user's home
   * directory.
   */
  String absolute(String text) throws IOException {
    String out = text;
    try {
      Path path = new Path(text);
      out = fileSystem(path).makeQualified(path).toString();
    } catch (NotHdfsException | IllegalArgumentException e) {
      // Compared as it is written.
    }
    return out.endsWith("/") ? out.substring(0, out.length() - 1) : out;
  }

  /** Looks at what is at a path before a job writes there. */
  JobOutput output(Path path) throws IOException {
    Set<String> before = states(outputFiles(path));
    return () -> isWritten(path, before);
  }

  private boolean isWritten(Path path, Set<String> before) throws IOException {
    List<FileStatus> files = outputFiles(path);
    if (files.isEmpty() || states(files).equals(before)) {
      return false;
    }
    DistributedFileSystem fs = fileSystem(path);
    for (FileStatus match : glob(fs, path)) {
      if (match.isDirectory() && fs.exists(new Path(match.getPath(), UNCOMMITTED))) {
        return false;
      }
    }
    try {
      for (FileStatus file : files) {
        if (!fs.isFileClosed(file.getPath())) {
          return false;
        }
      }
    } catch (FileNotFoundException e) {
      return false; // the job removes files that were there before
    }
    return true;
  }

  private List<FileStatus> outputFiles(Path path) throws IOException {
    try {
      return files(path, name -> !isHidden(name), MAX_CHECKED_FILES);
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /** One text for each file; a file that is written again has another one. */
  private static Set<String> states(List<FileStatus> files) {
    return files.stream()
        .map(file -> file.getModificationTime() + " " + file.getLen() + " " + file.getPath())
        .collect(Collectors.toSet());
  }

  /** Returns what matches; empty if nothing does. */
  private static FileStatus[] glob(DistributedFileSystem fs, Path path) throws IOException {
    try {
      FileStatus[] matches = fs.globStatus(path);
      return matches == null ? new FileStatus[0] : matches;
    } catch (IOException e) {
      String message = ErrorText.of(e);
      if (message.startsWith("Illegal file pattern")) {
        throw new IllegalArgumentException(message, e);
      }
      throw e;
    }
  }

  private static void collect(
      DistributedFileSystem fs,
      FileStatus status,
      Predicate<String> wanted,
      int limit,
      List<FileStatus> out)
      throws IOException {
    if (status.isDirectory()) {
      RemoteIterator<FileStatus> children = fs.listStatusIterator(status.getPath());
      while (children.hasNext() && out.size() <= limit) {
        FileStatus child = children.next();
        if (wanted.test(child.getPath().getName())) {
          try {
            collect(fs, child, wanted, limit, out);
          } catch (FileNotFoundException e) {
            LOG.debug("a directory was deleted meanwhile: path={}", child.getPath());
          }
        }
      }
    } else if (status.isFile()) {
      out.add(status);
    }
  }

  /**
   * Blocks that are still written, erasure-coded or without a replica are left out, with a note.
   * The NameNode's audit log has this as an open: the caller context says that it is none.
   */
  LocatedFile locate(FileStatus file) throws IOException {
    CallerContext before = CallerContext.getCurrent();
    CallerContext.setCurrent(SsdHolders.LOOK_UP);
    try {
      return lookUp(file);
    } finally {
      CallerContext.setCurrent(before);
    }
  }

  private LocatedFile lookUp(FileStatus file) throws IOException {
    Path path = file.getPath();
    DistributedFileSystem fs = fileSystem(path);
    String src = path.toUri().getPath();
    List<BlockReplicas> blocks = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    long step = Math.max(1, file.getBlockSize()) * BLOCKS_PER_CALL;
    long length = 1;
    for (long start = 0; start < length; start += step) {
      LocatedBlocks located = fs.getClient().getLocatedBlocks(src, start, step);
      if (located == null) {
        throw new FileNotFoundException(path + ": expected an existing file, found none");
      }
      length = located.getFileLength();
      LocatedBlock open =
          located.isUnderConstruction() && !located.isLastBlockComplete()
              ? located.getLastLocatedBlock()
              : null;
      if (open != null && start == 0) {
        notes.add("the last block is being written and is skipped: path=" + path);
      }
      for (LocatedBlock block : located.getLocatedBlocks()) {
        boolean last = open != null && block.getBlock().equals(open.getBlock());
        if (last || isDuplicate(blocks, block)) {
          continue;
        }
        if (block.isStriped()) {
          notes.add("an erasure-coded file is skipped: path=" + path);
          return new LocatedFile(path, file.getLen(), List.of(), notes);
        }
        if (block.isCorrupt() || block.getLocations().length == 0) {
          notes.add(
              "a block without a good replica is skipped: path="
                  + path
                  + " block="
                  + block.getBlock().getBlockName());
          continue;
        }
        blocks.add(replicas(block));
      }
    }
    return new LocatedFile(path, file.getLen(), blocks, notes);
  }

  /** A block at the seam of two calls comes with both. */
  private static boolean isDuplicate(List<BlockReplicas> blocks, LocatedBlock block) {
    return !blocks.isEmpty()
        && blocks.get(blocks.size() - 1).block.id() == block.getBlock().getBlockId();
  }

  /** Blocks share what they have in common: there may be millions. */
  BlockReplicas replicas(LocatedBlock block) {
    Token<BlockTokenIdentifier> token = SsdHolders.token(block);
    if (token != null) {
      nodes.authenticateBy(token);
    }
    List<DataNode> holders =
        Stream.of(block.getLocations())
            .map(nodes::of)
            .distinct()
            .sorted()
            .collect(Collectors.toUnmodifiableList());
    return new BlockReplicas(
        new BlockKey(
            pools.intern(block.getBlock().getBlockPoolId()), block.getBlock().getBlockId()),
        block.getStartOffset(),
        block.getBlockSize(),
        block.getCachedLocations().length > 0,
        token,
        holders);
  }
}
