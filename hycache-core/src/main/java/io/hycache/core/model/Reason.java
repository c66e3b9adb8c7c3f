// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

/** Why a block is, or is not, on the fast tier: the answer to "why is this block not on SSD?". */
public enum Reason {
  ON_SSD_DIRTY(
      "this DataNode's only copy is on SSD; it moves to DISK in its turn, because dirty replicas"
          + " take more than hycache.demote.low of the SSDs"),
  ON_SSD_DIRTY_STAYS(
      "this DataNode's only copy is on SSD; it stays there until dirty replicas take more than"
          + " hycache.demote.low of the SSDs, or a hinted block needs its space"),
  ON_SSD_DIRTY_KEPT(
      "this DataNode's only copy is on SSD and stays there: hycache.mode is not active, HyCache is"
          + " in pass-through, or no DISK volume is usable"),
  ON_SSD_OWNER(
      "the NameNode asked for SSD (a storage policy, or HDFS's balancer moved it there); never"
          + " demoted"),
  ON_SSD_CLEAN("a clean copy is on SSD"),
  CHECKSUMS_ONLY("only the checksum file is on SSD"),
  NEVER_READ("not read (or too little) and not hinted since the DataNode started"),
  NO_LATER_REFERENCE("no later read of it is expected"),
  COST_NOT_BELOW_GAIN("the blocks to evict for it are worth at least as much"),
  HINTS_NOT_USED("the policy (hycache.policy) fetches on reads only and ignores hints"),
  USER_SHARE(
      "the user who hinted it already has their share of the SSDs (hycache.users.NAME.weight),"
          + " and other users need the rest"),
  TOO_LARGE("larger than the SSD space for clean copies (hycache.partition)"),
  TOO_SMALL(
      "written to DISK: the file's block size is smaller than hycache.write.min-block-size; reads"
          + " or hints bring it to SSD"),
  NO_ROOM("no room on SSD and nothing to evict"),
  DISKS_BUSY(
      "making room requires writing to DISK or a slower tier, and other moves are writing there"),
  DISK_NOT_RESPONDING("its DISK volume did not respond when it was read"),
  WRITE_BUDGET("the SSD's write budget (hycache.ssd.write-budget) is used up for now"),
  WRITTEN_NO_ROOM("written to DISK: the SSDs had no room for it"),
  WRITTEN_WRITE_SHARE(
      "written to DISK: dirty replicas used all of the SSD space for writes"
          + " (hycache.write.share, hycache.partition)"),
  WRITTEN_WRITE_BUDGET(
      "written to DISK: the write budget (hycache.ssd.write-budget) of the SSDs was used up"),
  WRITTEN_NO_USABLE_SSD(
      "written to DISK: no SSD was usable (failed, quarantined, or slow to respond)"),
  WRITTEN_SCHEDULED_ON_DISK(
      "written to DISK: the NameNode still expected too many blocks there that went to SSD"),
  WRITTEN_SSD_BUSY("written to DISK: the SSDs were busy, and DISK was faster (hycache.balance)"),
  WRITTEN_SSD_FULL("written to DISK: HDFS found no room on the SSD volumes"),
  WRITTEN_SSD_FAILED("written to DISK: creating it on SSD failed; see the DataNode's log"),
  ASKING_OTHERS("other DataNodes are being asked whether they have it on SSD"),
  ON_OTHER_SSD(
      "another DataNode has it on SSD, and it is not read often here"
          + " (hycache.cooperation.hot-reads)"),
  MOVE_QUEUED("a promotion is queued"),
  MOVE_QUEUE_FULL("the move queue was full; the promotion will be retried"),
  CHECKSUMS_TOO_LONG(
      "its checksum file is too long for its data: the writer's dfs.bytes-per-checksum is very"
          + " small"),
  MOVE_ABANDONED(
      "the last promotion was given up, because its replica or an SSD changed, or another move of the"
          + " block was under way; the next read or hint tries again"),
  MOVE_FAILED("the last promotion failed; see the DataNode's log"),
  FETCHED_AHEAD("fetched ahead of its expected read, which has not come yet"),
  AHEAD_READ("was fetched ahead, was read from SSD, and gave its space back"),
  AHEAD_UNREAD(
      "was fetched ahead and gave its space back unread: its hints ended, or its read was overdue"),
  AHEAD_SHARE_FULL(
      "not fetched ahead: the space for read-ahead (hycache.prefetch.share), or the user's part of"
          + " it, is taken by blocks that are read before it"),
  AHEAD_TOO_SOON("not fetched ahead: its read is expected before a copy would be complete"),
  AHEAD_DISK_BUSY(
      "not fetched ahead yet: users are reading from its DISK volume, or another block is being"
          + " fetched from it"),
  EVICTED("was on SSD and was evicted for something more valuable"),
  COPY_DROPPED(
      "its copy on SSD was dropped, but not for other blocks: it could not be read, its SSD was"
          + " taken out, or HDFS changed the replica or has it in memory; a read brings it back"),
  OBSERVE_ONLY("hycache.mode is observe: nothing is placed or moved"),
  PINNED("a cache directive pins it on SSD"),
  ADVERTISED("a clean copy is on SSD, and is reported to the NameNode as cached"),
  PIN_WAITING("a cache directive pins it; its copy on SSD is queued or being made"),
  PIN_REFUSED(
      "a cache directive asked to pin it, and the space for pins (hycache.pins.share) was used up"),
  LOCKED_IN_MEMORY("HDFS has it in memory because of a cache directive"),
  MODE_OFF("hycache.mode is off"),
  PASS_THROUGH("the plugin is in pass-through after repeated failures"),
  NOT_TRACKED("the DataNode has no finalized replica of this block");

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  /** One sentence for display. */
  public String text() {
    return text;
  }
}
