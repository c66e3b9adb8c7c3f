// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Manifest;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workflows of a client that hints automatically, submitted as the user that the client was
 * made for. The first use connects. Not thread-safe.
 */
final class ClientWorkflows implements AutomaticHints.Workflows {
  private static final Logger LOG = LoggerFactory.getLogger(ClientWorkflows.class);

  /** A job that takes longer does without hints after that; it renews nothing. */
  private static final Duration TTL = Duration.ofHours(2);

  private final URI fileSystem;
  private final Configuration conf;
  private final UserGroupInformation user;
  private final Map<String, List<DataNode>> nodes = new HashMap<>();
  private @Nullable HyCacheClient client;

  ClientWorkflows(URI fileSystem, Configuration conf) throws IOException {
    this.fileSystem = fileSystem;
    this.conf = conf;
    this.user = UserGroupInformation.getCurrentUser();
  }

  private <T> T asUser(PrivilegedExceptionAction<T> action) throws IOException {
    try {
      return user.doAs(action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private HyCacheClient client() throws IOException {
    HyCacheClient connected = client;
    if (connected == null) {
      Configuration own = new Configuration(conf);
      own.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, fileSystem.toString());
      connected = new HyCacheClient(own, (what, done, total) -> {});
      client = connected;
    }
    return connected;
  }

  @Override
  public void submit(String name, List<String> paths, boolean random) throws IOException {
    asUser(
        () -> {
          Manifest manifest = Manifest.ofFiles(name, TTL, paths, random);
          ResolvedManifest resolved =
              client().resolve(ManifestPlaces.of("workflow " + name), manifest, TTL);
          nodes.put(name, resolved.dataNodes());
          long taken = 0;
          for (NodeAnswer<Optional<HintReceipt>> answer : client().submit(resolved)) {
            if (answer.isAnswered()) {
              taken += answer.value().map(HintReceipt::accepted).orElse(0);
            } else {
              LOG.debug("no hints: DataNode={} cause={}", answer.node(), answer.failureText());
            }
          }
          LOG.info(
              "Hinted workflow {}: {} files, {} blocks, {} of {} block reads taken",
              name,
              resolved.files(),
              resolved.blocks(),
              taken,
              resolved.references());
          return null;
        });
  }

  @Override
  public void withdraw(String name) throws IOException {
    List<DataNode> from = nodes.remove(name);
    if (from != null) {
      asUser(() -> client().withdraw(name, "", from));
    }
  }
}
