// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;

/** One client thread's files in the directory, over all phases. */
final class DirectoryWorkload implements Workload {
  /** Entries that a shared directory has at most, about: then the next is begun. */
  static final int MAX_ENTRIES = 1_000_000;

  private static final long TIMEOUT_MILLIS = 10_000;
  private static final int PREPARE_BATCH = 100;

  private final DirectoryClient client;
  private final String owner;
  private final String address;
  private final Random random;
  private Phase phase;
  private long created;
  private long[] versions = {};
  private boolean writing;
  private int shared;
  private long appended;

  /**
   * @param owner of its files: distinguishes it from all other clients
   * @param address where its node is
   */
  DirectoryWorkload(DirectoryClient client, String owner, String address, Phase phase) {
    this.client = client;
    this.owner = owner;
    this.address = address;
    this.phase = phase;
    this.random = new Random(phase.seed * 31 + owner.hashCode());
  }

  /** Goes on with another one. */
  void begin(Phase next) {
    phase = next;
    shared = 0;
  }

  /** The directory that all append to. */
  static String shared(String phase, int number) {
    return "/shared/" + phase + "/" + number;
  }

  @Override
  public void prepare() throws Exception {
    switch (phase.operation) {
      case STAT:
        while (created < Phase.FILES) {
          check(run(creates(PREPARE_BATCH)));
        }
        break;
      case LIST:
        check(run(puts(directory(), Phase.DIRECTORY_FILES)));
        break;
      case CAS:
        List<Outcome> made = run(puts("/c/" + owner + "/", phase.batch));
        check(made);
        versions = made.stream().mapToLong(Outcome::version).toArray();
        writing = false;
        break;
      default:
        break;
    }
  }

  private String directory() {
    return "/d/{" + owner + "}/";
  }

  private List<Operation> puts(String directory, int count) {
    List<Operation> out = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      out.add(Operation.put(directory + i, FileRecord.empty(address, false), 0));
    }
    return out;
  }

  private List<Operation> creates(int count) {
    List<Operation> out = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      out.add(Operation.cas(file(created++), 0, FileRecord.empty(address, true)));
    }
    return out;
  }

  private String file(long number) {
    return "/f/" + owner + "/" + number;
  }

  private List<Operation> batch() {
    if (phase.operation == Phase.Operation.CREATE) {
      return creates(phase.batch);
    }
    List<Operation> out = new ArrayList<>(phase.batch);
    for (int i = 0; i < phase.batch; i++) {
      switch (phase.operation) {
        case STAT:
          out.add(Operation.get(file((long) (random.nextDouble() * created))));
          break;
        case LIST:
          out.add(Operation.list(directory(), ""));
          break;
        case CAS:
          byte[] value = FileRecord.empty(address, !writing);
          out.add(Operation.cas("/c/" + owner + "/" + i, versions[i], value));
          break;
        default:
          byte[] name = (owner + "/" + appended++).getBytes(UTF_8);
          out.add(Operation.append(shared(phase.label, shared), name));
          break;
      }
    }
    return out;
  }

  @Override
  public List<String> step() throws Exception {
    List<Outcome> outcomes = run(batch());
    List<String> failures = List.of();
    for (int i = 0; i < outcomes.size(); i++) {
      Outcome outcome = outcomes.get(i);
      if (!succeeded(outcome)) {
        failures = failures.isEmpty() ? new ArrayList<>() : failures;
        failures.add(phase.operation.label() + ": " + outcome);
      }
      if (phase.operation == Phase.Operation.CAS) {
        versions[i] = outcome.version();
      }
    }
    writing = !writing;
    if (phase.operation == Phase.Operation.APPEND
        && outcomes.get(outcomes.size() - 1).size() >= MAX_ENTRIES) {
      shared++;
    }
    return failures;
  }

  private boolean succeeded(Outcome outcome) {
    return outcome.isOk()
        && (phase.operation != Phase.Operation.LIST
            || outcome.rows().size() == Phase.DIRECTORY_FILES);
  }

  private List<Outcome> run(List<Operation> operations)
      throws InterruptedException, ExecutionException {
    return client.run(operations, TIMEOUT_MILLIS).get();
  }

  private static void check(List<Outcome> outcomes) {
    for (Outcome outcome : outcomes) {
      if (!outcome.isOk()) {
        throw new IllegalStateException("preparing failed: " + outcome);
      }
    }
  }
}
