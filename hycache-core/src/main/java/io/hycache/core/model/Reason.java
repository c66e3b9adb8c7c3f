package io.hycache.core.model;

/** Why a block is, or is not, on the fast tier: the answer to "why is this block not on SSD?". */
public enum Reason {
  ON_SSD_DIRTY("the only copy is on SSD and will drift to DISK"),
  ON_SSD_OWNER("the NameNode asked for SSD (storage policy); never demoted"),
  ON_SSD_CLEAN("a clean copy is on SSD"),
  CHECKSUMS_ONLY("only the checksum file is on SSD"),
  NEVER_READ("not read and not hinted since the DataNode started"),
  NO_LATER_REFERENCE("no reference after this one is known"),
  COST_NOT_BELOW_GAIN("the blocks that would have to go are worth at least as much"),
  HINTS_NOT_USED("the policy (hycache.policy) fetches on reads only and takes no hints"),
  USER_SHARE(
      "the user who hinted it has a share of the SSDs already (hycache.users.NAME.weight), and"
          + " others use the rest"),
  TOO_LARGE("larger than the read space"),
  TOO_SMALL("smaller than hycache.write.min-block-size"),
  NO_ROOM("no room on SSD and nothing that may be evicted"),
  DISKS_BUSY("what has to go for it must be written to DISK, and each is being written to"),
  WRITE_BUDGET("the SSD's write budget (hycache.ssd.write-budget) is used up for now"),
  WRITTEN_NO_ROOM("written to DISK: the SSDs had no room for it then"),
  WRITTEN_WRITE_SHARE(
      "written to DISK: what is to be written back had all of the SSD that writes may take"
          + " (hycache.write.share, hycache.partition)"),
  WRITTEN_WRITE_BUDGET(
      "written to DISK: the write budget (hycache.ssd.write-budget) of the SSDs was used up"),
  WRITTEN_NO_USABLE_SSD(
      "written to DISK: no SSD could be used then (failed, sick, or late with its answer)"),
  WRITTEN_SCHEDULED_ON_DISK(
      "written to DISK: the NameNode still expected too many blocks there that went to SSD"),
  WRITTEN_SSD_FULL("written to DISK: HDFS found no room on the SSD volumes"),
  WRITTEN_SSD_FAILED("written to DISK: creating it on SSD failed; see the DataNode's log"),
  ASKING_OTHERS("other DataNodes are being asked whether they have it on SSD"),
  ON_OTHER_SSD(
      "another DataNode has it on SSD, and it is not read often here"
          + " (hycache.cooperation.hot-reads)"),
  MOVE_QUEUED("a promotion is queued"),
  MOVE_QUEUE_FULL("the move queue was full; it is tried again"),
  MOVE_FAILED("the last promotion failed; see the DataNode's log"),
  EVICTED("was on SSD and was evicted for something more valuable"),
  OBSERVE_ONLY("hycache.mode is observe: decided, counted, not moved"),
  LOCKED_IN_MEMORY("HDFS has it in memory because of a cache directive"),
  MODE_OFF("hycache.mode is off"),
  PASS_THROUGH("the plugin is in pass-through after repeated failures"),
  NOT_TRACKED("the DataNode has no finalized replica of this block");

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  /** One sentence for people. */
  public String text() {
    return text;
  }
}
