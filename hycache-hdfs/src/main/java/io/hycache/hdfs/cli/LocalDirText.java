// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.localdir.LocalDirStatus;
import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A tree's status for people and for scripts. */
final class LocalDirText {
  /** A daemon writes its status every few seconds. */
  private static final Duration MAX_STATUS_AGE = Duration.ofSeconds(30);

  /** The states of a daemon that does its work, or has ended as it should. */
  private static final Set<String> WELL = Set.of("open", "running", "closed");

  private LocalDirText() {}

  /** Prints it; the exit code says whether the daemon is well, or ended well. */
  static int printStatus(Console console, LocalDirStatus status, long nowMillis, boolean json) {
    Duration age = Duration.ofMillis(Math.max(0, nowMillis - status.wallMillis()));
    boolean closed = status.state().equals("closed");
    boolean stale = !closed && age.compareTo(MAX_STATUS_AGE) > 0;
    if (json) {
      ObjectNode node = Json.object();
      put(node, status);
      node.put("ageMillis", age.toMillis()).put("stale", stale);
      Json.print(console, node);
    } else {
      console.printf(
          "%s: %s, policy %s, as of %s ago",
          status.ssd(), status.state(), status.policy(), text(age));
      status
          .hdds()
          .forEach(
              hdd ->
                  console.printf(
                      "behind it: %s%s",
                      hdd,
                      status.unusableHdds().contains(hdd)
                          ? ", not used: it was not usable at the start, see the daemon's log"
                          : ""));
      console.print(table(status).toString());
      console.printf(
          "SSD: %s of %s in use. Moves failed: %s, given up: %s; no room on any HDD: %s;"
              + " left alone while open: %s",
          Text.share(status.ssdCapacity() - status.ssdFree(), status.ssdCapacity()),
          Text.bytes(status.ssdCapacity()),
          Text.count(status.figure(Figure.MOVES_FAILED)),
          Text.count(status.figure(Figure.MOVES_CANCELLED)),
          Text.count(status.figure(Figure.HDD_FULL)),
          Text.count(status.figure(Figure.SKIPPED_OPEN)));
    }
    if (stale) {
      console.warn("stale: no status for " + text(age) + ": the daemon hangs or was killed");
    }
    return stale || !WELL.contains(status.state()) ? ExitCode.FAILED : ExitCode.OK;
  }

  private static Table table(LocalDirStatus status) {
    Table table = new Table("", ">FILES", ">BYTES");
    row(table, "on SSD", status, Figure.UP_FILES, Figure.UP_BYTES);
    row(table, "on HDDs", status, Figure.DOWN_FILES, Figure.DOWN_BYTES);
    row(table, "moved to HDDs", status, Figure.MOVED_DOWN_FILES, Figure.MOVED_DOWN_BYTES);
    row(table, "brought back", status, Figure.PROMOTED_FILES, Figure.PROMOTED_BYTES);
    row(table, "swept", status, Figure.SWEPT_FILES, Figure.SWEPT_BYTES);
    return table;
  }

  private static void row(
      Table table, String name, LocalDirStatus status, Figure files, Figure bytes) {
    table.row(name, Text.count(status.figure(files)), Text.bytes(status.figure(bytes)));
  }

  private static String text(Duration age) {
    return age.toSeconds() + " s";
  }

  /** One line of what happened so far. */
  static String progress(LocalDirStatus status) {
    return String.format(
        Locale.ROOT,
        "on SSD %s, %s; on HDDs %s, %s; moved %s, brought back %s, swept %s; SSD %s in use",
        Text.plural(status.upFiles(), "file"),
        Text.bytes(status.upBytes()),
        Text.plural(status.downFiles(), "file"),
        Text.bytes(status.downBytes()),
        Text.bytes(status.figure(Figure.MOVED_DOWN_BYTES)),
        Text.bytes(status.figure(Figure.PROMOTED_BYTES)),
        Text.bytes(status.figure(Figure.SWEPT_BYTES)),
        Text.share(status.ssdCapacity() - status.ssdFree(), status.ssdCapacity()));
  }

  /** The fields by their names in the tree's own status file. */
  static void put(ObjectNode node, LocalDirStatus status) {
    for (Map.Entry<String, Object> field : status.toMap().entrySet()) {
      Object value = field.getValue();
      if (value instanceof List) {
        ArrayNode array = node.putArray(field.getKey());
        ((List<?>) value).forEach(each -> array.add(String.valueOf(each)));
      } else {
        node.putPOJO(field.getKey(), value);
      }
    }
  }

  /** Says so if files don't become links atomically, and what would help. */
  static void warnOfExchange(Console console, LocalDirStatus status) {
    if (status.atomicExchange()) {
      return;
    }
    console.warn(
        isJnaThere()
            ? "no atomic exchange: the kernel or the file system of the SSD has no RENAME_EXCHANGE"
            : "no atomic exchange: JNA (net.java.dev.jna:jna) is not on the class path;"
                + " Hadoop has it in share/hadoop/yarn/lib");
    console.warn(
        "a file becomes a link by a plain rename after a last look at it: a program that replaces"
            + " or removes the file within those microseconds loses its change");
  }

  private static boolean isJnaThere() {
    try {
      Class.forName("com.sun.jna.Native", false, LocalDirText.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
