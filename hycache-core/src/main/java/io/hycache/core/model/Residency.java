package io.hycache.core.model;

/** In what form a DataNode has the data of a block on a fast device. */
public enum Residency {
  /** Not at all. */
  NONE,
  /** As its only replica, our guest, that will be demoted. */
  DIRTY,
  /** As its only replica, which the NameNode put there. */
  OWNER,
  /** As a copy of a DISK replica. */
  CLEAN
}
