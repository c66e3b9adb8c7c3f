@NullMarked
package io.hycache.bench.sim;

import org.jspecify.annotations.NullMarked;
