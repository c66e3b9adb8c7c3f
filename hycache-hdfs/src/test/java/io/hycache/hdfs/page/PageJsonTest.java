// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.directory.Member;
import io.hycache.hdfs.SampleStatus;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PageJsonTest {
  private final FakeSource source = new FakeSource();
  private long nanos = TimeUnit.MINUTES.toNanos(5) + TimeUnit.SECONDS.toNanos(20);
  private final PageJson json = new PageJson(source, () -> nanos);

  private static JsonNode read(ObjectNode root) throws IOException {
    return new ObjectMapper().readTree(PageJson.bytes(root));
  }

  @Test
  void node_forAnAdministrator_hasAll() throws Exception {
    JsonNode node = read(json.node("root", true));
    assertEquals("host1:9866", node.path("dataNode").asText());
    assertTrue(node.path("administrator").asBoolean());
    assertEquals((8L << 30) + 1, node.path("status").path("capacityBytes").asLong());
    assertEquals(2, node.path("status").path("warnings").size());
    assertEquals("/ssd1", node.path("status").path("devices").path(1).path("device").asText());
    assertEquals(-19, node.at("/status/devices/0/writeBudgetLeftBytes").asLong());
    assertTrue(node.at("/status/devices/1/writeBudgetLeftBytes").isMissingNode());
    assertEquals("/s3cret/hdd", node.at("/volumes/1/directory").asText());
    assertTrue(node.at("/volumes/2/failed").asBoolean());
    assertEquals(2, node.path("workflows").size());
    assertEquals(FakeSource.HOSTILE, node.at("/workflows/1/workflow").asText());
    assertEquals(4711, node.at("/moves/0/block").asLong());
    assertTrue(node.at("/moves/0/endedAgoMillis").isNull());
    assertEquals(8, node.at("/moves/1/endedAgoMillis").asLong());
    assertEquals("ON_SSD_CLEAN", node.at("/moves/1/reason").asText());
    assertEquals(99, node.at("/mostRead/0/reads").asLong());
    assertEquals(14, node.at("/directory/records").asLong());
  }

  /** JavaScript has no integers beyond 2^53. */
  @Test
  void node_blockOfAnErasureCodedFile_isNamedByText() throws Exception {
    source.block = Long.MIN_VALUE + 16;
    JsonNode node = read(json.node("root", true));
    assertEquals("blk_-9223372036854775792", node.at("/moves/0/blockName").asText());
    assertEquals("blk_-9223372036854775792", node.at("/mostRead/0/blockName").asText());
    assertEquals(Long.MIN_VALUE + 16, node.at("/mostRead/0/block").asLong());
  }

  @Test
  void node_forOthers_hasNoNameButTheirOwn() throws Exception {
    for (String user : new String[] {"alice", "dr.who"}) {
      ObjectNode root = json.node(user, false);
      String text = root.toString();
      assertFalse(text.contains(FakeSource.SECRET), text);
      assertFalse(text.contains("4711"), text);
      assertFalse(text.contains("/ssd0"), text);
      assertFalse(text.contains("no answer from"), text);
      JsonNode node = read(root);
      assertEquals(user.equals("alice") ? 1 : 0, node.path("workflows").size());
      assertEquals(2, node.path("warningCount").asInt());
      assertEquals("SSD 2", node.at("/status/devices/1/device").asText());
      assertEquals("DISK 2", node.at("/volumes/1/directory").asText());
      assertEquals(2, node.path("moves").size());
      assertTrue(node.path("mostRead").isMissingNode());
    }
    assertEquals(0, source.mostReadAsked);
  }

  @Test
  void node_withoutAUser_hasNoWorkflow() throws Exception {
    assertEquals(0, read(json.node(null, false)).path("workflows").size());
  }

  @Test
  void node_isAskedAtMostEveryTwoSeconds_mostReadEveryThirty() throws Exception {
    for (int i = 0; i < 10; i++) {
      ObjectNode unused = json.node("root", true);
    }
    assertEquals(1, source.statusAsked);
    assertEquals(1, source.mostReadAsked);
    nanos += TimeUnit.SECONDS.toNanos(3);
    ObjectNode unused = json.node("root", true);
    assertEquals(2, source.statusAsked);
    assertEquals(1, source.mostReadAsked);
  }

  @Test
  void node_notReady_saysWhy() {
    source.notReady = "the DataNode is starting";
    assertEquals(
        "the DataNode is starting",
        assertThrows(IOException.class, () -> json.node("root", true)).getMessage());
  }

  /** There may be a million: of all in one answer, the DataNode's heap would be full. */
  @Test
  void node_manyWorkflows_hasTheLastSubmitted_andTheirNumber() throws Exception {
    source.manyWorkflows = 10_000;
    for (boolean administrator : new boolean[] {true, false}) {
      ObjectNode root = json.node("alice", administrator);
      assertTrue(PageJson.bytes(root).length < 100_000);
      JsonNode node = read(root);
      assertEquals(100, node.path("workflows").size());
      assertEquals("w9900", node.at("/workflows/0/workflow").asText());
      assertEquals("w9999", node.at("/workflows/99/workflow").asText());
      assertEquals(10_000, node.path("workflowCount").asInt());
    }
    assertEquals(0, read(json.node("bob", false)).path("workflowCount").asInt(-1));
  }

  /** The page is needed most when the planner is stalled or has ended. */
  @Test
  void node_plannerDoesNotAnswer_hasAllThatNeedsNoPlanner() throws Exception {
    source.silent = true;
    JsonNode node = read(json.node("root", true));
    assertEquals(77, node.at("/status/plannerStalledSeconds").asLong());
    assertEquals("the planner makes no progress", node.at("/status/notCounted").asText());
    assertEquals(3, node.path("volumes").size());
    assertEquals(2, node.path("moves").size());
    assertTrue(node.at("/moves/0/reasonText").isNull());
    assertTrue(node.path("workflows").isNull());
    assertTrue(node.path("mostRead").isNull());
    assertTrue(read(json.node("alice", false)).path("workflows").isNull());
    assertEquals(2, read(json.cluster(List.of(failed()), true)).path("dataNodes").size());
  }

  private ClusterView.Answer failed() {
    return new ClusterView.Answer(new Member("c", "host3:9867"), null, "away", nanos);
  }

  @Test
  void history_hasAllMinutes_andWhenTheLastEnded() throws Exception {
    JsonNode history = read(json.history(1_000_000));
    assertEquals(1_000_000 - 15_000, history.path("endMillis").asLong());
    assertEquals(60_000, history.path("stepMillis").asLong());
    assertEquals("[300,0]", history.path("ssdReadBytes").toString());
    assertEquals("[0,400]", history.path("diskReadBytes").toString());
    assertEquals("[0,0]", history.path("demotedBytes").toString());
  }

  @Test
  void cluster_hasThisDataNodeFirst_andNoNames() throws Exception {
    List<ClusterView.Answer> others =
        List.of(
            new ClusterView.Answer(
                new Member("b", "host2:9867"), SampleStatus.passThrough(), "", nanos),
            new ClusterView.Answer(
                new Member("c", "host3:9867"), null, "refused by " + FakeSource.SECRET, nanos));
    nanos += TimeUnit.SECONDS.toNanos(4);
    String text = json.cluster(others, false).toString();
    assertFalse(text.contains(FakeSource.SECRET), text);
    assertFalse(text.contains("/ssd"), text);
    JsonNode cluster = read(json.cluster(others, true));
    assertEquals(3, cluster.path("members").asInt());
    assertEquals(3, cluster.path("dataNodes").size());
    assertTrue(cluster.at("/dataNodes/0/self").asBoolean());
    assertTrue(cluster.at("/dataNodes/1/status/passThrough").asBoolean());
    assertEquals(4000, cluster.at("/dataNodes/1/ageMillis").asLong());
    assertEquals("refused by s3cret", cluster.at("/dataNodes/2/error").asText());
  }
}
