// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.net.InetAddresses;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLConnection;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Reads what Hadoop's daemons show on their web servers, such as their beans ({@code /jmx}), with
 * SPNEGO where the cluster uses Kerberos. Thread-safe.
 */
public final class JmxPages implements Closeable {
  /** A page is a tree in memory: 10,000 DataNodes are some 400,000 tokens. */
  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxTokenCount(4_000_000).build())
              .build());

  /** Longest page; the list of 10,000 DataNodes has some 10 MB. */
  private static final int MAX_BYTES = 32 << 20;

  private final URLConnectionFactory connections;
  private final Duration timeout;
  private final int maxBytes;

  public JmxPages(Configuration conf) {
    this(conf, Duration.ofMillis(URLConnectionFactory.DEFAULT_SOCKET_TIMEOUT));
  }

  /**
   * As above.
   *
   * @param timeout of a connect, of a part of an answer, and of the whole page after its headers,
   *     &gt; 0
   */
  JmxPages(Configuration conf, Duration timeout) {
    this(conf, timeout, MAX_BYTES);
  }

  /** As above, with another longest page. */
  JmxPages(Configuration conf, Duration timeout, int maxBytes) {
    this.timeout = timeout;
    this.maxBytes = maxBytes;
    int millis = Math.toIntExact(timeout.toMillis());
    this.connections = URLConnectionFactory.newDefaultURLConnectionFactory(millis, millis, conf);
  }

  /**
   * One bean's attributes.
   *
   * @param server address of the web server, without a path
   * @param name of the bean
   * @throws IOException if the server can't be asked, refuses, or has no such bean
   */
  JsonNode bean(URI server, String name) throws IOException {
    return page(server, "/jmx?qry=" + name).bean();
  }

  /** What a web server sent. Immutable. */
  public static final class Page {
    private final URI address;
    private final byte[] content;
    private final long dateMillis;

    private Page(URI address, byte[] content, long dateMillis) {
      this.address = address;
      this.content = content;
      this.dateMillis = dateMillis;
    }

    /** The bytes, for a reader that does not keep them. */
    public InputStream content() {
      return new ByteArrayInputStream(content);
    }

    /** Time at which the server sent it by its own clock, in whole seconds; 0 if it sent none. */
    public long dateMillis() {
      return dateMillis;
    }

    /** One attribute of the bean that was asked for, as text; empty if it has none. */
    public String attribute(String name) throws IOException {
      return bean().path(name).asText("");
    }

    private JsonNode bean() throws IOException {
      JsonNode bean = JSON.readTree(content).path("beans").path(0);
      if (!bean.isObject()) {
        throw new FileNotFoundException("no such bean: page=" + address);
      }
      return bean;
    }
  }

  /**
   * One page.
   *
   * @param server address of the web server, without a path
   * @param path with the query
   * @throws AccessControlException if the server answers, and refuses
   * @throws IOException if the server can't be asked, or its answer is too long or takes too long
   */
  public Page page(URI server, String path) throws IOException {
    URI address = named(server).resolve(path);
    URLConnection connection = open(address);
    try {
      requireLetIn(connection, address);
      try (InputStream in = connection.getInputStream()) {
        return new Page(address, content(in, address), connection.getDate());
      }
    } finally {
      if (connection instanceof HttpURLConnection) {
        ((HttpURLConnection) connection).disconnect();
      }
    }
  }

  /** What answers may not be the server: its answer is bounded in size and time. */
  private byte[] content(InputStream in, URI page) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] part = new byte[1 << 16];
    long begun = System.nanoTime();
    for (int read = in.read(part); read >= 0; read = in.read(part)) {
      content.write(part, 0, read);
      if (content.size() > maxBytes) {
        throw new IOException(
            "expected a page of at most " + maxBytes + " bytes, found more: page=" + page);
      }
      if (System.nanoTime() - begun > timeout.toNanos()) {
        throw new SocketTimeoutException(
            "expected the whole page in " + timeout.toMillis() + " ms, found a part: page=" + page);
      }
    }
    return content.toByteArray();
  }

  private static void requireLetIn(URLConnection connection, URI page) throws IOException {
    if (connection instanceof HttpURLConnection) {
      int status = ((HttpURLConnection) connection).getResponseCode();
      if (status == HttpURLConnection.HTTP_FORBIDDEN
          || status == HttpURLConnection.HTTP_UNAUTHORIZED) {
        throw new AccessControlException("not let in: page=" + page + " status=" + status);
      }
    }
  }

  /** With Kerberos, a server is known by the name of its host; the NameNode lists addresses. */
  private static URI named(URI server) {
    String host = server.getHost();
    if (!UserGroupInformation.isSecurityEnabled() || !InetAddresses.isUriInetAddress(host)) {
      return server;
    }
    String name = InetAddresses.forUriString(host).getCanonicalHostName();
    return InetAddresses.isInetAddress(name)
        ? server
        : URI.create(server.getScheme() + "://" + name + ":" + server.getPort());
  }

  /**
   * SPNEGO takes its ticket from the thread's context, where a DataNode's and a client's own is
   * only inside of {@code doAs}. A proxy user has none: the user that acts for it is let in.
   */
  private URLConnection open(URI page) throws IOException {
    if (!UserGroupInformation.isSecurityEnabled()) {
      return connections.openConnection(page.toURL());
    }
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    UserGroupInformation real = user.getRealUser();
    try {
      return (real == null ? user : real)
          .doAs(
              (PrivilegedExceptionAction<URLConnection>)
                  () -> {
                    try {
                      return connections.openConnection(page.toURL(), true);
                    } catch (AuthenticationException e) {
                      IOException refused =
                          new AccessControlException(
                              "not let in: page=" + page + " cause=" + ErrorText.of(e));
                      refused.initCause(e);
                      throw refused;
                    }
                  });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted: page=" + page);
    }
  }

  /** The value of an attribute that is itself written as JSON. */
  static JsonNode nested(JsonNode bean, String attribute) throws IOException {
    return JSON.readTree(bean.path(attribute).asText("{}"));
  }

  /** Frees what the connections hold. */
  @Override
  public void close() {
    connections.destroy();
  }
}
