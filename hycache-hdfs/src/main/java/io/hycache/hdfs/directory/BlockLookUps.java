// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.rpc.BlockDirectory.Page;
import io.hycache.hdfs.rpc.BlockOnSsd;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/** What clients ask of the directory. Non-blocking; thread-safe. */
final class BlockLookUps {
  private static final long HOLDERS_TIMEOUT_MILLIS = 1000;

  /** Longer than that of holders: every member reads and sends a page. */
  private static final long LIST_TIMEOUT_MILLIS = 3000;

  private final DirectoryClient client;
  private final Predicate<String> isAway;
  private final BlocksUnderWay underWay = new BlocksUnderWay();
  private final LongAdder refused = new LongAdder();

  /**
   * @param isAway whether a DataNode can't be reached, as far as is known here; it is no holder
   */
  BlockLookUps(DirectoryClient client, Predicate<String> isAway) {
    this.client = client;
    this.isAway = isAway;
  }

  /** As {@link io.hycache.hdfs.rpc.BlockDirectory#holders}. */
  CompletableFuture<List<Optional<Set<String>>>> holders(String user, List<BlockKey> blocks) {
    int count = blocks.size();
    if (!underWay.add(user, count)) {
      refused.add(count);
      return CompletableFuture.completedFuture(Collections.nCopies(count, Optional.empty()));
    }
    int[] placeOf = new int[count];
    CompletableFuture<List<Outcome>> asked;
    try {
      asked =
          client
              .run(distinct(blocks, placeOf), HOLDERS_TIMEOUT_MILLIS)
              .whenComplete((outcomes, failure) -> underWay.remove(user, count));
    } catch (RuntimeException | Error e) { // there is no future that could end it
      underWay.remove(user, count);
      throw e;
    }
    return asked.thenApply(outcomes -> answers(outcomes, placeOf));
  }

  /**
   * Asks for each block once.
   *
   * @param placeOf receives the place of each block's operation
   */
  private static List<Operation> distinct(List<BlockKey> blocks, int[] placeOf) {
    Map<BlockKey, Integer> places = new HashMap<>();
    List<Operation> operations = new ArrayList<>();
    for (int i = 0; i < placeOf.length; i++) {
      BlockKey block = blocks.get(i);
      Integer known = places.putIfAbsent(block, operations.size());
      placeOf[i] = known == null ? operations.size() : known;
      if (known == null) {
        operations.add(BlockRecords.asked(block));
      }
    }
    return operations;
  }

  /** Blocks whose look-up was refused because too many were under way. */
  long refused() {
    return refused.sum();
  }

  private List<Optional<Set<String>>> answers(List<Outcome> outcomes, int[] placeOf) {
    List<Optional<Set<String>>> distinct = new ArrayList<>(outcomes.size());
    outcomes.forEach(outcome -> distinct.add(holders(outcome)));
    List<Optional<Set<String>>> out = new ArrayList<>(placeOf.length);
    for (int place : placeOf) {
      out.add(distinct.get(place));
    }
    return out;
  }

  private Optional<Set<String>> holders(Outcome outcome) {
    if (!outcome.isOk()) {
      return Optional.empty();
    }
    Set<String> holders = new HashSet<>();
    for (BlockOnSsd one : onSsd(outcome.rows())) {
      if (!isAway.test(one.datanode())) {
        holders.add(one.datanode());
      }
    }
    return Optional.of(holders);
  }

  private static List<BlockOnSsd> onSsd(List<Row> rows) {
    List<BlockOnSsd> out = new ArrayList<>();
    for (Row row : rows) {
      BlockOnSsd one = BlockRecords.read(row);
      if (one != null) {
        out.add(one);
      }
    }
    return out;
  }

  /** As {@link io.hycache.hdfs.rpc.BlockDirectory#list}. */
  CompletableFuture<Page> list(String at) {
    return client
        .run(List.of(Operation.list(BlockRecords.all(), at)), LIST_TIMEOUT_MILLIS)
        .thenCompose(
            outcomes -> {
              Outcome part = outcomes.get(0);
              return part.isOk()
                  ? CompletableFuture.completedFuture(page(part))
                  : CompletableFuture.failedFuture(
                      new IOException("the directory did not answer: " + part));
            });
  }

  /** The pages of all members together have more rows than one answer may have. */
  private static Page page(Outcome part) {
    List<Row> rows = part.rows();
    boolean cut = rows.size() > Page.MAX_BLOCKS;
    List<Row> kept = cut ? rows.subList(0, Page.MAX_BLOCKS) : rows;
    boolean more = (cut || part.more()) && !kept.isEmpty();
    return new Page(onSsd(kept), more ? kept.get(kept.size() - 1).key() : "");
  }
}
