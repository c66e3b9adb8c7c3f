// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** No connection to a DataNode could be made, or it did not answer in time. */
public final class AwayException extends IOException {
  private static final long serialVersionUID = 1L;

  AwayException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns true if a call failed because no connection could be made, or no answer came. */
  static boolean isCause(@Nullable Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof ConnectException
          || e instanceof NoRouteToHostException
          || e instanceof UnknownHostException
          || e instanceof SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }
}
