// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class QuietLogTest {
  private static final String NAME = "quiet";

  private final List<String> lines = new ArrayList<>();
  private long nanos = -5;

  private final QuietLog quiet = new QuietLog(LoggerFactory.getLogger(NAME), () -> nanos);

  /** Collects what is logged, with "+" for a stack trace. */
  private final AppenderSkeleton appender =
      new AppenderSkeleton() {
        @Override
        protected void append(LoggingEvent event) {
          boolean trace = event.getThrowableInformation() != null;
          lines.add(event.getLevel() + " " + event.getRenderedMessage() + (trace ? " +" : ""));
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
          return false;
        }
      };

  @BeforeEach
  void listen() {
    Logger.getLogger(NAME).setLevel(Level.INFO);
    Logger.getLogger(NAME).setAdditivity(false);
    Logger.getLogger(NAME).addAppender(appender);
  }

  @AfterEach
  void stopListening() {
    Logger.getLogger(NAME).removeAppender(appender);
  }

  private void after(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void warn_expectedCause_isOneLineWithoutStackTrace() {
    assertTrue(quiet.warn(new IOException("no\n  answer"), "peer is away: {} of {}", 1, "a"));
    assertEquals(List.of("WARN peer is away: 1 of a cause=java.io.IOException: no"), lines);
  }

  @Test
  void warn_causeThatIsABug_hasItsStackTrace() {
    assertTrue(quiet.warn(new IllegalStateException("bug"), "failed"));
    assertEquals(List.of("WARN failed cause=java.lang.IllegalStateException: bug +"), lines);
  }

  @Test
  void warn_often_pausesDoubleAndOthersAreCounted() {
    for (int second = 0; second < 35; second++) {
      quiet.warn(null, "again");
      after(1);
    }
    assertEquals(
        List.of("WARN again", "WARN again othersSinceLast=9", "WARN again othersSinceLast=19"),
        lines);
  }

  @Test
  void warn_everySecondForADay_atMost33Lines() {
    for (int second = 0; second < 86_400; second++) {
      quiet.warn(null, "again");
      after(1);
    }
    assertTrue(lines.size() <= 33 && lines.size() > 24, "lines=" + lines.size());
  }

  @Test
  void warn_afterACalmPause_startsOver() {
    for (int second = 0; second < 100; second++) {
      quiet.warn(null, "first trouble");
      after(1);
    }
    lines.clear();
    assertFalse(quiet.warn(null, "still the first"));
    after(3600);
    assertTrue(quiet.warn(null, "second trouble"));
    after(10);
    assertTrue(quiet.warn(null, "second trouble"));
  }
}
