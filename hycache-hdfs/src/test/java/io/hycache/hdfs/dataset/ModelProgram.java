// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static java.util.Objects.requireNonNull;

import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.rpc.RefusedException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsInternals;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/** One random program in a directory of its own; after each step all files are held to a model. */
final class ModelProgram {
  /** What a program may do. The first number is how often, among the cheap ones. */
  enum Step {
    CREATE(14),
    WRITE_OPEN(8),
    FLUSH(8),
    CLOSE(6),
    APPEND(14),
    TRUNCATE(9),
    RECOVER_LEASE(4),
    SET_REPLICATION(5),
    SNAPSHOT(3),
    SNAPSHOT_DELETE(2),
    RENAME(4),
    DELETE(5),
    PROMOTE(12),
    DEMOTE(9),
    SETTLE_DOWN(3),
    EVICT(5),
    FLIP(4),
    FAULT(9),
    SCAN(2),
    RESTART(0),
    CRASH(0),
    VOLUME(0),
    PLUGIN_OUT_AND_IN(0),
    RESTORE(0);

    private final int weight;

    Step(int weight) {
      this.weight = weight;
    }
  }

  /** Every so many programs one has a dear step, in turn. */
  private static final int PROGRAMS_PER_DEAR_STEP = 9;

  private static final List<Step> DEAR =
      List.of(
          Step.RESTART,
          Step.CRASH,
          Step.VOLUME,
          Step.CRASH,
          Step.PLUGIN_OUT_AND_IN,
          Step.CRASH,
          Step.VOLUME,
          Step.RESTART,
          Step.CRASH,
          Step.RESTORE);

  private static final int STEPS = Integer.getInteger("hycache.dataset.model.steps", 12);

  /** A dear step that each program has. */
  private static final @Nullable String ALWAYS = System.getProperty("hycache.dataset.model.always");

  private static final String USER = "alice";
  private static final int MOST_FILES = 5;
  private static final int WAIT_MILLIS = 60_000;

  /** Longer than a round of the planner's sweep, which puts right what it missed. */
  private static final int REST_MILLIS =
      Integer.getInteger("hycache.dataset.model.restMillis", 45_000);

  private static final int MOST_OPERATIONS_TO_FAULT = 25;
  private static final List<String> POLICIES = List.of("lru", "heuristic", "s3-fifo", "arc");

  private final ModelCluster c;
  private final ModelFaults faults;
  private final ModelLedger ledger;
  private final int number;
  private final Random random;
  private final Set<Step> without;
  private final java.nio.file.Path scratch;
  private final Path dir;
  private final Map<Step, Integer> done = new EnumMap<>(Step.class);
  private final Map<String, Long> millis = new TreeMap<>();
  private final List<String> log = new ArrayList<>();
  private final TreeMap<String, ModelFile> files = new TreeMap<>();
  private final TreeMap<String, Map<String, ModelFile>> snapshots = new TreeMap<>();
  private int names;

  /** Counts how often DataNodes or volumes went away. */
  private int epoch;

  /** A bit of a clean copy was flipped: one read may fail. */
  private boolean flipped;

  /** A file operation was to fail. */
  private boolean faulty;

  /** Volumes are away: a read may fail, but not be wrong. */
  private boolean away;

  ModelProgram(
      ModelCluster c,
      ModelFaults faults,
      long seed,
      int number,
      Set<Step> without,
      java.nio.file.Path scratch) {
    this.c = c;
    this.faults = faults;
    this.ledger = new ModelLedger(c, faults);
    this.number = number;
    this.random = new Random(seed * 1_000_003 + number);
    this.without = without;
    this.scratch = scratch;
    this.dir = new Path("/p" + number);
  }

  List<String> log() {
    return log;
  }

  /** How long each kind of step took, the reads after it too. */
  Map<String, Long> millis() {
    return millis;
  }

  Map<Step, Integer> done() {
    return done;
  }

  private Path path(String name) {
    return new Path(dir, name);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private int someLength() {
    switch (random.nextInt(5)) {
      case 0:
        return random.nextInt(600);
      case 1:
        return ModelCluster.BLOCK * (1 + random.nextInt(2));
      default:
        return random.nextInt(3 * ModelCluster.BLOCK);
    }
  }

  void run() throws Exception {
    faults.begin(random.nextLong());
    c.fs.mkdirs(dir);
    c.fs.allowSnapshot(dir);
    mood(List.of("0", "0", "0.2", "1").get(random.nextInt(4)));
    Step dear = null;
    if (number % PROGRAMS_PER_DEAR_STEP == 4) {
      dear = DEAR.get(number / PROGRAMS_PER_DEAR_STEP % DEAR.size());
    }
    if (ALWAYS != null) {
      dear = Step.valueOf(ALWAYS);
    }
    int when = 3 + random.nextInt(STEPS - 3);
    for (int i = 0; i < STEPS; i++) {
      Step step = i == when && dear != null ? dear : cheap();
      if (without.contains(step)) {
        continue;
      }
      long begun = System.nanoTime();
      String what = run(step);
      if (what != null) {
        log.add(step + " " + what);
        done.merge(step, 1, Integer::sum);
        verifyAll(step.toString());
      }
      took(step.toString(), begun);
    }
    end();
  }

  private void took(String what, long begunNanos) {
    millis.merge(what, (System.nanoTime() - begunNanos) / 1_000_000, Long::sum);
  }

  private Step cheap() {
    int sum = 0;
    for (Step step : Step.values()) {
      sum += step.weight;
    }
    int at = random.nextInt(sum);
    for (Step step : Step.values()) {
      at -= step.weight;
      if (at < 0) {
        return step;
      }
    }
    throw new AssertionError();
  }

  private @Nullable String any(boolean open) {
    List<String> some = new ArrayList<>();
    files.forEach(
        (name, file) -> {
          if (file.isOpen() == open) {
            some.add(name);
          }
        });
    return some.isEmpty() ? null : some.get(random.nextInt(some.size()));
  }

  /** What was done, for the log; null if there was nothing to do it to. */
  private @Nullable String run(Step step) throws Exception {
    String closed = any(false);
    String open = any(true);
    switch (step) {
      case CREATE:
        return files.size() >= MOST_FILES ? null : create(random.nextInt(3) == 0);
      case WRITE_OPEN:
        return open == null ? null : write(open, requireNonNull(files.get(open)));
      case FLUSH:
        return open == null ? null : flush(open, requireNonNull(files.get(open)));
      case CLOSE:
        return open == null ? null : close(open, requireNonNull(files.get(open)));
      case APPEND:
        return closed == null ? null : append(closed, requireNonNull(files.get(closed)));
      case TRUNCATE:
        return closed == null ? null : truncate(closed, requireNonNull(files.get(closed)));
      case RECOVER_LEASE:
        return open == null
            ? null
            : recover(open, requireNonNull(files.get(open)), random.nextBoolean());
      case SET_REPLICATION:
        return closed == null ? null : replicate(closed);
      case SNAPSHOT:
        return snapshot();
      case SNAPSHOT_DELETE:
        return snapshotDelete();
      case RENAME:
        return closed == null ? null : rename(closed);
      case DELETE:
        return closed == null ? null : delete(closed);
      case PROMOTE:
        return closed == null ? null : promote(closed);
      case DEMOTE:
        return mood("0");
      case SETTLE_DOWN:
        return mood("1");
      case EVICT:
        return closed == null ? null : evict(closed);
      case FLIP:
        return flip();
      case FAULT:
        return fault();
      case SCAN:
        return scan();
      case RESTART:
        return restart(random.nextInt(ModelCluster.NODES));
      case CRASH:
        return crash(random.nextInt(ModelCluster.NODES));
      case VOLUME:
        return volume();
      case PLUGIN_OUT_AND_IN:
        return pluginOutAndIn();
      case RESTORE:
        return restore();
    }
    throw new AssertionError(step);
  }

  // ---- users ------------------------------------------------------------------------------------

  private String create(boolean leaveOpen) throws IOException {
    String name = "f" + names++;
    short replication = (short) (1 + random.nextInt(2));
    int length = someLength();
    create(name, length, replication, leaveOpen);
    return name + " lengthBytes=" + length + " replication=" + replication + open(leaveOpen);
  }

  private void create(String name, int length, short replication, boolean leaveOpen)
      throws IOException {
    ModelFile file = new ModelFile();
    FSDataOutputStream out = c.fs.create(path(name), true, 4096, replication, ModelCluster.BLOCK);
    files.put(name, file);
    file.opened(out, epoch);
    byte[] content = bytes(length);
    file.writing(content);
    out.write(content);
    if (leaveOpen) {
      sync(out);
      file.flushed();
    } else {
      out.close();
      file.closed();
    }
  }

  private static String open(boolean leaveOpen) {
    return leaveOpen ? " left open" : "";
  }

  private void sync(FSDataOutputStream out) throws IOException {
    if (random.nextBoolean()) {
      out.hflush();
    } else {
      ((HdfsDataOutputStream) out)
          .hsync(java.util.EnumSet.of(HdfsDataOutputStream.SyncFlag.UPDATE_LENGTH));
    }
  }

  private interface OnStream {
    void on(FSDataOutputStream out) throws IOException;
  }

  /** What plain HDFS may refuse, because DataNodes went away, ends the writer. */
  private String writing(String name, ModelFile file, OnStream action, String what)
      throws Exception {
    FSDataOutputStream out = file.writer();
    if (out == null) {
      throw new AssertionError(name);
    }
    try {
      action.on(out);
      return name + what;
    } catch (IOException e) {
      if (!file.mayFail(epoch)) {
        throw e;
      }
      return name + what + " refused: " + recover(name, file, true);
    }
  }

  private String write(String name, ModelFile file) throws Exception {
    byte[] more = bytes(someLength());
    file.writing(more);
    return writing(name, file, out -> out.write(more), " bytes=" + more.length);
  }

  private String flush(String name, ModelFile file) throws Exception {
    return writing(
        name,
        file,
        out -> {
          sync(out);
          file.flushed();
        },
        "");
  }

  private String close(String name, ModelFile file) throws Exception {
    return writing(
        name,
        file,
        out -> {
          out.close();
          file.closed();
        },
        "");
  }

  private String append(String name, ModelFile file) throws Exception {
    FSDataOutputStream out = openToAppend(name);
    file.opened(out, epoch);
    byte[] more = bytes(1 + someLength());
    file.writing(more);
    out.write(more);
    boolean leaveOpen = random.nextInt(4) == 0;
    if (leaveOpen) {
      sync(out);
      file.flushed();
    } else {
      out.close();
      file.closed();
    }
    return name + " bytes=" + more.length + open(leaveOpen);
  }

  private FSDataOutputStream openToAppend(String name) throws Exception {
    return healed(() -> c.fs.append(path(name)));
  }

  /**
   * A client that met a flipped bit has called the only replica corrupt: until the NameNode knows
   * better, it refuses.
   */
  private <T> T healed(Callable<T> call) throws Exception {
    long end = System.currentTimeMillis() + WAIT_MILLIS;
    while (true) {
      try {
        return call.call();
      } catch (RemoteException e) {
        String why = String.valueOf(e.getMessage());
        if (!flipped
            || System.currentTimeMillis() > end
            || !(why.contains("not sufficiently replicated yet")
                || why.contains("not minimally replicated"))) {
          throw e;
        }
        c.beat();
        Thread.sleep(50);
      }
    }
  }

  private String truncate(String name, ModelFile file) throws Exception {
    if (file.length() == 0) {
      return name + " is empty";
    }
    int length = random.nextInt(file.length());
    nothingToSend();
    c.fs.truncate(path(name), length);
    await("truncated: " + name, () -> c.fs.isFileClosed(path(name)));
    file.truncated(length);
    return name + " lengthBytes=" + length;
  }

  /**
   * @param first the writer dies before; else only after
   */
  private String recover(String name, ModelFile file, boolean first) throws Exception {
    FSDataOutputStream out = file.writer();
    if (out != null && first) {
      HdfsInternals.abort(out.getWrappedStream());
    }
    await("recovered: " + name, () -> healed(() -> c.fs.recoverLease(path(name))));
    if (out != null && !first) {
      HdfsInternals.abort(out.getWrappedStream());
    }
    byte[] now = readClosed(path(name));
    String wrong = file.wrong(now);
    if (wrong != null) {
      throw new AssertionError(name + " after recovery of its lease: " + wrong);
    }
    file.recovered(now.length);
    return name + " lengthBytes=" + now.length;
  }

  private String replicate(String name) throws IOException {
    short replication = (short) (1 + random.nextInt(2));
    c.fs.setReplication(path(name), replication);
    return name + " replication=" + replication;
  }

  private String snapshot() throws IOException {
    String name = "s" + names++;
    c.fs.createSnapshot(dir, name);
    Map<String, ModelFile> content = new HashMap<>();
    files.forEach(
        (file, model) -> {
          if (!model.isOpen()) {
            content.put(file, model.copy());
          }
        });
    snapshots.put(name, content);
    return name;
  }

  private @Nullable String snapshotDelete() throws IOException {
    if (snapshots.isEmpty()) {
      return null;
    }
    String name = snapshots.firstKey();
    c.fs.deleteSnapshot(dir, name);
    snapshots.remove(name);
    return name;
  }

  private String rename(String name) throws IOException {
    String to = "f" + names++;
    if (!c.fs.rename(path(name), path(to))) {
      throw new AssertionError("rename refused: " + name);
    }
    ModelFile file = files.remove(name);
    files.put(to, requireNonNull(file));
    return name + " to " + to;
  }

  private String delete(String name) throws IOException {
    c.fs.delete(path(name), false);
    files.remove(name);
    return name;
  }

  // ---- moves ------------------------------------------------------------------------------------

  private String mood(String watermark) throws Exception {
    if (!c.hasPlugin()) {
      return "no plugin";
    }
    Map<String, String> changes = new HashMap<>();
    changes.put(HyCacheKeys.DEMOTE_HIGH, watermark);
    changes.put(HyCacheKeys.DEMOTE_LOW, watermark);
    changes.put(HyCacheKeys.WRITE_SHARE, random.nextInt(4) == 0 ? "0" : "0.9");
    if (random.nextInt(8) == 0) {
      changes.put(HyCacheKeys.POLICY, POLICIES.get(random.nextInt(POLICIES.size())));
    }
    for (int i = 0; i < ModelCluster.NODES; i++) {
      try {
        c.node(i).settings(changes);
      } catch (RefusedException e) {
        throw new AssertionError(e);
      }
    }
    return changes.toString();
  }

  private String promote(String name) throws IOException {
    if (!c.hasPlugin()) {
      return "no plugin";
    }
    for (int i = 0; i < ModelCluster.NODES; i++) {
      List<Hints.Reference> steps = new ArrayList<>();
      for (int turn = 0; turn < 2; turn++) {
        for (LocatedBlock located : blocks(path(name))) {
          ExtendedBlock b = located.getBlock();
          steps.add(new Hints.Reference(key(b), b.getNumBytes(), random.nextBoolean()));
        }
      }
      c.node(i).submitHints(new Hints("p" + number, 60_000, steps), USER, false);
    }
    return name;
  }

  private static BlockKey key(ExtendedBlock b) {
    return new BlockKey(b.getBlockPoolId(), b.getBlockId());
  }

  private List<LocatedBlock> blocks(Path path) throws IOException {
    return c.fs
        .getClient()
        .getLocatedBlocks(path.toUri().getPath(), 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  private String evict(String name) throws IOException {
    for (int i = 0; i < ModelCluster.NODES; i++) {
      c.node(i).withdraw(new WorkflowId(USER, "p" + number));
      for (LocatedBlock b : blocks(path(name))) {
        c.node(i)
            .events()
            .changing(new BlockKey(b.getBlock().getBlockPoolId(), b.getBlock().getBlockId()));
      }
    }
    return name;
  }

  // ---- what goes wrong --------------------------------------------------------------------------

  private @Nullable String flip() throws IOException {
    int node = random.nextInt(ModelCluster.NODES);
    List<File> clean = ledger.cleanFiles(node);
    if (clean.isEmpty()) {
      return null;
    }
    File file = clean.get(random.nextInt(clean.size()));
    try (RandomAccessFile bits = new RandomAccessFile(file, "rw")) {
      if (bits.length() == 0) {
        return null;
      }
      long at = Math.floorMod(random.nextLong(), bits.length());
      bits.seek(at);
      int now = bits.read();
      bits.seek(at);
      bits.write(now ^ (1 << random.nextInt(8)));
      flipped = true;
      return "node=" + node + " file=" + file.getName() + " atBytes=" + at;
    } catch (java.io.FileNotFoundException e) {
      return null;
    }
  }

  private static final List<ModelFaults.Kind> ONE_OFF =
      List.of(
          ModelFaults.Kind.EIO,
          ModelFaults.Kind.ENOSPC,
          ModelFaults.Kind.EMFILE,
          ModelFaults.Kind.OOM,
          ModelFaults.Kind.STALL);

  private String fault() {
    faulty = true;
    int node = random.nextInt(ModelCluster.NODES);
    ModelFaults.Kind kind = ONE_OFF.get(random.nextInt(ONE_OFF.size()));
    int operations = 1 + random.nextInt(MOST_OPERATIONS_TO_FAULT);
    if (DatasetModelIT.WITHOUT_FAULTS.contains(kind)) {
      return kind + " is left out";
    }
    faults.arm(node, kind, operations);
    return "node=" + node + " " + kind + " at operation " + operations;
  }

  private String scan() throws Exception {
    int node = random.nextInt(ModelCluster.NODES);
    DataNodeTestUtils.runDirectoryScanner(c.dataNode(node));
    return "node=" + node;
  }

  private String restart(int node) throws Exception {
    DataNodeProperties stopped = c.stop(node);
    epoch++;
    faults.restarted(node);
    c.start(node, stopped);
    c.waitActive();
    allHere();
    return "node=" + node;
  }

  /** From some operation of ours on none of ours is made any more; then the DataNode restarts. */
  private String crash(int node) throws Exception {
    int operations = 1 + random.nextInt(MOST_OPERATIONS_TO_FAULT);
    mood("0");
    faults.arm(node, ModelFaults.Kind.CRASH, operations);
    String made = create(false) + ", " + create(false);
    String closed = any(false);
    if (closed != null) {
      made += ", " + promote(closed);
    }
    long end = System.currentTimeMillis() + 1500;
    while (!faults.crashed(node) && System.currentTimeMillis() < end) {
      Thread.sleep(10);
    }
    boolean crashed = faults.crashed(node);
    return made + " crashed=" + crashed + " operation=" + operations + " " + restart(node);
  }

  /** A volume goes and comes again; its replicas are not there meanwhile. */
  private String volume() throws Exception {
    closeAll();
    int node = random.nextInt(ModelCluster.NODES);
    int volume = random.nextInt(ModelCluster.VOLUMES.length);
    // HDFS's thread for the NameNode's commands ends if one deletes from a volume that is going.
    nothingToDelete();
    away = true;
    c.removeVolume(node, volume);
    epoch++;
    verifyAll("volume away");
    create(false);
    c.addVolumes(node);
    away = false;
    c.waitActive();
    allHere();
    return "node=" + node + " volume=" + volume;
  }

  private String pluginOutAndIn() throws Exception {
    closeAll();
    DataNodeProperties[] stopped = new DataNodeProperties[ModelCluster.NODES];
    boolean[] out = {false, true};
    for (boolean in : out) {
      for (int i = 0; i < stopped.length; i++) {
        stopped[i] = c.stop(i);
        faults.restarted(i);
      }
      epoch++;
      c.usePlugin(in, stopped);
      for (int i = 0; i < stopped.length; i++) {
        c.start(i, stopped[i]);
      }
      c.waitActive();
      allHere();
      verifyAll("plugin " + (in ? "in" : "out"));
      if (!in) {
        create(false);
        String closed = any(false);
        if (closed != null) {
          append(closed, requireNonNull(files.get(closed)));
        }
        closeAll();
      }
    }
    return "";
  }

  /** The NameNode goes back; block ids and generation stamps are issued twice. */
  private String restore() throws Exception {
    boolean without = random.nextBoolean();
    closeAll();
    mood("1");
    rest();
    Map<String, ModelFile> then = new TreeMap<>();
    files.forEach((name, file) -> then.put(name, file.copy()));
    Map<String, Map<String, ModelFile>> snapshotsThen = new TreeMap<>(snapshots);
    ModelCluster.Saved saved = c.save(scratch.resolve("saved" + number));
    List<Integer> lengths = new ArrayList<>();
    List<String> twice = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      lengths.add(1 + random.nextInt(2 * ModelCluster.BLOCK));
      twice.add("twice" + i);
    }
    mood("0");
    writeTwice(twice, lengths);
    await("demoted", () -> dirtyBytes() == 0);
    for (String name : twice) {
      promote(name);
    }
    rest();
    DataNodeProperties[] stopped = c.rollBack(saved);
    ModelCluster.remove(scratch);
    epoch++;
    files.clear();
    files.putAll(then);
    snapshots.clear();
    snapshots.putAll(snapshotsThen);
    for (int i = 0; i < stopped.length; i++) {
      faults.restarted(i);
    }
    if (without) {
      c.usePlugin(false, stopped);
    }
    for (int i = 0; i < stopped.length; i++) {
      c.start(i, stopped[i]);
    }
    c.waitActive();
    allHere();
    verifyAll("restored");
    writeTwice(twice, lengths);
    if (without) {
      verifyAll("plugin out");
      for (int i = 0; i < stopped.length; i++) {
        stopped[i] = c.stop(i);
      }
      c.usePlugin(true, stopped);
      for (int i = 0; i < stopped.length; i++) {
        c.start(i, stopped[i]);
      }
      c.waitActive();
      allHere();
    }
    return "plugin out meanwhile=" + without + " lengths=" + lengths;
  }

  private long dirtyBytes() throws IOException {
    long sum = 0;
    for (int i = 0; i < ModelCluster.NODES; i++) {
      sum += c.node(i).status().dirtyBytes();
    }
    return sum;
  }

  private void writeTwice(List<String> twice, List<Integer> lengths) throws IOException {
    for (int i = 0; i < lengths.size(); i++) {
      create(twice.get(i), lengths.get(i), (short) 1, false);
    }
  }

  /**
   * HDFS does not bear a truncate while it sends the replica: {@link TransferAgainstTruncateIT}.
   */
  private void nothingToSend() throws Exception {
    beatUntil(() -> !c.isSending());
  }

  private void nothingToDelete() throws Exception {
    beatUntil(c::isAtRest);
  }

  /** Waits for a condition that may never come about, for a limited time. */
  private void beatUntil(Callable<Boolean> condition) throws Exception {
    long end = System.currentTimeMillis() + REST_MILLIS / 9;
    while (!condition.call() && System.currentTimeMillis() < end) {
      c.beat();
      Thread.sleep(20);
    }
  }

  private void closeAll() throws Exception {
    for (Map.Entry<String, ModelFile> file : files.entrySet()) {
      if (file.getValue().isOpen()) {
        log.add("  close " + close(file.getKey(), file.getValue()));
      }
    }
  }

  private void allHere() throws Exception {
    for (int i = 0; i < ModelCluster.NODES; i++) {
      setHooks(i);
    }
    await("no missing block", () -> c.cluster.getNamesystem().getMissingBlocksCount() == 0);
  }

  void setHooks(int node) {
    if (c.hasPlugin()) {
      c.stallHdfs(node, faults.ofHdfs());
    }
  }

  // ---- checks -----------------------------------------------------------------------------------

  private void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.currentTimeMillis() + WAIT_MILLIS;
    for (int i = 0; !condition.call(); i++) {
      if (System.currentTimeMillis() > end) {
        throw new AssertionError(
            "never happened: " + what + " " + c.health(false) + " " + c.replicasNotFine());
      }
      Thread.sleep(Math.min(100, 5 + i));
      if (i % 4 == 0) {
        c.beat();
      }
    }
  }

  private byte[] read(Path path, @Nullable DatanodeInfo avoided) throws IOException {
    try (FSDataInputStream in = c.fs.open(path)) {
      if (avoided != null) {
        HdfsInternals.avoid(in, avoided);
      }
      // Of an open file the stream knows more than the NameNode.
      long length = ((HdfsDataInputStream) in).getVisibleLength();
      byte[] all = new byte[(int) length];
      IOUtils.readFully(in, all, 0, all.length);
      return all;
    }
  }

  private void verifyAll(String after) throws Exception {
    for (Map.Entry<String, ModelFile> file : files.entrySet()) {
      verify(path(file.getKey()), file.getValue(), null, after);
    }
    if (!snapshots.isEmpty()) {
      List<String> all = new ArrayList<>(snapshots.keySet());
      verifySnapshot(all.get(random.nextInt(all.size())), null, after);
    }
  }

  private void verifySnapshot(String name, @Nullable DatanodeInfo avoided, String after)
      throws Exception {
    for (Map.Entry<String, ModelFile> file : requireNonNull(snapshots.get(name)).entrySet()) {
      verify(path(".snapshot/" + name + "/" + file.getKey()), file.getValue(), avoided, after);
    }
  }

  private void verify(Path path, ModelFile file, @Nullable DatanodeInfo avoided, String after)
      throws Exception {
    byte[] seen;
    try {
      seen = read(path, avoided);
    } catch (IOException e) {
      if (away || (file.isOpen() && file.mayFail(epoch))) {
        return;
      }
      seen = flipped ? readHealed(path, e) : null;
      if (seen == null) {
        String from = avoided == null ? "" : " from others than " + avoided;
        throw new AssertionError(
            path + " can't be read" + from + " after " + after + " " + where(path), e);
      }
    }
    String wrong = file.wrong(seen);
    if (wrong != null) {
      throw new AssertionError(
          path + " after " + after + " without " + avoided + ": " + wrong + " " + where(path));
    }
  }

  /** Reads a file whose lease was recovered; the first read may meet a flipped bit. */
  private byte[] readClosed(Path path) throws IOException, InterruptedException {
    try {
      return read(path, null);
    } catch (IOException e) {
      byte[] seen = flipped ? readHealed(path, e) : null;
      if (seen == null) {
        throw e;
      }
      return seen;
    }
  }

  /**
   * A client that meets a flipped bit says so to the NameNode and gives up if there is no other
   * replica. The replica is well, and must soon be called so. Null if that does not happen.
   */
  private byte @Nullable [] readHealed(Path path, IOException why) throws InterruptedException {
    long begun = System.currentTimeMillis();
    while (System.currentTimeMillis() - begun < WAIT_MILLIS) {
      try {
        byte[] seen = read(path, null);
        long millis = System.currentTimeMillis() - begun;
        log.add("  healed " + path + " after " + millis + " ms: " + why.getClass().getName());
        return seen;
      } catch (IOException e) {
        c.beat();
        Thread.sleep(50);
      }
    }
    return null;
  }

  private String where(Path path) {
    try {
      StringBuilder text = new StringBuilder();
      for (LocatedBlock b : blocks(path)) {
        text.append(b.getBlock())
            .append(List.of(b.getLocations()))
            .append(List.of(b.getStorageTypes()))
            .append(b.isCorrupt() ? " corrupt " : " ");
      }
      return text + " " + c.health(false);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Waits until nothing moves and books and disks agree. */
  private void rest() throws Exception {
    if (REST_MILLIS == 0) {
      return;
    }
    long end = System.currentTimeMillis() + REST_MILLIS;
    String[] differs = new String[ModelCluster.NODES];
    boolean scanned = false;
    for (int i = 0; ; i++) {
      boolean rests = true;
      for (int node = 0; node < ModelCluster.NODES; node++) {
        differs[node] = ledger.differs(node);
        rests &= differs[node] == null;
      }
      if (rests) {
        return;
      }
      if (System.currentTimeMillis() > end) {
        throw new AssertionError("books and disks differ: " + java.util.Arrays.toString(differs));
      }
      Thread.sleep(Math.min(200, 5 + 5 * i));
      if (i % 4 == 0) {
        c.beat();
      }
      if (!scanned && faulty && end - System.currentTimeMillis() < REST_MILLIS / 2) {
        // A replica that could not be unlinked after a move is left to HDFS, which looks for such
        // every some hours.
        scanned = true;
        for (int node = 0; node < ModelCluster.NODES; node++) {
          DataNodeTestUtils.runDirectoryScanner(c.dataNode(node));
        }
      }
    }
  }

  private void end() throws Exception {
    for (int i = 0; i < ModelCluster.NODES; i++) {
      faults.disarm(i);
    }
    for (Map.Entry<String, ModelFile> file : List.copyOf(files.entrySet())) {
      if (file.getValue().isOpen()) {
        if (random.nextBoolean()) {
          log.add("  close " + close(file.getKey(), file.getValue()));
        } else {
          log.add("  recover " + recover(file.getKey(), file.getValue(), true));
        }
      }
    }
    for (int i = 0; i < ModelCluster.NODES && c.hasPlugin(); i++) {
      c.node(i).withdraw(new WorkflowId(USER, "p" + number));
    }
    long begun = System.nanoTime();
    DatanodeInfo[] all = c.fs.getDataNodeStats();
    for (DatanodeInfo avoided : all) {
      for (Map.Entry<String, ModelFile> file : files.entrySet()) {
        verify(path(file.getKey()), file.getValue(), avoided, "the end");
      }
      for (String snapshot : snapshots.keySet()) {
        verifySnapshot(snapshot, avoided, "the end");
      }
    }
    took("each DataNode", begun);
    begun = System.nanoTime();
    rest();
    took("rest", begun);
    begun = System.nanoTime();
    verifyAll("rest");
    await("no block missing or corrupt", () -> c.health(epoch > 0) == null);
    took("healthy", begun);
    for (String snapshot : snapshots.keySet()) {
      c.fs.deleteSnapshot(dir, snapshot);
    }
    c.fs.disallowSnapshot(dir);
    c.fs.delete(dir, true);
  }
}
