// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The root of a tree and its hidden directory {@code .hycache}, held open while the tree is served.
 * Only this process's user has access to the hidden directory.
 */
final class Corner implements Closeable {
  static final String NAME = ".hycache";

  private static final String STAGING = "staging";
  private static final String KEPT = "kept";

  private final Caller caller;
  private final Directory top;
  private final Directory own;
  private final Directory staging;
  private final Directory kept;

  private Corner(Caller caller, Directory top, Directory own, Directory staging, Directory kept) {
    this.caller = caller;
    this.top = top;
    this.own = own;
    this.staging = staging;
    this.kept = kept;
  }

  /**
   * Opens the root and opens or creates the hidden directories.
   *
   * @throws IOException if a directory is not usable; the message names it and the fix
   */
  static Corner open(Path ssd, Caller caller) throws IOException {
    Directory top = Directory.open(Roots.usable("ssd", ssd, caller), caller);
    Directory own = null;
    Directory staging = null;
    Corner corner = null;
    try {
      own = top.makeOurs(Path.of(NAME));
      staging = own.makeOurs(Path.of(STAGING));
      corner = new Corner(caller, top, own, staging, own.makeOurs(Path.of(KEPT)));
      return corner;
    } finally {
      if (corner == null) {
        for (Directory held : new Directory[] {staging, own, top}) {
          if (held != null) {
            held.close();
          }
        }
      }
    }
  }

  /** The user who serves the tree. */
  Caller caller() {
    return caller;
  }

  /** The root of the tree as jobs see it. */
  Directory top() {
    return top;
  }

  /** The hidden directory. */
  Directory own() {
    return own;
  }

  /** Staged files: about to be exchanged, or displaced by an exchange. */
  Directory staging() {
    return staging;
  }

  /** Files that are kept because it is unclear whether they are still needed. */
  Directory kept() {
    return kept;
  }

  @Override
  public void close() {
    kept.close();
    staging.close();
    own.close();
    top.close();
  }
}
