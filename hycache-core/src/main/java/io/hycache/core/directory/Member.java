// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.Objects;

/** A node that holds a share of the directory. Immutable; ordered and equal by id. */
public final class Member implements Comparable<Member> {
  private final String id;
  private final String address;

  /**
   * @param id fixed over the node's life, such as a DataNode's UUID
   * @param address host:port at which it is called
   */
  public Member(String id, String address) {
    this.id = Objects.requireNonNull(id);
    this.address = Objects.requireNonNull(address);
  }

  public String id() {
    return id;
  }

  public String address() {
    return address;
  }

  /** Whether this is the same member, at the same address. */
  boolean sameAs(Member other) {
    return id.equals(other.id) && address.equals(other.address);
  }

  @Override
  public int compareTo(Member other) {
    return id.compareTo(other.id);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Member && id.equals(((Member) other).id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return id + "@" + address;
  }
}
