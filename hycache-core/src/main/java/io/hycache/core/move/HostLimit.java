package io.hycache.core.move;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Failures of I/O that say nothing of the device's health: its file system or a quota is full, or
 * the process or the system is at a limit (descriptors, memory, threads). Known by what the system
 * says of them, because Java passes on no error numbers: of a full file system in the locale of
 * this process, of all others in the C locale only.
 */
public final class HostLimit {
  /** What the system says of a full file system in this process's locale; or null. */
  private static final @Nullable String FULL_HERE = fullHere();

  private HostLimit() {}

  private static @Nullable String fullHere() {
    try (FileOutputStream full = new FileOutputStream("/dev/full")) {
      full.write(0);
    } catch (FileNotFoundException e) {
      return null; // no such device, or not to be opened: that is no word of a full one
    } catch (IOException e) {
      return text(e);
    }
    return null;
  }

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
    return message.contains("no space left")
        || message.contains("quota exceeded")
        || (FULL_HERE != null && message.contains(FULL_HERE));
  }

  private static String text(Throwable e) {
    return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
  }
}
