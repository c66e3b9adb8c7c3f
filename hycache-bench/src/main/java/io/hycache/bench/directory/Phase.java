// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** What every client of every node does for a while. Immutable; goes to the nodes as JSON. */
final class Phase {
  /** What is done to files. */
  enum Operation {
    /** An empty file with a name of its own. */
    CREATE,
    /** Asks for a file that the client made before. */
    STAT,
    /** Lists the client's own directory of {@link #DIRECTORY_FILES} files. */
    LIST,
    /** Sets or clears the mark "being written" of an own file. */
    CAS,
    /** A name more in the one directory of all clients. */
    APPEND;

    static Operation parse(String text) {
      for (Operation one : values()) {
        if (one.label().equals(text)) {
          return one;
        }
      }
      throw new IllegalArgumentException(
          "--operations: expected create, stat, list, cas or append, found " + text);
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Files in a directory that is listed. */
  static final int DIRECTORY_FILES = 32;

  /** Files that a client has made at least before it asks for them. */
  static final int FILES = 2_000;

  public final Operation operation;

  /** Distinguishes it from the other phases with the same nodes. */
  public final String label;

  /** Threads in each node. */
  public final int clients;

  /** Operations in one call. */
  public final int batch;

  public final long warmupMillis;
  public final long millis;
  public final long seed;

  @JsonCreator
  Phase(
      @JsonProperty("operation") Operation operation,
      @JsonProperty("label") String label,
      @JsonProperty("clients") int clients,
      @JsonProperty("batch") int batch,
      @JsonProperty("warmupMillis") long warmupMillis,
      @JsonProperty("millis") long millis,
      @JsonProperty("seed") long seed) {
    this.operation = operation;
    this.label = label;
    this.clients = clients;
    this.batch = batch;
    this.warmupMillis = warmupMillis;
    this.millis = millis;
    this.seed = seed;
  }

  /** The same for another operation. */
  Phase of(Operation newOperation, int newBatch) {
    String name = newOperation.label() + "-" + newBatch;
    return new Phase(newOperation, name, clients, newBatch, warmupMillis, millis, seed);
  }

  /**
   * Creates that are not measured, by processes that are new: what they run is compiled meanwhile.
   */
  Phase leadIn(int newBatch) {
    return new Phase(Operation.CREATE, "lead-in", clients, newBatch, warmupMillis, 1, seed);
  }
}
