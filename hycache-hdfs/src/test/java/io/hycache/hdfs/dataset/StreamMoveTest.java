// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.move.DeviceLoad;
import io.hycache.core.move.DeviceLoad.Work;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.ReadaheadPool.ReadaheadRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The copy consists of ones and the replica of twos, so that each byte shows where it was read. */
class StreamMoveTest {
  private static final int LENGTH = 16 << 20;
  private static final int PACKET = 64 << 10;
  private static final byte OF_COPY = 1;
  private static final byte OF_REPLICA = 2;
  private static final byte[] ONLY_COPY = new byte[LENGTH >> 20];

  static {
    Arrays.fill(ONLY_COPY, OF_COPY);
  }

  private static final Replica REPLICA = new Replica(new BlockKey("BP-1", 7), 1, LENGTH);

  @TempDir Path dir;

  private final AtomicLong now = new AtomicLong();
  private final DeviceLoad ssd = new DeviceLoad(50e6, false);
  private final DeviceLoad disk = new DeviceLoad(12e6, true);
  private final DeviceLoads loads =
      new DeviceLoads(true, number -> null, (root, counts) -> 1, System::nanoTime);
  private final Counters counters = new Counters();
  private final Guard guard = new Guard(1, counters);
  private final DiskUse use = new DiskUse(now::get);
  private final AtomicBoolean isFinalizedOnDisk = new AtomicBoolean(true);
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger viewed = new AtomicInteger();
  private final CleanCopies copies = new CleanCopies();
  private final List<Object> suspects = new ArrayList<>();
  private final List<Exception> failures = new ArrayList<>();
  private final List<FileDescriptor> sequential = new ArrayList<>();
  private final List<FileDescriptor> ahead = new ArrayList<>();
  private final List<FileDescriptor> cancelled = new ArrayList<>();
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private Configuration conf = new Configuration(false);
  private @Nullable ReplicaView view;
  private Runnable onView = () -> {};
  private Path replica = Path.of("");
  private CleanFile copy = new CleanFile(area(Path.of("")), REPLICA, Part.DATA, LENGTH);
  private @Nullable StreamMove move;

  private static CleanArea area(Path root) {
    return new CleanArea(root.toFile(), new DeviceWatch(root.toFile()), DataDirMode.OWNER_ONLY);
  }

  @BeforeEach
  void prepare() throws IOException {
    Path ssdRoot = Files.createDirectory(dir.resolve("ssd"));
    Path diskRoot = Files.createDirectory(dir.resolve("disk"));
    loads.replaceAll(ssdRoot.toFile(), ssd, diskRoot.toFile(), disk);
    CleanArea area = area(ssdRoot);
    writeCopy(area);
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, OF_REPLICA);
    replica = Files.write(diskRoot.resolve("blk_7"), bytes);
    view = view(REPLICA, false);
  }

  private void writeCopy(CleanArea area) throws IOException {
    copy = new CleanFile(area, REPLICA, Part.DATA, LENGTH);
    area.prepare(copy.path());
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, OF_COPY);
    Files.write(copy.path().toPath(), bytes);
    List<CleanFile> unused = copies.add(new CleanCopies.Copy(REPLICA, copy, null));
  }

  private ReplicaView view(Replica of, boolean onSsd) {
    File root = dir.resolve("disk").toFile();
    return new ReplicaView(of, onSsd, root, replica.toFile(), new File("unused"));
  }

  private void saturate() {
    saturate(ssd);
  }

  /** Ten streams read from an SSD of 50 MB/s, as fast as it is. */
  static void saturate(DeviceLoad ssd) {
    for (int i = 0; i < 10; i++) {
      ssd.begun();
    }
    for (int i = 0; i < 10; i++) {
      sample(ssd, i, i);
    }
  }

  /** Samples an SSD of 50 MB/s that was saturated for so many seconds. */
  private static void sample(DeviceLoad ssd, long saturatedSeconds, long atSeconds) {
    long i = saturatedSeconds;
    Work work = new Work(i * 50_000_000L, 0, i * 100L, i * 10_000L, i * 1000L);
    ssd.sample(work, TimeUnit.SECONDS.toNanos(atSeconds));
  }

  private StreamMoves streamMoves() {
    ReplicaStore store =
        Stubs.of(
            ReplicaStore.class,
            Map.of(
                "finalized",
                asked -> {
                  viewed.incrementAndGet();
                  ReplicaView seen = view;
                  onView.run();
                  return seen;
                },
                "isFinalizedOnDisk",
                asked -> {
                  looks.incrementAndGet();
                  return isFinalizedOnDisk.get();
                },
                "suspect",
                asked -> {
                  suspects.add(asked[0]);
                  return null;
                }));
    return new StreamMoves(
        conf,
        store,
        copies,
        root -> use,
        loads,
        new LoadBalance(loads),
        guard,
        counters,
        new StreamMoves.ReadAhead() {
          @Override
          public void isSequential(String name, FileDescriptor file) {
            sequential.add(file);
          }

          @Override
          public ReadaheadRequest from(
              String name, FileDescriptor file, long position, @Nullable ReadaheadRequest last) {
            ahead.add(file);
            return last == null ? new Request(file) : last;
          }
        },
        now::get);
  }

  private ObservedFileInputStream open() throws IOException {
    FailoverFile file =
        new FailoverFile(
            new FileInputStream(copy.path()),
            LENGTH,
            why -> {
              failures.add(why);
              return new FileInputStream(replica.toFile());
            });
    StreamMove made = streamMoves().toDisk(copy, dir.resolve("disk").toFile(), 0);
    move = made;
    if (made != null) {
      file.choose(made);
    }
    return new ObservedFileInputStream(
        file, LENGTH, bytes -> assertEquals(sent.size(), bytes, "bytes of the stream"));
  }

  /** A read-ahead that is under way. */
  private final class Request implements ReadaheadRequest {
    private final FileDescriptor of;

    Request(FileDescriptor of) {
      this.of = of;
    }

    @Override
    public void cancel() {
      cancelled.add(of);
      assertTrue(of.valid(), "a request for a closed file is logged as a failure");
    }

    @Override
    public long getOffset() {
      return 0;
    }

    @Override
    public long getLength() {
      return 1;
    }
  }

  private void send(FileChannel from, int packets) throws IOException {
    WritableByteChannel to = Channels.newChannel(sent);
    for (int i = 0; i < packets; i++) {
      for (int n = 0; n < PACKET; ) {
        n += (int) from.transferTo(sent.size(), PACKET - n, to);
      }
    }
  }

  private void seconds(double seconds) {
    now.addAndGet((long) (seconds * 1e9));
  }

  /** Sends a megabyte, then all the rest after so many seconds; returns where each MB was read. */
  private byte[] sources(double seconds) throws IOException {
    try (ObservedFileInputStream in = open()) {
      send(in.getChannel(), 16);
      seconds(seconds);
      send(in.getChannel(), LENGTH / PACKET - 16);
    }
    assertEquals(0, disk.streams());
    byte[] all = sent.toByteArray();
    byte[] sources = new byte[LENGTH >> 20];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = all[i << 20];
    }
    return sources;
  }

  @Test
  void slowStreamOfABusySsd_goesOnAtTheReplica() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      assertEquals(11, ssd.streams());
      send(in.getChannel(), 16);
      seconds(0.4);
      send(in.getChannel(), 1);
      assertEquals(0, disk.streams());
      seconds(0.1);
      send(in.getChannel(), 1);
      assertEquals(10, ssd.streams());
      assertEquals(1, disk.streams());
      send(in.getChannel(), LENGTH / PACKET - 18);
      StreamMove moved = move;
      assertNotNull(moved);
      assertEquals(LENGTH - 17 * PACKET, moved.ended(sent.size()));
      assertEquals(List.of(0L, 17L * PACKET), ofCopy());
    }
    byte[] expected = new byte[LENGTH];
    Arrays.fill(expected, OF_REPLICA);
    Arrays.fill(expected, 0, 17 * PACKET, OF_COPY);
    assertArrayEquals(expected, sent.toByteArray());
    assertEquals(0, disk.streams());
    assertEquals(10, ssd.streams());
    assertEquals(1, counters.get(Counter.READS_LEFT_TO_DISK));
    assertEquals(List.of(), failures);
  }

  @Test
  void read_intoAnArray_goesOnAtTheSamePosition() throws Exception {
    saturate();
    byte[] some = new byte[PACKET];
    try (ObservedFileInputStream in = open()) {
      for (int i = 0; i < LENGTH / PACKET; i++) {
        seconds(0.3);
        assertEquals(PACKET, in.readNBytes(some, 0, PACKET));
        sent.write(some);
      }
      assertEquals(-1, in.read());
    }
    assertEquals(OF_COPY, sent.toByteArray()[0]);
    assertEquals(OF_REPLICA, sent.toByteArray()[LENGTH - 1]);
    assertEquals(1, counters.get(Counter.READS_LEFT_TO_DISK));
  }

  @Test
  void ssdHasTimeLeft_stays_withoutHdfssLock() throws Exception {
    assertArrayEquals(ONLY_COPY, sources(2));
    assertEquals(0, viewed.get());
  }

  @Test
  void streamIsFast_asFromThePageCache_stays() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      send(in.getChannel(), 176);
      seconds(1);
      send(in.getChannel(), 16);
      assertEquals(0, disk.streams());
      seconds(1);
      send(in.getChannel(), 16);
      assertEquals(1, disk.streams(), "the last second was slow");
    }
  }

  @Test
  void diskIsBusyToo_stays() throws Exception {
    saturate();
    for (int i = 0; i < 3; i++) {
      disk.begun();
    }
    try (ObservedFileInputStream in = open()) {
      send(in.getChannel(), 16);
      seconds(1);
      send(in.getChannel(), 16);
      assertEquals(3, disk.streams());
      assertEquals(0, viewed.get(), "a stream that stays does not take HDFS's lock");
    }
    assertEquals(OF_COPY, sent.toByteArray()[sent.size() - 1]);
  }

  @Test
  void diskHangs_stays() throws Exception {
    saturate();
    Work waits = new Work(0, 0, 1, 1, 1).withInFlight(1);
    disk.sample(waits, TimeUnit.SECONDS.toNanos(1));
    disk.sample(waits, TimeUnit.SECONDS.toNanos(2));
    assertArrayEquals(ONLY_COPY, sources(2));
  }

  @Test
  void littleIsLeft_stays() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      send(in.getChannel(), LENGTH / PACKET - 15);
      seconds(9);
      send(in.getChannel(), 15);
    }
    assertEquals(OF_COPY, sent.toByteArray()[LENGTH - 1]);
  }

  @Test
  void replicaIsAnotherOne_orOnSsd_orGone_stays() throws Exception {
    saturate();
    view = view(new Replica(REPLICA.block(), 2, LENGTH), false);
    assertArrayEquals(ONLY_COPY, sources(2));
    sent.reset();
    view = view(REPLICA, true);
    assertArrayEquals(ONLY_COPY, sources(2));
    sent.reset();
    view = null;
    assertArrayEquals(ONLY_COPY, sources(2));
    assertEquals(0, counters.get(Counter.FAILURES));
  }

  /** Sends two megabytes, the second one from DISK. */
  private void moves(ObservedFileInputStream in) throws IOException {
    send(in.getChannel(), 16);
    seconds(1);
    send(in.getChannel(), 16);
    assertEquals(OF_REPLICA, sent.toByteArray()[(2 << 20) - 1]);
    assertEquals(1, disk.streams());
  }

  /** The rest is read from the copy, and counts as that. */
  private void goesBack(ObservedFileInputStream in) throws IOException {
    send(in.getChannel(), 16);
    assertEquals(OF_COPY, sent.toByteArray()[2 << 20]);
    assertEquals(0, disk.streams());
    assertEquals(11, ssd.streams());
    seconds(1);
    send(in.getChannel(), 16);
    assertEquals(OF_COPY, sent.toByteArray()[(4 << 20) - 1], "what has gone back stays");
    assertEquals(1 << 20, ended());
    assertEquals(List.of(0L, (long) sent.size()), ofCopy());
  }

  @Test
  void copyLeavesTheIndex_hdfsIsAskedForEachRead_untilTheReplicaChanges() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      moves(in);
      assertNotNull(copies.remove(REPLICA.block()));
      assertEquals(1, looks.get());
      isFinalizedOnDisk.set(false);
      goesBack(in);
      assertEquals(2, looks.get());
    }
    assertEquals(10, ssd.streams());
  }

  /** An SSD that hangs when its copies are dropped, or the guard trips, must not be read again. */
  @Test
  void copyLeavesTheIndex_orPassThrough_staysOnDiskWhileTheReplicaIsTheSame() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      send(in.getChannel(), 16);
      ssdIsSick();
      seconds(1);
      send(in.getChannel(), 1);
      assertNotNull(copies.remove(REPLICA.block()));
      send(in.getChannel(), 16);
      guard.trip("test");
      send(in.getChannel(), LENGTH / PACKET - 33);
      assertEquals(15 << 20, ended());
      assertEquals(List.of(0L, 1L << 20), ofCopy());
    }
    byte[] expected = new byte[LENGTH];
    Arrays.fill(expected, OF_REPLICA);
    Arrays.fill(expected, 0, 1 << 20, OF_COPY);
    assertArrayEquals(expected, sent.toByteArray());
    assertEquals(List.of(), failures);
    assertEquals(List.of(), suspects);
  }

  @Test
  void replicaChangesOrFails_ssdIsOutOfUse_theReadFails() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      moves(in);
      ssdIsSick();
      isFinalizedOnDisk.set(false);
      seconds(0.1);
      for (int i = 0; i < 2; i++) {
        Exception e = assertThrows(IOException.class, () -> send(in.getChannel(), 1));
        assertTrue(String.valueOf(e.getMessage()).contains("Fix: read another replica"));
      }
      isFinalizedOnDisk.set(true);
      cutOff(replica, 2 << 20);
      for (int i = 0; i < 2; i++) {
        assertThrows(IOException.class, () -> send(in.getChannel(), 1));
      }
      assertEquals(REPLICA, suspects.get(0));
      assertEquals(1, disk.streams());
    }
    assertEquals(2 << 20, sent.size());
    assertEquals(0, disk.streams());
    assertEquals(10, ssd.streams());
  }

  @Test
  void ssdIsRemoved_theReplicaIsRead() throws Exception {
    copy.area().close();
    byte[] expected = new byte[LENGTH >> 20];
    Arrays.fill(expected, OF_REPLICA);
    expected[0] = OF_COPY;
    assertArrayEquals(expected, sources(1));
  }

  @Test
  void replicaChanges_theCopyIsReadAgain_andHdfsIsSeldomAsked() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      moves(in);
      assertEquals(1, looks.get());
      isFinalizedOnDisk.set(false);
      seconds(0.1);
      goesBack(in);
      assertEquals(2, looks.get());
    }
    assertEquals(List.of(), suspects);
  }

  @Test
  void replicaChanges_whileItIsOpened_noneOfItsBytesIsSent() throws Exception {
    saturate();
    isFinalizedOnDisk.set(false);
    assertArrayEquals(ONLY_COPY, sources(2));
    assertEquals(1, looks.get());
  }

  @Test
  void replicaFails_theCopyIsReadAgain_andHdfsVerifiesTheReplica() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      moves(in);
      cutOff(replica, 2 << 20);
      goesBack(in);
      assertEquals(List.of(REPLICA), suspects);
      assertEquals(List.of(), failures);
      byte[] bytes = new byte[LENGTH];
      Arrays.fill(bytes, OF_REPLICA);
      Files.write(replica, bytes);
      cutOff(copy.path().toPath(), 4 << 20);
      send(in.getChannel(), 16);
      assertEquals(1, failures.size(), "the copy still has its failover");
    }
    assertEquals(OF_REPLICA, sent.toByteArray()[4 << 20]);
  }

  @Test
  void replicaCannotBeOpened_hdfsVerifiesIt_andTheStreamStays() throws Exception {
    saturate();
    Files.delete(replica);
    try (ObservedFileInputStream in = open()) {
      for (int i = 0; i < 4; i++) {
        send(in.getChannel(), 16);
        seconds(1);
      }
      assertEquals(0, disk.streams());
      assertEquals(11, ssd.streams());
    }
    assertEquals(List.of(REPLICA), suspects);
  }

  @Test
  void replicaHasGoneToAnotherVolume_afterItWasLookedUp_isNoFailure_andTheStreamMovesLater()
      throws Exception {
    saturate();
    Path there = Files.move(replica, dir.resolve("moved"));
    onView =
        () -> {
          replica = there;
          view = view(REPLICA, false);
        };
    try (ObservedFileInputStream in = open()) {
      send(in.getChannel(), 16);
      seconds(1);
      send(in.getChannel(), 16);
      assertEquals(0, disk.streams());
      seconds(1);
      send(in.getChannel(), 16);
    }
    assertEquals(OF_COPY, sent.toByteArray()[(2 << 20) - 1]);
    assertEquals(OF_REPLICA, sent.toByteArray()[2 << 20]);
    assertEquals(List.of(), suspects);
  }

  private static void cutOff(Path file, long length) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(length);
    }
  }

  @Test
  void hdfsDropsWhatItSent_noStreamMoves() throws Exception {
    saturate();
    conf.setBoolean("dfs.datanode.drop.cache.behind.reads", true);
    assertArrayEquals(ONLY_COPY, sources(2));
    assertNull(move);
  }

  @Test
  void readAhead_isOfTheFileThatIsRead_andOfNoneThatHdfsKnows() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      send(in.getChannel(), 4);
      assertEquals(List.of(), ahead, "it may be a short read");
      send(in.getChannel(), 1);
      assertEquals(1, ahead.size());
      assertEquals(OF_COPY, byteAt(ahead.get(0)));
      seconds(1);
      send(in.getChannel(), 1);
      assertEquals(2, ahead.size());
      assertEquals(OF_REPLICA, byteAt(ahead.get(1)));
      assertEquals(List.of(ahead.get(0)), cancelled);
      send(in.getChannel(), 4);
      assertEquals(List.of(ahead.get(0), ahead.get(1)), sequential);
      assertEquals(0, size(in.getFD()));
    }
    assertEquals(List.copyOf(new LinkedHashSet<>(ahead)), cancelled);
  }

  private static long size(FileDescriptor of) throws IOException {
    return new FileInputStream(of).getChannel().size();
  }

  private static int byteAt(FileDescriptor of) throws IOException {
    // Not closed: that would close the file.
    FileChannel channel = new FileInputStream(of).getChannel();
    ByteBuffer one = ByteBuffer.allocate(1);
    assertEquals(1, channel.read(one, 0));
    return one.get(0);
  }

  /** One HDD of 12 MB/s that four other streams read, beside an SSD that is idle. */
  private void saturateDisk() {
    for (int i = 0; i < 4; i++) {
      disk.begun();
    }
    for (int i = 0; i < 10; i++) {
      long nanos = TimeUnit.SECONDS.toNanos(i);
      disk.sample(new Work(i * 12_000_000L, 0, i * 10L, i * 1000L, i * 1000L), nanos);
    }
  }

  /** Opens the replica, as plain HDFS has. */
  private ObservedFileInputStream openReplica() throws IOException {
    FailoverFile file = new FailoverFile(new FileInputStream(replica.toFile()), LENGTH, null);
    StreamMove made = streamMoves().toSsd(copy, dir.resolve("disk").toFile(), 0, failures::add);
    move = made;
    assertNotNull(made);
    file.choose(made);
    return new ObservedFileInputStream(
        file, LENGTH, bytes -> assertEquals(sent.size(), bytes, "bytes of the stream"));
  }

  /** Sends two megabytes, the second one from the SSD. */
  private void movesToSsd(ObservedFileInputStream in) throws IOException {
    assertEquals(5, disk.streams());
    send(in.getChannel(), 16);
    seconds(1);
    send(in.getChannel(), 16);
    assertEquals(OF_REPLICA, sent.toByteArray()[(1 << 20) - 1]);
    assertEquals(OF_COPY, sent.toByteArray()[1 << 20]);
    assertEquals(4, disk.streams());
    assertEquals(1, ssd.streams());
  }

  /** The rest is read from the replica, as on plain HDFS. */
  private void goesBackToDisk(ObservedFileInputStream in) throws IOException {
    send(in.getChannel(), 16);
    assertEquals(OF_REPLICA, sent.toByteArray()[2 << 20]);
    assertEquals(5, disk.streams());
    assertEquals(0, ssd.streams());
    seconds(1);
    send(in.getChannel(), 16);
    assertEquals(OF_REPLICA, sent.toByteArray()[(4 << 20) - 1], "what has gone back stays");
    assertEquals(1 << 20, ended());
    assertEquals(List.of(1L << 20, 2L << 20), ofCopy());
  }

  /** Where the bytes begin and end that were sent of the copy. */
  private List<Long> ofCopy() {
    StreamMove moved = move;
    assertNotNull(moved);
    SentBytes all = moved.sent(sent.size());
    return List.of(all.dataFrom, all.dataTo);
  }

  private long ended() {
    StreamMove moved = move;
    assertNotNull(moved);
    return moved.ended(sent.size());
  }

  @Test
  void slowStreamOfABusyDisk_goesOnAtTheCopy() throws Exception {
    saturateDisk();
    try (ObservedFileInputStream in = openReplica()) {
      movesToSsd(in);
      send(in.getChannel(), LENGTH / PACKET - 32);
      assertEquals(LENGTH - (1 << 20), ended());
      assertEquals(List.of(1L << 20, (long) LENGTH), ofCopy());
    }
    assertEquals(OF_COPY, sent.toByteArray()[LENGTH - 1]);
    assertEquals(4, disk.streams());
    assertEquals(0, ssd.streams());
    assertEquals(0, use.smallReads(), "what has moved was a stream");
    assertEquals(0, counters.get(Counter.READS_LEFT_TO_DISK));
  }

  @Test
  void diskHasTimeLeft_orSsdIsBusy_staysOnDisk() throws Exception {
    try (ObservedFileInputStream in = openReplica()) {
      send(in.getChannel(), 16);
      seconds(1);
      send(in.getChannel(), 16);
    }
    assertEquals(OF_REPLICA, sent.toByteArray()[(2 << 20) - 1]);
    saturateDisk();
    saturate();
    for (int i = 0; i < 20; i++) {
      ssd.begun();
    }
    assertEquals(OF_REPLICA, secondMegabyte());
  }

  /** Eight streams are about to saturate it. */
  @Test
  void loadOfTheSsdIsNotCertain_staysOnDisk() throws Exception {
    saturateDisk();
    for (int i = 0; i < 8; i++) {
      ssd.begun();
    }
    for (int i = 0; i < 10; i++) {
      long nanos = TimeUnit.SECONDS.toNanos(i);
      ssd.sample(new Work(i * 28_000_000L, 0, i * 100L, i * 100L, i * 100L), nanos);
    }
    assertEquals(0.56, ssd.use(), 0.01);
    assertTrue(1.25 * ssd.secondsFor(LENGTH) < disk.secondsForRest(LENGTH));
    assertEquals(OF_REPLICA, secondMegabyte());
  }

  @Test
  void copyIsNotVerified_orItsDeviceWasSick_orItIsGone_staysOnDisk() throws Exception {
    saturateDisk();
    copies.distrust(copy.area());
    assertEquals(OF_REPLICA, secondMegabyte());
    prepareAgain();
    ssdIsSick();
    assertEquals(OF_REPLICA, secondMegabyte());
    prepareAgain();
    assertNotNull(copies.remove(REPLICA.block()));
    assertEquals(OF_REPLICA, secondMegabyte());
    assertEquals(List.of(), failures);
  }

  private void ssdIsSick() {
    for (int i = 0; i < 20; i++) {
      assertTrue(copy.area().watch().readFailed(new IOException("Input/output error")));
    }
    assertTrue(copy.area().watch().sick());
  }

  @Test
  void ssdIsSick_orItsCopiesAreNotVerified_theReplicaIsReadAgain() throws Exception {
    saturateDisk();
    try (ObservedFileInputStream in = openReplica()) {
      movesToSsd(in);
      copies.distrust(copy.area());
      goesBackToDisk(in);
    }
    sent.reset();
    prepareAgain();
    try (ObservedFileInputStream in = openReplica()) {
      movesToSsd(in);
      ssdIsSick();
      send(in.getChannel(), 1);
      assertEquals(OF_REPLICA, sent.toByteArray()[2 << 20]);
      seconds(1);
    }
    assertEquals(0, use.smallReads(), "the rest of what has moved was no small read");
    assertEquals(List.of(), failures);
  }

  @Test
  void ssdIsSick_itsStreamGoesOnAtTheReplica_howeverBusyDiskIs() throws Exception {
    saturateDisk();
    try (ObservedFileInputStream in = open()) {
      send(in.getChannel(), 16);
      ssdIsSick();
      seconds(1);
      send(in.getChannel(), 16);
    }
    assertEquals(OF_REPLICA, sent.toByteArray()[1 << 20]);
    assertEquals(List.of(), failures);
  }

  private void prepareAgain() throws IOException {
    assertNotNull(copies.remove(REPLICA.block()));
    writeCopy(copy.area());
  }

  private byte secondMegabyte() throws IOException {
    sent.reset();
    try (ObservedFileInputStream in = openReplica()) {
      send(in.getChannel(), 16);
      seconds(1);
      send(in.getChannel(), 16);
    }
    return sent.toByteArray()[(2 << 20) - 1];
  }

  /** The streams of {@link #saturate()} end, and the SSD has been idle since. */
  private void idleSsd() {
    for (int i = 0; i < 10; i++) {
      ssd.ended();
    }
    for (int i = 10; i < 20; i++) {
      sample(ssd, 9, i);
    }
    assertTrue(ssd.isCertain());
  }

  @Test
  void diskThatAStreamMovedTo_isTheBusyOne_theCopyIsReadAgain_untilTheEnd() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      moves(in);
      idleSsd();
      saturateDisk();
      seconds(0.4);
      send(in.getChannel(), 1);
      assertEquals(5, disk.streams(), "half a second has not passed");
      seconds(0.1);
      send(in.getChannel(), 15);
      assertEquals(4, disk.streams());
      assertEquals(1, ssd.streams());
      saturateSsdAgain();
      assertTrue(
          new LoadBalance(loads).isRestSoonerOnDisk(8 << 20, 1e3, root("ssd"), root("disk")));
      seconds(1);
      send(in.getChannel(), LENGTH / PACKET - 48);
      assertEquals(PACKET + (1 << 20), ended());
      assertEquals(List.of(0L, (long) LENGTH), ofCopy(), "between them are bytes of DISK");
    }
    byte[] expected = new byte[LENGTH];
    Arrays.fill(expected, OF_COPY);
    Arrays.fill(expected, 1 << 20, (2 << 20) + PACKET, OF_REPLICA);
    assertArrayEquals(expected, sent.toByteArray());
    assertEquals(0, disk.streams());
    assertEquals(10, ssd.streams());
    assertEquals(List.of(), failures);
    assertEquals(List.of(), suspects);
  }

  private File root(String name) {
    return dir.resolve(name).toFile();
  }

  /** After {@link #idleSsd}: ten streams of the SSD begin, and those of DISK end. */
  private void saturateSsdAgain() {
    for (int i = 0; i < 10; i++) {
      ssd.begun();
    }
    for (int i = 0; i < 4; i++) {
      disk.ended();
    }
    for (int i = 1; i <= 10; i++) {
      sample(ssd, 9 + i, 19 + i);
    }
  }

  /** Sends three megabytes, the second one from DISK. */
  private void movesAndReturns(ObservedFileInputStream in) throws IOException {
    moves(in);
    idleSsd();
    saturateDisk();
    seconds(0.5);
    send(in.getChannel(), 16);
    assertEquals(OF_COPY, sent.toByteArray()[2 << 20]);
    assertEquals(1, ssd.streams());
  }

  @Test
  void ssdThatAStreamReturnedTo_isSick_theStreamLeavesIt() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      movesAndReturns(in);
      ssdIsSick();
      seconds(0.5);
      send(in.getChannel(), LENGTH / PACKET - 48);
      assertEquals(5, disk.streams());
      assertEquals(LENGTH - (2 << 20), ended());
      assertEquals(List.of(0L, 3L << 20), ofCopy());
    }
    assertEquals(OF_REPLICA, sent.toByteArray()[3 << 20]);
    assertEquals(OF_REPLICA, sent.toByteArray()[LENGTH - 1]);
    assertEquals(4, disk.streams());
    assertEquals(0, ssd.streams());
    assertEquals(List.of(), failures);
  }

  @Test
  void copyWasDistrusted_staysOnDisk() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      moves(in);
      idleSsd();
      saturateDisk();
      copies.distrust(copy.area());
      seconds(1);
      send(in.getChannel(), 16);
    }
    assertEquals(OF_REPLICA, sent.toByteArray()[sent.size() - 1]);
  }

  /** HDFS's balancer has moved it from the one that is busy. */
  @Test
  void replicaIsOnAnotherVolume_staysOnDisk() throws Exception {
    saturate();
    view = new ReplicaView(REPLICA, false, root("other"), replica.toFile(), new File("unused"));
    try (ObservedFileInputStream in = open()) {
      for (int i = 0; i < 3; i++) {
        send(in.getChannel(), 16);
        seconds(1);
      }
      idleSsd();
      saturateDisk();
      send(in.getChannel(), 16);
    }
    assertEquals(OF_REPLICA, sent.toByteArray()[1 << 20]);
    assertEquals(OF_REPLICA, sent.toByteArray()[3 << 20]);
  }

  /** Opening it took longer than the time between two decisions. */
  @Test
  void replicaIsOpenedForLong_thatIsNoPace() throws Exception {
    saturate();
    onView =
        () -> {
          seconds(2);
          idleSsd();
          saturateDisk();
        };
    try (ObservedFileInputStream in = open()) {
      send(in.getChannel(), 16);
      seconds(1);
      send(in.getChannel(), 16);
    }
    assertEquals(OF_REPLICA, sent.toByteArray()[1 << 20]);
  }

  @Test
  void diskThatAStreamMovedTo_isBusy_ssdIsSick_orTheCopyGone_staysOnDisk() throws Exception {
    saturate();
    try (ObservedFileInputStream in = open()) {
      moves(in);
      idleSsd();
      saturateDisk();
      assertNotNull(copies.remove(REPLICA.block()));
      seconds(1);
      send(in.getChannel(), 16);
      List<CleanFile> unused = copies.add(new CleanCopies.Copy(REPLICA, copy, null));
      ssdIsSick();
      seconds(1);
      send(in.getChannel(), 16);
      assertEquals(5, disk.streams());
    }
    assertEquals(OF_REPLICA, sent.toByteArray()[sent.size() - 1]);
  }

  @Test
  void ssdThatAStreamMovedTo_isTheBusyOne_theReplicaIsReadAgain_untilTheEnd() throws Exception {
    saturateDisk();
    try (ObservedFileInputStream in = openReplica()) {
      movesToSsd(in);
      for (int i = 0; i < 4; i++) {
        disk.ended();
      }
      saturate();
      seconds(0.5);
      send(in.getChannel(), 16);
      assertEquals(1, disk.streams());
      assertEquals(10, ssd.streams());
      saturateDisk();
      seconds(1);
      send(in.getChannel(), LENGTH / PACKET - 48);
      assertEquals(1 << 20, ended());
      assertEquals(List.of(1L << 20, 2L << 20), ofCopy());
    }
    byte[] expected = new byte[LENGTH];
    Arrays.fill(expected, OF_REPLICA);
    Arrays.fill(expected, 1 << 20, 2 << 20, OF_COPY);
    assertArrayEquals(expected, sent.toByteArray());
    assertEquals(List.of(), failures);
    assertEquals(0, counters.get(Counter.READS_LEFT_TO_DISK));
  }

  @Test
  void copyLeavesTheIndex_orTheReplicaChanges_theReplicaIsReadAgain() throws Exception {
    saturateDisk();
    try (ObservedFileInputStream in = openReplica()) {
      movesToSsd(in);
      assertNotNull(copies.remove(REPLICA.block()));
      goesBackToDisk(in);
    }
    sent.reset();
    List<CleanFile> unused = copies.add(new CleanCopies.Copy(REPLICA, copy, null));
    try (ObservedFileInputStream in = openReplica()) {
      movesToSsd(in);
      isFinalizedOnDisk.set(false);
      seconds(0.1);
      goesBackToDisk(in);
    }
    assertEquals(4, disk.streams());
    assertEquals(List.of(), failures);
  }

  @Test
  void copyFails_theReplicaIsReadAgain_andTheCopyIsReported() throws Exception {
    saturateDisk();
    try (ObservedFileInputStream in = openReplica()) {
      movesToSsd(in);
      cutOff(copy.path().toPath(), 2 << 20);
      goesBackToDisk(in);
      assertEquals(1, failures.size());
    }
    Files.delete(copy.path().toPath());
    sent.reset();
    assertEquals(OF_REPLICA, secondMegabyte());
    assertEquals(2, failures.size());
    assertEquals(List.of(), suspects);
  }

  @Test
  void replicaFails_isAnErrorAsOnPlainHdfs() throws Exception {
    try (ObservedFileInputStream in = openReplica()) {
      send(in.getChannel(), 16);
      cutOff(replica, 1 << 20);
      assertEquals(0, in.getChannel().transferTo(1 << 20, PACKET, Channels.newChannel(sent)));
    }
    assertEquals(List.of(), failures);
    assertEquals(List.of(), suspects);
  }
}
