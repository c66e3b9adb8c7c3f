// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.hycache.core.stats.TrafficHistory;
import io.hycache.hdfs.HeadlessBrowser;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages in a browser: at 360 pixels and on a screen, light and dark, by keyboard, with hostile
 * names. Pictures of them are left in {@code target/pages}.
 */
@Timeout(240)
class PageInBrowserIT {
  private static final String HOSTILE = "</script><img src=x onerror=\"document.title='broken'\">";
  private static final Path PICTURES = Path.of("target", "pages");
  private static final long MOST_PICTURE_BYTES = 150_000;
  private static final int MINUTES = 150;

  /** Of a block each; more than the SSDs hold. */
  private static final int FILES = 60;

  @TempDir Path profile;

  /** As if some hours had passed: a node keeps minutes, and a test has none. */
  private static void letHoursPass(EmbeddedCluster c) throws Exception {
    TrafficHistory traffic = c.node(0).recent().traffic;
    long now = System.nanoTime();
    for (int i = 1; i <= MINUTES; i++) {
      for (int reads = (i * 7) % 11 - 4; reads > 0; reads--) {
        byte[] unused = c.read("/file" + (i * 31 + reads * 17) % (i % 3 == 0 ? FILES : FILES / 5));
      }
      traffic.sample(now + TimeUnit.MINUTES.toNanos(i));
    }
  }

  private static EmbeddedCluster cluster() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(
        "hadoop.http.staticuser.user", UserGroupInformation.getCurrentUser().getShortUserName());
    conf.setInt("dfs.replication", 2);
    conf.set("hycache.polcy", "lru"); // a warning
    return EmbeddedCluster.start(conf, 2);
  }

  private static void assertFits(HeadlessBrowser browser, int width) throws Exception {
    assertTrue(
        browser.evaluate("document.documentElement.scrollWidth").asInt() <= width,
        "wider than " + width);
  }

  @Test
  void pages_inABrowser() throws Exception {
    Optional<File> program = HeadlessBrowser.program();
    if (program.isEmpty()) {
      String why =
          "SKIPPED: PageInBrowserIT needs Chromium, and there is none on the PATH. Fix: apt-get"
              + " install chromium";
      System.err.println(why);
      abort(why);
    }
    try (EmbeddedCluster c = cluster();
        HeadlessBrowser browser = new HeadlessBrowser(program.orElseThrow(), profile)) {
      for (int i = 0; i < FILES; i++) {
        c.write("/file" + i, i, BLOCK);
      }
      letHoursPass(c);
      c.hint(0, HOSTILE, "/file0", 5);
      c.hint(0, "nightly-report", "/file1", 3);
      String node = "http://localhost:" + c.dataNode(0).getInfoPort() + "/hycache";
      for (boolean dark : new boolean[] {false, true}) {
        for (int width : new int[] {360, 800}) {
          browser.show(width, width == 360 ? 1400 : 1000, dark);
          browser.open(node);
          seen(browser, width, dark, "node");
        }
      }
      byKeyboard(browser);
      browser.show(360, 900, true);
      browser.open(node + "/cluster");
      browser.await("document.querySelectorAll('#nodes tbody tr').length === 2");
      assertFits(browser, 360);
      picture(browser, "cluster-360-dark");
      browser.show(800, 500, false);
      picture(browser, "cluster-800-light");
      assertEquals(List.of(), browser.problems());
    }
  }

  private static void seen(HeadlessBrowser browser, int width, boolean dark, String name)
      throws Exception {
    browser.await(
        "document.body !== null && document.body.dataset.drawn === 'yes'"
            + " && document.querySelectorAll('canvas').length === 3");
    assertFits(browser, width);
    assertTrue(browser.evaluate("document.title").asText().startsWith("HyCache on "));
    assertEquals(0, browser.evaluate("document.images.length").asInt());
    String text = browser.evaluate("document.getElementById('workflows').textContent").asText();
    assertTrue(text.contains(HOSTILE) && text.contains("nightly-report"), text);
    String warning = browser.evaluate("document.getElementById('warnings').textContent").asText();
    assertTrue(warning.contains("hycache.polcy"), warning);
    assertEquals(
        dark ? "rgb(13, 17, 23)" : "rgb(255, 255, 255)",
        browser.evaluate("getComputedStyle(document.documentElement).backgroundColor").asText());
    assertTrue(
        browser
            .evaluate("document.getElementById('bytes').getAttribute('aria-label')")
            .asText()
            .contains("last 1 hour: from SSD at last "));
    picture(browser, name + "-" + width + (dark ? "-dark" : "-light"));
    assertEquals(List.of(), browser.problems());
  }

  private static void picture(HeadlessBrowser browser, String name) throws Exception {
    long bytes = browser.picture(PICTURES.resolve(name + ".png"));
    assertTrue(bytes < MOST_PICTURE_BYTES, name + ": bytes=" + bytes);
  }

  /** The button "6 hours" is reached by Tab and pressed by Enter. */
  private static void byKeyboard(HeadlessBrowser browser) throws Exception {
    String focused = "document.activeElement.textContent";
    for (int i = 0; i < 20 && !browser.evaluate(focused).asText().equals("6 hours"); i++) {
      browser.press("Tab", 9);
    }
    assertEquals("6 hours", browser.evaluate(focused).asText());
    browser.press("Enter", 13);
    assertEquals(
        "6 hours",
        browser.evaluate("document.querySelector('[aria-pressed=true]').textContent").asText());
    browser.await(
        "document.getElementById('bytes').getAttribute('aria-label').includes('last 6 hours')");
  }
}
