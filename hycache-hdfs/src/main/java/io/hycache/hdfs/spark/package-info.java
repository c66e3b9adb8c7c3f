// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Hints of what a Spark SQL query reads, from its physical plan. The only package that names
 * classes of Spark and Scala: nothing else needs them.
 *
 * <p>It is compiled against Spark 3.5 on Scala 2.12, and runs on Spark 4 and Scala 2.13, too.
 * {@code scala.collection.Seq} in the signature of a method of Spark is {@code
 * scala.collection.immutable.Seq} there, so such methods are called by {@link
 * io.hycache.hdfs.spark.ScalaCalls} alone.
 */
@NullMarked
package io.hycache.hdfs.spark;

import org.jspecify.annotations.NullMarked;
