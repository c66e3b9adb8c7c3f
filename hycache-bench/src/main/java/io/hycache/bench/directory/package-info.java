/** Experiments with the directory: real processes beside a real NameNode, and a simulation. */
@NullMarked
package io.hycache.bench.directory;

import org.jspecify.annotations.NullMarked;
