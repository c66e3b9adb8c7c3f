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
