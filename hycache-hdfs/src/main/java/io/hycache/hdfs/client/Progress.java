package io.hycache.hdfs.client;

/** Is told how a long submission is getting on. Called from several threads. */
@FunctionalInterface
public interface Progress {

  /**
   * Some more is done.
   *
   * @param what for people, for example {@code files located}
   * @param total -1 if not known
   */
  void at(String what, long done, long total);
}
