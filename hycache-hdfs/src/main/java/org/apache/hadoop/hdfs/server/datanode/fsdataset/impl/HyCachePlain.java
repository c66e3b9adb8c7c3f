package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;

/** What HDFS's own dataset does in the place of one of our overrides. */
interface HyCachePlain<T> {
  T run() throws IOException;

  /** The same without a result. */
  interface Action {
    void run() throws IOException;
  }
}
