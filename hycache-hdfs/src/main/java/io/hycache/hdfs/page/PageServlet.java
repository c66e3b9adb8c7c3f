// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.server.datanode.HyCacheWeb;
import org.jspecify.annotations.Nullable;

/**
 * Serves the pages of a DataNode, read-only: HTML, scripts and styles from the JAR, and the JSON
 * that they draw. Names from outside (of users, workflows, directories) are in the JSON only; the
 * scripts show them as text. Thread-safe.
 */
public final class PageServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  /** Attribute of the servlet's context with the {@link Pages}. */
  public static final String PAGES = "hycache.pages";

  /** No script, style or connection but from this server; nothing inline. */
  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

  private static final String HTML = "text/html; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";
  private static final String JSON = "application/json; charset=utf-8";

  /** By path below the servlet's: the file in the JAR. */
  private static final Map<String, String> FILES =
      Map.of(
          "/", "node.html",
          "/cluster", "cluster.html",
          "/common.js", "common.js",
          "/node.js", "node.js",
          "/cluster.js", "cluster.js",
          "/page.css", "page.css",
          "/uPlot.iife.min.js", "uPlot.iife.min.js",
          "/uPlot.min.css", "uPlot.min.css");

  /** Called by the web server. */
  public PageServlet() {}

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!HyCacheWeb.isAllowed(getServletContext(), request, response)) {
      return;
    }
    Object pages = getServletContext().getAttribute(PAGES);
    String path = request.getPathInfo() == null ? "/" : request.getPathInfo();
    String file = FILES.get(path);
    response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "same-origin");
    if (file != null) {
      sendFile(response, file);
    } else if (pages instanceof Pages && Pages.PATHS.contains(path)) {
      sendJson((Pages) pages, path, request.getRemoteUser(), response);
    } else {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }
  }

  private static void sendFile(HttpServletResponse response, String file) throws IOException {
    try (InputStream in = PageServlet.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException("not in the JAR: " + file);
      }
      response.setContentType(
          file.endsWith(".html") ? HTML : file.endsWith(".js") ? SCRIPT : STYLE);
      in.transferTo(response.getOutputStream());
    }
  }

  private static void sendJson(
      Pages pages, String path, @Nullable String user, HttpServletResponse response)
      throws IOException {
    response.setContentType(JSON);
    response.setHeader("Cache-Control", "no-store");
    byte[] body;
    try {
      body = pages.json(path, user);
    } catch (IOException e) { // while the DataNode starts, is plain HDFS, or is busy
      response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      body = PageJson.bytes(PageJson.error(String.valueOf(e.getMessage())));
    } catch (RuntimeException | LinkageError e) {
      pages.failed(e);
      response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      body = PageJson.bytes(PageJson.error("failed; the DataNode's log says why"));
    }
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
