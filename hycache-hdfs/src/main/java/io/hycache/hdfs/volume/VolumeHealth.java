package io.hycache.hdfs.volume;

import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** A dataset that knows which of its volumes must not be given anything new. Thread-safe. */
public interface VolumeHealth {

  /** For the write path: no lock, no I/O. */
  boolean isSick(FsVolumeSpi volume);
}
