package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How finely a file system tells one change from the next. Most stamp files by a clock that moves a
 * few times in a hundredth of a second; newer ones take care that a change after a look shows.
 */
final class ClockTick {
  /** More than the slowest kernel clock's tick (10 ms). */
  static final long COARSE_MICROS = 20_000;

  private static final int PAIRS = 32;

  private ClockTick() {}

  /**
   * 0 if every change after a look shows in the times of the file; else what has to have passed
   * since the last change before times can be trusted.
   */
  static long micros(Path staging) throws IOException {
    Path probe = Files.createTempFile(staging, "tick", "");
    try (FileChannel channel = FileChannel.open(probe, StandardOpenOption.WRITE)) {
      for (int i = 0; i < PAIRS; i++) {
        var unused = channel.write(ByteBuffer.wrap(new byte[1]));
        FileMark before = FileMark.of(probe);
        unused = channel.write(ByteBuffer.wrap(new byte[1]), 0);
        if (FileMark.of(probe).mtimeMicros == before.mtimeMicros) {
          return COARSE_MICROS;
        }
      }
      return 0;
    } finally {
      Files.delete(probe);
    }
  }
}
