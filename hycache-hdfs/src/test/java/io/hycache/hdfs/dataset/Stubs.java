// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.directory.Peers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Objects with the few methods that a test needs. Stateless. */
public final class Stubs {
  private Stubs() {}

  /** What a method returns. */
  public interface Answer {
    /**
     * Answers a call.
     *
     * @param arguments of the call; null if the method has none
     */
    @Nullable Object to(Object[] arguments) throws Throwable;
  }

  /**
   * Returns an object with these methods, by name; all others but {@code equals} and {@code
   * hashCode} throw {@link UnsupportedOperationException}.
   */
  public static <T> T of(Class<T> type, Map<String, Answer> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Answer answer = answers.get(method.getName());
              if (answer == null && method.getName().equals("hashCode")) {
                return System.identityHashCode(proxy);
              }
              if (answer == null && method.getName().equals("equals")) {
                return proxy == arguments[0];
              }
              if (answer == null) {
                throw new UnsupportedOperationException(method.getName());
              }
              return answer.to(arguments);
            }));
  }

  /**
   * Returns the network of a node of the directory that reaches no other one.
   *
   * @param answers to calls that do not fail
   */
  public static Peers noPeers(Map<String, Answer> answers) {
    CompletableFuture<?> failure = CompletableFuture.failedFuture(new IOException("no other node"));
    Answer fails = arguments -> failure;
    Map<String, Answer> all = new HashMap<>();
    for (String call : List.of("run", "replicate", "pull", "view")) {
      all.put(call, fails);
    }
    all.put("heard", arguments -> null);
    all.putAll(answers);
    return of(Peers.class, all);
  }
}
