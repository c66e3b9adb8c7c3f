// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Recognises I/O failures that are not the device's fault: a full file system, an exhausted quota,
 * or a limit of the process or system (descriptors, memory, threads). Java does not expose error
 * numbers, so failures are recognised by their message: a full file system in this process's
 * locale, the others in the C locale only.
 */
public final class HostLimit {
  private static final String FULL = "no space left";

  /**
   * The system's message for a full file system in this process's locale; null if it can't be found
   * out.
   */
  private static final @Nullable String FULL_HERE = fullHere();

  private HostLimit() {}

  /**
   * Returns the system's message for a full file system if it shows that this process gets messages
   * in another language than English, in which limits are not recognised; otherwise null.
   */
  public static @Nullable String foreignMessage() {
    return foreign(FULL_HERE);
  }

  static @Nullable String foreign(@Nullable String full) {
    return full == null || full.contains(FULL) ? null : full;
  }

  private static @Nullable String fullHere() {
    try (FileOutputStream full = new FileOutputStream("/dev/full")) {
      full.write(0);
    } catch (FileNotFoundException e) {
      return null; // no /dev/full to provoke the message with
    } catch (IOException e) {
      return text(e);
    }
    return null;
  }

  /** True if the failure or one of its causes is a limit or a full file system. */
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

  /** True if the failure or one of its causes is a full file system or an exhausted quota. */
  public static boolean isFull(@Nullable Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (isFull(text(e))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFull(String message) {
    return message.contains(FULL)
        || message.contains("quota exceeded")
        || (FULL_HERE != null && message.contains(FULL_HERE));
  }

  private static String text(Throwable e) {
    return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
  }
}
