// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.lang.reflect.Proxy;
import java.util.Map;
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
   * Returns an object with these methods, by name; all others throw {@link
   * UnsupportedOperationException}.
   */
  public static <T> T of(Class<T> type, Map<String, Answer> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Answer answer = answers.get(method.getName());
              if (answer == null) {
                throw new UnsupportedOperationException(method.getName());
              }
              return answer.to(arguments);
            }));
  }
}
