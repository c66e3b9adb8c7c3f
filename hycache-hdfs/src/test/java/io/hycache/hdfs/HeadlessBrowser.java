// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Chromium without a window and one tab of it, driven by the DevTools protocol. Not thread-safe.
 */
public final class HeadlessBrowser implements AutoCloseable {
  private static final long WAIT_MILLIS = 30_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
  private final List<String> problems = Collections.synchronizedList(new ArrayList<>());
  private int lastCall;

  /** The program on the PATH. */
  public static Optional<File> program() {
    for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
      for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
        File file = new File(directory, name);
        if (file.canExecute()) {
          return Optional.of(file);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Starts it.
   *
   * @param profile an empty directory
   */
  public HeadlessBrowser(File program, Path profile) throws Exception {
    process =
        new ProcessBuilder(
                program.getPath(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("output").toFile())
            .start();
    try {
      socket = connect(profile);
      for (String part : List.of("Page", "Runtime", "Log")) {
        JsonNode unused = call(part + ".enable", parameters());
      }
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private WebSocket connect(Path profile) throws Exception {
    Path active = profile.resolve("DevToolsActivePort");
    long end = System.currentTimeMillis() + WAIT_MILLIS;
    HttpClient http = HttpClient.newHttpClient();
    while (System.currentTimeMillis() < end && process.isAlive()) {
      List<String> lines = Files.exists(active) ? Files.readAllLines(active) : List.of();
      if (lines.size() >= 2) {
        URI list = URI.create("http://127.0.0.1:" + lines.get(0) + "/json/list");
        String tabs =
            http.send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        for (JsonNode tab : JSON.readTree(tabs)) {
          if (tab.path("type").asText().equals("page")) {
            URI uri = URI.create(tab.path("webSocketDebuggerUrl").asText());
            return http.newWebSocketBuilder().buildAsync(uri, new Messages()).join();
          }
        }
      }
      Thread.sleep(50);
    }
    throw new IOException(
        "expected a browser, found none that answers: "
            + Files.readString(profile.resolve("output")));
  }

  /** Receives answers and events. */
  private final class Messages implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        String message = text.toString();
        text.setLength(0);
        take(message);
      }
      from.request(1);
      return null;
    }
  }

  private void take(String message) {
    JsonNode node;
    try {
      node = JSON.readTree(message);
    } catch (IOException e) {
      problems.add("no JSON: " + message);
      return;
    }
    CompletableFuture<JsonNode> call = calls.remove(node.path("id").asInt(-1));
    String event = node.path("method").asText();
    if (call != null) {
      call.complete(node);
    } else if (event.equals("Runtime.exceptionThrown")
        || (event.equals("Log.entryAdded")
            && node.at("/params/entry/level").asText().equals("error")
            && !node.at("/params/entry/url").asText().endsWith("/favicon.ico"))) {
      problems.add(message);
    }
  }

  private static ObjectNode parameters() {
    return JSON.createObjectNode();
  }

  private JsonNode call(String method, ObjectNode parameters) throws Exception {
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    int id = ++lastCall;
    calls.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", parameters);
    socket.sendText(message.toString(), true).join();
    JsonNode result = answer.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    if (result.has("error")) {
      throw new IOException(method + ": " + result.path("error"));
    }
    return result.path("result");
  }

  /** Sets the size of the tab in pixels, and the colours that the user prefers. */
  public void show(int width, int height, boolean dark) throws Exception {
    JsonNode unused =
        call(
            "Emulation.setDeviceMetricsOverride",
            parameters()
                .put("width", width)
                .put("height", height)
                .put("deviceScaleFactor", 1)
                .put("mobile", false));
    ObjectNode media = parameters();
    media
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", dark ? "dark" : "light");
    unused = call("Emulation.setEmulatedMedia", media);
  }

  public void open(String url) throws Exception {
    JsonNode unused = call("Page.navigate", parameters().put("url", url));
  }

  /** The value of a JavaScript expression. */
  public JsonNode evaluate(String expression) throws Exception {
    JsonNode result =
        call(
            "Runtime.evaluate",
            parameters().put("expression", expression).put("returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IOException(expression + ": " + result.path("exceptionDetails"));
    }
    return result.at("/result/value");
  }

  /** Polls until a JavaScript expression is true. */
  public void await(String expression) throws Exception {
    long end = System.currentTimeMillis() + WAIT_MILLIS;
    while (!evaluate(expression).asBoolean()) {
      if (System.currentTimeMillis() > end) {
        throw new AssertionError(
            "never true: "
                + expression
                + "; problems="
                + problems
                + " page="
                + evaluate("document.body.innerText"));
      }
      Thread.sleep(50);
    }
  }

  /** Presses and releases a key, such as {@code Tab} (9) or {@code Enter} (13). */
  public void press(String key, int code) throws Exception {
    for (String type : List.of("keyDown", "keyUp")) {
      ObjectNode parameters =
          parameters().put("type", type).put("key", key).put("windowsVirtualKeyCode", code);
      if (key.equals("Enter")) {
        parameters.put("text", "\r");
      }
      JsonNode unused = call("Input.dispatchKeyEvent", parameters);
    }
  }

  /** Writes what is seen as PNG, and returns its size in bytes. */
  public long picture(Path file) throws Exception {
    JsonNode picture = call("Page.captureScreenshot", parameters().put("format", "png"));
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(picture.path("data").asText()));
    return Files.size(file);
  }

  /** Exceptions of scripts and errors of the browser, such as what a policy forbade. */
  public List<String> problems() {
    synchronized (problems) {
      return List.copyOf(problems);
    }
  }

  @Override
  public void close() throws Exception {
    socket.abort();
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
