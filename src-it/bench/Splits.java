// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.SplitLocationInfo;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/**
 * What MapReduce passes to its scheduler about an input: how many splits it makes, and of how many
 * it says that a host has them in memory, as HDFS calls what is cached. {@code Splits PATH}
 */
final class Splits {
  private Splits() {}

  public static void main(String[] args) throws Exception {
    Job job = Job.getInstance(new Configuration());
    FileInputFormat.addInputPath(job, new Path(args[0]));
    List<InputSplit> splits = new TextInputFormat().getSplits(job);
    int inMemory = 0;
    Set<String> hosts = new TreeSet<>();
    for (InputSplit split : splits) {
      boolean any = false;
      for (SplitLocationInfo info : split.getLocationInfo()) {
        if (info.isInMemory()) {
          any = true;
          hosts.add(info.getLocation());
        }
      }
      inMemory += any ? 1 : 0;
    }
    System.out.printf(
        Locale.ROOT,
        "{\"splits\": %d, \"splitsInMemory\": %d, \"hostsInMemory\": %d}%n",
        splits.size(),
        inMemory,
        hosts.size());
  }
}
