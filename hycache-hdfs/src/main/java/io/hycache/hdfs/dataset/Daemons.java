// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Creates daemon threads, which do not keep a DataNode from exiting. */
final class Daemons {
  private static final int TIMER_IDLE_SECONDS = 3;

  private Daemons() {}

  /** Returns a factory of daemon threads with a name. */
  static ThreadFactory named(String name) {
    return new ThreadFactoryBuilder().setDaemon(true).setNameFormat(name).build();
  }

  /** Returns a timer of one thread, which ends while nothing is scheduled for some seconds. */
  static ScheduledThreadPoolExecutor timer(String name) {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named(name));
    timer.setKeepAliveTime(TIMER_IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    return timer;
  }
}
