// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.Manifest;
import io.hycache.core.hint.ManifestException;
import io.hycache.core.hint.ManifestParser;
import io.hycache.hdfs.client.HintException;
import io.hycache.hdfs.client.ManifestPlaces;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The manifest that a command was given: a JSON file, or with {@code -f} a list of paths. */
final class ManifestFile implements ManifestPlaces {
  static final String LIST = "-f";
  static final String TTL = "--ttl";
  private static final Duration LIST_TTL = Duration.ofDays(1);

  static final String DETAILS =
      "  FILE        a manifest: JSON, version 1\n"
          + "  -f LIST     a list instead: one path a line, each read once; the name of the\n"
          + "              workflow is the name of the file\n"
          + "  --ttl TTL   how long the hints live, as 90s, 30m, 2h or 1d; otherwise what the\n"
          + "              manifest says, 1d for a list\n";

  final Manifest manifest;
  final Duration ttl;
  private final String source;
  private final boolean isList;

  private ManifestFile(String source, boolean isList, Manifest manifest, Duration ttl) {
    this.source = source;
    this.isList = isList;
    this.manifest = manifest;
    this.ttl = ttl;
  }

  static ManifestFile read(Args args) throws UsageException, ManifestException, IOException {
    String list = args.value(LIST);
    if (list == null ? args.positionals().size() != 1 : !args.positionals().isEmpty()) {
      throw new UsageException(
          "expected one manifest, either FILE or -f LIST, found "
              + (args.positionals().isEmpty() ? "none" : args.positionals())
              + (list == null ? "" : " and -f " + list));
    }
    Duration override = ttl(args);
    String source = list == null ? args.positionals().get(0) : list;
    try (InputStream in = open(source)) {
      if (list == null) {
        Manifest manifest = ManifestParser.parse(source, in);
        return new ManifestFile(
            source, false, manifest, override == null ? manifest.ttl() : override);
      }
      Duration ttl = override == null ? LIST_TTL : override;
      String name = String.valueOf(Path.of(list).getFileName());
      return new ManifestFile(source, true, ManifestParser.parseList(source, in, name, ttl), ttl);
    }
  }

  private static @Nullable Duration ttl(Args args) throws UsageException {
    String text = args.value(TTL);
    try {
      return text == null ? null : ManifestParser.parseTtl(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(TTL + ": " + e.getMessage());
    }
  }

  private static InputStream open(String file) throws HintException {
    String found;
    try {
      Path path = Path.of(file);
      if (!Files.isDirectory(path)) {
        return Files.newInputStream(path);
      }
      found = "a directory";
    } catch (NoSuchFileException | InvalidPathException e) {
      found = "no such file";
    } catch (IOException e) {
      found = "a file that cannot be read (" + e + ")";
    }
    throw new HintException(
        file + ": expected a readable local file, found " + found + ". Fix: correct the name.");
  }

  @Override
  public String source() {
    return source;
  }

  /** Reads the file once more, which is only done for an error. */
  @Override
  public String path(String job, int read) {
    try {
      return source
          + ":"
          + (isList ? line(read) : " " + Json.jobPath(source, job) + readPath(read));
    } catch (IOException e) {
      return source + ": job \"" + job + "\"" + readPath(read);
    }
  }

  private static String readPath(int read) {
    return ".reads[" + read + "].path";
  }

  private int line(int read) throws IOException {
    int path = -1;
    int number = 0;
    for (String line : Files.readAllLines(Path.of(source))) {
      number++;
      String text = line.strip();
      path += text.isEmpty() || text.startsWith("#") ? 0 : 1;
      if (path == read) {
        return number;
      }
    }
    throw new IOException("changed since it was read: file=" + source);
  }
}
