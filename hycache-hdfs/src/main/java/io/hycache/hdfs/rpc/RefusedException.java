package io.hycache.hdfs.rpc;

import java.io.IOException;

/**
 * A DataNode understood that it is being asked, and says no: the request is malformed or too large,
 * a block token is wrong, or the user may not ask for it. The message says which. Trying the same
 * again won't help.
 */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    super(message);
  }
}
