// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import java.lang.reflect.Method;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.ValueResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.execution.HBClock;
import org.jetbrains.kotlinx.lincheck.execution.ResultWithClock;
import org.jetbrains.kotlinx.lincheck.verifier.AbstractLTSVerifier;
import org.jetbrains.kotlinx.lincheck.verifier.LTS;
import org.jetbrains.kotlinx.lincheck.verifier.VerifierContext;
import org.jetbrains.kotlinx.lincheck.verifier.linearizability.LinearizabilityContext;
import org.jetbrains.kotlinx.lincheck.verifier.linearizability.LinearizabilityVerifier;
import org.jspecify.annotations.Nullable;

/**
 * Holds recorded histories against a sequential specification: Lincheck decides each step, without
 * any of its runners.
 *
 * <p>The specification is a public class with a public constructor without arguments, deterministic
 * public methods without overloads, and equals and hashCode over its whole state. Arguments and
 * results are values of platform classes, never null.
 */
final class Histories {
  private Histories() {}

  /** One finished operation as its client saw it. Those of one thread don't overlap. */
  static final class Call {
    final int thread;
    final long invokedNanos;
    final long returnedNanos;
    final String method;
    final Object result;
    final List<Object> arguments;

    Call(
        int thread,
        long invokedNanos,
        long returnedNanos,
        String method,
        Object result,
        Object... arguments) {
      this.thread = thread;
      this.invokedNanos = invokedNanos;
      this.returnedNanos = returnedNanos;
      this.method = method;
      this.result = result;
      this.arguments = List.of(arguments);
    }

    @Override
    public String toString() {
      return "T"
          + thread
          + " ["
          + invokedNanos
          + ".."
          + returnedNanos
          + "] "
          + method
          + arguments
          + " -> "
          + result;
    }
  }

  /** Whether some order of the calls that keeps their order in time explains every result. */
  static boolean isLinearizable(Class<?> specification, List<Call> calls) {
    if (calls.isEmpty()) {
      return true;
    }
    List<List<Call>> threads = byThread(calls);
    List<List<Actor>> actors = new ArrayList<>();
    List<List<ResultWithClock>> results = new ArrayList<>();
    for (List<Call> thread : threads) {
      List<Actor> threadActors = new ArrayList<>();
      List<ResultWithClock> threadResults = new ArrayList<>();
      for (int i = 0; i < thread.size(); i++) {
        Call call = thread.get(i);
        threadActors.add(new Actor(method(specification, call), call.arguments));
        threadResults.add(
            new ResultWithClock(new ValueResult(call.result), clock(threads, thread, i)));
      }
      actors.add(threadActors);
      results.add(threadResults);
    }
    // A new one each time: Lincheck answers true when it is asked again about a known failure.
    return new Remembering(specification)
        .verifyResults(
            new ExecutionScenario(List.of(), actors, List.of(), null),
            new ExecutionResult(List.of(), results, List.of()));
  }

  private static List<List<Call>> byThread(List<Call> calls) {
    Map<Integer, List<Call>> threads = new TreeMap<>();
    calls.forEach(call -> threads.computeIfAbsent(call.thread, t -> new ArrayList<>()).add(call));
    for (List<Call> thread : threads.values()) {
      thread.sort(Comparator.comparingLong(call -> call.invokedNanos));
      for (int i = 1; i < thread.size(); i++) {
        if (thread.get(i).invokedNanos < thread.get(i - 1).returnedNanos) {
          throw new IllegalArgumentException("calls of one thread overlap: " + thread.get(i));
        }
      }
    }
    return new ArrayList<>(threads.values());
  }

  /** For each thread the number of its calls that had returned before this one was invoked. */
  private static HBClock clock(List<List<Call>> threads, List<Call> own, int index) {
    int[] clock = new int[threads.size()];
    for (int j = 0; j < clock.length; j++) {
      List<Call> other = threads.get(j);
      if (other == own) {
        clock[j] = index;
      } else {
        while (clock[j] < other.size()
            && other.get(clock[j]).returnedNanos < own.get(index).invokedNanos) {
          clock[j]++;
        }
      }
    }
    return new HBClock(clock);
  }

  private static Method method(Class<?> specification, Call call) {
    return Arrays.stream(specification.getMethods())
        .filter(method -> method.getName().equals(call.method))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such method: " + call));
  }

  /**
   * Lincheck's verifier, which decides every step, without entering a configuration (calls done,
   * state) twice: its own search keeps no such record and takes exponential time to reject a
   * history (Wing and Gong's algorithm with Lowe's memory: Lowe, Testing for Linearizability, CPE
   * 2017, section 4).
   */
  private static final class Remembering extends AbstractLTSVerifier {
    private final LinearizabilityVerifier steps;

    Remembering(Class<?> specification) {
      super(specification);
      steps = new LinearizabilityVerifier(specification);
    }

    @Override
    public LTS getLts() {
      return steps.getLts();
    }

    @Override
    public VerifierContext createInitialContext(
        ExecutionScenario scenario, ExecutionResult results) {
      return new Context(
          scenario,
          results,
          steps.createInitialContext(scenario, results),
          new int[scenario.getNThreads()],
          new HashSet<>());
    }

    private static final class Context extends VerifierContext {
      private final LinearizabilityContext step;
      private final int[] done;
      private final Set<List<Object>> entered;

      Context(
          ExecutionScenario scenario,
          ExecutionResult results,
          LinearizabilityContext step,
          int[] done,
          Set<List<Object>> entered) {
        super(
            scenario,
            results,
            step.getState(),
            done,
            new boolean[done.length],
            noTickets(done.length));
        this.step = step;
        this.done = done;
        this.entered = entered;
      }

      @Override
      public @Nullable VerifierContext nextContext(int thread) {
        LinearizabilityContext next = step.nextContext(thread);
        if (next == null) {
          return null;
        }
        int[] nextDone = done.clone();
        nextDone[thread]++;
        return entered.add(List.of(next.getState(), IntBuffer.wrap(nextDone)))
            ? new Context(getScenario(), getResults(), next, nextDone, entered)
            : null;
      }

      private static int[] noTickets(int length) {
        int[] tickets = new int[length];
        Arrays.fill(tickets, -1);
        return tickets;
      }
    }
  }
}
