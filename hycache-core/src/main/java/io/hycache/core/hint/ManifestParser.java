// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads manifests.
 *
 * <p>JSON, version 1:
 *
 * <pre>{@code
 * {"version": 1, "workflow": "nightly", "ttl": "2h", "jobs": [
 *   {"name": "clean",
 *    "reads": [{"path": "/in/a", "times": 2, "access": "random"}],
 *    "writes": [{"path": "/tmp/clean", "readsLater": 3}]},
 *   {"name": "join", "after": ["clean"], "repeat": 3, "reads": [{"path": "/tmp/clean"}]}]}
 * }</pre>
 *
 * <p>Alternatively a plain list: one path per line; blank lines and lines that start with {@code #}
 * are skipped.
 *
 * <p>A {@link ManifestException} has all errors of a manifest, up to 20 of them; behind broken JSON
 * nothing is read. Memory grows with the entries, at most {@link #MAX_ENTRIES} of them: jobs, names
 * in {@code after}, reads and writes all count.
 */
public final class ManifestParser {
  /** Maximum number of entries of a manifest. */
  public static final int MAX_ENTRIES = 100_000;

  /** Maximum of {@code repeat}, {@code times} and {@code readsLater}. */
  public static final int MAX_TIMES = 1_000_000;

  private static final int VERSION = 1;
  static final Duration MAX_TTL = Duration.ofDays(365);
  private static final Pattern TTL = Pattern.compile("([0-9]{1,9})([smhd])");
  private static final String EXPECTED_TTL =
      "a whole number and s, m, h or d, from \"1s\" to \"365d\"";
  private static final int MAX_SHOWN_NAMES = 10;
  private static final int BYTE_ORDER_MARK = 0xFEFF;

  private final JsonCursor json;
  private final List<Manifest.Job> jobs = new ArrayList<>();

  /** Position of each job in the document, by name. */
  private final Map<String, String> places = new HashMap<>();

  /** Position of the first mention of each job in an {@code after}, by name. */
  private final Map<String, String> afterPlaces = new LinkedHashMap<>();

  private @Nullable String workflow;
  private @Nullable Duration ttl;
  private int entries;

  /** Whether a job has no name that could be read, so that no mention of a job is an error. */
  private boolean hasUnnamed;

  private ManifestParser(JsonCursor json) {
    this.json = json;
  }

  /**
   * Reads a JSON manifest.
   *
   * @param file name for messages
   * @param in UTF-8; not closed
   * @throws ManifestException if it is not a valid manifest of version 1
   */
  public static Manifest parse(String file, InputStream in) throws IOException, ManifestException {
    try {
      return new ManifestParser(new JsonCursor(file, reader(in))).manifest();
    } catch (CharacterCodingException e) {
      throw notText(file);
    }
  }

  /**
   * Reads a plain list of paths as a manifest of one job, named {@code list}, that reads each of
   * them once.
   *
   * @param file name for messages
   * @param in UTF-8; not closed
   * @param workflow name of the workflow
   * @param ttl &gt; 0
   * @throws ManifestException if it contains no path or too many, or if no workflow can have the
   *     name
   */
  public static Manifest parseList(String file, InputStream in, String workflow, Duration ttl)
      throws IOException, ManifestException {
    if (!WorkflowId.isName(workflow)) {
      throw badName(file, workflow);
    }
    List<Manifest.Read> reads = new ArrayList<>();
    try {
      BufferedReader lines = reader(in);
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        String path = line.strip();
        if (path.isEmpty() || path.startsWith("#")) {
          continue;
        }
        if (reads.size() == MAX_ENTRIES) {
          throw tooManyEntries(file + ":" + number);
        }
        reads.add(new Manifest.Read(path, 1, false));
      }
    } catch (CharacterCodingException e) {
      throw notText(file);
    }
    if (reads.isEmpty()) {
      throw ManifestException.of(
          file,
          "no path",
          "one path per line (blank lines and lines that start with # are skipped)",
          "add a path");
    }
    return new Manifest(
        workflow, ttl, List.of(new Manifest.Job("list", List.of(), 1, reads, List.of())));
  }

  /**
   * Parses a time to live such as {@code 90s}, {@code 30m}, {@code 2h} or {@code 1d}.
   *
   * @throws IllegalArgumentException if the text is invalid; the message gives the expected form
   */
  public static Duration parseTtl(String text) {
    Duration ttl = ttlOrNull(text);
    if (ttl == null) {
      throw new IllegalArgumentException(
          "expected " + EXPECTED_TTL + ", found " + JsonCursor.quoted(text));
    }
    return ttl;
  }

  private Manifest manifest() throws IOException, ManifestException {
    boolean isRead =
        json.document(
            start ->
                json.object(
                    List.of("version", "workflow", "ttl", "jobs"),
                    List.of(),
                    this::readManifestKey));
    if (isRead && !hasUnnamed) {
      checkNames();
    }
    json.throwErrors();
    JobOrder order = new JobOrder(jobs);
    List<Manifest.Job> sorted = order.sort();
    if (sorted.size() < jobs.size()) {
      List<String> cycle = order.cycle();
      throw json.error(
          String.valueOf(places.get(cycle.get(0))),
          "a cycle of jobs (" + shortened(cycle, " after ") + ")",
          "jobs that can run one after the other",
          "remove one of these names from an \"after\" list");
    }
    if (workflow == null || ttl == null) {
      throw new IllegalStateException("required keys were not read");
    }
    return new Manifest(workflow, ttl, sorted);
  }

  private static ManifestException badName(String where, String workflow) {
    return ManifestException.of(
        where,
        "one of " + workflow.length() + " characters",
        WorkflowId.EXPECTED_NAME,
        "choose another name for the workflow");
  }

  private void checkNames() {
    for (Map.Entry<String, String> after : afterPlaces.entrySet()) {
      if (!places.containsKey(after.getKey())) {
        json.add(
            json.error(
                after.getValue(),
                "unknown job " + JsonCursor.quoted(after.getKey()),
                "the name of a job of this manifest (" + namesOf(jobs) + ")",
                "correct the name or add the job"));
      }
    }
  }

  private void readManifestKey(String key) throws IOException, ManifestException {
    switch (key) {
      case "version":
        json.wholeNumber(VERSION, VERSION, "write 1, or use a release that reads this version");
        break;
      case "workflow":
        String name = json.text("a name", "name the workflow");
        if (!WorkflowId.isName(name)) {
          throw badName(json.where(), name);
        }
        workflow = name;
        break;
      case "ttl":
        ttl = ttlOrNull(json.text(EXPECTED_TTL, "write for example \"2h\""));
        if (ttl == null) {
          throw json.error(json.where(), json.found(), EXPECTED_TTL, "write for example \"2h\"");
        }
        break;
      default:
        String place = json.where();
        json.array("an array of jobs", element -> readJob());
        if (entries == 0) {
          throw json.error(place, "no job", "at least one job", "add one");
        }
    }
  }

  private void readJob() throws IOException, ManifestException {
    countEntry();
    String place = json.where();
    JobBuilder job = new JobBuilder();
    json.object(
        List.of("name"),
        List.of("after", "repeat", "reads", "writes"),
        key -> readJobKey(job, key));
    if (job.name.isEmpty()) {
      hasUnnamed = true;
    } else {
      places.put(job.name, place);
    }
    jobs.add(job.build());
  }

  private void readJobKey(JobBuilder job, String key) throws IOException, ManifestException {
    switch (key) {
      case "name":
        job.name = json.text("a name", "name the job");
        if (places.containsKey(job.name)) {
          throw json.error(
              json.where(),
              "job " + JsonCursor.quoted(job.name) + " twice",
              "each name once",
              "rename one of the two jobs");
        }
        break;
      case "after":
        json.array("an array of names of jobs", element -> readAfter(job));
        break;
      case "repeat":
        job.repeat = json.wholeNumber(1, MAX_TIMES, "leave it out for 1");
        break;
      case "reads":
        json.array("an array of reads", element -> readRead(job));
        break;
      default:
        json.array("an array of writes", element -> readWrite(job));
    }
  }

  private void readAfter(JobBuilder job) throws IOException, ManifestException {
    countEntry();
    String name = json.text("the name of a job", "name the job that runs before");
    afterPlaces.putIfAbsent(name, json.where());
    job.after.add(name);
  }

  private void readRead(JobBuilder job) throws IOException, ManifestException {
    countEntry();
    ReadBuilder read = new ReadBuilder();
    json.object(
        List.of("path"),
        List.of("times", "access"),
        key -> {
          switch (key) {
            case "path":
              read.path = readPath("a file, directory or glob");
              break;
            case "times":
              read.times = json.wholeNumber(1, MAX_TIMES, "leave it out for 1");
              break;
            default:
              read.random = readAccess();
          }
        });
    job.reads.add(new Manifest.Read(read.path, read.times, read.random));
  }

  private void readWrite(JobBuilder job) throws IOException, ManifestException {
    countEntry();
    ReadBuilder write = new ReadBuilder();
    json.object(
        List.of("path", "readsLater"),
        List.of(),
        key -> {
          if (key.equals("path")) {
            write.path = readPath("a file or directory");
          } else {
            write.times = json.wholeNumber(0, MAX_TIMES, "write 0 if nothing reads it later");
          }
        });
    job.writes.add(new Manifest.Write(write.path, write.times));
  }

  private String readPath(String expected) throws IOException, ManifestException {
    return json.text(expected, "write a path, or remove the entry");
  }

  private boolean readAccess() throws IOException, ManifestException {
    String expected = "\"sequential\" or \"random\"";
    String fix = "leave it out for \"sequential\"";
    switch (json.text(expected, fix)) {
      case "sequential":
        return false;
      case "random":
        return true;
      default:
        throw json.error(json.where(), json.found(), expected, fix);
    }
  }

  private void countEntry() throws IOException {
    if (++entries > MAX_ENTRIES) {
      json.stop(tooManyEntries(json.where()));
    }
  }

  private static ManifestException tooManyEntries(String where) {
    return ManifestException.of(
        where,
        "entry number " + (MAX_ENTRIES + 1),
        "at most " + MAX_ENTRIES + " entries in a manifest",
        "name directories or globs instead of files, or split the workflow");
  }

  private static ManifestException notText(String file) {
    return ManifestException.of(
        file, "bytes that are not UTF-8", "a text file in UTF-8", "convert or correct the file");
  }

  private static @Nullable Duration ttlOrNull(String text) {
    Matcher matcher = TTL.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    long amount = Long.parseLong(matcher.group(1));
    Duration ttl;
    switch (matcher.group(2)) {
      case "s":
        ttl = Duration.ofSeconds(amount);
        break;
      case "m":
        ttl = Duration.ofMinutes(amount);
        break;
      case "h":
        ttl = Duration.ofHours(amount);
        break;
      default:
        ttl = Duration.ofDays(amount);
    }
    return ttl.isZero() || ttl.compareTo(MAX_TTL) > 0 ? null : ttl;
  }

  private static String namesOf(List<Manifest.Job> jobs) {
    List<String> names = new ArrayList<>();
    jobs.forEach(job -> names.add(job.name()));
    return shortened(names, ", ");
  }

  private static String shortened(List<String> names, String separator) {
    List<String> shown = new ArrayList<>();
    names.stream().limit(MAX_SHOWN_NAMES).forEach(name -> shown.add(JsonCursor.quoted(name)));
    return String.join(separator, shown)
        + (names.size() > MAX_SHOWN_NAMES
            ? separator + "... " + names.size() + " names in all"
            : "");
  }

  /** Decodes strictly, rejecting malformed input, and skips a byte order mark. */
  private static BufferedReader reader(InputStream in) throws IOException {
    Reader decoded = new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder());
    BufferedReader reader = new BufferedReader(decoded);
    reader.mark(1);
    if (reader.read() != BYTE_ORDER_MARK) {
      reader.reset();
    }
    return reader;
  }

  /** A job while it is being read. */
  private static final class JobBuilder {
    String name = "";
    final Set<String> after = new LinkedHashSet<>();
    int repeat = 1;
    final List<Manifest.Read> reads = new ArrayList<>();
    final List<Manifest.Write> writes = new ArrayList<>();

    Manifest.Job build() {
      return new Manifest.Job(name, List.copyOf(after), repeat, reads, writes);
    }
  }

  /** A read or write while it is being read. */
  private static final class ReadBuilder {
    String path = "";
    int times = 1;
    boolean random;
  }
}
