/** What users name in their configuration. */
@NullMarked
package io.hycache.hdfs;

import org.jspecify.annotations.NullMarked;
