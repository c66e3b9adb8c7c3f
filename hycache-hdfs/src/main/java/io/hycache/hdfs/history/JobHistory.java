// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.hycache.core.hint.LogLines;
import io.hycache.core.hint.RecordedRun;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericEnumSymbol;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads job history files of MapReduce ({@code .jhist}) with the configuration of the job beside
 * them ({@code job_..._conf.xml}), in which the inputs and outputs are. A job is a run; jobs with
 * one {@code mapreduce.workflow.id} are one workflow.
 *
 * <p>A history file is a line with its form, a line with the schema, then the events: each a line
 * of JSON, or Avro's binary form. Both are read by the schema in the file, so that neither
 * MapReduce nor its version matters; Avro is on Hadoop's class path.
 */
public final class JobHistory extends RunRecords {
  private static final String JSON_FORM = "Avro-Json";
  private static final String BINARY_FORM = "Avro-Binary";
  private static final String INPUTS = "mapreduce.input.fileinputformat.inputdir";
  private static final String OUTPUT = "mapreduce.output.fileoutputformat.outputdir";
  private static final String WORKFLOW = "mapreduce.workflow.id";
  private static final Pattern JOB = Pattern.compile("(job_\\d+_\\d+).*");

  /** Longer first lines are of another kind of file. */
  private static final int MAX_HEADER_BYTES = 4 << 20;

  private long withoutConf;
  private long withoutInputs;

  @Override
  public void read(Path file) throws IOException {
    for (Path one : files(file, name -> name.endsWith(".jhist"))) {
      try (InputStream in = new BufferedInputStream(Files.newInputStream(one))) {
        readFile(one, in);
      } catch (NoSuchFileException e) {
        throw new IOException(one + ": expected a file, found none. Fix: correct the path", e);
      }
    }
  }

  private void readFile(Path file, InputStream in) throws IOException {
    at(file, 1);
    String form = line(in);
    if (form == null || !(form.equals(JSON_FORM) || form.equals(BINARY_FORM))) {
      bad(JSON_FORM + " or " + BINARY_FORM, form == null ? "another file" : form);
      return;
    }
    at(file, 2);
    String schema = line(in);
    Job job = new Job(file);
    if (form.equals(JSON_FORM)) {
      readJson(file, in, job);
    } else {
      readBinary(file, in, schema == null ? "" : schema, job);
    }
    job.end();
  }

  private void readJson(Path file, InputStream in, Job job) throws IOException {
    lines(
        file,
        2,
        new LogLines(in, MAX_LINE_CHARS),
        // Of the many events of tasks, none is parsed.
        line -> line.contains("\"JOB_") || !line.startsWith("{\"type\":"),
        event -> {
          JsonNode union = event.path("event");
          job.event(event.path("type").asText(), union.elements().hasNext() ? first(union) : union);
        });
  }

  private static JsonNode first(JsonNode union) {
    return union.elements().next();
  }

  private void readBinary(Path file, InputStream in, String text, Job job) throws IOException {
    GenericDatumReader<GenericRecord> reader;
    try {
      reader = new GenericDatumReader<>(new Schema.Parser().setValidateDefaults(false).parse(text));
    } catch (AvroRuntimeException | StackOverflowError e) {
      bad("an Avro schema", text);
      return;
    }
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(in, null);
    // Events have no lines: they are counted behind the two of the header.
    for (long number = 3; !decoder.isEnd(); number++) {
      at(file, number);
      try {
        GenericRecord event = reader.read(null, decoder);
        String type = type(event.get("type"));
        JsonNode body = type.startsWith("JOB_") ? json(String.valueOf(event.get("event"))) : null;
        if (body != null) {
          job.event(type, body);
        }
      } catch (EOFException e) {
        bad("a whole event", "the end of the file");
        return;
      } catch (RuntimeException | IOException | StackOverflowError e) {
        // Avro calls itself for each level of a schema that names itself.
        bad("an event of the file's schema", String.valueOf(e.getMessage()));
        return; // where the next event begins is not known
      }
    }
  }

  /**
   * The type of an event. By MapReduce's schema it is an enumeration, which takes a byte or more;
   * with another one an event could take none, and the file would have no end.
   */
  private static String type(@Nullable Object type) {
    if (type instanceof GenericEnumSymbol) {
      return type.toString();
    }
    throw new AvroRuntimeException("the type is no enumeration");
  }

  /** A line of the header; null at the end of the file, or if it is too long for a header. */
  private static @Nullable String line(InputStream in) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int b = in.read();
    if (b < 0) {
      return null;
    }
    for (; b >= 0 && b != '\n'; b = in.read()) {
      if (out.size() == MAX_HEADER_BYTES) {
        return null;
      }
      out.write(b);
    }
    return out.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  /** The job of a file. */
  private final class Job {
    private final Path file;
    private @Nullable RecordedRun run;

    Job(Path file) {
      this.file = file;
    }

    void event(String type, JsonNode event) {
      if (type.equals("JOB_SUBMITTED")) {
        String id = event.path("jobid").asText();
        String name = event.path("jobName").asText();
        String user = event.path("userName").asText();
        Configuration conf = conf(id);
        String workflow = conf == null ? "" : text(conf, WORKFLOW);
        run =
            run(
                id,
                () ->
                    new RecordedRun(
                        workflow.isEmpty() ? id : user + "/" + workflow,
                        user,
                        name,
                        event.path("submitTime").asLong()));
        if (run != null && conf != null) {
          paths(run, conf);
        }
      } else if (run != null && event.path("finishTime").asLong() > 0) {
        run.at(event.path("finishTime").asLong());
      }
    }

    void end() {
      if (run == null) {
        bad("an event JOB_SUBMITTED", "none");
      }
    }

    private @Nullable Configuration conf(String id) {
      Matcher name = JOB.matcher(String.valueOf(file.getFileName()));
      // The id is a text of the user's; only one that is a job's id is a part of a path.
      Matcher job = name.matches() ? name : JOB.matcher(id);
      Path beside = job.matches() ? file.resolveSibling(job.group(1) + "_conf.xml") : null;
      if (beside == null || !Files.exists(beside)) {
        withoutConf++;
        return null;
      }
      Configuration conf = new Configuration(false);
      // A user wrote it: nothing of this process is put into its values.
      conf.addResource(new org.apache.hadoop.fs.Path(beside.toUri()), true);
      try {
        int unused = conf.size();
      } catch (RuntimeException e) {
        at(beside, 1);
        bad("a configuration", String.valueOf(e.getMessage()));
        return null;
      }
      return conf;
    }
  }

  private static String text(Configuration conf, String key) {
    String value = conf.getRaw(key);
    return value == null ? "" : value.strip();
  }

  private void paths(RecordedRun run, Configuration conf) {
    String[] inputs = StringUtils.split(text(conf, INPUTS));
    withoutInputs += inputs.length == 0 ? 1 : 0;
    for (String escaped : inputs) {
      String input;
      try {
        input = StringUtils.unEscapeString(escaped);
      } catch (IllegalArgumentException e) {
        bad("a backslash before commas and backslashes alone in " + INPUTS, escaped);
        continue;
      }
      String path = onHdfs(HdfsPath.of(input));
      if (path != null) {
        run.read(path);
      }
    }
    String output = text(conf, OUTPUT);
    String path = output.isEmpty() ? null : onHdfs(HdfsPath.of(output));
    if (path != null) {
      run.wrote(path);
    }
  }

  @Override
  List<String> unknown() {
    List<String> out = new ArrayList<>();
    if (withoutConf > 0) {
      out.add(
          "jobs without a job_..._conf.xml beside their history, so that their inputs are not known: "
              + withoutConf);
    }
    if (withoutInputs > 0) {
      out.add("jobs whose input format has no directories: " + withoutInputs);
    }
    return out;
  }
}
