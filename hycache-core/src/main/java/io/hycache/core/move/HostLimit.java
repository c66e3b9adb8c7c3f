package io.hycache.core.move;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Failures of I/O that say nothing of the device's health: its file system or a quota is full, or
 * the process or the system is at a limit (descriptors, memory, threads). Known by what the system
 * says of them in the C locale, because Java passes on no error numbers.
 */
public final class HostLimit {
  private HostLimit() {}

  /** True if the failure, or what caused it, is a limit or a full file system. */
  public static boolean isCause(@Nullable Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      String message = text(e);
      if (e instanceof OutOfMemoryError
          || isFull(message)
          || message.contains("too many open files")
          || message.contains("cannot allocate memory")) {
        return true;
      }
    }
    return false;
  }

  /** True if the failure, or what caused it, is a full file system or quota. */
  public static boolean isFull(@Nullable Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (isFull(text(e))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFull(String message) {
    return message.contains("no space left") || message.contains("quota exceeded");
  }

  private static String text(Throwable e) {
    return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
  }
}
