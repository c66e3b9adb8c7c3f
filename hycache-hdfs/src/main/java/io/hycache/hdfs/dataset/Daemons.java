package io.hycache.hdfs.dataset;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.util.concurrent.ThreadFactory;

/** Threads that never keep a DataNode from ending. */
final class Daemons {
  private Daemons() {}

  /** All threads of the factory get this name. */
  static ThreadFactory named(String name) {
    return new ThreadFactoryBuilder().setDaemon(true).setNameFormat(name).build();
  }
}
