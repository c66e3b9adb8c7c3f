// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HyCache's pages on the DataNodes' web servers, on a site that authenticates users. */
@Timeout(180)
class PageIT {
  private static final String HOSTILE = "</script><img src=x onerror=alert(1)>";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir Path dir;

  /** Users say who they are by {@code user.name}. */
  private Configuration conf() throws IOException {
    Path secret = dir.resolve("secret");
    Files.writeString(secret, "a secret");
    Configuration conf = EmbeddedCluster.conf();
    conf.set(
        "hadoop.http.filter.initializers",
        "org.apache.hadoop.security.AuthenticationFilterInitializer");
    conf.set("hadoop.http.authentication.type", "simple");
    conf.set("hadoop.http.authentication.simple.anonymous.allowed", "false");
    conf.set("hadoop.http.authentication.signature.secret.file", secret.toString());
    return conf;
  }

  private HttpResponse<String> get(EmbeddedCluster c, int node, String path) throws Exception {
    URI uri = URI.create("http://localhost:" + c.dataNode(node).getInfoPort() + path);
    return http.send(
        HttpRequest.newBuilder(uri).build(),
        HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  private JsonNode json(EmbeddedCluster c, int node, String path, String user) throws Exception {
    HttpResponse<String> response = get(c, node, path + "?user.name=" + user);
    assertEquals(200, response.statusCode(), response.body());
    assertEquals(
        "application/json;charset=utf-8",
        response.headers().firstValue("Content-Type").orElse("").replace(" ", ""));
    assertEquals(
        List.of("nosniff"),
        response.headers().allValues("X-Content-Type-Options").stream()
            .distinct()
            .collect(toList()));
    return new ObjectMapper().readTree(response.body());
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = PageIT.class.getClassLoader().getResourceAsStream(name)) {
      assertNotNull(in, name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String administrator() throws IOException {
    return UserGroupInformation.getCurrentUser().getUserName();
  }

  @Test
  void pages_areServedToWhomTheSiteLetsIn_namesToAdministrators() throws Exception {
    try (EmbeddedCluster c = EmbeddedCluster.start(conf(), 1)) {
      c.write("/file", 1, BLOCK);
      byte[] unused = c.read("/file");
      c.await("read", () -> c.locate(0, "/file").get(0).reads > 0);
      c.hint(0, HOSTILE, "/file", 1);

      for (String path :
          List.of("/hycache", "/hycache/", "/hycache/node.json", "/hycache/page.css", "/jmx")) {
        assertEquals(401, get(c, 0, path).statusCode(), path);
      }
      HttpResponse<String> page = get(c, 0, "/hycache?user.name=alice");
      assertEquals(200, page.statusCode());
      assertEquals(resource("io/hycache/hdfs/page/node.html"), page.body());
      String policy = page.headers().firstValue("Content-Security-Policy").orElse("");
      assertTrue(policy.contains("default-src 'none'; script-src 'self'"), policy);
      assertFalse(policy.contains("unsafe"), policy);
      assertTrue(get(c, 0, "/hycache/../../x?user.name=alice").statusCode() >= 400);
      assertEquals(404, get(c, 0, "/hycache/package.html?user.name=alice").statusCode());
      assertEquals(
          resource("io/hycache/hdfs/page/cluster.html"),
          get(c, 0, "/hycache/cluster?user.name=alice").body());

      String block = String.valueOf(c.keys("/file").get(0).id());
      JsonNode all = json(c, 0, "/hycache/node.json", administrator());
      assertTrue(all.path("administrator").asBoolean());
      assertEquals(HOSTILE, all.at("/workflows/0/workflow").asText());
      assertTrue(all.path("mostRead").toString().contains(block), all.toString());
      assertEquals(1, all.at("/status/devices").size());
      assertEquals(2, all.path("volumes").size(), all.toString());
      assertTrue(all.at("/volumes/0/freeBytes").asLong() > 0, all.toString());
      String directory = all.at("/volumes/0/directory").asText();
      assertTrue(directory.startsWith("/"), directory);

      JsonNode others = json(c, 0, "/hycache/node.json", "mallory");
      assertFalse(others.path("administrator").asBoolean());
      assertEquals(0, others.path("workflows").size());
      for (String name : List.of(directory, block, HOSTILE, "alice")) {
        assertFalse(others.toString().contains(name), name + " in " + others);
      }
      assertEquals(1, json(c, 0, "/hycache/node.json", "alice").path("workflows").size());

      JsonNode history = json(c, 0, "/hycache/history.json", "mallory");
      assertTrue(history.path("ssdReadBytes").isArray(), history.toString());
    }
  }

  @Test
  void cluster_hasAllMembersOfTheDirectory_askedInTheBackground() throws Exception {
    try (EmbeddedCluster c = EmbeddedCluster.start(conf(), 2)) {
      c.await(
          "asked",
          () -> {
            JsonNode cluster = json(c, 0, "/hycache/cluster.json", "mallory");
            return cluster.path("members").asInt() == 2
                && cluster.path("dataNodes").size() == 2
                && cluster.at("/dataNodes/1/status/mode").asText().equals("active");
          });
      JsonNode cluster = json(c, 0, "/hycache/cluster.json", "mallory");
      assertTrue(cluster.at("/dataNodes/0/self").asBoolean());
      assertFalse(cluster.at("/dataNodes/1/self").asBoolean());
      assertEquals(
          c.node(1).status().capacityBytes(),
          cluster.at("/dataNodes/1/status/capacityBytes").asLong());
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("HyCachePage")) {
        thread.join(20_000);
        assertFalse(thread.isAlive());
      }
    }
  }

  @Test
  void pagesOfHadoop_areAsBefore() throws Exception {
    try (EmbeddedCluster c = EmbeddedCluster.start(conf(), 1)) {
      String user = "?user.name=" + administrator();
      assertEquals(
          resource("webapps/datanode/datanode.html"), get(c, 0, "/datanode.html" + user).body());
      assertEquals(resource("webapps/datanode/index.html"), get(c, 0, "/index.html" + user).body());
      assertTrue(get(c, 0, "/" + user).statusCode() < 400, "it leads there");
      assertTrue(get(c, 0, "/jmx" + user).body().contains("Hadoop:service=DataNode"));
      assertTrue(get(c, 0, "/conf" + user).body().contains("dfs.datanode.plugins"));
      assertEquals(200, get(c, 0, "/blockScannerReport" + user).statusCode());
      assertEquals(404, get(c, 0, "/hycachefoo" + user).statusCode());
    }
  }

  @Test
  void page_turnedOff_isNotThere() throws Exception {
    Configuration conf = conf();
    conf.setBoolean(HyCacheKeys.PAGE, false);
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      assertEquals(404, get(c, 0, "/hycache?user.name=alice").statusCode());
      assertEquals(404, get(c, 0, "/hycache/node.json?user.name=alice").statusCode());
      assertFalse(c.node(0).passThrough());
    }
  }

  @Test
  void instrumentationForAdministratorsOnly_refusesOthers() throws Exception {
    Configuration conf = conf();
    conf.setBoolean("hadoop.security.authorization", true);
    conf.setBoolean("hadoop.security.instrumentation.requires.admin", true);
    conf.set("dfs.cluster.administrators", "ops");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      assertEquals(403, get(c, 0, "/jmx?user.name=mallory").statusCode());
      assertEquals(403, get(c, 0, "/hycache/node.json?user.name=mallory").statusCode());
      assertTrue(json(c, 0, "/hycache/node.json", "ops").path("administrator").asBoolean());
    }
  }

  @Test
  void plainDataset_pageSaysWhyThereIsNothing() throws Exception {
    Configuration conf = conf();
    conf.unset("dfs.datanode.fsdataset.factory");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      HttpResponse<String> answer = get(c, 0, "/hycache/node.json?user.name=alice");
      assertEquals(503, answer.statusCode());
      assertTrue(
          new ObjectMapper()
              .readTree(answer.body())
              .path("error")
              .asText()
              .startsWith("dfs.datanode.fsdataset.factory: expected "),
          answer.body());
      assertEquals(200, get(c, 0, "/hycache?user.name=alice").statusCode());
    }
  }
}
