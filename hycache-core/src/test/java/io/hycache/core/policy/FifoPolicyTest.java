// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.spi.CachePolicy;

class FifoPolicyTest extends CachePolicyContract {
  @Override
  CachePolicy create() {
    return new FifoPolicy();
  }

  @Override
  PolicyModel model() {
    return new PolicyModel(PolicyModel.FIFO, false);
  }
}
