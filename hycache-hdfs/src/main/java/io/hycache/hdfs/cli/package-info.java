/** The command line. */
@NullMarked
package io.hycache.hdfs.cli;

import org.jspecify.annotations.NullMarked;
