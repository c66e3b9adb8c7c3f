// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JmxPagesTest {
  private static final String BEAN = "{\"beans\": [{\"SpecVersion\": \"17\"}]}";

  private static final int MAX_BYTES = 200_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final JmxPages pages = new JmxPages(new Configuration(false), TIMEOUT, MAX_BYTES);
  private final HttpServer web;
  private final URI address;
  private volatile int status = 200;

  JmxPagesTest() throws IOException {
    web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.createContext(
        "/jmx",
        exchange -> {
          byte[] body = BEAN.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    web.createContext("/endless", exchange -> sendForEver(exchange, 100_000, 0));
    web.createContext("/slow", exchange -> sendForEver(exchange, 1, 20));
    web.start();
    address = URI.create("http://127.0.0.1:" + web.getAddress().getPort());
  }

  /** Sends until the client has closed its connection. */
  private static void sendForEver(HttpExchange exchange, int bytes, long pauseMillis)
      throws IOException {
    try {
      exchange.sendResponseHeaders(200, 0);
      while (true) {
        exchange.getResponseBody().write(new byte[bytes]);
        exchange.getResponseBody().flush();
        TimeUnit.MILLISECONDS.sleep(pauseMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      exchange.close();
    }
  }

  @AfterEach
  void close() {
    pages.close();
    web.stop(0);
  }

  @Test
  void page_hasTheBeanAndTheServersTime() throws Exception {
    JmxPages.Page page = pages.page(address, "/jmx");
    assertEquals("17", page.attribute("SpecVersion"));
    assertTrue(page.dateMillis() > 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void page_refused_isNotLetIn(int refusal) {
    status = refusal;
    assertEquals(
        "not let in: page=" + address + "/jmx status=" + refusal,
        assertThrows(AccessControlException.class, () -> pages.page(address, "/jmx")).getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 500, 503})
  void page_failed_isAnotherError(int failure) {
    status = failure;
    IOException e = assertThrows(IOException.class, () -> pages.page(address, "/jmx"));
    assertFalse(e instanceof AccessControlException, e::toString);
  }

  @Test
  @Timeout(30)
  void page_thatDoesNotEnd_isGivenUp() {
    IOException tooLong = assertThrows(IOException.class, () -> pages.page(address, "/endless"));
    assertEquals(
        "expected a page of at most 200000 bytes, found more: page=" + address + "/endless",
        tooLong.getMessage());
    IOException tooSlow = assertThrows(IOException.class, () -> pages.page(address, "/slow"));
    assertEquals(
        "expected the whole page in 1000 ms, found a part: page=" + address + "/slow",
        tooSlow.getMessage());
  }
}
