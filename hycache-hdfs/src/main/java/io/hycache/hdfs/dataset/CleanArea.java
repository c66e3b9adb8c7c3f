package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names and files of the clean copies on one fast device: {@code <root>/hycache/<pool>/<xx>/
 * blk_<id>_<gs>_<length>.{data,meta}}. A file appears under its name only when it is complete and
 * synced; until then it ends in {@code .tmp}. Outside {@code current/}, so HDFS never looks at it.
 */
final class CleanArea {
  private static final Logger LOG = LoggerFactory.getLogger(CleanArea.class);
  static final String DIRECTORY = "hycache";
  private static final String TEMPORARY = ".tmp";
  private static final Pattern NAME = Pattern.compile("blk_(-?\\d+)_(\\d+)_(\\d+)\\.(data|meta)");

  /** A file found in the area. */
  static final class Found {
    final Replica replica;
    final Part part;
    final File file;

    Found(Replica replica, Part part, File file) {
      this.replica = replica;
      this.part = part;
      this.file = file;
    }
  }

  private final File root;

  /**
   * @param root directory of the device: a volume's or one of {@code hycache.cache.dirs}
   */
  CleanArea(File root) {
    this.root = root;
  }

  /** The name a complete copy has. */
  File file(Replica replica, Part part) {
    BlockKey block = replica.block();
    String bucket = String.format(Locale.ROOT, "%02x", (block.id() >> 8) & 0xff);
    File dir = new File(new File(new File(root, DIRECTORY), block.pool()), bucket);
    String suffix = part == Part.DATA ? ".data" : ".meta";
    return new File(
        dir,
        "blk_"
            + block.id()
            + "_"
            + replica.generationStamp()
            + "_"
            + replica.lengthBytes()
            + suffix);
  }

  /** A fresh temporary name beside the final one; its directory exists, nothing lies there. */
  File temporary(File file) throws IOException {
    Files.createDirectories(file.getParentFile().toPath());
    File temporary = new File(file.getPath() + TEMPORARY);
    Files.deleteIfExists(temporary.toPath());
    return temporary;
  }

  /** Gives a complete, synced file its name and syncs the directory. */
  void publish(File temporary, File file) throws IOException {
    Files.move(temporary.toPath(), file.toPath(), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    IOUtils.fsync(file.getParentFile());
  }

  /** Removes a file; a failure is logged and costs space until the next start. */
  static void unlink(File file) {
    try {
      Files.deleteIfExists(file.toPath());
    } catch (IOException e) {
      LOG.warn("could not remove a clean copy: file={}", file, e);
    }
  }

  /** Everything of a pool in the area; removes temporary and foreign files on the way. */
  List<Found> scan(String pool) throws IOException {
    List<Found> found = new ArrayList<>();
    Path dir = new File(new File(root, DIRECTORY), pool).toPath();
    if (!Files.isDirectory(dir)) {
      return found;
    }
    try (Stream<Path> paths = Files.walk(dir)) {
      paths
          .filter(Files::isRegularFile)
          .forEach(
              path -> {
                Found file = parse(pool, path.toFile());
                if (file == null) {
                  unlink(path.toFile());
                } else {
                  found.add(file);
                }
              });
    }
    return found;
  }

  private static @Nullable Found parse(String pool, File file) {
    Matcher m = NAME.matcher(file.getName());
    if (!m.matches()) {
      return null;
    }
    try {
      Replica replica =
          new Replica(
              new BlockKey(pool, Long.parseLong(m.group(1))),
              Long.parseLong(m.group(2)),
              Long.parseLong(m.group(3)));
      return new Found(replica, "data".equals(m.group(4)) ? Part.DATA : Part.CHECKSUM, file);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
