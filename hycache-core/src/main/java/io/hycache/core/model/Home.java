package io.hycache.core.model;

/** Where a replica itself lies, whatever copies of it exist. */
public enum Home {
  /** On a slow volume. */
  DISK,
  /** On an SSD volume because HyCache placed it there: dirty, a passing guest. */
  SSD_GUEST,
  /** On an SSD volume because the NameNode asked for SSD: its owner's, never demoted. */
  SSD_OWNER
}
