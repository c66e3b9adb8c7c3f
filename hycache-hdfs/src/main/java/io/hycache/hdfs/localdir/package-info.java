/** Temp directories of jobs: the NodeManager's auxiliary service. Only this package knows YARN. */
@NullMarked
package io.hycache.hdfs.localdir;

import org.jspecify.annotations.NullMarked;
