// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.hint.Manifest;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workflows of a program that knows which files it will read, on every HDFS that has some of
 * them. Files elsewhere are passed over. Both calls ask NameNode and DataNodes. Not thread-safe.
 */
public final class FileWorkflows {
  private static final Logger LOG = LoggerFactory.getLogger(FileWorkflows.class);

  /** One read of one file. Immutable. */
  public static final class FileRead {
    private final Path path;
    private final boolean random;

    /**
     * @param path with scheme
     * @param random whether parts of the file are read
     */
    public FileRead(Path path, boolean random) {
      this.path = path;
      this.random = random;
    }

    public Path path() {
      return path;
    }

    /** Whether parts of the file are read, in any order. */
    public boolean random() {
      return random;
    }

    @Override
    public String toString() {
      return path + (random ? " (random)" : "");
    }
  }

  /** What became of a submission. */
  public enum Outcome {
    /**
     * Nothing can be hinted: no file is on HDFS, is there, may be read, and has blocks to hint. Or
     * the hints were not needed any more.
     */
    NOTHING,
    /** A DataNode accepted a hint. */
    TAKEN
  }

  private final Configuration conf;
  private final UserGroupInformation user;
  private final String by;
  private final Map<URI, ClientWorkflows> byFileSystem = new HashMap<>();

  /**
   * @param conf of the clients
   * @param user whose workflows they are
   * @param by what submits them, see {@link HyCacheClient#submit(ResolvedManifest, String)}
   */
  public FileWorkflows(Configuration conf, UserGroupInformation user, String by) {
    this.conf = conf;
    this.user = user;
    this.by = by;
  }

  /**
   * Submits reads, in this order, as a workflow. An earlier submission of the same name is
   * replaced, and withdrawn from file systems that have none of these files. A file that is there
   * twice is read twice. Files that are missing or may not be read are left out.
   *
   * @param isNeeded asked between files; nothing more is sent if it is false
   * @return over all file systems, the best
   * @throws IOException if a file system can't be asked, or has blocks to hint of which no DataNode
   *     accepted one, and no hint was accepted on another; what was submitted earlier may stay
   */
  public Outcome submit(String name, List<FileRead> reads, BooleanSupplier isNeeded)
      throws IOException {
    Map<URI, List<Manifest.Read>> onHdfs = new LinkedHashMap<>();
    for (FileRead read : reads) {
      URI uri = read.path().toUri();
      if (HdfsConstants.HDFS_URI_SCHEME.equals(uri.getScheme())) {
        URI fileSystem = URI.create(uri.getScheme() + "://" + uri.getAuthority());
        onHdfs
            .computeIfAbsent(fileSystem, any -> new ArrayList<>())
            .add(Manifest.Read.ofFile(uri.getPath(), read.random()));
      }
    }
    Outcome best = Outcome.NOTHING;
    IOException failure = null;
    // Ahead of the submissions: two names may stand for one cluster.
    for (Map.Entry<URI, ClientWorkflows> other : byFileSystem.entrySet()) {
      if (!onHdfs.containsKey(other.getKey())) {
        try {
          other.getValue().withdraw(name);
        } catch (IOException e) {
          LOG.debug("not withdrawn: fileSystem={} workflow={}", other.getKey(), name, e);
          failure = e;
        }
      }
    }
    for (Map.Entry<URI, List<Manifest.Read>> entry : onHdfs.entrySet()) {
      try {
        Outcome outcome =
            byFileSystem
                .computeIfAbsent(
                    entry.getKey(),
                    uri -> new ClientWorkflows(ClientWorkflows.configuration(conf, uri), user, by))
                .submitReads(name, entry.getValue(), isNeeded);
        best = outcome.compareTo(best) > 0 ? outcome : best;
      } catch (IOException e) {
        LOG.debug("no hints: fileSystem={} workflow={}", entry.getKey(), name, e);
        failure = e;
      }
    }
    if (failure != null && best == Outcome.NOTHING) {
      throw failure;
    }
    return best;
  }

  /**
   * Withdraws a workflow; nothing happens if there is none of the name.
   *
   * @throws IOException if a DataNode may still have hints; the others have been asked
   */
  public void withdraw(String name) throws IOException {
    IOException failure = null;
    for (ClientWorkflows workflows : byFileSystem.values()) {
      try {
        workflows.withdraw(name);
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
