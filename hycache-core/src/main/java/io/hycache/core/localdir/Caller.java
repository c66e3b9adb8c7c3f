package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** As whom this process works on files, and with what it holds them. Immutable. */
final class Caller {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String UID = "Uid:";

  /** Real, effective, saved, and that of file systems. */
  private static final int UIDS = 4;

  /** Null: directories and files are looked up by their paths each time. */
  final @Nullable LinuxCalls calls;

  /** Who owns what this process makes. */
  final int uid;

  Caller(@Nullable LinuxCalls calls, int uid) {
    this.calls = calls;
    this.uid = uid;
  }

  /** This process. */
  static Caller of(@Nullable LinuxCalls calls) throws IOException {
    return new Caller(calls, uid());
  }

  private static int uid() throws IOException {
    if (Files.exists(STATUS)) {
      for (String line : Files.readAllLines(STATUS)) {
        String[] words = line.trim().split("\\s+", -1);
        if (words.length > UIDS && words[0].equals(UID)) {
          return Integer.parseUnsignedInt(words[UIDS]);
        }
      }
    }
    Path probe = Files.createTempFile("hycache", "user");
    try {
      return FileMark.of(probe).uid;
    } finally {
      Files.delete(probe);
    }
  }

  /** May do everything, for users too who should not. */
  boolean isRoot() {
    return uid == 0;
  }

  /** Whether a directory or a link belongs to the file's owner or to this process. */
  boolean isOwnersOrOurs(FileMark directoryOrLink, FileMark file) {
    return directoryOrLink.uid == file.uid || directoryOrLink.uid == uid;
  }
}
