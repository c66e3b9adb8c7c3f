package io.hycache.core.hint;

/**
 * A manifest was refused. The message names the file, the line and the JSON path, what was found,
 * what is allowed, and how to mend it; nothing of the manifest was used.
 */
public final class ManifestException extends Exception {
  ManifestException(String message) {
    super(message);
  }

  /**
   * Builds the message.
   *
   * @param where file and, as far as known, line, column and JSON path
   */
  static ManifestException of(String where, String found, String allowed, String mend) {
    return new ManifestException(
        where + ": found " + found + "; allowed: " + allowed + ". To mend: " + mend + ".");
  }
}
