package io.hycache.hdfs.client;

import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintBatch.Step;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.rpc.BlockTokens;
import java.time.Duration;
import java.util.List;

/** What a manifest comes to on this cluster, before anything is sent. Immutable. */
public final class SubmissionPlan {

  /** One DataNode's share. */
  public static final class Part {
    private final DataNode node;
    private final int blocks;
    private final long bytes;
    private final List<Step> steps;
    private final NodeStatus status;

    Part(DataNode node, int blocks, long bytes, List<Step> steps, NodeStatus status) {
      this.node = node;
      this.blocks = blocks;
      this.bytes = bytes;
      this.steps = List.copyOf(steps);
      this.status = status;
    }

    public DataNode node() {
      return node;
    }

    /** Distinct blocks that this DataNode is asked to keep ready. */
    public int blocks() {
      return blocks;
    }

    /** Sum of the lengths of those blocks. */
    public long bytes() {
      return bytes;
    }

    /** Expected reads of those blocks. */
    public int steps() {
      return steps.size();
    }

    /**
     * Room for hinted blocks: the DataNode's SSD space less what belongs to storage policies and
     * checksum files.
     */
    public long roomBytes() {
      return Math.max(0, status.capacityBytes() - status.ownerBytes() - status.checksumBytes());
    }

    /** How many of {@link #bytes} find room at one time. */
    public long fittingBytes() {
      return Math.min(bytes, roomBytes());
    }

    HintBatch batch(String workflow, Duration ttl) {
      return new HintBatch(workflow, ttl.toMillis(), steps);
    }
  }

  private final String workflow;
  private final Duration ttl;
  private final int files;
  private final int blocks;
  private final long bytes;
  private final long steps;
  private final int unreachableBlocks;
  private final List<Part> parts;
  private final List<NodeAnswer<NodeStatus>> unavailable;
  private final List<String> notes;
  private final BlockTokens tokens;

  SubmissionPlan(
      String workflow,
      Duration ttl,
      int files,
      int blocks,
      long bytes,
      long steps,
      int unreachableBlocks,
      List<Part> parts,
      List<NodeAnswer<NodeStatus>> unavailable,
      List<String> notes,
      BlockTokens tokens) {
    this.workflow = workflow;
    this.ttl = ttl;
    this.files = files;
    this.blocks = blocks;
    this.bytes = bytes;
    this.steps = steps;
    this.unreachableBlocks = unreachableBlocks;
    this.parts = List.copyOf(parts);
    this.unavailable = List.copyOf(unavailable);
    this.notes = List.copyOf(notes);
    this.tokens = tokens;
  }

  public String workflow() {
    return workflow;
  }

  public Duration ttl() {
    return ttl;
  }

  /** Distinct files. */
  public int files() {
    return files;
  }

  /** Distinct blocks. */
  public int blocks() {
    return blocks;
  }

  /** Sum of the lengths of the distinct blocks, one replica each. */
  public long bytes() {
    return bytes;
  }

  /** Expected reads of blocks, repetitions counted. */
  public long steps() {
    return steps;
  }

  /** Blocks none of whose holders can be asked; they are in no part. */
  public int unreachableBlocks() {
    return unreachableBlocks;
  }

  /** One for each live DataNode that answered, by name; some may have no blocks. */
  public List<Part> parts() {
    return parts;
  }

  /** The DataNodes that did not answer, with the reason. */
  public List<NodeAnswer<NodeStatus>> unavailable() {
    return unavailable;
  }

  /** What was left out, and why; one line each. */
  public List<String> notes() {
    return notes;
  }

  BlockTokens tokens() {
    return tokens;
  }
}
