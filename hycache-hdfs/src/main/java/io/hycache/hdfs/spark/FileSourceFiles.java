// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import io.hycache.hdfs.client.FileWorkflows.FileRead;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.execution.FileSourceScanLike;
import org.apache.spark.sql.execution.ScalarSubquery;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.jspecify.annotations.Nullable;

/**
 * A scan of Spark's own file sources, version 1. The files are asked of the scan's index, not of
 * the scan, whose lists are computed under a lock that the query's thread may need. Immutable.
 */
final class FileSourceFiles implements PlannedScans.Scan {
  private static final Set<String> COLUMNAR = Set.of("parquet", "orc");

  private final FileSourceScanLike scan;
  private final List<PartitionPruning> pruning;

  private FileSourceFiles(FileSourceScanLike scan, List<PartitionPruning> pruning) {
    this.scan = scan;
    this.pruning = pruning;
  }

  /**
   * Returns true if the files of a scan can be found without a job. Indexes of other sources, such
   * as those of table formats, may start one; so does that of a catalog's table with many
   * partitions, before the query itself has listed them. A filter of its partitions makes it one
   * that is known.
   */
  static boolean isKnown(FileSourceScanLike scan) {
    FileIndex index = scan.relation().location();
    return index instanceof PartitioningAwareFileIndex;
  }

  /** Returns null if its partitions are known only when a subquery has run. */
  static @Nullable FileSourceFiles of(FileSourceScanLike scan) {
    List<PartitionPruning> pruning = new ArrayList<>();
    for (Expression filter : ScalaCalls.partitionFilters(scan, Expression.class)) {
      if (isDynamic(filter)) {
        PartitionPruning known =
            PartitionPruning.of(filter, scan.relation().location().partitionSchema());
        if (known == null) {
          return null;
        }
        pruning.add(known);
      }
    }
    return new FileSourceFiles(scan, pruning);
  }

  /** Returns true if the index cannot evaluate a filter: it needs more than a value it has. */
  private static boolean isDynamic(Expression filter) {
    return filter.exists(part -> part instanceof PlanExpression && !hasValue(part));
  }

  /** Returns true if it is a scalar subquery that has run; from then on it is a constant. */
  private static boolean hasValue(Expression subquery) {
    if (!(subquery instanceof ScalarSubquery)) {
      return false;
    }
    try {
      Object unused = subquery.eval(null);
      return true;
    } catch (IllegalArgumentException e) { // it has not run
      return false;
    }
  }

  @Override
  public List<FileRead> files() {
    boolean partly = readsParts();
    List<FileStatus> files = new ArrayList<>();
    for (PartitionDirectory partition :
        ScalaCalls.partitions(scan, filter -> isDynamic((Expression) filter))) {
      if (pruning.stream().allMatch(filter -> filter.selects(partition.values()))) {
        for (Object file : ScalaCalls.files(partition)) {
          files.add(((FileStatusWithMetadata) file).fileStatus());
        }
      }
    }
    // As Spark makes partitions of files: the longest first.
    files.sort(Comparator.comparingLong(FileStatus::getLen).reversed());
    List<FileRead> out = new ArrayList<>();
    for (FileStatus file : files) {
      out.add(new FileRead(file.getPath(), partly));
    }
    return out;
  }

  private boolean readsParts() {
    HadoopFsRelation relation = scan.relation();
    Object format = relation.fileFormat();
    return format instanceof DataSourceRegister
        && COLUMNAR.contains(((DataSourceRegister) format).shortName())
        && scan.requiredSchema().fields().length < relation.dataSchema().fields().length;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FileSourceFiles && scan.equals(((FileSourceFiles) other).scan);
  }

  @Override
  public int hashCode() {
    return scan.hashCode();
  }
}
