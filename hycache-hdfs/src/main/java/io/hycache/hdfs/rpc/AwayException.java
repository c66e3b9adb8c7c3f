// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.jspecify.annotations.Nullable;

/** No connection to a DataNode could be made: it is down, or its host is. */
final class AwayException extends IOException {
  private static final long serialVersionUID = 1L;

  AwayException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns true if a call failed because no connection could be made. */
  static boolean isCause(@Nullable Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof ConnectException
          || e instanceof NoRouteToHostException
          || e instanceof UnknownHostException
          || e instanceof ConnectTimeoutException) {
        return true;
      }
    }
    return false;
  }
}
