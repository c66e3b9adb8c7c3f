// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogLinesTest {
  @TempDir Path dir;

  private static LogLines lines(String text, int maxChars) {
    return new LogLines(new ByteArrayInputStream(text.getBytes(UTF_8)), maxChars);
  }

  /** Each line behind its number; a cut one ends in dots. */
  private static List<String> all(LogLines lines) throws IOException {
    List<String> out = new ArrayList<>();
    for (String line = lines.next(); line != null; line = lines.next()) {
      out.add(lines.number() + line + (lines.isCut() ? "..." : ""));
    }
    assertNull(lines.next());
    return out;
  }

  @Test
  void lines_comeWithTheirNumbers_andTheLastNeedsNoEnd() throws IOException {
    LogLines lines = lines("a\n\nb\r\nc", 3);
    assertEquals(List.of("1a", "2", "3b", "4c"), all(lines));
    assertNull(lines.failure());
    assertEquals(List.of(), all(lines("", 3)));
  }

  @Test
  void longLines_areCut_andTheNextIsWhole() throws IOException {
    String text = "abcd\nabc\n" + "x".repeat(1 << 18) + "\nabc";
    assertEquals(List.of("1abc...", "2abc", "3xxx...", "4abc"), all(lines(text, 3)));
  }

  @Test
  void linesAcrossBuffers_areWhole() throws IOException {
    Random random = new Random(1);
    List<String> expected = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 2000; i++) {
      String line = "abc".repeat(random.nextInt(100));
      expected.add(i + line);
      text.append(line).append('\n');
    }
    assertEquals(expected, all(lines(text.toString(), 1000)));
  }

  @Test
  void packedFileThatWasCut_endsBehindItsLastWholeLine() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<String> expected = new ArrayList<>();
    Random random = new Random(1);
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      for (int i = 1; i <= 5000; i++) {
        String line = Long.toString(random.nextLong());
        expected.add(i + line);
        out.write((line + "\n").getBytes(UTF_8));
      }
    }
    byte[] whole = bytes.toByteArray();
    for (int length : new int[] {5, 9, 12, whole.length / 2, whole.length - 1}) {
      Path file = Files.write(dir.resolve("cut.gz"), Arrays.copyOf(whole, length));
      try (LogLines lines = LogLines.open(file, 1000)) {
        List<String> found = all(lines);
        assertEquals(expected.subList(0, found.size()), found, "length=" + length);
        assertInstanceOf(EOFException.class, lines.failure(), "length=" + length);
        assertTrue(length < 20 || found.size() > 2000, "length=" + length);
      }
    }
  }

  @Test
  void fileThatCannotBeOpened_isNamed() throws Exception {
    Path none = dir.resolve("none.log");
    IOException e = assertThrows(IOException.class, () -> LogLines.open(none, 1000));
    assertEquals(none + ": expected a file, found none. Fix: correct the path", e.getMessage());
    Path broken =
        Files.write(dir.resolve("x.gz"), new byte[] {0x1f, (byte) 0x8b, 1, 1, 1, 1, 1, 1});
    IOException other = assertThrows(IOException.class, () -> LogLines.open(broken, 1000));
    assertTrue(String.valueOf(other.getMessage()).startsWith(broken + ": "), other.getMessage());
  }
}
