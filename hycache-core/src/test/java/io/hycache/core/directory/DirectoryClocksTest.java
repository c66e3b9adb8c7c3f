// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static io.hycache.core.directory.FakeNetwork.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Outcome.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The wall clocks of all nodes are set back by an hour: nothing lasts an hour longer. */
class DirectoryClocksTest {
  private static final long HOUR_MILLIS = 3_600_000;

  private final FakeNetwork network = new FakeNetwork(3, 2);

  DirectoryClocksTest() {
    network.wallLeadMillis = HOUR_MILLIS;
    network.with("a", "b");
  }

  private void setBack() {
    network.wallLeadMillis = 0;
  }

  private Status onReplica(String key) {
    Operation get = Operation.get(key).fromAnyReplica();
    DirectoryNode node = network.node(network.owner(key, 1));
    return network.await(node.run("", 0, List.of(get))).get(0).status();
  }

  @Test
  void replicaThatWasAway_hasTheChangesSoonAfterItIsBack() {
    network.cut("a", "b");
    assertEquals(Status.OK, network.ask(Operation.put("k", bytes("1"), 0)).status());
    setBack();
    network.heal();
    assertEquals(Status.OK, network.ask(Operation.put("l", bytes("1"), 0)).status());
    network.run(5000);
    network.settle();
    assertEquals(Status.OK, onReplica("k"));
    assertEquals(Status.OK, onReplica("l"));
  }

  @Test
  void recordWithALife_endsInTime_andIsSwept() {
    network.ask(Operation.put("k", bytes("1"), 20_000));
    setBack();
    network.run(10_000);
    assertEquals(Status.OK, network.ask(Operation.get("k")).status());
    network.run(10_000);
    assertEquals(Status.ABSENT, network.ask(Operation.get("k")).status());
    network.run(40_000);
    assertEquals(0, network.node("a").status().records + network.node("b").status().records);
  }

  @Test
  void recordThatIsWrittenAgain_hasALaterVersion() {
    long before = network.ask(Operation.put("k", bytes("1"), 0)).version();
    setBack();
    assertTrue(network.ask(Operation.put("k", bytes("2"), 0)).version() > before);
  }

  @Test
  void members_thatChangeAfterwards_areLearned() {
    setBack();
    network.members(List.of("a"), 0);
    network.run(1000);
    assertEquals(1, network.node("a").status().members);
  }
}
