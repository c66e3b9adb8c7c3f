package io.hycache.hdfs.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which file system a file lies on. */
final class FileSystemNumber {
  private static final Path TOP = Path.of("/");

  private FileSystemNumber() {}

  /** The system's {@code st_dev}; 0 where there is no such number. */
  static long of(Path path) throws IOException {
    try {
      Object number = Files.getAttribute(path, "unix:dev");
      return number instanceof Number ? ((Number) number).longValue() : 0;
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return 0;
    }
  }

  /** True if a file lies on the file system that the machine's root is on. */
  static boolean isOfTop(Path path) throws IOException {
    long number = of(path);
    return number != 0 && number == of(TOP);
  }
}
