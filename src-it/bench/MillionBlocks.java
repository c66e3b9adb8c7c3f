// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import io.hycache.core.model.BlockKey;
import io.hycache.core.table.HeatLog;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a DataNode with very many blocks finds when it starts: replicas on DISK, the clean copies of
 * all their checksum files and of every tenth's data on SSD, and the heat of all. The files are
 * sparse and never read.
 */
public final class MillionBlocks {
  private static final int BLOCK_BYTES = 64 << 10;
  private static final int CHECKSUM_BYTES = 7 + BLOCK_BYTES / 512 * 4;
  private static final long GENERATION_STAMP = 1001;
  private static final long FIRST_ID = 1L << 30;

  private final Set<Path> directories = new HashSet<>();

  private MillionBlocks() {}

  public static void main(String[] args) throws IOException {
    if (Options.wantHelp(args)) {
      System.out.println(
          "MillionBlocks --disk VOLUME --ssd VOLUME --pool POOL [--count 1000000]\n"
              + "  VOLUME: a directory of dfs.datanode.data.dir, formatted; no DataNode may run on"
              + " it");
      return;
    }
    Map<String, String> options = Options.of(args, 0);
    new MillionBlocks()
        .make(
            Paths.get(Options.needed(options, "disk")),
            Paths.get(Options.needed(options, "ssd")),
            Options.needed(options, "pool"),
            Integer.parseInt(options.getOrDefault("count", "1000000")));
  }

  private void make(Path disk, Path ssd, String pool, int count) throws IOException {
    Path finalized = disk.resolve("current").resolve(pool).resolve("current/finalized");
    Path clean = ssd.resolve("hycache").resolve(pool);
    List<HeatLog.Row> heat = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long id = FIRST_ID + i;
      Path dir =
          finalized.resolve("subdir" + (id >> 16 & 0x1f)).resolve("subdir" + (id >> 8 & 0x1f));
      sparse(dir.resolve("blk_" + id), BLOCK_BYTES);
      sparse(dir.resolve("blk_" + id + "_" + GENERATION_STAMP + ".meta"), CHECKSUM_BYTES);
      Path bucket = clean.resolve(String.format(Locale.ROOT, "%02x", id >> 8 & 0xff));
      String copy = "blk_" + id + "_" + GENERATION_STAMP + "_" + BLOCK_BYTES;
      sparse(bucket.resolve(copy + ".meta"), CHECKSUM_BYTES);
      if (i % 10 == 0) {
        sparse(bucket.resolve(copy + ".data"), BLOCK_BYTES);
      }
      heat.add(new HeatLog.Row(new BlockKey(pool, id), GENERATION_STAMP, BLOCK_BYTES, 1 + i % 20));
      if ((i + 1) % 100_000 == 0) {
        System.err.println(i + 1 + " blocks made");
      }
    }
    Path log = ssd.resolve("hycache/heat");
    Files.write(log, HeatLog.header());
    Files.write(log, HeatLog.rows(heat), StandardOpenOption.APPEND);
    // HDFS's own short cut from its last orderly stop knows nothing of these.
    Files.deleteIfExists(disk.resolve("current").resolve(pool).resolve("current/replicas"));
    System.out.println("{\"blocks\":" + count + ",\"heatBytes\":" + Files.size(log) + "}");
  }

  private void sparse(Path file, long bytes) throws IOException {
    Path dir = file.getParent();
    if (directories.add(dir)) {
      Files.createDirectories(dir);
    }
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(bytes);
    }
  }
}
