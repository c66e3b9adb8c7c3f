package io.hycache.hdfs.metrics;

import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.jspecify.annotations.Nullable;

/**
 * One DataNode's figures as a metrics2 source in context {@code dfs}, record {@code HyCache}, names
 * after the RAM_DISK counters. Trouble is: {@code PassThrough} 1; {@code Failures} or {@code
 * MovesFailed} rising; {@code EventsDropped} rising fast; {@code SsdBlocksEvictedWithoutRead} near
 * {@code SsdBlocksPromoted}. Thread-safe; a snapshot asks nobody and takes no lock.
 */
public final class HyCacheMetrics implements MetricsSource {
  private final Counters counters;
  private final BooleanSupplier passThrough;
  private final LongSupplier cleanBytes;
  private final LongSupplier inFlightBytes;
  private final LongSupplier sickDevices;
  private final LongSupplier plannerStalledSeconds;
  private final Supplier<@Nullable DirectoryStatus> directory;

  /**
   * @param directory this DataNode's share; null while it has none
   */
  public HyCacheMetrics(
      Counters counters,
      BooleanSupplier passThrough,
      LongSupplier cleanBytes,
      LongSupplier inFlightBytes,
      LongSupplier sickDevices,
      LongSupplier plannerStalledSeconds,
      Supplier<@Nullable DirectoryStatus> directory) {
    this.counters = counters;
    this.passThrough = passThrough;
    this.cleanBytes = cleanBytes;
    this.inFlightBytes = inFlightBytes;
    this.sickDevices = sickDevices;
    this.plannerStalledSeconds = plannerStalledSeconds;
    this.directory = directory;
  }

  /** Enters the source under {@code HyCache-<name>}; a source of that name is replaced. */
  public void register(String name) {
    DefaultMetricsSystem.instance().unregisterSource(sourceName(name));
    DefaultMetricsSystem.instance().register(sourceName(name), "HyCache on this DataNode", this);
  }

  public static void unregister(String name) {
    DefaultMetricsSystem.instance().unregisterSource(sourceName(name));
  }

  private static String sourceName(String name) {
    return "HyCache-" + name;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord("HyCache").setContext("dfs");
    for (Counter counter : Counter.values()) {
      record.addCounter(Interns.info(counter.label(), counter.help()), counters.get(counter));
    }
    record.addGauge(
        Interns.info("PassThrough", "1 if HyCache has stepped aside after failures"),
        passThrough.getAsBoolean() ? 1 : 0);
    record.addGauge(
        Interns.info("SsdCleanBytes", "Bytes of clean copies on SSD"), cleanBytes.getAsLong());
    record.addGauge(
        Interns.info("SsdWriteBytesInFlight", "Bytes of replicas being written to SSD"),
        inFlightBytes.getAsLong());
    record.addGauge(
        Interns.info(
            "SsdsSick",
            "SSDs in quarantine or hanging, and cache directories that may not be used; more than 0"
                + " is trouble"),
        sickDevices.getAsLong());
    record.addGauge(
        Interns.info(
            "PlannerStalledSeconds",
            "How long the planner has not come round; more than 0 is trouble"),
        plannerStalledSeconds.getAsLong());
    DirectoryStatus share = directory.get();
    if (share != null) {
      add(record, share);
    }
  }

  private static void add(MetricsRecordBuilder record, DirectoryStatus share) {
    record
        .addGauge(Interns.info("DirectoryMembers", "DataNodes in the directory"), share.members)
        .addGauge(
            Interns.info(
                "DirectoryMembersAgeMillis", "Since the NameNode named them; minutes are trouble"),
            share.viewAgeMillis)
        .addGauge(
            Interns.info(
                "DirectoryShardsPulling", "Shards being filled from others; trouble if it stays"),
            share.pullingShards)
        .addGauge(Interns.info("DirectoryRecords", "Records held here"), share.records)
        .addGauge(Interns.info("DirectoryBytes", "Bytes of keys and values held"), share.bytes)
        .addCounter(Interns.info("DirectoryOperations", "Operations done here"), share.operations)
        .addCounter(
            Interns.info("DirectoryShed", "Operations turned away; a rising value is trouble"),
            share.shed)
        .addCounter(
            Interns.info("DirectoryReplicated", "Changes told to other replicas"),
            share.replicated);
  }
}
