/** Between HDFS's dataset and the engine: guard, clean copies, observed streams. */
@NullMarked
package io.hycache.hdfs.dataset;

import org.jspecify.annotations.NullMarked;
