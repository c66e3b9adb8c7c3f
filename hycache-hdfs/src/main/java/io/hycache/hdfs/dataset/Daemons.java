// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.util.concurrent.ThreadFactory;

/** Creates daemon threads, which do not keep a DataNode from exiting. */
final class Daemons {
  private Daemons() {}

  /** Returns a factory of daemon threads with a name. */
  static ThreadFactory named(String name) {
    return new ThreadFactoryBuilder().setDaemon(true).setNameFormat(name).build();
  }
}
