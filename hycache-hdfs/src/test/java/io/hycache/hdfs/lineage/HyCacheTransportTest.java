// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.lineage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.hycache.hdfs.client.RecordingHints;
import io.hycache.hdfs.client.RunHints;
import io.openlineage.client.OpenLineage;
import io.openlineage.client.transports.Transport;
import io.openlineage.client.transports.TransportBuilder;
import io.openlineage.client.transports.TransportConfig;
import io.openlineage.client.transports.TransportFactory;
import io.openlineage.client.transports.TransportResolver;
import java.net.URI;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.UUID;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With OpenLineage's own client library. */
@Timeout(60)
class HyCacheTransportTest {
  private static final UUID RUN = UUID.fromString("01941111-0000-7000-8000-000000000001");
  private static final UUID PARENT = UUID.fromString("01941111-0000-7000-8000-000000000002");

  private final OpenLineage lineage = new OpenLineage(URI.create("https://producer"));
  private final RecordingHints recorded = new RecordingHints();
  private final HyCacheTransport transport = new HyCacheTransport(recorded.hints);

  @AfterEach
  void close() {
    transport.close();
  }

  private OpenLineage.RunEvent event(
      OpenLineage.RunEvent.EventType type, boolean withParent, String... inputs) {
    List<OpenLineage.InputDataset> datasets = new ArrayList<>();
    for (int i = 0; i < inputs.length; i += 2) {
      datasets.add(
          lineage.newInputDatasetBuilder().namespace(inputs[i]).name(inputs[i + 1]).build());
    }
    OpenLineage.RunFacetsBuilder facets = lineage.newRunFacetsBuilder();
    if (withParent) {
      facets.parent(
          lineage.newParentRunFacet(
              lineage.newParentRunFacetRun(PARENT, null),
              lineage.newParentRunFacetJob("etl", "nightly", null),
              null));
    }
    return lineage
        .newRunEventBuilder()
        .eventTime(ZonedDateTime.now(ZoneOffset.UTC))
        .eventType(type)
        .run(lineage.newRunBuilder().runId(RUN).facets(facets.build()).build())
        .job(lineage.newJobBuilder().namespace("etl").name("nightly.join").build())
        .inputs(datasets)
        .build();
  }

  @Test
  void openLineage_findsTheTransportByItsType() throws Exception {
    assertSame(
        HyCacheTransportConfig.class, TransportResolver.resolveTransportConfigByType("hycache"));
    TransportConfig config = new HyCacheTransportConfig();
    try (Transport made = new TransportFactory(config).build()) {
      assertInstanceOf(HyCacheTransport.class, made);
    }
    long ours =
        ServiceLoader.load(TransportBuilder.class).stream()
            .filter(provider -> provider.type() == HyCacheTransportBuilder.class)
            .count();
    assertEquals(1, ours);
  }

  @Test
  void aRun_isHintedFromStartToEnd() throws Exception {
    String user = UserGroupInformation.getCurrentUser().getUserName();
    String name = "etl/nightly.join/" + PARENT + "/" + RUN;
    for (OpenLineage.RunEvent.EventType end :
        List.of(
            OpenLineage.RunEvent.EventType.COMPLETE,
            OpenLineage.RunEvent.EventType.FAIL,
            OpenLineage.RunEvent.EventType.ABORT)) {
      transport.emit(
          event(
              OpenLineage.RunEvent.EventType.START,
              true,
              "hdfs://nn:8020",
              "/warehouse/a",
              "s3://bucket",
              "b",
              "hdfs://nn:8020",
              "/warehouse/a",
              "hdfs://nn:8020/",
              "warehouse/c"));
      transport.emit(
          event(OpenLineage.RunEvent.EventType.RUNNING, true, "hdfs://nn:8020", "/warehouse/d"));
      recorded.hints.await(); // a run that is over by then is not hinted
      transport.emit(event(end, true));
      recorded.hints.await();
      assertEquals(
          List.of(
              user
                  + " submit "
                  + name
                  + " [hdfs://nn:8020/warehouse/a, hdfs://nn:8020/warehouse/c]",
              user + " withdraw " + name),
          recorded.takeCalls(),
          end.name());
    }
    transport.emit(event(OpenLineage.RunEvent.EventType.START, false, "hdfs://nn", "/a"));
    transport.emit(event(OpenLineage.RunEvent.EventType.START, true, "file", "/a"));
    recorded.hints.await();
    assertEquals(
        List.of(user + " submit etl/nightly.join/" + RUN + " [hdfs://nn/a]"), recorded.takeCalls());
    assertEquals(0, transport.failures());
  }

  /** An event of a job that lists its files; without a bound, no input would be the last. */
  @Test
  void inputsBeyondTheBound_areNotLookedAt() throws Exception {
    OpenLineage.InputDataset distinct =
        lineage.newInputDatasetBuilder().namespace("hdfs://nn").name("/a").build();
    List<OpenLineage.InputDataset> endless =
        new AbstractList<>() {
          @Override
          public OpenLineage.InputDataset get(int index) {
            if (index > 2 * RunHints.MAX_PATHS) {
              throw new IndexOutOfBoundsException("looked at input " + index);
            }
            return index % 2 == 0
                ? distinct
                : lineage.newInputDatasetBuilder().namespace("hdfs://nn").name("/" + index).build();
          }

          @Override
          public int size() {
            return Integer.MAX_VALUE;
          }
        };
    transport.emit(
        lineage
            .newRunEventBuilder()
            .eventTime(ZonedDateTime.now(ZoneOffset.UTC))
            .eventType(OpenLineage.RunEvent.EventType.START)
            .run(lineage.newRunBuilder().runId(RUN).build())
            .job(lineage.newJobBuilder().namespace("etl").name("nightly.join").build())
            .inputs(endless)
            .build());
    recorded.hints.await();
    assertEquals(0, transport.failures());
    List<String> calls = recorded.takeCalls();
    assertEquals(1, calls.size());
    assertEquals(RunHints.MAX_PATHS, calls.get(0).split(", ", -1).length);
  }

  @Test
  @SuppressWarnings("NullAway")
  void aBrokenEvent_isCounted_andHurtsNobody() throws Exception {
    transport.emit((OpenLineage.RunEvent) null);
    transport.emit((OpenLineage.JobEvent) null);
    transport.emit((OpenLineage.DatasetEvent) null);
    assertEquals(1, transport.failures());
    recorded.failure = new NoClassDefFoundError("gone");
    transport.emit(event(OpenLineage.RunEvent.EventType.START, true, "hdfs://nn", "/a"));
    recorded.hints.await();
    assertEquals(1, recorded.hints.failures());
  }
}
