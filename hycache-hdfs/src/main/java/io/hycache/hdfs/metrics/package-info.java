/** The metrics2 source of one DataNode. */
@NullMarked
package io.hycache.hdfs.metrics;

import org.jspecify.annotations.NullMarked;
