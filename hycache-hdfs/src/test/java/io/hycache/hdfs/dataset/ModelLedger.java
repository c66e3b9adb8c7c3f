// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.NodeStatus;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.Nullable;

/** Holds one DataNode's books against its disks. At rest they agree. */
final class ModelLedger {
  private static final int MOST_BLOCKS = 5_000;

  /** What lies on the SSDs of a DataNode. */
  static final class OnDisk {
    long replicaBytes;
    long dataBytes;
    final List<Path> replicas = new ArrayList<>();
    final Set<String> clean = new TreeSet<>();
    final List<String> foreign = new ArrayList<>();
  }

  private final ModelCluster c;
  private final ModelFaults faults;

  ModelLedger(ModelCluster c, ModelFaults faults) {
    this.c = c;
    this.faults = faults;
  }

  private static Object part(HyCacheNode node, String name) {
    try {
      Field field = HyCacheNode.class.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(node);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("HyCacheNode has no such field", e);
    }
  }

  private static CleanCopies copies(HyCacheNode node) {
    return (CleanCopies) part(node, "copies");
  }

  /** For tests that make a move themselves. */
  static HdfsMover mover(HyCacheNode node) {
    return (HdfsMover) part(node, "mover");
  }

  OnDisk look(int node) throws IOException {
    OnDisk found = new OnDisk();
    for (int volume = 0; volume < ModelCluster.VOLUMES.length; volume++) {
      Path root = c.roots(node).get(volume).toPath();
      if (ModelCluster.VOLUMES[volume] != StorageType.SSD) {
        continue;
      }
      walk(
          root.resolve("hycache").resolve(c.pool()),
          (path, bytes) -> {
            String name = path.getFileName().toString();
            if (name.endsWith(".data")) {
              found.dataBytes += bytes;
              found.clean.add(path.toString());
            } else if (name.endsWith(".meta")) {
              found.clean.add(path.toString());
            } else if (name.startsWith("blk_")) {
              found.foreign.add(path.toString());
            }
          });
      walk(
          root.resolve("current/" + c.pool() + "/current/finalized"),
          (path, bytes) -> {
            String name = path.getFileName().toString();
            if (name.startsWith("blk_") && !name.endsWith(".meta")) {
              found.replicaBytes += bytes;
              found.replicas.add(path);
            }
          });
    }
    return found;
  }

  private interface Seen {
    void file(Path path, long bytes);
  }

  private static void walk(Path dir, Seen seen) throws IOException {
    if (!Files.isDirectory(dir)) {
      return;
    }
    Files.walkFileTree(
        dir,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            seen.file(file, attributes.size());
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }

  /** What does not agree; null at rest. */
  @Nullable String differs(int node) throws IOException {
    if (!c.hasPlugin()) {
      return null;
    }
    HyCacheNode n = c.node(node);
    if (n.passThrough()) {
      return "pass-through";
    }
    NodeStatus status = n.status();
    if (status.movesQueued() > 0) {
      return "movesQueued=" + status.movesQueued();
    }
    try {
      ((HyCacheEngine) part(n, "engine")).settle();
    } catch (TimeoutException | RuntimeException e) {
      return "settle: " + e;
    }
    Set<String> indexed = new TreeSet<>();
    long dataBytes = 0;
    long checksumBytes = 0;
    CleanCopies copies = copies(n);
    for (BlockKey block : copies.blocks()) {
      CleanCopies.Copy copy = copies.get(block);
      if (copy == null) {
        continue;
      }
      for (CleanFile file : copy.files()) {
        indexed.add(file.path().toString());
        if (file.lengthBytes() != file.path().length()) {
          return "file="
              + file
              + " lengthBytes="
              + file.path().length()
              + " indexed otherwise: history="
              + faults.history(file.path().getPath());
        }
        if (file.part() == Part.DATA) {
          dataBytes += file.allocatedBytes();
        } else {
          checksumBytes += file.allocatedBytes();
        }
      }
    }
    OnDisk disk = look(node);
    if (!disk.foreign.isEmpty()) {
      return "left over: " + disk.foreign;
    }
    if (!indexed.equals(disk.clean)) {
      Set<String> notIndexed = new TreeSet<>(disk.clean);
      notIndexed.removeAll(indexed);
      indexed.removeAll(disk.clean);
      StringBuilder text = new StringBuilder();
      for (String path : notIndexed) {
        text.append("\n    on disk but not in the index: file=").append(path);
        text.append(" history=").append(faults.history(path));
      }
      for (String path : indexed) {
        text.append("\n    in the index but not on disk: file=").append(path);
        text.append(" history=").append(faults.history(path));
      }
      return text.toString();
    }
    String bytes = null;
    if (n.cleanBytes() != dataBytes + checksumBytes) {
      bytes = "countedBytes=" + n.cleanBytes();
    } else if (status.cleanBytes() != disk.dataBytes) {
      bytes = "cleanBytes=" + status.cleanBytes();
    } else if (status.checksumBytes() != checksumBytes) {
      bytes = "checksumBytes=" + status.checksumBytes();
    } else if (status.dirtyBytes() + status.ownerBytes() != disk.replicaBytes) {
      bytes = "dirtyBytes=" + status.dirtyBytes() + " ownerBytes=" + status.ownerBytes();
    } else if (status.ownerBytes() != 0 && !faults.unmarked(node)) {
      bytes = "guests are taken for their owner's: ownerBytes=" + status.ownerBytes();
    }
    return bytes == null
        ? null
        : bytes
            + " in the index: data="
            + dataBytes
            + " checksums="
            + checksumBytes
            + " on disk: data="
            + disk.dataBytes
            + " replicas="
            + disk.replicaBytes
            + details(node, n, copies, disk);
  }

  /** Of which blocks it is that books and disks differ. */
  private String details(int node, HyCacheNode n, CleanCopies copies, OnDisk disk)
      throws IOException {
    StringBuilder text = new StringBuilder();
    ReplicaStore store = (ReplicaStore) part(n, "store");
    for (Path file : disk.replicas) {
      long id = Long.parseLong(file.getFileName().toString().substring("blk_".length()));
      String pool = file.toString().replaceAll(".*/current/(BP-[^/]*)/current/.*", "$1");
      ReplicaView view = store.finalized(new BlockKey(pool, id));
      BlockStatus status = n.locate(List.of(new BlockKey(pool, id))).get(0);
      if (view == null || !view.data().toPath().equals(file) || status.storage.equals("NONE")) {
        text.append("\n    node=" + node + " replica on SSD: file=" + file);
        text.append(" exists=" + store.exists(new BlockKey(pool, id)));
        text.append(" dirty=" + status.dirty + " storage=" + status.storage);
        text.append(" is=" + (view == null ? "not finalized" : view.data()));
      }
    }
    List<BlockKey> known = new ArrayList<>();
    long first = copies.blocks().stream().mapToLong(BlockKey::id).min().orElse(0);
    for (long id = first - MOST_BLOCKS; id < first + MOST_BLOCKS; id++) {
      known.add(new BlockKey(c.pool(), id));
    }
    for (BlockStatus status : n.locate(known)) {
      if (status.cleanData && copies.get(status.block) == null) {
        text.append("\n    node=" + node + " booked as clean only: block=" + status.block);
        text.append(" exists=" + store.exists(status.block) + " storage=" + status.storage);
        text.append(" reason=" + status.reason);
      }
    }
    for (BlockKey block : copies.blocks()) {
      CleanCopies.Copy copy = copies.get(block);
      BlockStatus status = n.locate(List.of(block)).get(0);
      if (copy != null
          && ((copy.data() != null) != status.cleanData
              || (copy.checksums() != null) != status.cleanChecksums)) {
        text.append("\n    node=" + node + " clean: block=" + block);
        text.append(" data=" + (copy.data() != null) + " booked=" + status.cleanData);
        text.append(" checksums=" + (copy.checksums() != null));
        text.append(" booked=" + status.cleanChecksums + " storage=" + status.storage);
        text.append(" reason=" + status.reason + " exists=" + store.exists(block));
        text.append(" finalized=" + (store.finalized(block) != null));
        for (CleanFile file : copy.files()) {
          text.append("\n      file=" + file + " history=" + faults.history(file.path().getPath()));
        }
      }
    }
    return text.toString();
  }

  /** Clean copies on disk of which no other name exists: flipping a bit there harms a copy only. */
  List<File> cleanFiles(int node) throws IOException {
    List<File> files = new ArrayList<>();
    for (String path : look(node).clean) {
      try {
        if (Files.getAttribute(Path.of(path), "unix:nlink").equals(1)) {
          files.add(new File(path));
        }
      } catch (NoSuchFileException e) {
        // It went meanwhile.
      }
    }
    return files;
  }
}
