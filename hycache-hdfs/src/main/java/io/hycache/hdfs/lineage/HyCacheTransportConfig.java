// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.lineage;

import io.openlineage.client.transports.TransportConfig;

/**
 * Configuration of the transport, which has no settings of its own: those of the client are in
 * Hadoop's configuration files.
 */
public final class HyCacheTransportConfig implements TransportConfig {
  /** Called by OpenLineage. */
  public HyCacheTransportConfig() {}
}
