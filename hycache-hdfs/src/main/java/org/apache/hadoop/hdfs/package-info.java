/** What has to be in Hadoop's package to have {@code DistributedFileSystem} use another client. */
@NullMarked
package org.apache.hadoop.hdfs;

import org.jspecify.annotations.NullMarked;
