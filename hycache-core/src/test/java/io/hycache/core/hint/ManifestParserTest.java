// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestParserTest {

  @Test
  void parse_allKeys_keepsThem() throws Exception {
    Manifest manifest =
        parse(
            "{'version':1,'workflow':'w','ttl':'90s','jobs':[{'name':'a','repeat':3,"
                + "'reads':[{'path':'/in/*','times':2,'access':'random'},{'path':'/x'}],"
                + "'writes':[{'path':'/out','readsLater':4}]},{'name':'b','after':['a']}]}");

    assertEquals("w", manifest.workflow());
    assertEquals(Duration.ofSeconds(90), manifest.ttl());
    Manifest.Job a = manifest.jobsInOrder().get(0);
    assertEquals("a", a.name());
    assertEquals(3, a.repeat());
    assertEquals(List.of(), a.after());
    assertEquals("/in/*", a.reads().get(0).path());
    assertEquals(2, a.reads().get(0).times());
    assertTrue(a.reads().get(0).random());
    assertEquals("/x", a.reads().get(1).path());
    assertEquals(1, a.reads().get(1).times());
    assertFalse(a.reads().get(1).random());
    assertEquals("/out", a.writes().get(0).path());
    assertEquals(4, a.writes().get(0).readsLater());
    Manifest.Job b = manifest.jobsInOrder().get(1);
    assertEquals(List.of("a"), b.after());
    assertEquals(1, b.repeat());
    assertEquals(List.of(), b.reads());
    assertEquals(List.of(), b.writes());
  }

  @Test
  void parse_jobs_comeInTopologicalOrderThenAsListed() throws Exception {
    Manifest manifest =
        parse(
            head()
                + "{'name':'d','after':['b','c']},{'name':'c','after':['a']},{'name':'x'},"
                + "{'name':'b','after':['a','a']},{'name':'a'}]}");

    assertEquals(List.of("x", "a", "c", "b", "d"), names(manifest));
  }

  @Test
  void parse_byteOrderMark_isSkipped() throws Exception {
    assertEquals(List.of("a"), names(parse("\uFEFF" + head() + "{'name':'a'}]}")));
  }

  @Test
  void parse_sampleInConf_isRight() throws Exception {
    try (InputStream in = Files.newInputStream(Path.of("..", "conf", "sample-manifest.json"))) {
      Manifest manifest = ManifestParser.parse("sample-manifest.json", in);

      assertEquals("nightly-report", manifest.workflow());
      assertEquals(Duration.ofHours(6), manifest.ttl());
      assertEquals(List.of("clean", "rank", "report"), names(manifest));
      assertEquals(3, manifest.jobsInOrder().get(1).repeat());
    }
  }

  @Test
  void parse_streamIsLeftOpen() throws Exception {
    boolean[] closed = new boolean[1];
    InputStream in =
        new ByteArrayInputStream(bytes(head() + "{'name':'a'}]}")) {
          @Override
          public void close() {
            closed[0] = true;
          }
        };
    ManifestParser.parse("m.json", in);

    assertFalse(closed[0]);
  }

  @Test
  void parse_unknownKeys_namesThemAndTheKnownOnes() {
    assertRefused(
        "{'version':1,\n 'flow':'w'}",
        "m.json:2:2: $.flow: expected one of the keys version, workflow, ttl, jobs, found unknown"
            + " key \"flow\". Fix: rename or remove it.");
    assertRefused(
        head() + "{'name':'a'},\n{'name':'b','read':[]}]}",
        "m.json:2:13: $.jobs[1].read: expected one of the keys name, after, repeat, reads, writes,"
            + " found unknown key \"read\". Fix: rename or remove it.");
    assertRefused(
        job("'reads':[{'file':'/a'}]"),
        "m.json:2:23: $.jobs[0].reads[0].file: expected one of the keys path, times, access, found"
            + " unknown key \"file\". Fix: rename or remove it.");
    assertRefused(
        job("'writes':[{'path':'/a','reads':1}]"),
        "m.json:2:36: $.jobs[0].writes[0].reads: expected one of the keys path, readsLater, found"
            + " unknown key \"reads\". Fix: rename or remove it.");
  }

  @Test
  void parse_keyTwice_refuses() {
    assertRefused(
        job("'repeat':1,'repeat':2"),
        "m.json:2:24: $.jobs[0].repeat: expected each key once, found key \"repeat\""
            + " twice. Fix: remove one of them.");
  }

  @Test
  void parse_missingKeys_refuses() {
    assertRefused(
        "{}",
        "m.json:1:1: $: expected an object with version, workflow, ttl, jobs, found no"
            + " key \"version\". Fix: add it.");
    assertRefused(
        "{'version':1,'workflow':'w','jobs':[{'name':'a'}]}",
        "m.json:1:1: $: expected an object with version, workflow, ttl, jobs, found no"
            + " key \"ttl\". Fix: add it.");
    assertRefused(
        head() + "{'repeat':2}]}",
        "m.json:1:53: $.jobs[0]: expected an object with name, after, repeat, reads,"
            + " writes, found no key \"name\". Fix: add it.");
    assertRefused(
        job("'reads':[{'path':'/a'},{'times':2}]"),
        "m.json:2:36: $.jobs[0].reads[1]: expected an object with path, times, access,"
            + " found no key \"path\". Fix: add it.");
    assertRefused(
        job("'writes':[{'path':'/a'}]"),
        "m.json:2:23: $.jobs[0].writes[0]: expected an object with path, readsLater,"
            + " found no key \"readsLater\". Fix: add it.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"'' | \"\"", "'  ' | \"  \"", "null | null", "7 | 7", "[] | an array"})
  void parse_pathThatIsNone_refuses(String json, String found) {
    String value = json.isBlank() ? "'" + json + "'" : json;
    assertRefused(
        job("'reads':[{'path':" + value + "}]"),
        "m.json:2:30: $.jobs[0].reads[0].path: expected a file, directory or glob, found "
            + found
            + ". Fix: write a path, or remove the entry.");
    assertRefused(
        job("'writes':[{'path':" + value + "}]"),
        "m.json:2:31: $.jobs[0].writes[0].path: expected a file or directory, found "
            + found
            + ". Fix: write a path, or remove the entry.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0",
        "-1 | -1",
        "1.5 | 1.5",
        "1000001 | 1000001",
        "99999999999 | 99999999999",
        "99999999999999999999 | 99999999999999999999",
        "'2' | \"2\"",
        "true | true",
        "{} | an object",
      },
      quoteCharacter = '`')
  void parse_numberOutOfRange_refuses(String json, String found) {
    String message =
        ": expected a whole number from 1 to 1000000, found "
            + found
            + ". Fix: leave it out for 1.";
    assertRefused(job("'repeat':" + json), "m.json:2:22: $.jobs[0].repeat" + message);
    assertRefused(
        job("'reads':[{'times':" + json + "}]"), "m.json:2:31: $.jobs[0].reads[0].times" + message);
  }

  @Test
  void parse_readsLater_zeroIsAllowedNegativeIsNot() throws Exception {
    assertEquals(
        0,
        parse(job("'writes':[{'path':'/a','readsLater':0}]"))
            .jobsInOrder()
            .get(0)
            .writes()
            .get(0)
            .readsLater());
    assertRefused(
        job("'writes':[{'path':'/a','readsLater':-2}]"),
        "m.json:2:49: $.jobs[0].writes[0].readsLater: expected a whole number from 0"
            + " to 1000000, found -2. Fix: write 0 if nothing reads it later.");
  }

  @Test
  void parse_otherVersion_refuses() {
    assertRefused(
        "{'version':2}",
        "m.json:1:12: $.version: expected 1, found 2. Fix: write 1, or use a release"
            + " that reads this version.");
    assertRefused(
        "{'version':'1'}",
        "m.json:1:12: $.version: expected 1, found \"1\". Fix: write 1, or use a"
            + " release that reads this version.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2", "h", "0s", "-1h", "1.5h", "2 h", "2H", "366d", "9999999999s", "PT2H"})
  void parse_badTtl_refuses(String ttl) {
    assertRefused(
        "{'version':1,'ttl':'" + ttl + "'}",
        "m.json:1:20: $.ttl: expected a whole number and s, m, h or d, from \"1s\" to \"365d\","
            + " found \""
            + ttl
            + "\". Fix: write for example \"2h\".");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ManifestParser.parseTtl(ttl));
    assertEquals(
        "expected a whole number and s, m, h or d, from \"1s\" to \"365d\", found \"" + ttl + "\"",
        e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"90s, PT90S", "30m, PT30M", "2h, PT2H", "1d, P1D", "365d, P365D"})
  void parseTtl_units_areSecondsMinutesHoursDays(String text, Duration ttl) {
    assertEquals(ttl, ManifestParser.parseTtl(text));
  }

  @Test
  void parse_ttlAsNumber_refuses() {
    assertRefused(
        "{'version':1,'ttl':7200}",
        "m.json:1:20: $.ttl: expected a whole number and s, m, h or d, from \"1s\" to"
            + " \"365d\", found 7200. Fix: write for example \"2h\".");
  }

  @Test
  void parse_unknownAccess_refuses() {
    assertRefused(
        job("'reads':[{'path':'/a','access':'rand'}]"),
        "m.json:2:44: $.jobs[0].reads[0].access: expected \"sequential\" or"
            + " \"random\", found \"rand\". Fix: leave it out for \"sequential\".");
  }

  @Test
  void parse_wrongTypes_refuses() {
    assertRefused(
        "[]", "m.json:1:1: $: expected an object, found an array. Fix: put it into braces.");
    assertRefused("3", "m.json:1:1: $: expected an object, found 3. Fix: put it into braces.");
    assertRefused(
        "{'jobs':{}}",
        "m.json:1:9: $.jobs: expected an array of jobs, found an object. Fix: put it"
            + " into square brackets.");
    assertRefused(
        head() + "'a']}",
        "m.json:1:53: $.jobs[0]: expected an object, found \"a\". Fix: put it into" + " braces.");
    assertRefused(
        job("'after':'b'"),
        "m.json:2:21: $.jobs[0].after: expected an array of names of jobs, found"
            + " \"b\". Fix: put it into square brackets.");
    assertRefused(
        job("'after':[['b']]"),
        "m.json:2:22: $.jobs[0].after[0]: expected the name of a job, found an array."
            + " Fix: name the job that runs before.");
    assertRefused(
        job("'reads':['/a']"),
        "m.json:2:22: $.jobs[0].reads[0]: expected an object, found \"/a\". Fix: put"
            + " it into braces.");
    assertRefused(
        "{'workflow':null}",
        "m.json:1:13: $.workflow: expected a name, found null. Fix: name the workflow.");
    assertRefused(
        head() + "{'name':''}]}",
        "m.json:1:61: $.jobs[0].name: expected a name, found \"\". Fix: name the job.");
  }

  @Test
  void parse_noJobs_refuses() {
    assertRefused(
        head() + "]}",
        "m.json:1:52: $.jobs: expected at least one job, found no job. Fix: add one.");
  }

  @Test
  void parse_cycle_namesIt() {
    assertRefused(
        head()
            + "{'name':'z'},\n{'name':'s','after':['a']},\n{'name':'a','after':['b']},\n"
            + "{'name':'b','after':['z','c']},\n{'name':'c','after':['a']}]}",
        "m.json:3:1: $.jobs[2]: expected jobs that can run one after the other, found"
            + " a cycle of jobs (\"a\" after \"b\" after \"c\" after \"a\"). Fix: remove"
            + " one of these names from an \"after\" list.");
  }

  @Test
  void parse_jobAfterItself_isACycle() {
    assertRefused(
        job("'after':['a']"),
        "m.json:2:1: $.jobs[0]: expected jobs that can run one after the other, found"
            + " a cycle of jobs (\"a\" after \"a\"). Fix: remove one of these names from"
            + " an \"after\" list.");
  }

  @Test
  void parse_unknownJobInAfter_namesItsPlaceAndTheJobs() {
    assertRefused(
        head() + "{'name':'a'},\n{'name':'b','after':['a','c']}]}",
        "m.json:2:26: $.jobs[1].after[1]: expected the name of a job of this manifest"
            + " (\"a\", \"b\"), found unknown job \"c\". Fix: correct the name or add the"
            + " job.");
  }

  @Test
  void parse_duplicateJob_refuses() {
    assertRefused(
        head() + "{'name':'a'},\n{'repeat':2,'name':'a'}]}",
        "m.json:2:20: $.jobs[1].name: expected each name once, found job \"a\" twice."
            + " Fix: rename one of the two jobs.");
  }

  @Test
  void parse_brokenJson_saysWhereAndWhat() {
    assertRefused(
        head() + "{'name':'a',}]}",
        "m.json:1:65: $.jobs[0].name: expected JSON without comments and trailing"
            + " commas, found broken JSON (Unexpected character ('}' (code 125)): was"
            + " expecting double-quote to start field name). Fix: correct the text at this"
            + " place.");
    assertRefused(
        "{'version': one}",
        "m.json:1:13: $.version: expected JSON without comments and trailing commas,"
            + " found broken JSON (Unrecognized token 'one': was expecting (JSON String,"
            + " Number, Array, Object or token 'null', 'true' or 'false')). Fix: correct the"
            + " text at this place.");
    assertRefused(
        "{'workflow': 'a\\q'}",
        "m.json:1:17: $.workflow: expected JSON without comments and trailing commas,"
            + " found broken JSON (Unrecognized character escape 'q' (code 113)). Fix:"
            + " correct the text at this place.");
  }

  @Test
  void parse_everyPrefixOfTheSample_isRefusedOnce() throws Exception {
    String sample = Files.readString(Path.of("..", "conf", "sample-manifest.json")).strip();
    for (int length = 0; length < sample.length(); length++) {
      String prefix = sample.substring(0, length);
      ManifestException e = assertThrows(ManifestException.class, () -> parse(prefix));
      assertTrue(String.valueOf(e.getMessage()).startsWith("m.json"), e.getMessage());
    }
  }

  @Test
  void parse_severalErrors_keepsAllInOrder() {
    ManifestException e =
        assertThrows(
            ManifestException.class,
            () ->
                parse(
                    "{'version':2,\n'ttl':['1h'],\n'jobs':[{'reads':{'path':['/a',{'b':1}]}},\n"
                        + "{'name':'b','after':['none'],'repeat':'x','repeat':[1]},\n"
                        + "[[{'name':'c'}]]]}"));
    List<String> places =
        e.errors().stream()
            .map(error -> error.replaceFirst("m.json:(\\d+).*?: (\\S+): .*", "$1 $2"))
            .collect(Collectors.toList());
    assertEquals(
        List.of(
            "1 $.version",
            "2 $.ttl",
            "3 $.jobs[0].reads",
            "3 $.jobs[0]",
            "4 $.jobs[1].repeat",
            "4 $.jobs[1].repeat",
            "5 $.jobs[2]",
            "1 $"),
        places,
        e.errors()::toString);
    assertEquals(e.errors().get(0), e.getMessage());
  }

  @Test
  void parse_unknownJobBesideOtherErrors_isKept() {
    ManifestException e =
        assertThrows(
            ManifestException.class,
            () -> parse(head() + "{'name':'a','repeat':0},{'name':'b','after':['a','x','y']}]}"));
    assertEquals(3, e.errors().size(), e.errors()::toString);
    assertTrue(e.errors().get(1).contains("found unknown job \"x\""), e.errors()::toString);
    assertTrue(e.errors().get(2).contains("found unknown job \"y\""), e.errors()::toString);
  }

  @Test
  void parse_brokenJsonBehindAnError_isTheLastOne() {
    ManifestException e =
        assertThrows(
            ManifestException.class, () -> parse("{'version':2,\n'workflow':'w',,\n'ttl':0}"));
    assertEquals(2, e.errors().size(), e.errors()::toString);
    assertTrue(e.errors().get(1).contains("found broken JSON"), e.errors()::toString);
  }

  @Test
  void parse_manyErrors_endsWithANote() {
    String job = "{'name':'a','repeat':0},";
    ManifestException e =
        assertThrows(
            ManifestException.class, () -> parse(head() + job.repeat(1000) + "{'name':'z'}]}"));
    assertEquals(21, e.errors().size());
    assertEquals(
        "m.json: expected no more errors, found some. Fix: correct these first.",
        e.errors().get(20));
  }

  @Test
  void parse_truncated_refuses() {
    assertRefused(
        head() + "{'name':'a'",
        "m.json:1:64: $.jobs[0].name: expected a complete JSON object, found the end"
            + " of the file in the middle of a value. Fix: close all quotes, brackets and"
            + " braces.");
  }

  @Test
  void parse_emptyFile_refuses() {
    assertRefused(
        " \n",
        "m.json: expected one JSON object, found an empty file. Fix: write a manifest"
            + " into it.");
  }

  @Test
  void parse_moreAfterTheEnd_refuses() {
    assertRefused(
        head() + "{'name':'a'}]}\n{}",
        "m.json:2:1: $: expected one JSON object, found more text after its end. Fix:"
            + " remove that text.");
  }

  @Test
  void parse_notUtf8_refuses() {
    ManifestException e =
        assertThrows(
            ManifestException.class,
            () ->
                ManifestParser.parse(
                    "m.json", new ByteArrayInputStream(new byte[] {'{', (byte) 0xC3, '('})));

    assertEquals(NOT_UTF8, e.getMessage());
  }

  @Test
  void parse_controlCharactersInText_areNotPrinted() {
    assertRefused(
        "{'a\\u0007\\nb':1}",
        "m.json:1:2: $.a??b: expected one of the keys version, workflow, ttl, jobs, found unknown"
            + " key \"a??b\". Fix: rename or remove it.");
  }

  @Test
  void parse_entriesAtTheBound_areRead() throws Exception {
    String json = job("'reads':[" + reads(ManifestParser.MAX_ENTRIES - 1) + "]");

    assertEquals(99_999, parse(json).jobsInOrder().get(0).reads().size());
  }

  @Test
  void parse_millionEntries_refuses() {
    assertRefused(
        job("'reads':[" + reads(1_000_000) + "]"),
        "m.json:100001:1: $.jobs[0].reads[99999]: expected at most 100000 entries in a"
            + " manifest, found entry number 100001. Fix: name directories or globs instead"
            + " of files, or split the workflow.");
  }

  @Test
  void parse_longChainOfJobs_isSorted() throws Exception {
    StringBuilder jobs = new StringBuilder(head());
    int n = 40_000;
    for (int i = n; i > 0; i--) {
      jobs.append("{'name':'j").append(i).append("','after':['j").append(i - 1).append("']},");
    }
    jobs.append("{'name':'j0'}]}");

    List<String> names = names(parse(jobs.toString()));
    assertEquals("j0", names.get(0));
    assertEquals("j40000", names.get(n));
  }

  @Test
  void parseList_skipsCommentsAndBlankLines() throws Exception {
    Manifest manifest =
        parseList("# head\n\n  /a b  \n\t# indented\r\n/c#d\r\n/e*\n".replace("\t", " "));

    assertEquals("flow", manifest.workflow());
    assertEquals(Duration.ofHours(1), manifest.ttl());
    assertEquals(List.of("list"), names(manifest));
    assertEquals(List.of("/a b", "/c#d", "/e*"), paths(manifest));
    assertEquals(1, manifest.jobsInOrder().get(0).reads().get(0).times());
  }

  @Test
  void parseList_sampleInConf_isRight() throws Exception {
    Manifest manifest = parseList(Files.readString(Path.of("..", "conf", "sample-list.txt")));

    assertEquals(
        List.of("/data/events/2026-01-01", "/data/lookup/*.index", "/data/events/2026-01-02"),
        paths(manifest));
  }

  @Test
  void parseList_noPath_refuses() {
    ManifestException e = assertThrows(ManifestException.class, () -> parseList("# nothing\n\n"));

    assertEquals(
        "l.txt: expected one path per line (blank lines and lines that start with # are"
            + " skipped), found no path. Fix: add a path.",
        e.getMessage());
  }

  @Test
  void parseList_millionPaths_refuses() {
    ManifestException e =
        assertThrows(ManifestException.class, () -> parseList("# a\n" + "/a\n".repeat(1_000_000)));

    assertEquals(
        "l.txt:100002: expected at most 100000 entries in a manifest, found entry"
            + " number 100001. Fix: name directories or globs instead of files, or split the"
            + " workflow.",
        e.getMessage());
  }

  @Test
  void parseList_notUtf8_refuses() {
    ManifestException e =
        assertThrows(
            ManifestException.class,
            () ->
                ManifestParser.parseList(
                    "m.json",
                    new ByteArrayInputStream(new byte[] {'/', (byte) 0xFF}),
                    "flow",
                    Duration.ofHours(1)));

    assertEquals(NOT_UTF8, e.getMessage());
  }

  private static final String NOT_UTF8 =
      "m.json: expected a text file in UTF-8, found bytes that are not UTF-8. Fix:"
          + " convert or correct the file.";

  /** The manifest up to the opening bracket of the jobs. */
  private static String head() {
    return "{'version':1,'workflow':'w','ttl':'2h',     'jobs':[";
  }

  /** A manifest with one job, on line 2. */
  private static String job(String keys) {
    return head() + "\n{'name':'a'," + keys + "}]}";
  }

  private static String reads(int n) {
    return "{'path':'/a'},\n".repeat(n - 1) + "{'path':'/a'}";
  }

  private static void assertRefused(String json, String message) {
    ManifestException e = assertThrows(ManifestException.class, () -> parse(json));

    assertEquals(message, e.getMessage());
  }

  private static Manifest parse(String json) throws IOException, ManifestException {
    return ManifestParser.parse("m.json", new ByteArrayInputStream(bytes(json)));
  }

  private static Manifest parseList(String text) throws IOException, ManifestException {
    return ManifestParser.parseList(
        "l.txt",
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
        "flow",
        Duration.ofHours(1));
  }

  /** The text in UTF-8, with double quotes for single ones. */
  private static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> names(Manifest manifest) {
    return manifest.jobsInOrder().stream().map(Manifest.Job::name).collect(Collectors.toList());
  }

  private static List<String> paths(Manifest manifest) {
    return manifest.jobsInOrder().get(0).reads().stream()
        .map(Manifest.Read::path)
        .collect(Collectors.toList());
  }
}
