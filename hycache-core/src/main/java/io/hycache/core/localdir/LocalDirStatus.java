// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A snapshot of one tree. Immutable. Wire form, table and metrics are all derived from the list of
 * {@link Figure}s.
 */
public final class LocalDirStatus {
  /** The numbers of a status. */
  public enum Figure {
    /** Files whose bytes are on the SSD, as of the last scan. */
    UP_FILES(true),
    /** Bytes of the files that are up. */
    UP_BYTES(true),
    /** Links to files on HDDs, as of the last scan. */
    DOWN_FILES(true),
    /** Bytes of the files that are down. */
    DOWN_BYTES(true),
    /** Bytes that the tree may use on the SSD. */
    SSD_CAPACITY(true),
    /** Free bytes of the capacity. */
    SSD_FREE(true),
    /** Files waiting for a move. */
    WAITING_FILES(true),
    /** Files moved from the SSD to an HDD since the start. */
    MOVED_DOWN_FILES(false),
    /** Bytes moved from the SSD to an HDD since the start. */
    MOVED_DOWN_BYTES(false),
    /** Files moved from an HDD to the SSD since the start. */
    PROMOTED_FILES(false),
    /** Bytes moved from an HDD to the SSD since the start. */
    PROMOTED_BYTES(false),
    /** Files without a link removed from HDDs since the start. */
    SWEPT_FILES(false),
    /** Bytes of files without a link removed since the start. */
    SWEPT_BYTES(false),
    /** Renamed files whose name on the HDD was corrected. */
    REHOMED_FILES(false),
    /**
     * Moves that failed, including those to an HDD after which the file went to another one; more
     * than a few indicate a failing device or missing rights.
     */
    MOVES_FAILED(false),
    /** Moves abandoned because the file was changed or removed meanwhile; harmless. */
    MOVES_CANCELLED(false),
    /** Moves skipped because the file was open for writing. */
    SKIPPED_OPEN(false),
    /** Moves abandoned because no HDD had room; more than 0 means that the HDDs are full. */
    HDD_FULL(false),
    /**
     * Looks at files on HDDs that failed, at most one on each HDD in 30 s; a rising value indicates
     * a failing HDD.
     */
    HDD_LOOKS_FAILED(false),
    /** Opens through the API of files on the SSD. */
    OPENS_UP(false),
    /** Opens through the API of files on an HDD. */
    OPENS_DOWN(false),
    /** Complete inventories taken. */
    INVENTORIES(false),
    /** Inventories abandoned because directories kept changing. */
    INVENTORIES_INCOMPLETE(false),
    /** Errors, such as lack of memory, in the tree's threads; more than 0 needs attention. */
    ERRORS(false),
    /** Files in .hycache/kept, to be compared and removed by an administrator. */
    KEPT_FILES(true),
    /** Number of {@link LocalDirStatus#unusableHdds}; more than 0 needs attention. */
    HDDS_UNUSABLE(true);

    private final boolean gauge;
    private final String key;

    Figure(boolean gauge) {
      this.gauge = gauge;
      StringBuilder camel = new StringBuilder();
      for (String word : name().toLowerCase(Locale.ROOT).split("_", -1)) {
        camel.append(
            camel.length() == 0 ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
      }
      key = camel.toString();
    }

    /** True for a gauge, which may fall; false for a counter. */
    public boolean isGauge() {
      return gauge;
    }

    /** Its name in JSON and tables, such as {@code upFiles}. */
    public String key() {
      return key;
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 1;

  private final Path ssd;
  private final List<Path> hdds;
  private final List<Path> unusableHdds;
  private final String policy;
  private final String state;
  private final boolean atomicExchange;
  private final long wallMillis;
  private final Map<Figure, Long> figures;

  LocalDirStatus(
      Path ssd,
      List<Path> hdds,
      List<Path> unusableHdds,
      String policy,
      String state,
      boolean atomicExchange,
      long wallMillis,
      Map<Figure, Long> figures) {
    this.ssd = ssd;
    this.hdds = List.copyOf(hdds);
    this.unusableHdds = List.copyOf(unusableHdds);
    this.policy = policy;
    this.state = state;
    this.atomicExchange = atomicExchange;
    this.wallMillis = wallMillis;
    EnumMap<Figure, Long> all = new EnumMap<>(Figure.class);
    for (Figure figure : Figure.values()) {
      all.put(figure, figures.getOrDefault(figure, 0L));
    }
    this.figures = Collections.unmodifiableMap(all);
  }

  /**
   * Reads the status that the tree's daemon wrote last; see {@link #wallMillis} for its age.
   * Readable for the user who serves the tree and for root.
   *
   * @throws IOException if there is none or it can't be read; the message gives the fix
   */
  public static LocalDirStatus read(Path ssd) throws IOException {
    Path file = TreeLayout.status(ssd);
    try {
      return fromJson(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new IOException(
          "No status at " + file + ": no daemon has served this tree yet. Fix: start one for it",
          e);
    } catch (AccessDeniedException e) {
      throw new IOException(
          "No right to read "
              + file
              + ". Fix: run this as the user who serves the tree, or as root",
          e);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "Unreadable status at "
              + file
              + ": "
              + e.getMessage()
              + ". Fix: wait for the tree's daemon to rewrite it, or remove it",
          e);
    }
  }

  /**
   * Parses {@link #toJson}.
   *
   * @throws IllegalArgumentException naming the problem
   */
  public static LocalDirStatus fromJson(String json) {
    JsonNode node;
    try {
      node = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
    if (node == null || node.path("version").asInt() != VERSION) {
      throw new IllegalArgumentException("expected version " + VERSION + ", found another");
    }
    Map<Figure, Long> figures = new EnumMap<>(Figure.class);
    for (Figure figure : Figure.values()) {
      figures.put(figure, node.path(figure.key()).asLong());
    }
    return new LocalDirStatus(
        Path.of(node.path("ssd").asText()),
        paths(node.path("hdds")),
        paths(node.path("unusableHdds")),
        node.path("policy").asText(),
        node.path("state").asText(),
        node.path("atomicExchange").asBoolean(),
        node.path("wallMillis").asLong(),
        figures);
  }

  private static List<Path> paths(JsonNode texts) {
    List<Path> paths = new ArrayList<>();
    texts.forEach(text -> paths.add(Path.of(text.asText())));
    return paths;
  }

  private static List<String> texts(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.toList());
  }

  /** One line of JSON: the keys of {@link #toMap} and a version. */
  public String toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("version", VERSION);
    map.putAll(toMap());
    try {
      return JSON.writeValueAsString(map);
    } catch (JsonProcessingException e) {
      throw new AssertionError("a map of texts and numbers is JSON", e);
    }
  }

  /** All values by name, in a fixed order: strings, numbers, booleans and lists of strings. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("ssd", ssd.toString());
    map.put("hdds", texts(hdds));
    map.put("unusableHdds", texts(unusableHdds));
    map.put("policy", policy);
    map.put("state", state);
    map.put("atomicExchange", atomicExchange);
    map.put("wallMillis", wallMillis);
    figures.forEach((figure, value) -> map.put(figure.key(), value));
    return map;
  }

  /** The root of the tree. */
  public Path ssd() {
    return ssd;
  }

  /** The configured roots on HDDs. */
  public List<Path> hdds() {
    return hdds;
  }

  /** Those of {@link #hdds} that were not usable at the start, and are not used. */
  public List<Path> unusableHdds() {
    return unusableHdds;
  }

  /** Name of the policy. */
  public String policy() {
    return policy;
  }

  /**
   * {@code open}, {@code running} or {@code closed}; {@code failed: why} while rounds of the
   * planner or the sweeper fail; {@code late: why} while a round does not end; {@code stopped: why}
   * until a restart.
   */
  public String state() {
    return state;
  }

  /**
   * False if a program that replaces a file at the very instant of its move may lose its change.
   */
  public boolean atomicExchange() {
    return atomicExchange;
  }

  /** Wall-clock time of the snapshot, in milliseconds since 1970. */
  public long wallMillis() {
    return wallMillis;
  }

  /** The value of a figure. */
  public long figure(Figure figure) {
    return figures.getOrDefault(figure, 0L);
  }

  /** All figures in their order of declaration. */
  public Map<Figure, Long> figures() {
    return figures;
  }

  /** Files whose bytes are on the SSD. */
  public long upFiles() {
    return figure(Figure.UP_FILES);
  }

  /** Bytes of the files on the SSD. */
  public long upBytes() {
    return figure(Figure.UP_BYTES);
  }

  /** Files on HDDs, behind links. */
  public long downFiles() {
    return figure(Figure.DOWN_FILES);
  }

  /** Bytes of the files on HDDs. */
  public long downBytes() {
    return figure(Figure.DOWN_BYTES);
  }

  /** Bytes that the tree may use on the SSD. */
  public long ssdCapacity() {
    return figure(Figure.SSD_CAPACITY);
  }

  /** Free bytes of {@link #ssdCapacity}. */
  public long ssdFree() {
    return figure(Figure.SSD_FREE);
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}
