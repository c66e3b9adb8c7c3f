/** Tests of the directory, over a network in memory with a clock of its own. */
@NullMarked
package io.hycache.core.directory;

import org.jspecify.annotations.NullMarked;
