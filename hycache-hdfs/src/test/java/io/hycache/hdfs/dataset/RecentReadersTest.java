// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.hdfs.conf.DataDirMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecentReadersTest {
  private static final CleanCopies.Copy COPY =
      new CleanCopies.Copy(new Replica(new BlockKey("BP-1", 7), 1, 400), null, null);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private int looksRequested;
  private final RecentReaders readers = new RecentReaders(() -> looksRequested++);
  private final List<String> found = new ArrayList<>();

  private void look(long nowNanos) {
    readers.look(
        nowNanos,
        (copy, bytes) ->
            found.add(copy.replica().block().id() + " " + bytes.from + " " + bytes.to));
  }

  @Test
  void look_connectionClosedSoonAfter_notifiesOnce() {
    AtomicBoolean gone = new AtomicBoolean();
    readers.closed(COPY, SentBytes.ofCopy(100, 300), "a", gone::get, 0);
    look(SECOND / 10);
    assertEquals(List.of(), found);
    gone.set(true);
    look(SECOND);
    look(SECOND);
    assertEquals(List.of("7 100 300"), found);
  }

  @Test
  void look_connectionClosedBeforeTheFirstLookHoweverLate_notifies() {
    readers.closed(COPY, SentBytes.ofCopy(0, 1), "a", () -> true, 0);
    look(100 * SECOND);
    assertEquals(List.of("7 0 1"), found);
  }

  @Test
  void look_connectionKeptForTheNextRequest_isForgotten() {
    AtomicBoolean gone = new AtomicBoolean();
    readers.closed(COPY, SentBytes.ofCopy(0, 1), "a", gone::get, 0);
    look(2 * SECOND);
    gone.set(true);
    look(2 * SECOND);
    assertEquals(List.of(), found);
  }

  @Test
  void look_connectionWasUsedAgain_onlyTheLastStreamIsReported() {
    AtomicBoolean gone = new AtomicBoolean();
    readers.closed(COPY, SentBytes.ofCopy(0, 100), "a", gone::get, 0);
    readers.closed(COPY, SentBytes.ofCopy(200, 300), "b", gone::get, 0);
    readers.closed(COPY, SentBytes.ofCopy(100, 200), "a", gone::get, 1);
    gone.set(true);
    look(2);
    assertEquals(Set.of("7 100 200", "7 200 300"), Set.copyOf(found));
    assertEquals(2, found.size());
  }

  @Test
  void look_isRequestedWhileAReaderIsWatched() {
    readers.closed(COPY, SentBytes.ofCopy(0, 1), "a", () -> false, 0);
    assertEquals(1, looksRequested);
    look(SECOND);
    assertEquals(2, looksRequested);
    look(2 * SECOND);
    assertEquals(2, looksRequested, "it is forgotten");
  }

  @Test
  void closed_moreThanFit_areForgottenWithoutWaiting() {
    for (int i = 0; i < 10_000; i++) {
      readers.closed(COPY, SentBytes.ofCopy(i, i + 1), i, () -> true, 0);
    }
    look(0);
    assertEquals(4096, found.size());
  }

  @Test
  void take_readersOfTheCopy_areRemovedAlthoughTheirConnectionsAreOpen(@TempDir Path dir) {
    CleanArea area =
        new CleanArea(dir.toFile(), new DeviceWatch(dir.toFile()), DataDirMode.OWNER_ONLY);
    CleanCopies.Copy read = copyOf(area, 8);
    CleanCopies.Copy other = copyOf(area, 9);
    readers.closed(read, SentBytes.ofCopy(0, 5), "a", () -> false, 0);
    look(1);
    readers.closed(read, SentBytes.ofCopy(5, 9), "b", () -> false, 2);
    readers.closed(other, SentBytes.ofCopy(0, 1), "c", () -> true, 2);
    readers.take(read, (copy, bytes) -> found.add("taken " + bytes.from + " " + bytes.to));
    look(3);
    assertEquals(Set.of("taken 0 5", "taken 5 9"), Set.copyOf(found.subList(0, 2)));
    assertEquals(List.of("9 0 1"), found.subList(2, found.size()));
  }

  private static CleanCopies.Copy copyOf(CleanArea area, long id) {
    Replica replica = new Replica(new BlockKey("BP-1", id), 1, 400);
    return new CleanCopies.Copy(replica, new CleanFile(area, replica, Part.DATA, 400), null);
  }
}
