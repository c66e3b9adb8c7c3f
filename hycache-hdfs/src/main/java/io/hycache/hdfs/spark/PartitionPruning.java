// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.InSubqueryExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * A dynamic filter of partitions whose subquery has run: a column is one of its values. Immutable.
 */
final class PartitionPruning {
  private final int column;
  private final DataType type;
  private final Set<Object> values;

  private PartitionPruning(int column, DataType type, Set<Object> values) {
    this.column = column;
    this.type = type;
    this.values = values;
  }

  /** Returns null if the subquery has not run, or the filter has another form. */
  static @Nullable PartitionPruning of(Expression filter, StructType partitions) {
    Expression in =
        filter instanceof DynamicPruningExpression
            ? ((DynamicPruningExpression) filter).child()
            : filter;
    if (!(in instanceof InSubqueryExec)) {
      return null;
    }
    InSubqueryExec subquery = (InSubqueryExec) in;
    Option<Object[]> values = subquery.values();
    if (!(subquery.child() instanceof AttributeReference) || values.isEmpty()) {
      return null;
    }
    String name = ((AttributeReference) subquery.child()).name();
    int column = Arrays.asList(partitions.fieldNames()).indexOf(name);
    return column < 0
        ? null
        : new PartitionPruning(
            column,
            partitions.fields()[column].dataType(),
            new HashSet<>(Arrays.asList(values.get())));
  }

  boolean selects(InternalRow partition) {
    Object value = partition.get(column, type);
    return value != null && values.contains(value);
  }
}
