/** What is on which SSD, between nodes: a zero-hop distributed hash table of soft state. */
@NullMarked
package io.hycache.core.directory;

import org.jspecify.annotations.NullMarked;
