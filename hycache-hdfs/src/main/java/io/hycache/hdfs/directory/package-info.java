/** A DataNode's part in the directory: members from the NameNode, its SSD's blocks published. */
@NullMarked
package io.hycache.hdfs.directory;

import org.jspecify.annotations.NullMarked;
