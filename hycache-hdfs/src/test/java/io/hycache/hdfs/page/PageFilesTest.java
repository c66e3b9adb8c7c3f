// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.TrafficHistory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages' files may not have: what parses HTML, runs inline, or comes from elsewhere. */
class PageFilesTest {
  private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

  private static String text(String file) throws IOException {
    try (InputStream in = PageServlet.class.getResourceAsStream(file)) {
      assertNotNull(in, file);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"common.js", "node.js", "cluster.js"})
  void scripts_makeTextsOnly(String file) throws Exception {
    String script = text(file);
    assertFalse(
        script.matches(
            "(?s).*(innerHTML|outerHTML|insertAdjacent|document\\.write|eval\\(|Function\\(|"
                + "setAttribute\\('(on|style|href|src)|https?:).*"),
        file);
  }

  @ParameterizedTest
  @ValueSource(strings = {"node.html", "cluster.html"})
  void html_refersToThisServerOnly_withoutInlineScriptsAndStyles(String file) throws Exception {
    String html = text(file);
    assertFalse(html.matches("(?s).*(<style|style=|javascript:| on[a-z]+=).*"), file);
    Matcher reference = REFERENCE.matcher(html);
    int found = 0;
    while (reference.find()) {
      assertTrue(reference.group(1).matches("/hycache(/.*)?|/|#main"), reference.group(1));
      found++;
    }
    assertTrue(found >= 6, "found=" + found);
    assertEquals(html.split("<script ").length, html.split("</script>").length, file);
    assertTrue(html.contains("lang=\"en\"") && html.contains("width=device-width"), file);
  }

  @ParameterizedTest
  @ValueSource(strings = {"node", "cluster"})
  void elements_thatAScriptLooksUp_areInItsPage(String name) throws Exception {
    String html = text(name + ".html");
    String scripts = text(name + ".js") + text("common.js");
    Matcher lookedUp = Pattern.compile("(?:byId|table|cards)\\('([a-z-]+)'").matcher(scripts);
    TreeSet<String> missing = new TreeSet<>();
    int found = 0;
    while (lookedUp.find()) {
      found++;
      String id = lookedUp.group(1);
      if (!id.endsWith("-") && !html.contains("id=\"" + id + "\"")) {
        missing.add(id);
      }
    }
    assertEquals(new TreeSet<String>(), missing);
    assertTrue(found >= 4, "found=" + found);
  }

  /** Soon after the start, a point of 15 minutes has only a few of them. */
  @Test
  void script_dividesByTheMinutesThatAreKnown() throws Exception {
    assertTrue(text("node.js").contains("/ (60 * (to - Math.max(0, from)))"));
  }

  @Test
  void script_readsSeriesOfTheHistory() throws Exception {
    String script = text("node.js");
    for (TrafficHistory.Series series :
        new TrafficHistory.Series[] {
          TrafficHistory.Series.SSD_READ_BYTES,
          TrafficHistory.Series.DISK_READ_BYTES,
          TrafficHistory.Series.PROMOTED_BYTES,
          TrafficHistory.Series.DEMOTED_BYTES
        }) {
      assertTrue(script.contains("history." + series.key()), series.key());
    }
  }

  /** A script rounds the ids of blocks beyond 2^53. */
  @Test
  void script_namesBlocksByText() throws Exception {
    String script = text("node.js");
    assertTrue(script.contains("m.blockName") && script.contains("b.blockName"));
    assertFalse(Pattern.compile("\\.block\\b").matcher(script).find());
  }

  /** Powers of 1024, as the CLI names them. */
  @Test
  void units_areBinary() throws Exception {
    assertTrue(text("common.js").contains("['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']"));
  }

  @Test
  void charts_areInTheJar() throws Exception {
    assertTrue(text("uPlot.iife.min.js").contains("uPlot"));
    assertTrue(text("uPlot.min.css").contains(".uplot"));
  }
}
