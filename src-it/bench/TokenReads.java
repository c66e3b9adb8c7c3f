// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.util.GenericOptionsParser;

/**
 * A MapReduce job whose one task reads the files of a directory again and again for a time, with no
 * more than its container's tokens: each file anew, which takes new block tokens, and a byte of
 * each block through streams that stay open. Prints one line of JSON.
 */
public final class TokenReads {
  private static final String PATH = "tokenreads.path";
  private static final String SECONDS = "tokenreads.seconds";

  /** Longer than the answers of the directory are kept. */
  private static final long PAUSE_SECONDS = 7;

  private TokenReads() {}

  enum Count {
    ROUNDS,
    BYTES,
    BYTES_OF_OPEN_STREAMS,
    FAILURES
  }

  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    String[] rest = new GenericOptionsParser(conf, args).getRemainingArgs();
    if (Options.wantHelp(rest)) {
      System.out.println("TokenReads --path DIRECTORY --seconds N");
      return;
    }
    Map<String, String> options = Options.of(rest, 0);
    conf.set(PATH, options.get("path"));
    conf.set(SECONDS, options.get("seconds"));
    conf.setInt("mapreduce.map.maxattempts", 1);
    Job job = Job.getInstance(conf, "token-reads");
    job.setJar(System.getProperty("tokenreads.jar"));
    job.setInputFormatClass(OneSplit.class);
    job.setMapperClass(Reader.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    boolean done = job.waitForCompletion(true);
    StringBuilder out = new StringBuilder("{\"done\":" + done);
    for (Count count : Count.values()) {
      long value = done ? job.getCounters().findCounter(count).getValue() : 0;
      out.append(",\"").append(count.name()).append("\":").append(value);
    }
    System.out.println(out.append('}'));
    System.exit(done ? 0 : 1);
  }

  /** Reads. */
  public static final class Reader extends Mapper<NullWritable, NullWritable, Object, Object> {
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      Path directory = new Path(conf.get(PATH));
      FileSystem fs = directory.getFileSystem(conf);
      System.err.println("file system: " + fs.getClass().getName());
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(conf.getLong(SECONDS, 60));
      FileStatus[] files = fs.listStatus(directory, path -> !path.getName().startsWith("_"));
      FSDataInputStream[] open = new FSDataInputStream[files.length];
      for (int i = 0; i < files.length; i++) {
        open[i] = fs.open(files[i].getPath());
      }
      byte[] buffer = new byte[1 << 17];
      while (System.nanoTime() < end) {
        try {
          for (int i = 0; i < files.length; i++) {
            for (BlockLocation block : fs.getFileBlockLocations(files[i], 0, files[i].getLen())) {
              open[i].readFully(block.getOffset() + block.getLength() / 2, buffer, 0, 1);
              context.getCounter(Count.BYTES_OF_OPEN_STREAMS).increment(1);
            }
            try (InputStream in = fs.open(files[i].getPath())) {
              for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                context.getCounter(Count.BYTES).increment(n);
              }
            }
          }
        } catch (IOException e) {
          context.getCounter(Count.FAILURES).increment(1);
          e.printStackTrace();
        }
        context.getCounter(Count.ROUNDS).increment(1);
        context.progress();
        TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
      }
    }
  }

  /** One split without anything in it. */
  public static final class OneSplit extends InputFormat<NullWritable, NullWritable> {
    @Override
    public List<InputSplit> getSplits(JobContext context) {
      return List.of(new Empty());
    }

    @Override
    public RecordReader<NullWritable, NullWritable> createRecordReader(
        InputSplit split, TaskAttemptContext context) {
      return new NoRecords();
    }
  }

  /** The split. */
  public static final class Empty extends InputSplit implements org.apache.hadoop.io.Writable {
    @Override
    public long getLength() {
      return 0;
    }

    @Override
    public String[] getLocations() {
      return new String[0];
    }

    @Override
    public void write(java.io.DataOutput out) {}

    @Override
    public void readFields(java.io.DataInput in) {}
  }

  private static final class NoRecords extends RecordReader<NullWritable, NullWritable> {
    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {}

    @Override
    public boolean nextKeyValue() {
      return false;
    }

    @Override
    public NullWritable getCurrentKey() {
      return NullWritable.get();
    }

    @Override
    public NullWritable getCurrentValue() {
      return NullWritable.get();
    }

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
