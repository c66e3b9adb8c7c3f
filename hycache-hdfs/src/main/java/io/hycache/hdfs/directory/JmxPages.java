package io.hycache.hdfs.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Reads the beans that Hadoop's daemons show on their web servers ({@code /jmx}), with SPNEGO where
 * the cluster uses Kerberos. Thread-safe.
 */
final class JmxPages {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URLConnectionFactory connections;

  JmxPages(Configuration conf) {
    this.connections = URLConnectionFactory.newDefaultURLConnectionFactory(conf);
  }

  /**
   * One bean's attributes.
   *
   * @param server address of the web server, without a path
   * @param name of the bean
   * @throws IOException if the server can't be asked, refuses, or has no such bean
   */
  JsonNode bean(URI server, String name) throws IOException {
    URI page = server.resolve("/jmx?qry=" + name);
    URLConnection connection;
    try {
      connection =
          connections.openConnection(page.toURL(), UserGroupInformation.isSecurityEnabled());
    } catch (AuthenticationException e) {
      throw new IOException("not let in: page=" + page + " cause=" + e.getMessage(), e);
    }
    try (InputStream in = connection.getInputStream()) {
      JsonNode bean = JSON.readTree(in).path("beans").path(0);
      if (!bean.isObject()) {
        throw new FileNotFoundException("no such bean: page=" + page);
      }
      return bean;
    } finally {
      if (connection instanceof HttpURLConnection) {
        ((HttpURLConnection) connection).disconnect();
      }
    }
  }

  /** The value of an attribute that is itself written as JSON. */
  static JsonNode nested(JsonNode bean, String attribute) throws IOException {
    return JSON.readTree(bean.path(attribute).asText("{}"));
  }

  /** Frees what the connections hold. */
  void close() {
    connections.destroy();
  }
}
