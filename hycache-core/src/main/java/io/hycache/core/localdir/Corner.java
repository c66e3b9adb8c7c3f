package io.hycache.core.localdir;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The root of a tree and the corner of it that jobs don't see, held as long as the tree is served.
 * In the corner and below it only this process's user may do anything.
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
   * Finds or makes it.
   *
   * @throws IOException that says which directory is not usable and what to do
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

  /** As whom the tree is served. */
  Caller caller() {
    return caller;
  }

  /** The root of the tree as jobs see it. */
  Directory top() {
    return top;
  }

  /** The corner itself. */
  Directory own() {
    return own;
  }

  /** What is about to be exchanged, or was. */
  Directory staging() {
    return staging;
  }

  /** What nobody can tell whether it is needed. */
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
