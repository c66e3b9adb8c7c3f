/** Verified, synced copies of replica files. */
@NullMarked
package io.hycache.hdfs.move;

import org.jspecify.annotations.NullMarked;
