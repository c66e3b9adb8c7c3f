// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.spi.HeatStore;
import io.hycache.core.table.HeatLog;
import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the heat log of each fast device in a file on that device. Calls for different devices are
 * thread-safe.
 */
final class HeatFiles implements HeatStore {
  private static final Logger LOG = LoggerFactory.getLogger(HeatFiles.class);
  private static final String NAME = "heat";

  private final Map<String, CleanArea> areas;

  HeatFiles(Map<String, CleanArea> areas) {
    this.areas = areas;
  }

  private static File directory(String device) {
    return new File(device, CleanArea.DIRECTORY);
  }

  private static Path file(String device) {
    return new File(directory(device), NAME).toPath();
  }

  @Override
  public void write(String device, boolean fresh, byte[] frames) throws IOException {
    CleanArea area = areas.get(device);
    if (area == null) {
      return;
    }
    area.watch().checkPresent();
    Path file = file(device);
    FileOperation.WRITE.before(file.toFile());
    if (!fresh) {
      try (FileChannel out = FileChannel.open(file, StandardOpenOption.APPEND)) {
        writeAll(out, frames);
        out.force(false);
      }
      return;
    }
    area.mode().makeDirectory(directory(device).toPath());
    Path temporary = file.resolveSibling(NAME + ".tmp");
    try (FileChannel out =
        area.mode()
            .open(
                temporary,
                Set.of(
                    StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING))) {
      writeAll(out, frames);
      out.force(true);
    }
    FileOperation.RENAME.before(file.toFile());
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    IOUtils.fsync(directory(device));
  }

  private static void writeAll(FileChannel out, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      out.write(buffer);
    }
  }

  /** Returns the nanoseconds since the device's log was last written; 0 if unknown. */
  long agoNanos(String device) {
    try {
      long millis = System.currentTimeMillis() - Files.getLastModifiedTime(file(device)).toMillis();
      return TimeUnit.MILLISECONDS.toNanos(Math.max(0, millis));
    } catch (IOException e) {
      return 0;
    }
  }

  /** Reads the log of an earlier process. Missing or damaged parts lose heat and are logged. */
  HeatLog.Loaded read(String device) {
    Path file = file(device);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      FileOperation.READ.before(file.toFile());
      HeatLog.Loaded loaded = HeatLog.read(in);
      if (loaded.problem() != null) {
        LOG.warn(
            "the heat log is damaged, lost heat is rebuilt from accesses: file={}"
                + " problem={} rowsKept={}",
            file,
            loaded.problem(),
            loaded.rows().size());
      }
      return loaded;
    } catch (NoSuchFileException e) {
      return HeatLog.NOTHING;
    } catch (IOException e) {
      LOG.warn("can't read the heat log: file={}", file, e);
      return HeatLog.NOTHING;
    }
  }
}
