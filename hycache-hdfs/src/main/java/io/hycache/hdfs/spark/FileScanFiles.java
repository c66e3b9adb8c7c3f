// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import io.hycache.hdfs.client.FileWorkflows.FileRead;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.v2.FileScan;
import org.apache.spark.sql.execution.datasources.v2.orc.OrcScan;
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetScan;
import org.jspecify.annotations.Nullable;

/** A scan of Spark's own file sources, version 2. Immutable. */
final class FileScanFiles implements PlannedScans.Scan {
  private final FileScan scan;

  FileScanFiles(FileScan scan) {
    this.scan = scan;
  }

  @Override
  public List<FileRead> files() {
    boolean columnar = scan instanceof ParquetScan || scan instanceof OrcScan;
    boolean partly =
        columnar && scan.readDataSchema().fields().length < scan.dataSchema().fields().length;
    Set<Path> paths = new LinkedHashSet<>();
    for (InputPartition partition : scan.planInputPartitions()) {
      for (PartitionedFile file : ((FilePartition) partition).files()) {
        paths.add(file.toPath());
      }
    }
    List<FileRead> out = new ArrayList<>();
    paths.forEach(path -> out.add(new FileRead(path, partly)));
    return out;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FileScanFiles && scan.equals(((FileScanFiles) other).scan);
  }

  @Override
  public int hashCode() {
    return scan.hashCode();
  }
}
