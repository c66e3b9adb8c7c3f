package io.hycache.core.spi;

import java.io.IOException;

/** A move was given up because a writer came for its block. The source is as the writer left it. */
public final class MoveAbandonedException extends IOException {
  private static final long serialVersionUID = 1L;

  public MoveAbandonedException(String message) {
    super(message);
  }

  public MoveAbandonedException(String message, Throwable cause) {
    super(message, cause);
  }
}
