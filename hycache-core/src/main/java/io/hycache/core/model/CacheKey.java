// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

import java.util.Objects;

/**
 * Names one object of a cache by a namespace and a number: an HDFS block ({@link BlockKey}) by
 * block pool and block id, a temp file by its tree and a number, an object of a simulation by its
 * number.
 *
 * <p>Keys are equal if namespace and id are, whatever their classes, so that policies can store a
 * key's parts instead of the key. Immutable.
 */
public class CacheKey {
  private final String namespace;
  private final long id;

  public CacheKey(String namespace, long id) {
    this.namespace = Objects.requireNonNull(namespace);
    this.id = id;
  }

  /** The set of objects in which the id is unique. A cache has few namespaces. */
  public final String namespace() {
    return namespace;
  }

  /** The number of the object, unique within its namespace. */
  public final long id() {
    return id;
  }

  @Override
  public final boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof CacheKey)) {
      return false;
    }
    CacheKey that = (CacheKey) other;
    return id == that.id && namespace.equals(that.namespace);
  }

  @Override
  public final int hashCode() {
    return idHash() ^ namespace.hashCode();
  }

  /** A hash code of the id alone. */
  public final int idHash() {
    return idHash(id);
  }

  /** The {@link #idHash()} of a key with this id. */
  public static int idHash(long id) {
    return Long.hashCode(id * 0x9E3779B97F4A7C15L);
  }

  @Override
  public String toString() {
    return namespace + ":" + id;
  }
}
