@NullMarked
package io.hycache.bench.directory;

import org.jspecify.annotations.NullMarked;
