// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.lineage;

import io.hycache.hdfs.client.RunHints;
import io.openlineage.client.transports.Transport;
import io.openlineage.client.transports.TransportBuilder;
import io.openlineage.client.transports.TransportConfig;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * Makes the transport of type {@code hycache}. OpenLineage finds it by {@code ServiceLoader}; where
 * there is no OpenLineage, nothing loads it.
 */
public final class HyCacheTransportBuilder implements TransportBuilder {
  /** Called by {@code ServiceLoader}. */
  public HyCacheTransportBuilder() {}

  @Override
  public String getType() {
    return "hycache";
  }

  @Override
  public TransportConfig getConfig() {
    return new HyCacheTransportConfig();
  }

  @Override
  public Transport build(TransportConfig config) {
    return new HyCacheTransport(new RunHints(new HdfsConfiguration(), "openlineage"));
  }
}
