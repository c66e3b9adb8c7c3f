// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/** Answers a call when a future completes, without blocking a handler thread. */
final class Deferred {
  private Deferred() {}

  /** Answers immediately if the future is complete, else when it completes. */
  static <T> BytesValue answer(CompletableFuture<T> future, Function<T, BytesValue> encode) {
    if (future.isDone() && !future.isCompletedExceptionally()) {
      return encode.apply(future.join());
    }
    ProtobufRpcEngineCallback2 later = ProtobufRpcEngine2.Server.registerForDeferredResponse2();
    try {
      CompletableFuture<?> unused =
          future
              .thenApply(encode)
              .whenComplete(
                  (answer, failure) -> {
                    if (failure == null) {
                      later.setResponse(answer);
                    } else {
                      later.error(failure.getCause() == null ? failure : failure.getCause());
                    }
                  });
    } catch (Throwable e) { // if it is thrown, Hadoop takes the thread's next call for deferred
      later.error(e);
    }
    return BytesValue.getDefaultInstance();
  }
}
