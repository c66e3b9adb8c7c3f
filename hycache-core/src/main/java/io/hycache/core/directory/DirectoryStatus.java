package io.hycache.core.directory;

/** How a node's share of the directory is doing. Immutable. */
public final class DirectoryStatus {
  public final int members;

  /** Since the NameNode told the members. */
  public final long viewAgeMillis;

  /** Shards that this node takes writes for. */
  public final int primaryShards;

  /** Shards that are being filled from others; 0: this node's share is whole. */
  public final int pullingShards;

  public final long records;
  public final long bytes;
  public final long operations;

  /** Operations that were turned away because there was too much to do. */
  public final long shed;

  /** Changes that other replicas were told. */
  public final long replicated;

  public DirectoryStatus(
      int members,
      long viewAgeMillis,
      int primaryShards,
      int pullingShards,
      long records,
      long bytes,
      long operations,
      long shed,
      long replicated) {
    this.members = members;
    this.viewAgeMillis = viewAgeMillis;
    this.primaryShards = primaryShards;
    this.pullingShards = pullingShards;
    this.records = records;
    this.bytes = bytes;
    this.operations = operations;
    this.shed = shed;
    this.replicated = replicated;
  }
}
