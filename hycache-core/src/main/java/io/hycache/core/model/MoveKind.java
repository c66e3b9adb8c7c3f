package io.hycache.core.model;

/** What a move does. */
public enum MoveKind {
  /** Makes a clean copy of a DISK replica on SSD: data, and the checksum file where it lacks. */
  PROMOTE,
  /** Makes a clean copy of a DISK replica's checksum file on SSD. */
  PROMOTE_CHECKSUMS,
  /** Writes a replica that is only on SSD to DISK. */
  DEMOTE
}
