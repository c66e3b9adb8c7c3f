// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The engine's monotonic counters, named after HDFS's RAM_DISK counters. Thread-safe. Each counter
 * is a {@link LongAdder}, so that counting on the read path takes no lock and allocates nothing.
 */
public final class Counters {
  /** A counter; {@link #label} is its name in metrics and in the status. */
  public enum Counter {
    BLOCKS_READ_FAST("SsdBlocksReadHits", "Block reads served from SSD"),
    BLOCKS_READ_SLOW("SsdBlocksReadMisses", "Block reads served from DISK"),
    BYTES_READ_FAST("SsdBytesRead", "Bytes read from SSD"),
    BYTES_READ_SLOW("DiskBytesRead", "Bytes read from DISK"),
    READS_LEFT_TO_DISK(
        "SsdReadsLeftToDisk",
        "Reads of blocks with a clean copy on SSD that DISK served, from the start or in the end, as"
            + " it was faster than the busy SSD"),
    READ_ERRORS_FAST(
        "SsdReadErrors",
        "Failed reads of clean copies; DISK served them instead, without an error for the reader"),
    HOST_LIMITS(
        "SsdHostLimitErrors",
        "Reads and probes of SSDs, and files on DISK to keep open, that failed at a limit of the host"
            + " (open files, memory, a full file system), which is not counted against a device; a"
            + " rising value is trouble"),
    ORPHANS_REMOVED(
        "SsdOrphanFilesRemoved",
        "Files of block pools and DataNodes that no longer exist, removed from SSD"),
    CHECKSUM_READS_FAST("SsdChecksumReadHits", "Checksum files opened on SSD for DISK data"),
    BLOCKS_WRITE_FAST("SsdBlocksWrite", "New replicas placed on SSD"),
    BYTES_WRITE_FAST("SsdBytesWrite", "Bytes of finalized replicas placed on SSD"),
    BLOCKS_WRITE_FALLBACK(
        "SsdBlocksWriteFallback", "New replicas intended for SSD that were written to DISK"),
    FALLBACK_NO_ROOM("SsdFallbackNoRoom", "Of these: SSD had no room"),
    FALLBACK_WRITE_SHARE("SsdFallbackWriteShare", "Of these: writes used their whole share of SSD"),
    FALLBACK_WRITE_BUDGET("SsdFallbackWriteBudget", "Of these: the write budget was used up"),
    FALLBACK_NO_USABLE_SSD("SsdFallbackNoUsableSsd", "Of these: no SSD was usable"),
    FALLBACK_SCHEDULED(
        "SsdFallbackScheduledOnDisk",
        "Of these: HyCache had already written to SSD too many replicas that the NameNode had"
            + " scheduled on DISK"),
    FALLBACK_SSD_BUSY("SsdFallbackSsdBusy", "Of these: DISK was faster, as the SSDs were busy"),
    FALLBACK_SSD_FULL("SsdFallbackSsdFull", "Of these: HDFS found no room on the SSD volumes"),
    FALLBACK_SSD_FAILED("SsdFallbackSsdFailed", "Of these: creating them on SSD failed"),
    SCHEDULED_OWED(
        "NameNodeScheduledOwed",
        "Replicas written to another storage type than the NameNode expects them on"),
    SCHEDULED_SETTLED(
        "NameNodeScheduledSettled", "Of these: the NameNode's expectation was corrected"),
    APPENDS_MOVED(
        "AppendsMovedToDisk", "Replicas moved to DISK because SSD had no room for an append"),
    BLOCKS_DEMOTED("SsdBlocksDemoted", "Replicas written from SSD to DISK"),
    BYTES_DEMOTED("SsdBytesDemoted", "Bytes written from SSD to DISK"),
    BLOCKS_STEPPED_DOWN(
        "SsdBlocksSteppedDown", "Replicas moved from a fast tier to a slower fast tier"),
    BYTES_STEPPED_DOWN("SsdBytesSteppedDown", "Bytes moved from a fast tier to a slower fast tier"),
    BLOCKS_PROMOTED("SsdBlocksPromoted", "Clean copies made on SSD"),
    BYTES_PROMOTED("SsdBytesPromoted", "Bytes of clean copies made on SSD"),
    BLOCKS_READ_AHEAD(
        "SsdBlocksReadAhead", "Of the clean copies made: fetched ahead of a single expected read"),
    BYTES_READ_AHEAD(
        "SsdBytesReadAhead", "Bytes of clean copies fetched ahead of an expected read"),
    CHECKSUMS_PROMOTED("SsdChecksumsPromoted", "Checksum files copied to SSD"),
    PROMOTIONS_LEFT_TO_OTHERS(
        "SsdPromotionsLeftToOthers", "Promotions not made: another DataNode had the block on SSD"),
    BLOCKS_EVICTED(
        "SsdBlocksEvicted",
        "Clean copies removed from SSD to make room, or after the read they were fetched for"),
    BLOCKS_EVICTED_WITHOUT_READ(
        "SsdBlocksEvictedWithoutRead",
        "Of the clean copies that promotions made: removed before a read used them"),
    READ_AHEAD_EVICTED_WITHOUT_READ(
        "SsdReadAheadEvictedWithoutRead",
        "Of these: fetched ahead; a rising value means that jobs do not read what their manifests"
            + " name, or read it from other DataNodes"),
    PINS_FAILED(
        "SsdPinsFailed",
        "Blocks that a cache directive asked to pin and that were not: not finalized here, not to be"
            + " copied, or the space for pins was used up"),
    UNPINS_FAILED(
        "SsdUnpinsFailed", "Blocks that were to be released from a pin and were not pinned"),
    ADVERTISED(
        "SsdBlocksAdvertised",
        "Clean copies that began to be reported to the NameNode as cached; many more than"
            + " hycache.advertise.blocks an hour mean that the SSDs are too small for what is hot"),
    ADVERTISED_WITHDRAWN("SsdBlocksAdvertisedWithdrawn", "Of these: that are reported no more"),
    ADVERTISED_ASKED(
        "SsdBlocksAdvertisedAsked",
        "Requests of the NameNode to uncache advertised blocks: it repeats them while they are"
            + " listed"),
    MOVES_FAILED(
        "MovesFailed", "Promotions, demotions and evictions that failed; rising means trouble"),
    COPIES_SCRUBBED(
        "SsdCopiesScrubbed", "Clean copies verified in the background without an error"),
    BYTES_SCRUBBED("SsdBytesScrubbed", "Bytes read from SSD to verify clean copies"),
    SUSPECTS_DROPPED(
        "SsdSuspectsDropped",
        "Suspected clean copies not checked because the queue was full; a rising value is trouble"),
    COPIES_BAD("SsdCopiesBad", "Clean copies dropped because they differed from their replica"),
    REPLICAS_REPORTED_WELL(
        "ReplicasReportedWell",
        "Replicas reported to the NameNode as healthy after a bad copy of them was dropped"),
    MOVES_ABANDONED(
        "MovesAbandoned",
        "Moves cancelled because a writer opened the block, or HDFS moved or scanned it; no data is"
            + " lost"),
    MOVES_REJECTED(
        "MovesRejected",
        "Moves dropped because the queue was full, or because a checksum file is too long to be kept"),
    LOOKS_REPEATED(
        "ReplicasLookedUpAgain",
        "Reads that found a replica's file moved and continued at its new place"),
    NOT_MISSING(
        "ReplicasNotMissing",
        "Reports of a missing replica that were ignored because its files exist"),
    EVENTS_DROPPED(
        "EventsDropped",
        "Read records and block events dropped because a queue was full; the blocks are scanned"
            + " again"),
    FAILURES("Failures", "Exceptions of the plugin; the calls continued as plain HDFS"),
    HINTS_RECEIVED("HintsReceived", "Expected block reads accepted"),
    HINTS_REFUSED(
        "HintsRefused",
        "Expected block reads not accepted: a limit of the user or of the DataNode was reached"),
    HINTS_EXPIRED("HintsExpired", "Expected block reads whose TTL ran out"),
    HINTS_READ_ELSEWHERE(
        "HintsReadElsewhere", "Expected block reads that another DataNode reported"),
    HINTED_READS_REPORTED(
        "HintedReadsReported", "Reads here of blocks hinted to other DataNodes, reported to them"),
    HINTED_READS_UNREPORTED(
        "HintedReadsUnreported",
        "Reads here of blocks hinted to other DataNodes, not reported: they are unknown, or too"
            + " many reports wait"),
    OBSERVED_DECISIONS(
        "ObservedDecisions",
        "Placements, promotions, demotions and evictions decided but not made, in mode observe"),
    OBSERVED_BLOCKS_PLACED(
        "ObservedBlocksPlaced", "New replicas that mode active would have placed on SSD"),
    OBSERVED_BYTES_PLACED("ObservedBytesPlaced", "Bytes of these"),
    OBSERVED_BLOCKS_PROMOTED(
        "ObservedBlocksPromoted", "Clean copies that mode active would have made on SSD"),
    OBSERVED_BYTES_PROMOTED("ObservedBytesPromoted", "Bytes of the data of these"),
    OBSERVED_BLOCKS_DEMOTED(
        "ObservedBlocksDemoted", "Replicas that mode active would have written from SSD to DISK"),
    OBSERVED_BYTES_DEMOTED("ObservedBytesDemoted", "Bytes of these"),
    OBSERVED_BLOCKS_EVICTED(
        "ObservedBlocksEvicted", "Clean copies that mode active would have removed from SSD"),
    OBSERVED_BYTES_EVICTED("ObservedBytesEvicted", "Bytes of the data of these"),
    OBSERVED_READS_FAST(
        "ObservedReadHits", "Block reads that SSD would have served in mode active"),
    OBSERVED_READS_SLOW(
        "ObservedReadMisses", "Block reads that DISK would have served in mode active"),
    OBSERVED_BYTES_READ_FAST(
        "ObservedSsdBytesRead", "Bytes that would have been read from SSD in mode active"),
    OBSERVED_BYTES_READ_SLOW(
        "ObservedDiskBytesRead", "Bytes that would have been read from DISK in mode active");

    private final String label;
    private final String help;

    Counter(String label, String help) {
      this.label = label;
      this.help = help;
    }

    public String label() {
      return label;
    }

    public String help() {
      return help;
    }
  }

  private final EnumMap<Counter, LongAdder> values = new EnumMap<>(Counter.class);

  public Counters() {
    for (Counter c : Counter.values()) {
      values.put(c, new LongAdder());
    }
  }

  public void add(Counter counter, long delta) {
    adder(counter).add(delta);
  }

  public void increment(Counter counter) {
    adder(counter).increment();
  }

  public long get(Counter counter) {
    return adder(counter).sum();
  }

  /** The values of all counters by label, in the order of their declaration. */
  public Map<String, Long> snapshot() {
    Map<String, Long> out = new LinkedHashMap<>();
    values.forEach((c, v) -> out.put(c.label(), v.sum()));
    return out;
  }

  /**
   * Bytes written to SSD for clean copies per 100 bytes read from SSD; 0 while nothing was read.
   * What HyCache costs the SSDs for what it saves the HDDs. A copy that is read once makes it 101:
   * its checksum file is written, too.
   */
  public long ssdBytesWrittenPer100Read() {
    long read = get(Counter.BYTES_READ_FAST);
    return read == 0 ? 0 : Math.round(100.0 * (double) get(Counter.BYTES_PROMOTED) / (double) read);
  }

  private LongAdder adder(Counter counter) {
    LongAdder adder = values.get(counter);
    if (adder == null) {
      throw new IllegalStateException("no adder for counter=" + counter);
    }
    return adder;
  }
}
