// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Recorded forms that releases share: the bytes of messages, the output of commands, the names of
 * metrics. A recording is a text file in {@code src/test/resources/golden}. A run with {@code
 * -Dhycache.golden.record=true} writes it instead of comparing; a changed recording means that old
 * and new releases no longer work side by side.
 */
public final class Golden {
  private static final boolean RECORD = Boolean.getBoolean("hycache.golden.record");
  private static final Path SOURCES = Path.of("src", "test", "resources", "golden");

  private Golden() {}

  /** Fails if the text differs from the recording of that name. */
  public static void assertRecorded(String name, String text) throws IOException {
    if (RECORD) {
      Files.createDirectories(SOURCES);
      Files.writeString(SOURCES.resolve(name), text);
    }
    assertEquals(RECORD ? text : read(name), text, name);
  }

  /** The recording of that name. */
  public static String read(String name) throws IOException {
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
      return new String(requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The value of a key in a recording, see {@link #entries}. */
  public static String entry(String name, String key) throws IOException {
    return requireNonNull(entries(name).get(key), key);
  }

  /** The recording's lines, each a key, a blank and a value, in order. */
  public static Map<String, String> entries(String name) throws IOException {
    Map<String, String> out = new LinkedHashMap<>();
    for (String line : read(name).lines().toArray(String[]::new)) {
      List<String> parts = List.of(line.split(" ", 2));
      out.put(parts.get(0), parts.get(1));
    }
    return out;
  }
}
