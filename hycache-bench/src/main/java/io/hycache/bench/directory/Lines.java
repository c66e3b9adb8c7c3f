// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A conversation between two processes: objects as JSON, one a line; what is something else, such
 * as a JVM's own word, is passed over. A daemon thread reads.
 */
final class Lines {
  static final ObjectMapper JSON = new ObjectMapper();

  private static final String END = "";

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final OutputStream out;

  /**
   * Begins to read.
   *
   * @param ended runs when the other side has closed its end
   */
  Lines(InputStream in, OutputStream out, Runnable ended) {
    this.out = out;
    Thread reader = new Thread(() -> read(in, ended), "lines");
    reader.setDaemon(true);
    reader.start();
  }

  private void read(InputStream in, Runnable ended) {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("{")) {
          heard.add(line);
        }
      }
    } catch (IOException e) {
      // As good as an end: the other side is gone.
    }
    heard.add(END);
    ended.run();
  }

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  synchronized void send(JsonNode message) throws IOException {
    out.write((JSON.writeValueAsString(message) + '\n').getBytes(UTF_8));
    out.flush();
  }

  /**
   * The next message; null if none came in time.
   *
   * @throws EOFException if the other side has closed its end
   */
  @Nullable JsonNode receive(long seconds) throws IOException {
    try {
      String line = heard.poll(seconds, TimeUnit.SECONDS);
      if (line == null) {
        return null;
      }
      if (line.equals(END)) {
        heard.add(END);
        throw new EOFException("the other process closed its end");
      }
      return JSON.readTree(line);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
