/** Configuration keys and the one reader of them. */
@NullMarked
package io.hycache.hdfs.conf;

import org.jspecify.annotations.NullMarked;
