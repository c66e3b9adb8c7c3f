// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.stats.QuietLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One move: its state and the files it has created so far, which {@link #rollBack} removes. Used by
 * one thread.
 */
final class MoveSteps {
  private static final Logger LOG = LoggerFactory.getLogger(MoveSteps.class);

  /** Each move to a device that became read-only leaves something. */
  private static final QuietLog LEFT_LOG = new QuietLog(LOG);

  /** Thrown to roll a move back because the file changed or is in use. */
  static final class GivenUp extends IOException {
    private static final long serialVersionUID = 1;
    final MoveResult result;

    GivenUp(MoveResult result) {
      super(result.toString());
      this.result = result;
    }
  }

  final MoveRecord.Kind kind;
  final Path path;
  final String number;
  private final FileMoveState.Hook hook;
  private final HddNames names;
  private FileMoveState state = FileMoveState.PLANNED;
  @Nullable Path half;
  HddNames.@Nullable Given name;
  @Nullable Path staged;
  @Nullable MoveRecord record;

  /** The exchange was begun and, unless the state shows its end, may have failed half-way. */
  boolean mayBeExchanged;

  /**
   * Begins in state PLANNED.
   *
   * @param number unique among all moves of the tree since its start
   */
  MoveSteps(MoveRecord.Kind kind, Path path, long number, FileMoveState.Hook hook, HddNames names)
      throws IOException {
    this.kind = kind;
    this.path = path;
    this.number = kind.prefix + number;
    this.hook = hook;
    this.names = names;
    hook.at(state, path);
  }

  /**
   * Enters the next state.
   *
   * @throws IllegalStateException if {@link FileMoveState#allows} forbids it
   */
  void reached(FileMoveState next) throws IOException {
    if (!state.allows(next)) {
      throw new IllegalStateException(path + ": " + state + " -> " + next);
    }
    state = next;
    hook.at(next, path);
  }

  /**
   * Removes what the move created, if the tree was not changed. After an exchange, and if it is
   * unknown whether there was one, both files and the record stay: {@link Settlement} decides, at
   * the latest at the next start.
   */
  void rollBack() {
    boolean neverExchanged = state.compareTo(FileMoveState.EXCHANGED) < 0 && !mayBeExchanged;
    state = FileMoveState.ROLLED_BACK;
    quietly(half);
    if (neverExchanged) {
      quietly(staged);
      try {
        if (name != null) {
          name.remove();
        }
      } catch (IOException e) {
        LOG.warn(
            "could not remove the copy of a rolled-back move, the sweeper will: path={}", path, e);
      }
      try {
        if (record != null) {
          record.drop();
        }
      } catch (IOException e) {
        LOG.warn(
            "could not remove the record of a rolled-back move, the next start will: path={}",
            path,
            e);
      }
    }
    end();
  }

  /** Lets the sweeper remove the move's name on the HDD again. */
  void end() {
    if (name != null) {
      names.settled(name.path);
    }
  }

  private static void quietly(@Nullable Path path) {
    try {
      if (path != null) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      LEFT_LOG.warn(
          e, "could not remove a file of a rolled-back move, the next start will: file={}", path);
    }
  }
}
