// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs;

import java.util.ArrayList;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Collects what some loggers log at INFO and above, as the lines that a log file would have. */
public final class LogLines extends AppenderSkeleton implements AutoCloseable {
  private final List<Logger> loggers = new ArrayList<>();
  private final List<Level> levels = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();

  /**
   * Begins to collect.
   *
   * @param names of the loggers, each with all below it
   */
  public LogLines(String... names) {
    for (String name : names) {
      Logger logger = Logger.getLogger(name);
      loggers.add(logger);
      levels.add(logger.getEffectiveLevel());
      logger.setLevel(Level.INFO);
      logger.addAppender(this);
    }
  }

  @Override
  protected void append(LoggingEvent event) {
    String[] trace = event.getThrowableStrRep();
    synchronized (lines) {
      event.getRenderedMessage().lines().forEach(line -> lines.add(event.getLevel() + " " + line));
      if (trace != null) {
        lines.addAll(List.of(trace));
      }
    }
  }

  /** All lines so far, those of stack traces included. */
  public List<String> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < loggers.size(); i++) {
      loggers.get(i).removeAppender(this);
      loggers.get(i).setLevel(levels.get(i));
    }
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
