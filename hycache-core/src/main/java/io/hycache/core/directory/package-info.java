/** The directory of blocks on SSD among DataNodes: a zero-hop distributed hash table. */
@NullMarked
package io.hycache.core.directory;

import org.jspecify.annotations.NullMarked;
